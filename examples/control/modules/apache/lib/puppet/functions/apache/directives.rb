# Lines of a site for the headers it sends.
Puppet::Functions.create_function(:'apache::directives') do
  # @param headers the headers by name
  # @param options `always`: also with errors
  # @return the lines, sorted by name
  dispatch :lines do
    param 'Hash[String, String]', :headers
    optional_param 'Struct[{Optional[always] => Boolean}]', :options
    return_type 'Array[String]'
  end

  def lines(headers, options = {})
    condition = options.fetch('always', false) ? 'always ' : ''
    headers.sort.map { |name, value| %(Header #{condition}set #{name} "#{escape(value)}") }
  end

  def escape(text)
    text.gsub('"', '\"')
  end
end
