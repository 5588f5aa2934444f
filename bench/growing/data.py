"""Puppet's data: keys, levels, merges, interpolation, facts."""

from __future__ import annotations

from growing.row import Row, lines

CONFIG = "version: 5\ndefaults: { datadir: ., data_hash: yaml_data }\nhierarchy:\n"
LEVEL = "  - { name: all, path: all.yaml }\n"
ASK = "notify { 'x': message => lookup('k0') }\n"


def keys(n: int) -> dict[str, str]:
    """A look-up for every key of one file."""
    every = lines("notify { 'n{i}': message => lookup('k{i}') }\n", n)
    return {"main.pp": every, "all.yaml": lines("k{i}: {i}\n", n), "hiera.yaml": CONFIG + LEVEL}


def levels(n: int) -> dict[str, str]:
    """One key in the last of many levels, most of which have no file."""
    several = lines("  - { name: l{i}, path: l{i}.yaml }\n", n)
    return {"main.pp": ASK, "hiera.yaml": CONFIG + several, "l0.yaml": "k1: 1\n",
            f"l{n - 1}.yaml": "k0: 2\n"}  # fmt: skip


def merged(n: int) -> dict[str, str]:
    """A hash of n keys in each of two levels, merged deep."""
    several = lines("  - { name: l{i}, path: l{i}.yaml }\n", 2)
    options = "lookup_options: { k0: { merge: deep } }\n"
    one = options + "k0:\n" + lines("  a{i}: { x: 1 }\n", n)
    other = "k0:\n" + lines("  a{i}: { y: 2 }\n", n)
    return {"main.pp": ASK, "hiera.yaml": CONFIG + several, "l0.yaml": one, "l1.yaml": other}


def unique(n: int) -> dict[str, str]:
    """Arrays of n elements in two levels, put together."""
    several = lines("  - { name: l{i}, path: l{i}.yaml }\n", 2)
    one = "lookup_options: { k0: { merge: unique } }\nk0:\n" + lines("  - a{i}\n", n)
    other = "k0:\n" + lines("  - b{i}\n", n)
    return {"main.pp": ASK, "hiera.yaml": CONFIG + several, "l0.yaml": one, "l1.yaml": other}


def interpolated(n: int) -> dict[str, str]:
    """A value with n interpolations."""
    data = 'k0: "' + lines("%{lookup('k{k}')} ", n) + '"\n' + lines("k{k}: {i}\n", n)
    return {"main.pp": ASK, "all.yaml": data, "hiera.yaml": CONFIG + LEVEL}


def parameters(n: int) -> dict[str, str]:
    """Classes whose parameters come from data."""
    every = lines("class c{i}($p) { notify { 'n{i}': message => $p } }\ninclude c{i}\n", n)
    data = lines("c{i}::p: {i}\n", n)
    return {"main.pp": every, "all.yaml": data, "hiera.yaml": CONFIG + LEVEL}


def facts(n: int) -> dict[str, str]:
    """A resource for every fact."""
    every = lines("notify { 'n{i}': message => $facts['f{i}'] }\n", n)
    return {"main.pp": every, "facts.yaml": lines("f{i}: v{i}\n", n)}


def rows() -> list[Row]:
    """All families, compiled, and questions to them."""
    option = ("--hiera", "{folder}/hiera.yaml")
    found: list[Row] = []
    for name, make, constant in [
        ("keys of data", keys, False), ("levels of data", levels, True),
        ("data merged deep", merged, False), ("data put together", unique, False),
        ("data with interpolation", interpolated, False),
        ("parameters from data", parameters, False),
    ]:  # fmt: skip
        row = Row("puppet", name, make, ".pp", words=option, constant=constant)
        found += [
            row,
            row.asked("check", constant=True),
            row.asked("blame", constant=constant),
            row.asked("why", constant=constant or name == "data with interpolation"),
            row.asked("impact", "1", constant=True),
            row.asked("lookup", "c0::p" if name == "parameters from data" else "k0", constant=True),
        ]
    from_facts = Row("puppet", "facts", facts, ".pp", words=("--facts", "{folder}/facts.yaml"))
    return [*found, from_facts, from_facts.asked("blame")]
