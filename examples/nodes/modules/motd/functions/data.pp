function motd::data(Hash $options, Puppet::LookupContext $context) {
  { 'motd::greeting' => "Welcome to ${facts['os']['family']}" }
}
