"""The reference semantics: typing (section 3) and evaluation (section 4), rule by rule."""
