# Real Puppet's parser and validator behind JSON lines: one request per line on stdin,
# one answer per line on stdout.  Started once by tests/peers/puppet.py.
#
#   {"op": "parse", "code": text, "file": name, "dump": true|false}
#     -> {"ok": bool, "issues": [[severity, issue, line, column, message]], "dump": text or null}
#   {"op": "time", "files": [[name, text], ...], "validate": true|false} -> {"seconds": s}
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/pops/pn'

# Quiet start: nothing of this machine's configuration is read.
work = Dir.mktmpdir('headwater-peer')
at_exit { FileUtils.rm_rf(work) }
Puppet.initialize_settings(['--confdir', "#{work}/conf", '--codedir', "#{work}/code", '--vardir', "#{work}/var"])
Puppet::Util::Log.level = :err

# The tree transformer of 7.23 calls this by a name that does not exist when a parameter
# takes all remaining arguments.
def (Puppet::Pops::PN).Literal(value)
  Puppet::Pops::PN::Literal.new(value)
end

def parser_for(name)
  name.end_with?('.epp') ? Puppet::Pops::Parser::EppParser.new : Puppet::Pops::Parser::Parser.new
end

def validate(model)
  found = Puppet::Pops::Validation::Acceptor.new
  Puppet::Pops::Validation::ValidatorFactory_4_0.new.validator(found).validate(model)
  found
end

def parse(request)
  name = request['file'] || 'code.pp'
  model = parser_for(name).parse_string(request['code'], name).model
  found = validate(model)
  issues = found.diagnostics.map do |d|
    [d.severity.to_s, d.issue.issue_code.to_s, d.source_pos&.line, d.source_pos&.pos, d.issue.format(d.arguments)]
  end
  dump = request['dump'] ? dump(model) : nil
  { ok: !found.errors?, issues: issues, dump: dump }
rescue Puppet::ParseErrorWithIssue => e
  { ok: false, issues: [['error', e.issue_code.to_s, e.line, e.pos, e.message]], dump: nil }
rescue Puppet::ParseError => e
  { ok: false, issues: [['error', 'PARSE_ERROR', e.line, e.pos, e.message]], dump: nil }
rescue SystemStackError, StandardError => e
  { ok: false, issues: [['error', "CRASH #{e.class}", nil, nil, e.message.to_s[0, 300]]], dump: nil }
end

# Names of parameters that validation refuses are refused by PN too.
def dump(model)
  Puppet::Pops::Model::PNTransformer.transform(model).to_s
rescue ArgumentError
  nil
end

def time(request)
  files = request['files']
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  files.each do |name, text|
    model = parser_for(name).parse_string(text, name).model
    validate(model) if request['validate']
  end
  { seconds: Process.clock_gettime(Process::CLOCK_MONOTONIC) - start }
end

environment = Puppet::Node::Environment.create(:production, [])
context = { current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment) }
$stdout.sync = true
Puppet.override(context, 'headwater peer') do
  $stdin.each_line do |line|
    request = JSON.parse(line)
    answer = request['op'] == 'time' ? time(request) : parse(request)
    puts JSON.generate(answer)
  end
end
