# One site.
#
# @param docroot where its files are
# @param port on which it listens
# @param ssl whether it is encrypted
# @param aliases its other names
# @param headers what it sends with every answer
define apache::vhost (
  String[1] $docroot,
  Apache::Port $port = 80,
  Boolean $ssl = false,
  Array[String[1]] $aliases = [],
  Hash[String[1], String] $headers = {},
) {
  include apache

  $directives = apache::directives($headers, { 'always' => $ssl })

  file { "${apache::confdir}/${title}.conf":
    content => template('apache/vhost.conf.erb'),
    notify  => Service[$apache::service],
  }

  apache::shared_folder($docroot)
}
