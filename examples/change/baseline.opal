# The state that two teams keep: the name servers (dns) and the web farm (web).
# The merges say what becomes of changes that meet: sets are joined, anything else is refused.

with dns do {
  handle dns.servers := set with ["ns1"] merging set3 in { set }
};

with web do {
  handle web.hosts := set with ["www1", "www2"] merging set3 in { set };
  handle web.resolver := use with "ns1" merging refuse in { use }
}
