"""The command line: one file per verb.  Verbs are imported only when they are used."""
