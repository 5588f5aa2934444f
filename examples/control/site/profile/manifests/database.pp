# A database with the memory that the machine can spare.
#
# @param password of the owner
# @param shared_buffers in MB; at most a quarter of the memory is taken
class profile::database (
  Sensitive[String[8]] $password,
  Integer[16] $shared_buffers = 128,
) {
  $memory = $facts['memory']['system']['total_bytes'] / 1048576
  $buffers = min($shared_buffers, $memory / 4)

  package { 'postgresql':
    ensure => installed,
  }

  file { '/etc/postgresql/pg_buffers.conf':
    content => "shared_buffers = ${buffers}MB\n",
    require => Package['postgresql'],
  }

  file { '/root/.pgpass':
    mode    => '0600',
    content => Sensitive("localhost:5432:*:owner:${password.unwrap}\n"),
  }
}
