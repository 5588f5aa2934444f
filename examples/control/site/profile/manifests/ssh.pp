# The daemon through which people come in.
#
# @param settings lines of sshd_config
class profile::ssh (
  Hash[String[1], Variant[String, Array[String]]] $settings,
) {
  $all = { 'Port' => '22', 'X11Forwarding' => 'no' } + $settings

  file { '/etc/ssh/sshd_config':
    mode    => '0644',
    content => template('profile/sshd_config.erb'),
    notify  => Service['ssh'],
  }

  $service = $facts['os']['family'] ? {
    'RedHat' => 'sshd',
    default  => 'ssh',
  }

  service { 'ssh':
    ensure => running,
    name   => $service,
    enable => true,
  }
}
