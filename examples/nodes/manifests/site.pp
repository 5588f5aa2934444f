file { '/etc/motd':
  content => "${lookup('banner')}, ${facts['os']['family']}\n",
}
