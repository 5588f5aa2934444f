# A shop counts what it sells.  A sale is tried in a world of its own first: the counter
# outside does not move until the world is committed, and the merge says what a commit
# makes of the counter as it was (before), as the world left it (tried) and as it is (now).

with shop do {
  handle shop.sold := sell with (() . shop.sold) merging before tried now to shop.tried in {
    sell;
    sale := hyp { sell; sell };

    # Look before you leap: three would be sold in the world, one is sold outside.
    if sale.shop.sold = (() . (() . (() . ()))) /\ shop.sold = (() . ()) then {
      commit sale
    } else {
      skip
    }
  }
}
