# Prints what real Puppet knows of each type in the folders given: one line of JSON per file.
require 'puppet'
require 'json'
require 'tmpdir'

Dir.mktmpdir do |work|
  Puppet.initialize_settings(['--confdir', work, '--vardir', work])
  ARGV.each { |folder| Dir["#{folder}/*/lib"].sort.each { |lib| $LOAD_PATH.unshift(lib) } }
  environment = Puppet::Node::Environment.create(:production, ARGV)
  Puppet.override(current_environment: environment,
                  environments: Puppet::Environments::Static.new(environment)) do
    ARGV.flat_map { |folder| Dir["#{folder}/*/lib/puppet/type/*.rb"].sort }.each do |file|
      name = File.basename(file, '.rb')
      begin
        type = Puppet::Type.type(name.to_sym)
        known = type.properties.map(&:name) + type.parameters
        patterns = type.title_patterns.map { |pattern, _| pattern.source }
        puts JSON.generate([file, name, known.map(&:to_s).uniq.sort,
                            type.key_attributes.map(&:to_s).sort, type.isomorphic?, patterns])
      rescue StandardError, LoadError, NotImplementedError => error
        puts JSON.generate([file, name, nil, error.message])
      end
    end
  end
end
