"""What Puppet takes: what a manifest is compiled for and with."""

from typing import Annotated, Literal

import msgspec

from headwater.langs.fields import About, Count, Families, Name


class Fields(msgspec.Struct, frozen=True):
    """The inputs of a program; `engine/inputs.py` reads what they name."""

    node: Annotated[
        str | None, About("the node to compile for", "web1.example.com", "--node", "NAME")
    ] = None
    facts: Annotated[
        dict[str, object] | str | None,
        About("the facts, or the file they are in", {"os": {"family": "Debian"}}, path="file"),
    ] = None
    facts_file: Annotated[
        Name | None,
        About("facts, as facter, puppet facts or PuppetDB write them", "facts.yaml", "--facts",
              "FILE", path="file"),
    ] = None  # fmt: skip
    external_facts: Annotated[
        list[str] | None,
        About("a folder of external facts, put over the facts", ["facts.d"], "--external-facts",
              "DIR", many=True, path="file"),
    ] = None  # fmt: skip
    trusted: Annotated[
        dict[str, object] | None, About("`$trusted`", {"extensions": {"pp_role": "db"}})
    ] = None
    trusted_file: Annotated[
        Name | None,
        About("`$trusted`, JSON or YAML", "trusted.yaml", "--trusted", "FILE", path="file"),
    ] = None
    modulepath: Annotated[
        list[Name] | Name | None,
        About("folders of modules", ["modules"], "--modulepath", "A:B", path="search"),
    ] = None
    hiera: Annotated[
        Name | None, About("a hiera.yaml", "hiera.yaml", "--hiera", "FILE", path="file")
    ] = None
    env: Annotated[
        Name | None,
        About("an environment's folder", "production", "--env", "DIR",
              path="file", stands_in=True),
    ] = None  # fmt: skip
    classes: Annotated[
        list[str] | dict[str, dict[str, object] | None] | None,
        About("classes of a classifier, with or without parameters", ["ntp"]),
    ] = None
    set: Annotated[
        list[str] | None,
        About("a top-level variable", ["tier=1"], "--set", "K=V", many=True),
    ] = None
    settings: Annotated[
        dict[str, object] | None,
        About("Puppet's settings, such as `strict` and `strict_variables`", {"strict": "error"}),
    ] = None
    setting: Annotated[
        list[str] | None,
        About("a setting, which wins over `settings`", ["strict=warning"], "--setting",
              "NAME=VALUE", many=True),
    ] = None  # fmt: skip
    puppet: Annotated[
        Literal[7, 8] | None, About("the language level (8)", 7, "--puppet", "7|8")
    ] = None
    on_unknown: Annotated[
        Literal["error", "opaque"] | None,
        About("what a function becomes that is not known here", "opaque", "--on-unknown"),
    ] = None
    keep_virtual: Annotated[bool | None, About("keep virtual resources", True)] = None
    max_steps: Annotated[
        Count | None,
        About("evaluations that a program may take (200,000,000)", 1000, "--max-steps", "N"),
    ] = None
    provenance: Annotated[
        Literal["dplus", "thesis"] | None,
        About("µPuppet: the repaired provenance, or the thesis's", "thesis", "--provenance"),
    ] = None
    pre: Annotated[str | None, About("text put before the manifest", "$a = 1")] = None
    post: Annotated[str | None, About("text put after the manifest", "include b")] = None


class Lookup(msgspec.Struct, frozen=True):
    """What is said about one look-up."""

    merge: Annotated[
        Literal["first", "unique", "hash", "deep"] | None,
        About("merge the places like this, whatever lookup_options say", "deep", "--merge"),
    ] = None


FAMILIES = Families("Puppet", program=Fields, lookup=Lookup)
