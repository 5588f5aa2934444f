"""The Puppet language (also written by users of OpenVox)."""
