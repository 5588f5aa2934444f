"""A fuzzer that knows what it breaks: programs by their tokens, documents by their structure.

An execution is a number.  The number seeds all choices, so that a finding can be had again:
``python -m fuzz --only NUMBER``.  A finding is an exception that is not a refusal, an
``internal-error``, a run beyond the bound of time, or memory beyond the bound.
"""
