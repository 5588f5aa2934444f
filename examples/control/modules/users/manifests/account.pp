# One account and the keys that open it.
#
# @param uid its number
# @param groups what it belongs to besides its own
# @param shell what it runs
# @param keys lines as in authorized_keys
define users::account (
  Integer[1000] $uid,
  Array[String[1]] $groups = [],
  String[1] $shell = '/bin/bash',
  Array[String[1]] $keys = [],
) {
  user { $title:
    ensure     => present,
    uid        => $uid,
    gid        => $uid,
    groups     => $groups,
    shell      => $shell,
    home       => "/home/${title}",
    managehome => true,
    require    => Group[$title],
  }

  group { $title:
    gid => $uid,
  }

  unless $keys.empty {
    file { "/home/${title}/.ssh/authorized_keys":
      owner   => $title,
      mode    => '0600',
      content => epp('users/authorized_keys.epp', { 'keys' => $keys }),
      require => User[$title],
    }
  }
}
