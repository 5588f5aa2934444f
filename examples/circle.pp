# A service that waits for its own configuration, which waits for the service.
class app {
  file { '/etc/app.conf': require => Service['app'] }
  service { 'app': ensure => running }
}
include app
File['/etc/app.conf'] ~> Service['app']
