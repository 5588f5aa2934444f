# Three mistakes that real manifests have.
class broken {
  file { '/etc/motd':
    ensure  => file
    content => "hello\n",
  }
  $ports = [80, 443 8080]
  notify { 'done' }
}
