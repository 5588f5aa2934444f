# Which rack a node stands in: lines with a node and a rack.
Puppet::Functions.create_function(:'racks::find') do
  dispatch :find do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def find(key, options, context)
    racks = context.cached_file_data(options['path']) { |text| text.lines.map(&:split).to_h }
    racks.fetch(key.delete_prefix('rack.')) { context.not_found }
  end
end
