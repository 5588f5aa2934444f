"""The parts of the benchmark of the Puppet compiler."""
