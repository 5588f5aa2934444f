# A web server: one package, its configuration file and the service that reads it.
class web (
  Integer[1, 65535] $port    = 80,
  Enum['nginx', 'apache2'] $package = 'nginx',
) {
  package { $package:
    ensure => installed,
  }
  -> file { "/etc/${package}/port.conf":
    ensure  => file,
    content => "listen ${port};\n",
  }
  ~> service { $package:
    ensure => running,
    enable => true,
  }
}

include web
