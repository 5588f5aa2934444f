# A team looks for an hour to meet.  Nine o'clock is (), ten is (() . ()) and so on: an
# hour is the number of hours after nine.  Ann is busy at nine and Bob at ten; both must
# agree that their calendars are read, which is what "with" asks them.
#
# Each hour is tried in a world; only the world that suits everyone is committed, and
# what was tried in the others leaves no trace in the stores.

with team do { with ann do { with bob do {
  handle ann.busy := ann_day with (() . ()) merging o h c to ann.c in {
  handle bob.busy := bob_day with ((() . ()) . ()) merging o h c to bob.c in {
  handle team.hour := later with (() . team.hour) merging o h c to team.h in {
  handle team.meeting := meet with team.hour merging o h c to team.h in {

    at ann do { ann_day };
    at bob do { bob_day };

    nine := hyp { meet };
    if nine.team.meeting in ann.busy \/ nine.team.meeting in bob.busy then {
      ten := hyp { later; meet };
      if ten.team.meeting in ann.busy \/ ten.team.meeting in bob.busy then {
        commit hyp { later; later; meet }
      } else {
        commit ten
      }
    } else {
      commit nine
    }

  } } } }
} } }
