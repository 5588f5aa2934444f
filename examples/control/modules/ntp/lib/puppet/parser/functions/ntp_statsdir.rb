# Where the daemon writes its statistics.
module Puppet::Parser::Functions
  newfunction(:ntp_statsdir, :type => :rvalue, :arity => 2, :doc => <<-EOS
    The folder of the daemon's statistics below a folder for logs.
    EOS
  ) do |args|
    base, family = args
    raise Puppet::ParseError, "ntp_statsdir(): #{base} is not absolute" unless base.start_with?('/')

    File.join(base, family == 'RedHat' ? 'ntpstats' : 'ntpsec')
  end
end
