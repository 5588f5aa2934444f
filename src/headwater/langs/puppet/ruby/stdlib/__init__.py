"""Ruby's own library as far as it is pure: JSON, YAML, Set, IPAddr, URI, digests, paths …

`methods` has the classes that every program of Ruby uses; what is here must be asked for by
its constant.  Nothing reads the machine: no file, no clock, no chance that was not seeded.
"""
