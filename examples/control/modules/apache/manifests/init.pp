# A web server; its sites are `apache::vhost`.
#
# @param package what to install
# @param service what to run
# @param confdir where sites are described
# @param modules what is loaded
class apache (
  String[1] $package,
  String[1] $service,
  String[1] $confdir,
  Array[String[1]] $modules = ['headers'],
) {
  package { $package:
    ensure => installed,
  }

  file { $confdir:
    ensure  => directory,
    purge   => true,
    recurse => true,
    require => Package[$package],
  }

  $modules.each |$module| {
    file { "${confdir}/00-${module}.load":
      content => "LoadModule ${module}_module modules/mod_${module}.so\n",
      notify  => Service[$service],
    }
  }

  service { $service:
    ensure => running,
    enable => true,
  }
}
