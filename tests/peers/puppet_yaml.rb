# Reads YAML texts (a JSON array on standard input) as Puppet reads data, and says what they are.
require 'json'
require 'puppet'
require 'puppet/util/yaml'

def form(value)
  case value
  when nil, true, false then value.inspect
  when Integer then ['integer', value.to_s]
  when Float then ['float', [value].pack('G').unpack1('H*')]
  when String then ['string', value.encoding == Encoding::BINARY ? value.unpack1('H*') : value]
  when Symbol then ['symbol', value.to_s]
  when Array then ['array', value.map { |v| form(v) }]
  when Hash then ['hash', value.map { |k, v| [form(k), form(v)] }]
  else raise "a #{value.class}"
  end
end

answers = JSON.parse($stdin.read).map do |text|
  begin
    form(Puppet::Util::Yaml.safe_load(text, [Symbol], 'text'))
  rescue StandardError, SystemStackError
    'refused'
  end
end
puts JSON.generate(answers)
