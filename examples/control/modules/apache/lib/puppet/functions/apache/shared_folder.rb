# Declares a folder that several sites may share.
Puppet::Functions.create_function(:'apache::shared_folder', Puppet::Functions::InternalFunction) do
  dispatch :declare do
    scope_param
    param 'String', :path
  end

  def declare(scope, path)
    return if scope.catalog.resource('File', path)

    call_function('create_resources', 'file', { path => { 'ensure' => 'directory' } })
  end
end
