# Serves the sites that its data list.
class role::webserver {
  include profile::base
  include profile::web
  Class['profile::base'] -> Class['profile::web']
}
