file { '/etc/app.conf':
  content => "password=${lookup('db::password')}\n",
}
