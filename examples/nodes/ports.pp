rack_port { ['r17/3', 'r17:4']:
  ensure => present,
  speed  => '10G',
}
