"""What Puppet knows of control repositories: nodes, environments, Puppetfile, what is unused."""
