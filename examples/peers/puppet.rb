# Real Puppet as a compiler that answers jobs: a line of JSON with "code" in, a line with the catalog out.
# Nothing is read from the machine's own configuration; there are no facts and no modules.
require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'

home = Dir.mktmpdir('puppet-peer')
at_exit { FileUtils.rm_rf(home) }
Puppet.initialize_settings(['--confdir', home, '--codedir', home, '--vardir', home, '--publicdir', home])
Puppet.settings.preferred_run_mode = :server
Puppet::Util::Log.level = :crit
main = File.join(home, 'main.pp')

def catalog(main)
  environment = Puppet::Node::Environment.create(:production, [], main)
  loaders = Puppet::Pops::Loaders.new(environment)
  context = { environments: Puppet::Environments::Static.new(environment), current_environment: environment,
              loaders: loaders, rich_data: true }
  Puppet.override(context, 'peer') do
    node = Puppet::Node.new('node', environment: environment)
    node.merge({})
    Puppet::Parser::Compiler.compile(node).filter(&:virtual?).to_data_hash
  end
end

$stdout.sync = true
$stdin.each_line do |line|
  File.write(main, JSON.parse(line)['code'])
  begin
    answer = { 'ok' => true, 'result' => catalog(main) }
  rescue StandardError, ScriptError, SystemStackError => e
    answer = { 'ok' => false, 'error' => { 'message' => e.message } }
  end
  puts JSON.generate(answer)
end
