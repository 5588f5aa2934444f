# Lists the types of resources of the modules in a folder as Puppet sees them, one JSON line each:
# its name, keys, whether it only loads at the second try, attributes, the number of its title
# patterns, and for each title which pattern fits it and what that finds (null for a title that none
# fits).  Standard input has the names of the types and the titles.
require 'json'
require 'puppet'

folder = ARGV[0]
names, titles = JSON.parse($stdin.read)
Puppet.initialize_settings(['--modulepath', folder])
place = Puppet::Node::Environment.create(:production, [folder])

def found(patterns, title)
  patterns.each_with_index do |(pattern, _), index|
    match = pattern.match(title)
    return [index, match.captures] if match
  end
  nil
end

Puppet.override(current_environment: place, loaders: Puppet::Pops::Loaders.new(place)) do
  names.each do |name|
    stumbles = false
    begin
      Puppet::Type.type(name.to_sym)
    rescue Puppet::Error # its provider requires a file that is not found; the second time it is there
      stumbles = true
    end
    type = Puppet::Type.type(name.to_sym)
    next if type.nil?

    patterns = type.title_patterns
    puts JSON.generate(
      'name' => name, 'keys' => type.key_attributes, 'stumbles' => stumbles,
      'attributes' => type.properties.map(&:name) + type.parameters, 'patterns' => patterns.size,
      'titles' => titles.map { |title| found(patterns, title) }
    )
  end
end
