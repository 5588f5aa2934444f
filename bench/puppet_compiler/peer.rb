# Real Puppet, warm: one environment in one process, kept as a server keeps it.
# usage: ruby peer.rb ENVIRONMENTS NAME NODE FACTS SCRATCH
# Each line on standard input is one compilation; the answer is one line of JSON with the
# seconds (processor time) of compiling and of writing the catalog as JSON.  The line is
# the path to write the catalog to, or "-", and the name of the node if it is another.
require 'puppet'
require 'json'

folder, name, certname, facts_file, scratch = ARGV
Puppet.initialize_settings(
  ['--confdir', "#{scratch}/conf", '--vardir', "#{scratch}/var", '--codedir', "#{scratch}/code",
   '--environmentpath', folder, '--environment', name, '--environment_timeout', 'unlimited',
   '--basemodulepath', "#{scratch}/none", '--vendormoduledir', "#{scratch}/none",
   '--node_terminus', 'plain', '--log_level', 'err'], true, true
)
Puppet::Util::Log.level = :err
FACTS = JSON.parse(File.read(facts_file))

def facts_of(certname)
  host, domain = certname.split('.', 2)
  { 'hostname' => host, 'domain' => domain, 'fqdn' => certname, 'clientcert' => certname,
    'clientversion' => Puppet.version, 'clientnoop' => false }.merge(FACTS)
end

def seconds
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
end

environments = Puppet.lookup(:environments)
environment = environments.get!(name)
$stdout.sync = true
Puppet.override(current_environment: environment, environments: environments, rich_data: true) do
  $stdin.each_line do |line|
    path, other = line.split
    certname = other if other
    host, domain = certname.split('.', 2)
    node = Puppet::Node.new(certname, environment: environment)
    node.fact_merge(Puppet::Node::Facts.new(certname, facts_of(certname)))
    node.add_server_facts('serverversion' => Puppet.version.to_s, 'servername' => 'oracle.example.com',
                          'serverip' => '192.0.2.1')
    node.trusted_data = { 'authenticated' => 'local', 'certname' => certname, 'extensions' => {},
                          'hostname' => host, 'domain' => domain, 'external' => {} }
    before = seconds
    begin
      catalog = Puppet::Parser::Compiler.compile(node)
    rescue StandardError, ScriptError => e
      puts JSON.generate('error' => e.message)
      next
    end
    compiled = seconds
    kept = catalog.filter { |resource| resource.virtual? }
    text = kept.to_json
    written = seconds
    File.write(path, text) unless path == '-'
    puts JSON.generate('compile' => compiled - before, 'write' => written - compiled,
                       'resources' => kept.resources.size)
  end
end
