"""Work on long texts grows with them, and is bounded."""

from __future__ import annotations

import json
import time

import pytest

from headwater.ask.jobs import answer_line


def refusal(code: str, **inputs: int) -> str | None:
    job = {"code": code, "lang": "puppet", **inputs}
    answer = json.loads(answer_line(json.dumps(job).encode()))
    return None if answer["ok"] else str(answer["error"]["code"])


def seconds(code: str) -> float:
    started = time.process_time()
    assert refusal(code) is None
    return time.process_time() - started


MATCHED = {
    "gsub": "x.gsub('a', 'b')",
    "gsub with a block": "x.gsub(/a/) { |m| m }",
    "scan": "x.scan(/a/)",
    "split": "x.split(/(b)/)",
    "from the end": "x.rindex(/c/)",
    "pack": "x.bytes.pack('C*')",
}


@pytest.mark.parametrize("name", MATCHED)
def test_a_pattern_with_many_matches_takes_time_by_the_length_of_the_text(name: str) -> None:
    """Whether a text is one for Python's patterns was asked anew for every match."""
    text = "<% x = 'ab' * {count}; {call} %>"
    template = text.replace("{call}", MATCHED[name])
    few, many = (
        min(
            seconds(f'$x = inline_template("{template.replace("{count}", str(count))}")')
            for _ in range(2)
        )
        for count in (2_000, 16_000)
    )
    assert many < 20 * few + 0.1


@pytest.mark.parametrize(
    "template",
    [
        "<% x = 'aaaa'; 30.times { x = x.gsub('a', 'aaaa') } %>",
        "<% x = 'a' * 9000; 1000000.times { x.gsub(/a/) { |m| m } } %>",
        "<% x = 'a' * 9000; 1000000.times { x.scan(/a/) } %>",
    ],
)
def test_a_match_counts_as_work(template: str) -> None:
    code = f'$x = inline_template("{template}")'
    assert refusal(code, max_steps=1_000_000) == "puppet-too-many-steps"


@pytest.mark.parametrize(
    "call",
    [
        "regsubst($t, 'a', 'aaaa', 'G')",
        "regsubst($t, '(a)', 'b', 'G')",
        "$t.split('(?=a)')",
        "$t.split('(a)')",
    ],
)
def test_a_match_counts_as_work_in_functions_too(call: str) -> None:
    code = f"$t = Integer[1, 13].reduce('ab') |$t, $i| {{ \"${{t}}${{t}}\" }}\n$y = {call}"
    assert refusal(code) is None
    many = code.replace(call, f"Integer[1, 200].map |$i| {{ {call}.length }}")
    assert refusal(many, max_steps=1_000_000) == "puppet-too-many-steps"


def test_a_text_of_too_many_parts_is_refused_before_they_are_made() -> None:
    text = "$x = Integer[1, 21].reduce('ab') |$t, $i| { \"${t}${t}\" }"
    assert refusal(f"{text}\n$y = $x.split('b')") == "puppet-value-too-large"


@pytest.mark.parametrize("use", ["{a => 1}.size", "h = {}; h[a] = 1", "{}[a]", "a.uniq.size"])
def test_a_key_of_a_hash_is_no_larger_than_a_value_may_be(use: str) -> None:
    """Arrays of arrays share their parts; a key had each of its own, and took all memory."""
    template = f"<% a = [1]; 60.times {{ a = [a, a] }}; {use} %>"
    assert refusal(f"$x = inline_template('{template}')") == "puppet-ruby-bound"
