# Evaluates Puppet expressions in one process with the real evaluator.
# In: JSON lines {"id", "code"}.  Out: {"id", "ok", "value" | "error", "line"}, flushed per line.
# An argument is a modulepath; then an answer also has the resources that the expression declared.
# A value is written with its kind, so that 1, 1.0, '1' and true stay apart.
require 'json'
require 'puppet'
require 'puppet/pops'
require 'tmpdir'
require 'fileutils'

WORK = Dir.mktmpdir('values')
at_exit { FileUtils.rm_rf(WORK) }
%w[conf code/environments/production/manifests var public].each { |d| FileUtils.mkdir_p("#{WORK}/#{d}") }
Puppet.initialize_settings(['--confdir', "#{WORK}/conf", '--codedir', "#{WORK}/code", '--vardir', "#{WORK}/var",
                            '--publicdir', "#{WORK}/public", '--certname', 'values.example.com'])
Puppet.settings.preferred_run_mode = :server
Puppet::Util::Log.level = ARGV.empty? ? :emerg : :notice
ENVIRONMENT = Puppet::Node::Environment.create(:production, (ARGV[0] || '').split(':'), Puppet::Node::Environment::NO_MANIFEST)
ENVIRONMENTS = Puppet::Environments::Static.new(ENVIRONMENT)
LOADERS = Puppet::Pops::Loaders.new(ENVIRONMENT)

def written(value)
  case value
  when nil, true, false, Integer then value
  when Float then { 'float' => value.to_s }
  when Puppet::Util::Log then value.to_s
  when String then value.dup.force_encoding('UTF-8').valid_encoding? ? value : { 'bytes' => value.unpack1('H*') }
  when Puppet::Pops::Types::Iterable then { 'iterator' => value.to_a.map { |v| written(v) } }
  when Array then value.map { |v| written(v) }
  when Hash then { 'hash' => value.map { |k, v| [written(k), written(v)] } }
  when :default then { 'default' => true }
  when Regexp then { 'regexp' => value.source }
  when URI then { 'URI' => value.to_s }
  when Puppet::Pops::Types::PAnyType then { 'type' => value.to_s }
  when Puppet::Pops::Types::PSensitiveType::Sensitive then { 'sensitive' => written(value.unwrap) }
  when Puppet::Pops::Types::PuppetObject then { 'Deferred' => Puppet::Pops::Types::StringConverter.convert(value) }
  else { value.class.name.split('::').last => value.to_s }
  end
end

def declared(compiler)
  compiler.catalog.resources.map do |resource|
    given = resource.to_hash.reject { |name, value| value.nil? || (value == resource.title && name == resource.resource_type.key_attributes.first) }
    [resource.ref, given.map { |name, value| [name.to_s, written(value)] }]
  end
end

def answer(job)
  compiler = Puppet::Parser::Compiler.new(Puppet::Node.new('node.example.com', environment: ENVIRONMENT))
  Puppet.override(compiler.context_overrides, 'values') do
    compiler.topscope.set_facts({ 'networking' => { 'fqdn' => 'node.example.com' } }.merge(job['facts'] || {}))
    (job['facts'] || {}).each { |name, value| compiler.topscope[name] = value }
    compiler.topscope['module_name'] = '' unless ARGV.empty?
    compiler.topscope.source = Puppet::Resource::Type.new(:hostclass, '')
    $deprecation_warnings = {}
    $unique_warnings = {}
    parser = Puppet::Pops::Parser::EvaluatingParser.new
    found = { 'ok' => true, 'value' => written(parser.evaluate_string(compiler.topscope, job['code'], 'x.pp')) }
    found['resources'] = declared(compiler) unless ARGV.empty?
    found
  end
rescue SystemStackError
  { 'ok' => false, 'error' => 'stack level too deep' }
rescue StandardError, ScriptError => e
  line = e.respond_to?(:line) ? e.line : nil
  { 'ok' => false, 'error' => e.message.dup.force_encoding('UTF-8').scrub, 'line' => line }
end

$stdout.sync = true
$stdin.each_line do |line|
  job = JSON.parse(line)
  Puppet.override({ environments: ENVIRONMENTS, current_environment: ENVIRONMENT, loaders: LOADERS, rich_data: true }, 'values') do
    puts JSON.generate({ 'id' => job['id'] }.merge(answer(job)))
  end
end
