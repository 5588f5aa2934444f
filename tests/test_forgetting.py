"""What a job made is gone when its answer is written, and the next job sees nothing of it."""

from __future__ import annotations

import gc
import json
from typing import Any

import pytest

from headwater.ask.jobs import answer_line

PROGRAM = """
define pair($text = 'x', Array $list = [1]) {
  $name_of = "${title}-${text}"
  notify { $name_of: message => $list.map |$i| { $twice = $i * 2  $twice }.join(',') }
}
class a($x = 1) { pair { 'one': } pair { 'two': text => 'y' } }
class b inherits a { notify { 'b': require => Pair['one'] } }
include b
Notify['b'] -> Pair['two']
@user { 'u': }
User <| title == 'u' |> { ensure => present }
notify { inline_epp('<% [1, 2].each |$n| { %>n<%= $n %><% } %>'): }
notify { inline_template('<% [1, 2].each do |n| %>m<%= n %><% end %>'): }
"""


def answered(code: str, **more: object) -> dict[str, Any]:
    """The answer to a job that compiles a program."""
    job = {"code": code, "lang": "puppet", **more}
    answer: dict[str, Any] = json.loads(answer_line(json.dumps(job).encode()))
    assert answer["ok"], answer["error"]
    return answer


def messages(code: str) -> list[str]:
    """The messages of the notifications that have one."""
    found = answered(code)["result"]["resources"]
    return [one["parameters"]["message"] for one in found if "message" in one.get("parameters", {})]


def garbage_of(code: str) -> int:
    """How many objects the second job of a program leaves that only the collector would free."""
    answered(code)
    gc.collect()
    gc.disable()
    try:
        answered(code)
        return gc.collect()
    finally:
        gc.enable()


def test_a_job_leaves_hardly_any_garbage() -> None:
    answered(PROGRAM)
    assert garbage_of(PROGRAM) < 100  # 400 if nothing is taken apart


CIRCLES = {
    "collectors that look up what they may want": "".join(
        f"@user {{ 'u{i}': tag => 't{i % 3}' }} User <| tag == 't{i % 3}' |> " for i in range(30)
    ),
    "defaults of resources": "".join(
        f"class d{i} {{ Notify {{ message => 'm' }} notify {{ 'd{i}': }} }} include d{i} "
        for i in range(10)
    ),
    "calls of Ruby": """notify { inline_template('<%
        def twice(n, *more) n * 2 end
        %><% 20.times do |n| %><%= twice(n) %><% end %>'): }""",
}


@pytest.mark.parametrize("code", CIRCLES.values(), ids=CIRCLES)
def test_nothing_is_left_that_only_the_collector_of_garbage_would_free(code: str) -> None:
    assert garbage_of(code) < 20


def test_answers_are_the_same_again_and_again_with_causes_too() -> None:
    first = answered(PROGRAM, why=True)
    for _ in range(2):
        again = answered(PROGRAM, why=True)
        assert {**again, "ms": 0} == {**first, "ms": 0}


def test_ruby_of_one_job_is_not_seen_by_the_next() -> None:
    sets = "<% $kept = 1; Kept = 2 %><%= $kept + Kept %>"
    for _ in range(2):
        assert messages(f"notify {{ 'a': message => inline_template('{sets}') }}") == ["3"]
        asks = "notify { 'a': message => inline_template('<%= $kept.inspect %>') }"
        assert messages(asks) == ["nil"]
        job = json.dumps({"code": "notify { inline_template('<%= Kept %>'): }", "lang": "puppet"})
        refused = json.loads(answer_line(job.encode()))
        assert refused["error"]["code"] == "puppet-ruby-beyond"
