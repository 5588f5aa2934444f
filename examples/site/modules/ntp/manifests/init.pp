# @summary The time service.
class ntp (
  Array[String] $servers,
  String $package = 'ntp',
  String $driftfile = '/var/lib/ntp/drift',
) {
  package { $package: ensure => installed }
  -> file { '/etc/ntp.conf': content => epp('ntp/ntp.conf.epp', { 'servers' => $servers, 'driftfile' => $driftfile }) }
}
