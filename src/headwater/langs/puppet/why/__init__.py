"""Why the values of a catalog are what they are.

Take this manifest, compiled with the fact ``role = db``::

    1  class ntp ($server = 'a') {
    2    notify { 'n': message => "use ${server}" }
    3  }
    4  if $facts['role'] == 'web' {
    5    class { 'ntp': server => 'b' }
    6  }
    7  include ntp

**Record.**  The compiler evaluates it and leaves pointers, no more.  The condition of line 4 is
noted as a decision (`Guard`: node, frame, which way, when), because more than a value hangs on
it.  Line 7 is an `Act`: it declared ``ntp``, in the top frame, under no guard, at time 1.  The
parameter ``server`` is a `Param` with its expression, ``'a'``, and how it came: by default.  The
attribute ``message`` is a `Param` with the expression of line 2 and the frame of the class.  When
the compilation ends the record is frozen.

**Replay.**  Somebody asks why ``Notify[n].message`` is ``use a``.  `Replay.of` follows the
expression of line 2 over that frame.  The string is an operation over the literal ``use`` and
the variable; the frame binds ``$server`` to the parameter; the parameter leads to the literal
``'a'`` of line 1.  Each kind of node is followed by the module that has the name of the one in
`engine` which evaluated it: `strings`, `variables`, `attributes`.  The result is a node of the
trace; *where*, *expression*, *depends* and *masked* are views of it.

**D+.**  The answer so far names lines 1 and 2.  But set ``role`` to ``web`` and the message
becomes ``use b``: line 5 comes first, and line 7 declares nothing new.  So the value depends on
what did *not* happen.  `consequences` finds that the branch of line 4 could have declared
``ntp``; `absences` keeps the decision as a cause of that, A_κ(ntp); the link λ(ntp) of the class,
what decided where and when it was declared first, takes it in; and parameters of a class depend
on its link.  With it the fact, the literal ``'web'`` and line 4 are among the dependencies.

Names used here, with those of the definition (docs/languages/mupuppet.md):

==============  ============================================================================
`epc`           why a piece of program ran: guards, iterations, declarations around it
`tpc`           what decided when it ran, where that can change what it saw
``absences``    A(α, x), A_κ(a), A_t: why a variable, a class, something of a type is not there
``link``        λ(a): what decided where and when a class was first declared
``witnesses``   E_a: one reason why a class is declared
``meddling``    what could have written a parameter, and did not, or not so
==============  ============================================================================

What always holds:

- Nothing here writes the record.  Values that are needed to know which way a choice went are
  found by evaluating pure expressions again, in a compilation set apart (`replayed`).
- Everything has a time.  A read saw what was bound up to its time; `scoping` looks no further.
- A class is never its own reason: a witness rests on classes declared before (`witnesses`).
- Questions may lead back to themselves.  Such circles end in nothing, and no part of an answer
  is taken for the whole (`memo`).  So answers do not hang on the order of questions.
- Instances of a define, and calls of a lambda, that came about alike have one answer (`recipes`,
  `instances`); which they are is asked only while no other question is open.
- Labels hide secrets while they are made (`labels`); there is no trace with a secret in it.

To read it: `here`, `scoping`, `memo`, `labels`; `questions`, what the modules ask of each other;
`constructs` and the module of any construct; `reasons`, `classes`, `timelines`, `absences`;
`replay`, which puts it together; `causes`, the door.
"""
