# What every machine has.
#
# @param contact whom to write to
# @param admins the accounts that may become root
class profile::base (
  String[1] $contact,
  Array[String[1]] $admins,
) {
  include ntp
  include users
  include profile::ssh

  File {
    owner => 'root',
    group => 'root',
  }

  file { '/etc/motd':
    content => epp('profile/motd.epp', {
      'contact' => $contact,
      'role'    => lookup('role'),
    }),
  }

  $admins.each |$name| {
    User <| title == $name |> {
      groups +> 'adm',
    }
  }

  file { '/etc/sudoers.d/admins':
    mode    => '0440',
    content => $admins.map |$name| { "${name} ALL=(ALL) ALL\n" }.join,
  }
}
