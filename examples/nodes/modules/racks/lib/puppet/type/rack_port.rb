# A port of a switch.  Its title says rack and number: 'r17/3'.
Puppet::Type.newtype(:rack_port) do
  ensurable

  %i[rack number].each do |key|
    newparam(key) { isnamevar }
  end

  newproperty(:speed) do
    newvalues('1G', '10G')
  end

  def self.title_patterns
    separators = ['/', ':'].map { |sign| Regexp.escape(sign) }.join('|')
    [[%r{\A(r\d+)(?:#{separators})(\d+)\z}, [[:rack], [:number, ->(digits) { digits.to_i }]]]]
  end
end
