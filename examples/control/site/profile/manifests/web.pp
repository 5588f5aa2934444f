# Sites of one web server.
#
# @param sites what `apache::vhost` takes, by the name of the site
# @param defaults what a site has that does not say otherwise
class profile::web (
  Hash[String[1], Hash] $sites = {},
  Hash $defaults = { 'port' => 80 },
) {
  include apache

  $sites.each |$name, $settings| {
    apache::vhost { $name:
      * => $defaults + $settings,
    }
  }
}
