"""Edits that people make without a thought of caches: what a file is, and when it says it changed.

Links, folders in the place of files, names in another case, files that keep their size and time,
bytes of other systems, facts of all nodes in one file, and other sections of headwater.toml.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

from thousands import put

FAMILIES = {"one.example.com": "Debian", "two.example.com": "RedHat", "three.example.com": "Debian"}

CONFIGS = (
    '[puppet]\nlevel = 8\nenvironment = "."\n[nodes]\nfacts = "facts"\n',
    '[puppet]\nenvironment = "."\nmodulepath = ["modules"]\n[nodes]\nfacts = "facts"\n'
    'trusted = "trusted"\n',
    '[puppet]\nlevel = 8\nenvironment = "."\nhiera = "hiera.yaml"\n[nodes]\nfacts = "facts"\n'
    'classes = "classes.yaml"\n',
    '[puppet]\nenvironment = "."\nsettings = {strict = "warning", strict_variables = false}\n'
    '[nodes]\nfacts = "facts"\ntrusted = "trusted"\nclasses = "classes.yaml"\n',
    '[puppet]\nenvironment = "."\non_unknown = "opaque"\n[nodes]\nfacts = "facts"\n',
    '[nodes]\nfacts = "facts"\n',
)

ENVIRONMENTS = (
    "modulepath = site:modules\nmanifest = manifests/site.pp\n",
    "modulepath = site:modules\nmanifest = other\n",
    "modulepath = modules:$basemodulepath\nenvironment_timeout = 0\n",
    "[main]\nmodulepath = ./site:./modules\n",
    "modulepath = site:modules\nconfig_version = /bin/date\n",
    "manifest = manifests\n",
    "nonsense\n",
)

LINKED = ("modules/b", "modules/a/templates", "modules/a/manifests", "data", "data/os", "manifests",
          "data/common.yaml", "modules/a/templates/x.erb", "modules/a/manifests/thing.pp",
          "facts/one.example.com.json", "hiera.yaml", "modules/a/files/z.txt", "modules/a/types",
          "modules/b/data/common.yaml", "trusted")  # fmt: skip


def config(folder: Path, chance: random.Random) -> str:
    """Another headwater.toml, or environment.conf."""
    if chance.random() < 0.5:
        number = chance.randrange(len(CONFIGS))
        put(folder / "headwater.toml", CONFIGS[number])
        return f"headwater.toml {number}"
    number = chance.randrange(len(ENVIRONMENTS))
    put(folder / "environment.conf", ENVIRONMENTS[number])
    return f"environment.conf {number}"


def link(folder: Path, chance: random.Random) -> str:
    """A file or folder moves away and a link takes its place; or the link leads elsewhere."""
    name = chance.choice(LINKED)
    path = folder / name
    if path.is_symlink():
        target = chance.choice(["nowhere", os.path.basename(name), os.readlink(path), "copy"])
        if target == "copy" and path.exists():
            aside = path.parent / f".{path.name}.copy"
            clear(aside)
            (shutil.copytree if path.is_dir() else shutil.copy)(path, aside)
            target = aside.name
        path.unlink()
        path.symlink_to(target)
        return f"{name} -> {target}"
    if not path.exists():
        return "nothing"
    aside = path.parent / f".{path.name}.real"
    clear(aside)
    path.rename(aside)
    path.symlink_to(aside.name)
    return f"{name} -> {aside.name}"


def clear(path: Path) -> None:
    """There is nothing at a path."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def swap(folder: Path, chance: random.Random) -> str:
    """A file becomes a folder that holds it, a folder a file."""
    path = folder / chance.choice(LINKED)
    if path.is_dir():
        clear(path)
        path.write_text("a file\n")
    elif path.is_file():
        data = path.read_bytes()
        clear(path)
        path.mkdir()
        (path / path.name).write_bytes(data)
    else:
        return "nothing"
    return str(path.relative_to(folder))


def case(folder: Path, chance: random.Random) -> str:
    """A name is written in another case, and nothing else of it changes."""
    names = [*LINKED, "data/nodes/one.example.com.yaml", "modules/a/manifests/init.pp",
             "facts/two.example.com.json", "modules/a", "modules/a/functions/up.pp"]  # fmt: skip
    path = folder / chance.choice(names)
    other = path.with_name(path.name.swapcase())
    one, other = (path, other) if path.exists() else (other, path)
    if one.exists() and not other.exists():
        one.rename(other)
    return f"{one.name} -> {other.name}"


def quietly(folder: Path, chance: random.Random) -> str:
    """A file gets another text of the same size, and says that it was not changed since."""
    files = [path for path in files_of(folder) if path.name != "headwater.toml"]
    path = chance.choice(files)
    about = path.stat()
    data = bytearray(path.read_bytes())
    places = [at for at, byte in enumerate(data) if chr(byte).isalnum()]
    if not places:
        return "nothing"
    at = chance.choice(places)
    data[at] = ord(chance.choice("12xyZ"))
    if chance.random() < 0.5:
        path.write_bytes(data)
    else:
        aside = path.with_name(".aside")
        aside.write_bytes(data)
        os.replace(aside, path)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    return f"{path.relative_to(folder)} at {at}"


def rewritten(folder: Path, chance: random.Random) -> str:
    """A file in the bytes of another system: a mark at its start, other ends of lines, no UTF-8."""
    path = chance.choice([path for path in files_of(folder) if path.name != "headwater.toml"])
    data = path.read_bytes()
    how = chance.choice(["bom", "crlf", "latin", "nul", "empty", "no end"])
    made = {
        "bom": b"\xef\xbb\xbf" + data,
        "crlf": data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
        "latin": data + b"# \xe9\n",
        "nul": data + b"\0\n",
        "empty": b"",
        "no end": data.rstrip(b"\n"),
    }
    path.write_bytes(made[how])
    return f"{path.relative_to(folder)}: {how}"


def several(folder: Path, chance: random.Random) -> str:
    """The facts of all nodes are in one file, or another fact is in it, or they are alone again."""
    facts = folder / "facts"
    if not facts.is_dir():
        return "nothing"
    export = facts / "export.json"
    values = {
        node: {"os": {"family": family, "release": {"major": chance.choice(["11", "12"])}},
               "kernel": chance.choice(["Linux", "Hurd"]), "net": {"ip": "192.0.2.1"},
               "tags": {"rack": chance.choice(["7", "8"])}, "uptime": chance.randrange(3)}
        for node, family in FAMILIES.items()
    }  # fmt: skip
    for path in facts.iterdir():
        clear(path)
    match chance.choice(["inventory", "facts", "factsets", "alone", "alone", "twice"]):
        case "inventory":
            rows: object = [{"certname": node, "facts": of} for node, of in values.items()]
            put(export, json.dumps(rows, indent=chance.choice([None, 1])))
        case "facts":
            rows = [{"certname": node, "name": name, "value": value}
                    for node, of in values.items() for name, value in of.items()]  # fmt: skip
            chance.shuffle(rows)
            put(export, json.dumps(rows))
        case "factsets":
            rows = [{"certname": node, "facts": {"data": [{"name": name, "value": value}
                     for name, value in of.items()]}} for node, of in values.items()]  # fmt: skip
            put(export, json.dumps(rows))
        case how:
            for node, of in values.items():
                put(facts / f"{node}.json", json.dumps(of))
            if how == "twice":
                put(export, json.dumps([{"certname": "two.example.com", "facts": {}},
                                        {"certname": "one.example.com", "facts": {}}]))  # fmt: skip
    return "facts of all nodes"


def files_of(folder: Path) -> list[Path]:
    """All files but those of what is kept."""
    every = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in every if ".headwater" not in path.parts)


ODD_KINDS = (config, link, link, swap, case, quietly, quietly, rewritten, several)


def text_of(path: Path) -> str:
    """What a file holds, whatever its bytes are."""
    return path.read_bytes().decode("utf-8", "surrogateescape")


def write_text(path: Path, text: str) -> None:
    """Writes what `text_of` read."""
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
