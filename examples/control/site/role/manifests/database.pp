# Runs one database.
class role::database {
  include profile::base
  include profile::database
  Class['profile::base'] -> Class['profile::database']
}
