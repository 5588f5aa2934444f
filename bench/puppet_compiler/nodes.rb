# Real Puppet, warm: the nodes of one environment in one process, kept as a server keeps it.
# usage: ruby nodes.rb ENVIRONMENTS NAME FACTS SCRATCH
# Each line on standard input is the name of a node, whose facts are FACTS/NODE.json, and a path to
# write its catalog to, or "-".  The answer is one line of JSON: the seconds that passed and the
# seconds of processor time for compiling and for writing the catalog as JSON.
require 'puppet'
require 'json'

folder, name, facts_folder, scratch = ARGV
Puppet.initialize_settings(
  ['--confdir', "#{scratch}/conf", '--vardir', "#{scratch}/var", '--codedir', "#{scratch}/code",
   '--environmentpath', folder, '--environment', name, '--environment_timeout', 'unlimited',
   '--basemodulepath', "#{scratch}/none", '--vendormoduledir', "#{scratch}/none",
   '--node_terminus', 'plain', '--log_level', 'err', '--strict', 'error', '--strict_variables'], true, true
)
Puppet::Util::Log.level = :err

def clocks
  [Process::CLOCK_MONOTONIC, Process::CLOCK_PROCESS_CPUTIME_ID].map { |c| Process.clock_gettime(c) }
end

environments = Puppet.lookup(:environments)
environment = environments.get!(name)
$stdout.sync = true
Puppet.override(current_environment: environment, environments: environments, rich_data: true) do
  $stdin.each_line do |line|
    certname, path = line.split
    host, domain = certname.split('.', 2)
    began = clocks
    facts = JSON.parse(File.read("#{facts_folder}/#{certname}.json"))
    { 'hostname' => host, 'domain' => domain, 'fqdn' => certname, 'clientcert' => certname,
      'clientversion' => Puppet.version, 'clientnoop' => false }.each { |k, v| facts[k] = v unless facts.key?(k) }
    node = Puppet::Node.new(certname, environment: environment)
    node.fact_merge(Puppet::Node::Facts.new(certname, facts))
    node.add_server_facts('serverversion' => Puppet.version.to_s, 'servername' => 'oracle.example.com',
                          'serverip' => '192.0.2.1')
    node.trusted_data = { 'authenticated' => 'local', 'certname' => certname, 'extensions' => {},
                          'hostname' => host, 'domain' => domain, 'external' => {} }
    catalog = Puppet::Parser::Compiler.compile(node)
    kept = catalog.filter { |resource| resource.virtual? }
    text = kept.to_json
    ended = clocks
    File.write(path, text) unless path == '-'
    puts JSON.generate('passed' => ended[0] - began[0], 'seconds' => ended[1] - began[1],
                       'resources' => kept.resources.size)
  end
end
