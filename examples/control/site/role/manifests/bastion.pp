# The machine through which all others are reached.
class role::bastion {
  include profile::base

  # Nobody stays logged in here for long.
  File <| title == '/etc/ssh/sshd_config' |> {
    mode => '0400',
  }
}
