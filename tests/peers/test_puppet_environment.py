"""Directory environments: the same catalog as real Puppet's, from the same folder."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

from headwater.ask.compile import compile_request
from headwater.ask.request import Request
from peers.catalogs import FACTS, SERVER, Oracle, difference
from peers.puppet import ABSENT, installed

GENERATED = """\
Puppet::Resource::ResourceType3.new(
  'thing',
  [
    # What there is.
    Puppet::Resource::Param(Enum['present', 'absent'], 'ensure'),
    Puppet::Resource::Param(Any, 'size')
  ],
  [
    Puppet::Resource::Param(Any, 'name', true),
    Puppet::Resource::Param(Any, 'place', true)
  ],
  {
    /(?m-ix:^(.*)@(.*)$)/ => ['name', 'place'],
    /(?m-ix:^(.*)$)/ => ['name']
  },
  true,
  false)
"""
RUBY = """\
Puppet::Type.newtype(:thing) do
  ensurable
  def self.title_patterns
    [[/^(.*)@(.*)$/m, [[:name], [:place]]], [/^(.*)$/m, [[:name]]]]
  end
  newparam(:name) { isnamevar }
  newparam(:place) { isnamevar }
  newproperty(:size)
end
"""
ENVIRONMENT = {
    "environment.conf": "# ours\nmodulepath = site-modules:modules:$basemodulepath\n"
    "manifest = manifests\nenvironment_timeout = 0\n",
    "hiera.yaml": "version: 5\nhierarchy:\n"
    "  - { name: facts, paths: ['os/%{facts.os.family}.yaml', 'common.yaml'] }\n",
    "data/os/Debian.yaml": "role::port: 8080\nrole::tags: [os]\n",
    "data/common.yaml": "role::port: 80\nrole::tags: [all]\n"
    "lookup_options: { '^role::t': { merge: unique } }\n",
    "manifests/02_more.pp": "notify { 'second': message => $shared }\nthing { 'a@b': size => 1 }\n",
    "manifests/01_site.pp": "$shared = 'from the first file'\nnotify { 'first': }\n"
    'node default { include role\n notify { "node-${environment}": } }\n',
    "manifests/sub/nodes.pp": "node 'db.example.com' { include role::db }\n"
    "class role::here { notify { 'here': message => $module_name } }\n",
    "manifests/README.txt": "not a manifest {",
    "site-modules/role/manifests/init.pp": "class role(Integer $port, Array $tags = []) {\n"
    '  include role::here\n  notify { "port ${port}": message => role::double($port), tag => $tags'
    ' }\n  $size = env_function(2)\n  notify { "size ${size}": }\n}\n',
    "site-modules/role/manifests/db.pp": "class role::db inherits role { notify { 'db': } }\n",
    "site-modules/role/functions/double.pp": "function role::double(Role::Port $p) { $p * 2 }\n",
    "site-modules/role/types/port.pp": "type Role::Port = Integer[1, 65535]\n",
    "modules/role/manifests/init.pp": "class role { fail('the first module of a name wins') }\n",
    "functions/env_function.pp": "function environment::env_function($x) { $x + 1 }\n",
    ".resource_types/thing.pp": GENERATED,
    "modules/m/lib/puppet/type/thing.rb": RUBY,
}


@functools.cache
def oracle() -> Oracle:
    """One Ruby process."""
    if not installed():
        pytest.skip(ABSENT)
    return Oracle()


def environment(folder: Path, **changes: str | None) -> Path:
    """An environment on disk; None takes a file away."""
    place = folder / "staging"
    for name, text in {**ENVIRONMENT, **changes}.items():
        if text is not None:
            path = place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return place


def ours(place: Path, **inputs: object) -> dict[str, Any]:
    """Our answer, by the folder alone."""
    inputs = {"puppet": 7, "facts": FACTS, "settings": SERVER, **inputs}
    request = Request(files=(str(place),), lang="puppet", inputs=inputs)
    outcome = compile_request(request).outcome
    if outcome.result is not None:
        return {"ok": True, "catalog": outcome.result.plain()}
    error = outcome.errors[0]
    told = {"message": error.message, "line": error.at.first.line, "file": error.at.source.name}
    return {"ok": False, "error": told}


@pytest.mark.peer
@pytest.mark.parametrize("node", ["web.example.com", "db.example.com"])
def test_an_environment_compiles_as_puppet_compiles_it(tmp_path: Path, node: str) -> None:
    code = ENVIRONMENT["site-modules/role/manifests/init.pp"].replace("env_function(2)", "3")
    place = environment(tmp_path, **{"site-modules/role/manifests/init.pp": code})
    real = oracle().ask(env=str(place), node=node)

    assert real["ok"], real
    assert difference(real, ours(place, node=node)) is None


@pytest.mark.peer
@pytest.mark.parametrize(
    "changes",
    [
        {"environment.conf": None, "site-modules/role/manifests/init.pp": None,
         "site-modules/role/manifests/db.pp": None},
        {"environment.conf": "manifest = manifests/01_site.pp\nmodulepath = modules\n"},
        {"manifests/03_again.pp": "class role::here { }\n"},
        {"manifests/03_broken.pp": "notify { 'x'\n"},
        {"manifests/03_type.pp": "thing { 'a': nosuch => 1 }\n"},
        {"manifests/03_same.pp": "thing { 'x': name => 'a', place => 'b' }\n"},
        {"data/common.yaml": "role::port: many\n", "data/os/Debian.yaml": "{}\n"},
    ],
)  # fmt: skip
def test_other_environments_agree_too(tmp_path: Path, changes: dict[str, str | None]) -> None:
    place = environment(tmp_path, **changes)
    real = oracle().ask(env=str(place))

    assert difference(real, ours(place)) is None


SMALL = {
    "manifests/site.pp": "notify { 'manifests': message => String(defined('m')) }\n",
    "other/site.pp": "notify { 'other': message => \"${defined('m')} ${defined('q')}\" }\n",
    "third/staging/site.pp": "notify { 'third': }\n",
    "modules/m/manifests/init.pp": "class m { }\n",
    "site-a/q/manifests/init.pp": "class q { }\n",
}


@pytest.mark.peer
@pytest.mark.parametrize("text", [
    "manifest=other\nmanifest=nowhere\n", "manifest=nowhere\nmanifest=other\n",
    "manifest=other # x\n", "[agent]\nmanifest=other\n", "manifest=other\n[agent]\nmanifest=x\n",
    "[agent]\nx=1\n[main]\nmanifest=other\n", "manifest\n", "x y = z\n", ";manifest=other\n",
    "[a b]\nmanifest=other\n", "\ufeffmanifest=other\n", "manifest=other\rmodulepath=site-a\r",
    "manifest='other'\n", "manifest=''other\n", "manifest = third/$environment\n",
    "manifest = third/${environment}\n", "modulepath = site-*\nmanifest=other\n",
    "modulepath = site-[ab]:modules\nmanifest=other\n", "modulepath = {site-a,modules}\n",
    "modulepath = ${basemodulepath}\n", "modulepath = modules {owner=root}\nmanifest=other\n",
    "manifest = other {mode = 644}\n", "manifest = other {x = 644}\n", "manifest = other\0\n",
    "manifest = other\x0bx\n", "manifest = other\u2028modulepath = site-a\n",
])  # fmt: skip
def test_settings_of_an_environment_agree(tmp_path: Path, text: str) -> None:
    changes: dict[str, str | None] = {**dict.fromkeys(ENVIRONMENT), **SMALL}
    place = environment(tmp_path, **changes)
    (place / "environment.conf").write_bytes(text.encode())
    real, own = oracle().ask(env=str(place)), ours(place)

    assert real["ok"] == own["ok"], (real, own)
    if real["ok"]:
        assert difference(real, own) is None


@pytest.mark.peer
@pytest.mark.parametrize(
    "classes", [["role::db"], {"role": {"port": 1}}, {"role::db": None, "role": {"tags": ["x"]}},
                ["nosuch"], {"role": {"nosuch": 1}}],
)  # fmt: skip
def test_classes_of_a_classifier_agree(tmp_path: Path, classes: object) -> None:
    code = ENVIRONMENT["site-modules/role/manifests/init.pp"].replace("env_function(2)", "3")
    changes: dict[str, str | None] = {
        "site-modules/role/manifests/init.pp": code,
        "manifests/01_site.pp": "$shared = 1\n",
        "manifests/sub/nodes.pp": "class role::here { }\n",
    }
    place = environment(tmp_path, **changes)
    real = oracle().ask(env=str(place), classes=classes)

    assert difference(real, ours(place, classes=classes)) is None


def test_a_folder_of_manifests_is_one_program(tmp_path: Path) -> None:
    (tmp_path / "b.pp").write_text("notify { 'b': message => $x }\n")
    (tmp_path / "a.pp").write_text("$x = 'a'\n")

    found = ours(tmp_path)

    assert found["ok"], found
    assert found["catalog"]["resources"][-1]["parameters"] == {"message": "a"}
