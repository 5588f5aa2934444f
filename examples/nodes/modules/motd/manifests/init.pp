class motd(String $file = '/etc/issue', String $greeting = 'Hello') {
  file { $file: content => "${greeting}\n" }
}
