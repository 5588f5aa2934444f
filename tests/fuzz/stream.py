"""Jobs: mutated programs, and mutated documents around programs that are right."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

from fuzz.corpus import FACTS, FIELDS, HIERA_TEXTS, JOBS, donors, pools
from fuzz.data import mutated, odd_value, written
from headwater.ask.jobs import answer_line

if TYPE_CHECKING:
    from fuzz.workshop import Workshop


class Finding(Exception):
    """Something that must not happen."""


def answer(line: str | bytes) -> str:
    """What the stream says to a line: ``result`` or a code.  Raises `Finding`."""
    data = line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
    found = json.loads(answer_line(data.replace(b"\n", b" ") or b" "))
    if found["ok"]:
        return "a result"
    error = found["error"]
    if error["code"] == "internal-error":
        raise Finding(error["message"])
    assert error == found["errors"][0]
    assert error["line"] >= 1
    assert error["column"] >= 1
    return "a refusal"


FLAVOURS: dict[str, dict[str, list[dict[str, Any]]]] = {
    "sf": {
        "sf plain": [{}, {"engine": "paper"}, {"strict": True}],
        "sf extended": [{"dialect": "extended"}],
        "sf production": [
            {"dialect": "production", "external": True, "property": {"p": "1"}},
            {"dialect": "production", "phase": "raw"},
            {"dialect": "production", "phase": "place"},
        ],
    },
    "l3": {"l3 plain": [{}, {"engine": "paper"}, {"strict": True}]},
    "pp": {
        "pp plain": [
            {},
            {"facts": FACTS, "node": "web1.example.com", "modulepath": "site/modules"},
            {"on_unknown": "opaque", "keep_virtual": True},
            {"hiera": "hiera.yaml", "settings": {"strict": "error", "strict_variables": True}},
        ],
        "pp calculus": [{}, {"engine": "paper"}],
        "pp like-puppet": [{}, {"engine": "paper", "dialect": "like-puppet"}],
    },
    "opal": {
        "opal ext": [{"ext": True}],
        "opal plain": [{}, {"engine": "paper"}],
    },
}


def program(ending: str, rng: Random) -> str:
    """The answer to a job with a mutated program, mostly in the flavour it was written for."""
    flavours = FLAVOURS[ending]
    written_in = rng.choice([*flavours])
    settings = rng.choice(flavours[written_in])
    pool = pools()[written_in if rng.random() < 0.85 else ending]
    job = {"code": pool.text(rng), "filename": f"a.{ending}", **settings}
    if rng.random() < 0.4:
        job["why"] = True
    if ending == "pp":
        job["max_steps"] = 100_000
    if ending == "opal" and rng.random() < 0.5:
        job["initial"] = {"n.x": [[], []], "n.y": [], "m.x": [[[], []], []]}
    return answer(json.dumps(job, ensure_ascii=rng.random() < 0.02))


def try_smartfrog(rng: Random, workshop: Workshop) -> str:
    """A SmartFrog program."""
    return program("sf", rng)


def try_l3(rng: Random, workshop: Workshop) -> str:
    """An L3 program."""
    return program("l3", rng)


def try_puppet(rng: Random, workshop: Workshop) -> str:
    """A manifest."""
    return program("pp", rng)


def try_opal(rng: Random, workshop: Workshop) -> str:
    """An Opal program."""
    return program("opal", rng)


def try_template(rng: Random, workshop: Workshop) -> str:
    """A template, by itself or in the manifest that renders it."""
    text = pools()["epp"].text(rng)
    if rng.random() < 0.3:
        return answer(json.dumps({"code": text, "filename": "a.epp"}))
    (workshop.bench / "t.epp").write_bytes(text.encode("utf-8", "replace"))
    path = workshop.bench / "t.epp"
    code = f"notify {{ 'a': message => epp('{path}', {{'x' => [1, {{'a' => 2}}]}}) }}"
    return answer(json.dumps({"code": code, "lang": "puppet", "max_steps": 100_000}))


def try_job(rng: Random, workshop: Workshop) -> str:
    """A job with fields that are wrong."""
    job: Any = mutated(rng.choice(JOBS), rng, donors())
    if isinstance(job, dict) and rng.random() < 0.3:
        job[rng.choice(FIELDS)] = odd_value(rng)
    text = written(job)
    if rng.random() < 0.1:
        from fuzz.commands import broken

        text = broken(text, rng)
    if rng.random() < 0.03:
        at = rng.randint(0, len(text))
        return answer(
            text[:at].encode("utf-8", "replace") + b"\xff" + text[at:].encode("utf-8", "replace")
        )
    return answer(text)


def try_facts(rng: Random, workshop: Workshop) -> str:
    """Facts with anything in them, in the job or in a file."""
    facts = mutated(FACTS, rng, donors())
    code = rng.choice(
        [
            "notify { 'a': message => \"${facts}\" }",
            "notify { 'a': message => \"${facts['os']['family']}${::role}${processors}\" }",
            "$facts.each |$k, $v| { notify { $k: message => $v } }",
            "notify { 'a': message => lookup('text', default_value => $facts['networking']) }",
        ]
    )
    job: dict[str, Any] = {"code": code, "lang": "puppet", "why": rng.random() < 0.5}
    job["hiera"] = "hiera.yaml"
    if rng.random() < 0.3:
        job["engine"] = "paper"
    if rng.random() < 0.4:
        return answer(written({**job, "facts": facts}))
    name = rng.choice(["../bench/fuzzed.json", "../bench/facts.yaml"])
    text = written(facts)
    if name.endswith(".yaml") and rng.random() < 0.6:
        text = pools()["yaml"].text(rng)
    (workshop.room / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    return answer(json.dumps({**job, "facts_file": name}))


def try_hiera(rng: Random, workshop: Workshop) -> str:
    """A hierarchy or its data with something wrong in it."""
    import yaml

    text = rng.choice(HIERA_TEXTS)
    if rng.random() < 0.5:
        text = written(mutated(yaml.safe_load(text.replace("? [a, b]\n: 1\n", "")), rng, donors()))
    else:
        text = pools()["yaml"].text(rng)
    data = text.encode("utf-8", "surrogatepass")
    room = workshop.bench
    hierarchy = HIERA_TEXTS[0]
    which = rng.choice(["hiera.yaml", "data/common.yaml", "data/c.json", "data/web1.yaml"])
    (room / "hiera.yaml").write_text(hierarchy)
    for name in ("data/common.yaml", "data/c.json", "data/web1.yaml"):
        (room / name).unlink(missing_ok=True)
    (room / which).write_bytes(data)
    key = rng.choice(
        ["k", "list", "hash", "text", "alias", "x1", "a", "hash.a", "list.0", "none", "day"]
    )
    merge = rng.choice(["", ", Data, 'deep'", ", Data, 'unique'", ", Data, 'hash'", ", Integer"])
    job = {
        "code": f"notify {{ 'a': message => lookup('{key}'{merge}) }}",
        "lang": "puppet",
        "node": "web1",
    }
    job |= {"hiera": "../bench/hiera.yaml", "facts": FACTS, "why": rng.random() < 0.5}  # type: ignore[dict-item]
    return answer(json.dumps(job))


def try_l3_data(rng: Random, workshop: Workshop) -> str:
    """JSON and YAML as operands of L3."""
    name = rng.choice(["../bench/fuzzed.yaml", "../bench/fuzzed.json"])
    text = written(mutated(FACTS, rng, donors()))
    if rng.random() < 0.6:
        text = pools()["yaml"].text(rng)
    (workshop.room / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    job = {"files": ["a.l3", name], "lang": "l3", "engine": rng.choice(["engine", "paper"])}
    return answer(json.dumps({**job, "why": rng.random() < 0.5}))


def try_environment(rng: Random, workshop: Workshop) -> str:
    """An environment whose configuration is wrong."""
    pool = [
        "manifest = site.pp", "manifest = manifests", "modulepath = modules:$basemodulepath",
        "manifest =", "modulepath = a\0b", "manifest = " + "a" * 300, "manifest = \xff", "= x",
        "manifest = .", "[x]",
    ]  # fmt: skip
    folder = workshop.bench
    (folder / "hiera.yaml").unlink(missing_ok=True)
    text = "\n".join(rng.choice(pool) for _ in range(rng.randint(0, 4)))
    (folder / "environment.conf").write_bytes(text.encode(rng.choice(["utf-8", "latin-1"])))
    (folder / "manifests" / "site.pp").write_bytes(
        pools()["pp"].text(rng).encode("utf-8", "replace")
    )
    return answer(
        json.dumps({"env": "../bench", "lang": "puppet", "node": "web1", "max_steps": 100_000})
    )


_TRACE: list[Any] = []


def try_trace(rng: Random, workshop: Workshop) -> str:
    """A dumped trace that was damaged."""
    from headwater.text import Source
    from headwater.why import Label, Loser, Trace, depends, expression, masked, origins
    from headwater.why.dump import Unloadable, dump, load

    source = Source("a", "some text")
    if not _TRACE:
        trace = Trace()
        one, two, three = (
            trace.label(Label("literal", source.span(n, n + 1), "x")) for n in range(3)
        )
        chosen = trace.choice(one, losers=[Loser([1], two, "override", three)], equals=[three])
        copied = trace.copy(trace.operation("+", [chosen, two], one), three)
        _TRACE.append(
            dump(trace, {"x": copied, "y": trace.miss(Label("miss", source.span(0, 0), "m"))})
        )
    try:
        loaded, roots = load(mutated(_TRACE[0], rng), {source.digest(): source})
    except Unloadable:
        return "a refusal"
    for node in roots.values():
        for view in (depends, expression, masked, origins):
            view(loaded, node)
    return "a result"
