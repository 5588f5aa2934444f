# Keeps the clock right.
#
# @param servers whom to ask, best first
# @param options further settings
# @param package what to install
# @param service what to run
class ntp (
  Array[String[1], 1] $servers,
  Hash[String[1], Variant[String, Boolean]] $options = {},
  String[1] $package = 'ntp',
  String[1] $service = 'ntp',
) {
  package { $package:
    ensure => installed,
  }

  file { '/etc/ntp.conf':
    ensure  => file,
    content => template('ntp/ntp.conf.erb'),
    require => Package[$package],
    notify  => Service[$service],
  }

  service { $service:
    ensure => running,
    enable => true,
  }
}
