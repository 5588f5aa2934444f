"""The environments that are compiled: each stresses one thing that real ones do a lot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from puppet_compiler import real

HIERA = """\
---
version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
  - {name: node, path: "nodes/%{trusted.certname}.yaml"}
  - {name: family, path: "family/%{facts.os.family}.yaml"}
  - {name: common, path: common.yaml}
"""

Files = dict[str, str]

DEBIAN = Path("/usr/share/puppet/modules")
"""Debian's modules; where they are installed, class_tree has them on its path, as sites do."""

VHOST = """\
# A folder and a file for one instance.
define web::vhost (
  Integer[1, 65535] $port,
  String[1] $owner = 'root',
  Enum['present', 'absent'] $ensure = 'present',
  Optional[String] $note = undef,
  Hash[String, String] $options = {},
) {
  $folder = "/srv/web/${title}"
  $mode = $owner ? { 'root' => '0600', default => '0640' }
  $kind = $ensure ? { 'present' => 'directory', default => 'absent' }
  file { $folder:
    ensure => $kind,
    owner  => $owner,
    group  => $owner,
    mode   => '0750',
  }
  file { "${folder}/vhost.conf":
    ensure  => $ensure,
    owner   => $owner,
    group   => $owner,
    mode    => $mode,
    content => "# on ${facts['networking']['fqdn']}\\nname ${title}\\nport ${port}\\n\
owner ${owner}\\nnote ${note}\\n",
    require => File[$folder],
  }
}
"""


def many(count: int) -> Files:
    """Defines that declare two files each: `count` files in all."""
    half = count // 2
    site = f"""\
node default {{
  $owners = ['root', 'www-data', 'deploy', 'app']
  Integer[1, {half}].each |$i| {{
    web::vhost {{ "host_${{i}}":
      port  => 1024 + $i,
      owner => $owners[$i % 4],
      note  => "number ${{i}} of {half}",
    }}
  }}
}}
"""
    return {"manifests/site.pp": site, "modules/web/manifests/vhost.pp": VHOST}


TREE_PARAMS = """\
class forest::params {
  case $facts['os']['family'] {
    'RedHat': { $suffix = 'rpm' $init = 'systemd' $root = '/opt' }
    'Debian': { $suffix = 'deb' $init = 'systemd' $root = '/srv' }
    /^(Free|Open)BSD$/: { $suffix = 'txz' $init = 'bsd' $root = '/usr/local' }
    default: { fail("no settings for ${facts['os']['family']}") }
  }
  $count = $facts['processors']['count']
  $workers = $count ? { 1 => 1, default => $count / 2 }
}
"""


def _tree_class(number: int, count: int) -> str:
    children = [c for c in range(3 * number + 1, 3 * number + 4) if c < count]
    parent = f"forest::t{(number - 1) // 3}" if number and number % 9 == 0 else "forest::params"
    include = "\n".join(f"  include forest::t{child}" for child in children)
    return f"""\
class forest::t{number} (
  String $prefix = "t{number}",
  Boolean $manage = true,
  Enum['present', 'absent', 'latest'] $ensure = 'present',
  Optional[Integer[0]] $level = {number % 7},
  Array[String] $tools = ['curl', "tool-{number}"],
) inherits {parent} {{
  $path = "${{forest::params::root}}/${{prefix}}/{number}"
  $kernel = $facts['kernel'] ? {{
    'Linux' => "linux-${{level}}",
    /BSD$/  => 'bsd',
    default => undef,
  }}
  case $facts['os']['release']['major'] {{
    '7', '8': {{ $old = true }}
    /^1[0-9]$/: {{ $old = false }}
    default: {{ $old = $facts['virtual'] == 'docker' }}
  }}
  if $manage and ($level == undef or $level >= 0) {{
    package {{ "package-{number}-${{forest::params::suffix}}": ensure => $ensure }}
    file {{ $path:
      ensure  => directory,
      owner   => 'root',
      mode    => $old ? {{ true => '0777', default => '0755' }},
      require => Package["package-{number}-${{forest::params::suffix}}"],
    }}
    file {{ "${{path}}/settings":
      content => "kernel=${{kernel}} workers=${{forest::params::workers}} ${{tools.join(',')}}\\n",
      notify  => Service["service-{number}"],
    }}
    service {{ "service-{number}":
      ensure   => running,
      enable   => true,
      provider => $forest::params::init ? {{ 'systemd' => 'systemd', default => 'bsd' }},
    }}
  }} else {{
    notify {{ "nothing for {number}": }}
  }}
{include}
}}
"""


def class_tree(count: int = 300) -> Files:
    """Classes that include each other, with parameters from Hiera."""
    files = {f"modules/forest/manifests/t{i}.pp": _tree_class(i, count) for i in range(count)}
    files["modules/forest/manifests/params.pp"] = TREE_PARAMS
    files["manifests/site.pp"] = "node default {\n  include forest::t0\n}\n"
    if (DEBIAN / "stdlib").is_dir():
        files["environment.conf"] = f"modulepath = modules:{DEBIAN}\n"
        files["manifests/site.pp"] = "node default {\n  include stdlib\n  include forest::t0\n}\n"
    common = [
        f"forest::t{i}::prefix: data{i}\nforest::t{i}::level: {i % 5}\n" for i in range(0, count, 2)
    ]
    family = [f"forest::t{i}::ensure: latest\n" for i in range(0, count, 5)]
    files["data/common.yaml"] = "---\n" + "".join(common)
    files["data/family/Debian.yaml"] = "---\n" + "".join(family)
    return files


ALONE = {
    "environment.conf": "modulepath = modules\n",
    "manifests/site.pp": "node default {\n  include forest::t0\n}\n",
}

LAMBDAS = """\
$n = 10000
$row   = Integer[1, $n].map |$i| { $i * 3 + 1 }
$even  = $row.filter |$x| { $x % 2 == 0 }
$sum   = $even.reduce(0) |$memo, $x| { $memo + $x }
$turn  = $row.map |$i, $x| { $x * $x - $i }
$large = $turn.filter |$x| { $x > 1000 and $x % 7 != 0 }
$table = Hash($row.map |$x| { ["key_${x}", $x] })
$lines = $table.map |$k, $v| { "${k}=${v}" }
$fifth = $table.filter |$k, $v| { $v % 5 == 0 }
$total = $fifth.reduce(0) |$memo, $pair| { $memo + $pair[1] }
$some  = $row.any |$x| { $x > 29999 }
$every = $row.all |$x| { $x =~ Integer }
$most  = $row.reduce |$memo, $x| { if $x > $memo { $x } else { $memo } }
$grid  = Integer[1, 100].map |$i| { Integer[1, 100].map |$j| { $i * $j } }
$whole = $grid.reduce(0) |$memo, $line| { $memo + $line.reduce(0) |$inner, $x| { $inner + $x } }
$row.each |$i, $x| { if $x == 15001 { notify { "${x} stands at ${i}": } } }
notify { "${sum} ${total} ${most} ${whole} ${some} ${every} ${lines.length} ${large.length}": }
"""


def lambda_heavy() -> Files:
    """Iteration over numbers, arrays and hashes; hardly a resource."""
    return {"manifests/site.pp": LAMBDAS}


POOL = """\
<%- | String $pool, Array[Hash] $members, Hash $options, Integer $number | -%>
# <%= $pool %>, pool <%= $number %>
<% $members.each |$i, $member| { -%>
[<%= $member['name'] %>]
address = <%= $member['ip'] %>:<%= $member['port'] %>
<% if $member['ip'] =~ /^(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)$/ { -%>
net = <%= $1 %>.<%= $2 %>.<%= $3 %>.0/24
host = <%= $4 %>
<% } else { -%>
net = none
<% } -%>
label = <%= "${pool}-${i}-${member['name'].upcase}" %>
<% } -%>
<% $options.each |$key, $value| { -%>
<%= $key %> = <%= $value ? { true => 'yes', false => 'no', default => "${value}" } %>
<% } -%>
"""

STRINGS = """\
node default {
  $members = Integer[1, 60].map |$i| {
    { 'name' => "member${i}", 'ip' => "10.${$i % 8}.${$i % 250}.${i}", 'port' => 8000 + $i }
  }
  $options = Hash(Integer[1, 20].map |$i| {
    ["option_${i}", $i % 3 ? { 0 => true, 1 => false, default => "v${i}" }]
  })
  Integer[1, 40].each |$n| {
    file { "/etc/pools/${n}.conf":
      content => epp('text/pool.epp', {
        'pool' => "pool${n}", 'members' => $members, 'options' => $options, 'number' => $n,
      }),
    }
  }
  Integer[1, 1500].each |$n| {
    $name = "host-${n}.zone${$n % 4}.${facts['networking']['domain']}"
    $role = $name ? {
      /^host-\\d*[02468]\\.zone0/ => 'db',
      /^host-(\\d+)\\.zone1\\./   => "web${1}",
      /zone[23]/                  => 'cache',
      default                     => 'none',
    }
    $plain = regsubst($name, '[^a-z0-9]', '_', 'G')
    $parts = split($name, /[.-]/)
    $text = @("END"/L)
      # ${plain} ${role}
      host=${parts[0]} number=${parts[1]} zone=${parts[2]} \\
      upper=${name.upcase} length=${name.length}
      format=${sprintf('%05d-%s-%x', $n, $role, $n)}
      nested=${"a${"b${"c${n}"}"}"}
      | END
    file { "/etc/hosts.d/${plain}.txt": content => $text, mode => '0644' }
  }
}
"""


def deep_interp() -> Files:
    """Templates, regular expressions, formats and strings in strings."""
    return {"manifests/site.pp": STRINGS, "modules/text/templates/pool.epp": POOL}


def collectors(count: int = 2000) -> Files:
    """Virtual users, collected by tag, title and parameter, and changed on the way."""
    site = f"""\
class people {{
  Integer[1, {count}].each |$i| {{
    @user {{ "user${{i}}":
      ensure => present,
      uid    => 10000 + $i,
      gid    => 'users',
      groups => ["team${{$i % 20}}", $i % 3 ? {{ 0 => 'admins', default => 'devs' }}],
      tag    => ["t${{$i % 20}}", "site${{$i % 5}}"],
      home   => "/home/user${{i}}",
      shell  => '/bin/bash',
    }}
  }}
}}
node default {{
  include people
  User <| tag == 't1' or tag == 't2' |> {{ shell => '/bin/zsh' }}
  User <| tag == 'site3' and uid != 10003 |> {{ managehome => true, groups +> 'extra' }}
  User <| title == 'user7' |>
  User <| groups == 'admins' |> {{ comment => "admin of ${{facts['networking']['fqdn']}}" }}
  Integer[0, 19].each |$t| {{
    User <| tag == "t${{t}}" |> -> Notify["done${{t}}"]
    notify {{ "done${{t}}": }}
  }}
  realize(User['user11'], User['user12'])
}}
"""
    return {"manifests/site.pp": site}


TIME = """\
class clock (
  Array[String] $servers = ['0.pool.example.org'],
  Boolean $restart = true,
) {
  package { 'ntp': ensure => installed }
  file { '/etc/ntp.conf':
    ensure  => file,
    mode    => '0644',
    content => $servers.map |$server| { "server ${server}\\n" }.join,
    require => Package['ntp'],
  }
  if $restart {
    service { 'ntp': ensure => running, enable => true, subscribe => File['/etc/ntp.conf'] }
  }
}
"""


def small() -> Files:
    """What a command line sees most: one class, Hiera data, a handful of resources."""
    return {
        "manifests/site.pp": "node default {\n  include clock\n"
        "  notify { \"hello ${facts['networking']['fqdn']}\": }\n}\n",
        "modules/clock/manifests/init.pp": TIME,
        "data/common.yaml": "---\nclock::servers: [a.example.org, b.example.org]\n",
    }


def single() -> Files:
    """One manifest alone: no module, no data."""
    return {
        "manifests/site.pp": "file { '/etc/motd': content => "
        "\"${facts['networking']['fqdn']}\\n\", mode => '0644' }\n"
        "package { 'ntp': ensure => installed } -> service { 'ntp': ensure => running }\n",
    }


WORKLOADS: dict[str, Callable[[], Files]] = {
    "many_1000": lambda: many(1000),
    "many_5000": lambda: many(5000),
    "many_20000": lambda: many(20000),
    "class_tree": class_tree,
    "class_tree_alone": lambda: {**class_tree(), **ALONE},
    "lambda_heavy": lambda_heavy,
    "deep_interp": deep_interp,
    "collectors": collectors,
    "small": small,
    "single": single,
    "real_50": lambda: real.services(50),
    "real_200": lambda: real.services(200),
    "fleet": real.fleet,
}


def write(folder: Path, name: str) -> Path:
    """Writes one environment, and gives its folder."""
    env = folder / name
    files = {
        "environment.conf": "modulepath = modules\nenvironment_timeout = unlimited\n",
        "hiera.yaml": HIERA,
        "data/common.yaml": "---\n{}\n",
        **WORKLOADS[name](),
    }
    (env / "modules").mkdir(parents=True)
    for path, text in files.items():
        target = env / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return env
