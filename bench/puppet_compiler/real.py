"""Environments that use Debian's modules: a machine with many services, and a fleet of classes."""

from __future__ import annotations

from pathlib import Path

from peers.corpus import MODULES, jobs

CONF = f"modulepath = modules:{MODULES}\nenvironment_timeout = unlimited\n"

SITE = """\
node default {
  class { 'apache':
    default_vhost => false,
    mpm_module    => 'prefork',
  }
  lookup('sites', Hash).each |$name, $site| {
    apache::vhost { $name: * => $site }
  }
  include apache::mod::rewrite
  include apache::mod::headers
  include apache::mod::status
  include ntp
  class { 'mysql::server':
    root_password    => 'hush',
    override_options => lookup('mysql_options', Hash),
    databases        => lookup('mysql_databases', Hash, 'deep', {}),
    users            => lookup('mysql_users', Hash, 'deep', {}),
    grants           => lookup('mysql_grants', Hash, 'deep', {}),
  }
  class { 'postgresql::globals':
    version  => '15',
    encoding => 'UTF-8',
  }
  class { 'postgresql::server': listen_addresses => '*' }
  lookup('databases', Array[String], 'unique', []).each |$name| {
    postgresql::server::db { $name:
      user     => "${name}_owner",
      password => postgresql::postgresql_password("${name}_owner", 'hush'),
    }
  }
  include haproxy
  lookup('balanced', Hash).each |$name, $service| {
    haproxy::listen { $name:
      collect_exported => false,
      *                => $service,
    }
    Integer[1, 5].each |$n| {
      haproxy::balancermember { "${name}-${n}":
        listening_service => $name,
        server_names      => "backend${n}",
        ipaddresses       => "10.1.${n}.1",
        ports             => '8140',
        options           => 'check',
      }
    }
  }
  include firewall
  lookup('rules', Hash).each |$name, $rule| {
    firewall { $name: * => $rule }
  }
}
"""

VHOST = """\
  shop{n}.example.org:
    port: {port}
    docroot: /srv/shop{n}
    serveradmin: web{n}@example.org
    serveraliases: [www.shop{n}.example.org, shop{n}]
    aliases: [{{alias: /media, path: /srv/shop{n}/media}}]
    directories:
      - {{path: /srv/shop{n}, options: [Indexes, FollowSymLinks], allow_override: [All],
          provider: directory}}
    proxy_pass: [{{path: /cart, url: "http://127.0.0.1:{backend}/"}}]
    headers: ["set X-Shop shop{n}"]
    setenv: ["SHOP_MODE production"]
    custom_fragment: "# shop {n}"
"""


def _rows(key: str, row: str, count: int) -> str:
    return f"{key}:\n" + "".join(f"  {row.format(n=n, port=18_000 + n)}\n" for n in range(count))


def services(vhosts: int) -> dict[str, str]:
    """A machine with a web server and its vhosts, databases, a balancer and rules."""
    sites = "".join(
        VHOST.format(n=n, port=80 if n % 2 else 8080, backend=9000 + n) for n in range(vhosts)
    )
    common = (
        "---\n"
        "lookup_options:\n"
        "  mysql_databases: {merge: deep}\n"
        "  mysql_users: {merge: deep}\n"
        "  databases: {merge: unique}\n"
        "ntp::servers: [a.time.example.org, b.time.example.org, c.time.example.org]\n"
        'ntp::restrict: ["-4 default kod nomodify notrap nopeer noquery", "127.0.0.1"]\n'
        'mysql_options: {mysqld: {max_connections: "800", bind-address: "0.0.0.0"}}\n'
        f"databases: [{', '.join(f'sales{n}' for n in range(10))}]\n"
        + _rows("mysql_databases", "stock{n}: {{ensure: present, charset: utf8}}", 10)
        + _rows("mysql_users", "clerk{n}@localhost: {{ensure: present}}", 10)
        + _rows(
            "mysql_grants",
            "clerk{n}@localhost/stock{n}.*: {{ensure: present, options: [GRANT], privileges: "
            "[SELECT, INSERT], table: 'stock{n}.*', user: 'clerk{n}@localhost'}}",
            10,
        )
        + _rows(
            "balanced",
            "svc{n}: {{ipaddress: 0.0.0.0, ports: '{port}', mode: http, "
            "options: {{option: [tcplog], balance: roundrobin}}}}",
            10,
        )
        + _rows(
            "rules", "'{n:03} accept {port}': {{dport: {port}, proto: tcp, action: accept}}", 40
        )
    )
    return {
        "environment.conf": CONF,
        "manifests/site.pp": SITE,
        "data/common.yaml": f"{common}sites:\n{sites}",
        "data/family/Debian.yaml": "---\ndatabases: [more]\n"
        "mysql_databases: {stock0: {charset: utf8mb4}}\n",
    }


FLEET = 600
"""How many nodes: enough for 250 that Puppet compiles."""


def fleet() -> dict[str, str]:
    """A node for each of many classes of Debian's modules, with the values that it needs."""
    classes = [job for job in jobs() if job.machine == "debian12" and "/" not in job.name]
    step = max(1, len(classes) // FLEET)
    nodes = [
        f"node '{name(n)}' {{\n{job.code}}}\n" for n, job in enumerate(classes[::step][:FLEET])
    ]
    return {"environment.conf": CONF, "manifests/site.pp": "".join(nodes)}


def name(number: int) -> str:
    """The name of a node of the fleet."""
    return f"n{number}.example.com"


def installed() -> bool:
    """Whether the modules are there."""
    return Path(MODULES / "apache").is_dir()
