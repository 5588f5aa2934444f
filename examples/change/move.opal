# Ann moves the web farm to a second name server.  Nothing happens yet: the block is a world.
# It needs both owners: dns gets a server more, web another resolver.

move := hyp {
  with dns do {
    with web do {
      if "ns1" in dns.servers then {
        handle dns.servers := set with ["ns1", "ns2"] merging set3 in { set };
        handle web.resolver := use with "ns2" merging refuse in { use }
      } else {
        skip
      }
    }
  }
}
