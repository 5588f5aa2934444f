"""What Puppet takes: what a manifest is compiled for and with.

The inputs of a program stand in four structs, each with the fields of the one before: who reads
only what is known of the node takes a `NodeFields`.  `engine/inputs.py` reads what they name.
"""

from typing import Annotated, Literal

import msgspec

from headwater.langs.fields import About, Count, Families, Name, NameAlone


class NodeFields(msgspec.Struct, frozen=True):
    """What is known of the node that a program is compiled for."""

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


class EnvironmentFields(NodeFields, frozen=True):
    """The node, and where modules and data are."""

    modulepath: Annotated[
        list[Name] | NameAlone | None,
        About("folders of modules", ["modules"], "--modulepath", "A:B", path="search"),
    ] = None
    env_modulepath: Annotated[
        list[Name] | None,
        About("the modulepath of the environment, relative to it, in the place of the one in its "
              "`environment.conf`", ["site", "modules"], key="modulepath"),
    ] = None  # fmt: skip
    hiera: Annotated[
        Name | None,
        About("a hiera.yaml", "hiera.yaml", "--hiera", "FILE", path="file", key="hiera"),
    ] = None
    env: Annotated[
        Name | None,
        About("an environment's folder", "production", "--env", "DIR",
              path="folder", stands_in=True, key="environment"),
    ] = None  # fmt: skip


class ClassifierFields(EnvironmentFields, frozen=True):
    """Node and environment, and what a classifier says of the node."""

    classes: Annotated[
        list[str] | dict[str, dict[str, object] | None] | None,
        About("classes of a classifier, with or without parameters", ["ntp"]),
    ] = None
    classes_file: Annotated[
        Name | None,
        About("the same from a file: a list, a table, or what a classifier prints",
              "classes.yaml", "--classes", "FILE", path="file"),
    ] = None  # fmt: skip
    parameters: Annotated[
        dict[str, object] | None,
        About("top-level variables of a classifier, which win over facts", {"tier": 1}),
    ] = None
    environment: Annotated[
        str | None, About("the name of the environment (that of its folder)", "production")
    ] = None


class Fields(ClassifierFields, frozen=True):
    """All inputs of a program: what it is compiled for, and how."""

    set: Annotated[
        list[str] | None,
        About("a top-level variable", ["tier=1"], "--set", "K=V", many=True),
    ] = None
    settings: Annotated[
        dict[str, object] | None,
        About(
            "Puppet's settings, such as `strict` and `strict_variables`",
            {"strict": "error"},
            key="settings",
        ),
    ] = None
    setting: Annotated[
        list[str] | None,
        About("a setting, which wins over `settings`", ["strict=warning"], "--setting",
              "NAME=VALUE", many=True),
    ] = None  # fmt: skip
    puppet: Annotated[
        Literal[7, 8] | None,
        About("the language level (8)", 7, "--puppet", "7|8", key="level"),
    ] = None
    on_unknown: Annotated[
        Literal["error", "opaque"] | None,
        About(
            "what a function becomes that is not known here",
            "opaque",
            "--on-unknown",
            key="on_unknown",
        ),
    ] = None
    keep_virtual: Annotated[bool | None, About("keep virtual resources", True)] = None
    max_steps: Annotated[
        Count | None,
        About(
            "evaluations that a program may take (200,000,000; 4,000,000 with --engine paper)",
            1000,
            "--max-steps",
            "N",
        ),
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


class Section(msgspec.Struct, frozen=True):
    """What ``[puppet]`` in headwater.toml says beside inputs of programs."""

    environments: Annotated[
        Name | None,
        About("a folder of environments, in the place of `environment`", "environments",
              path="folder"),
    ] = None  # fmt: skip


FAMILIES = Families("Puppet", program=Fields, lookup=Lookup, section=Section)
