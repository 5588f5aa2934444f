class web (Integer $port = 80) {
  $root = $osfamily ? {
    'Debian' => '/var/www',
    default  => '/srv/www',
  }
  $one   = { 'name' => 'a' }
  $other = { 'name' => 'b' }
  $sites = { $one['name'] => "$root/a", $other['name'] => "$root/b" }
  file { '/etc/web.conf':
    content => epp('web/web.conf.epp', { 'sites' => $sites, 'port' => $port }),
  }
  notify { 'workers': message => $::web_workers + 1 }
  notify { 'version': message => String(max(SemVer('2.4.9'), SemVer('2.4.10'))) }
}
