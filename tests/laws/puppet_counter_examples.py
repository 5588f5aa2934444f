"""Programs in which an output changes with a literal that has nothing to do with its value.

Each is a name, the program with the literal between ‹ and ›, and the other text for it.
"""

from __future__ import annotations

EXAMPLES: list[tuple[str, str, str]] = [
    ("untaken assignment", "class a { $y = 1 }\nclass b inherits a {\n"
     "if ‹2› == 1 { $y = 42 }\nnotify { 'r': message => $y } }\ninclude b", "1"),
    ("first declaration wins", "class a ($p = 7) { notify { 'r': message => $a::p } }\n"
     "if ‹2› == 1 { class { 'a': p => 9 } }\ninclude a", "1"),
    ("declared earlier in another base", "class a { notify { 'r': message => $y } }\n$y = 'top'\n"
     "if ‹2› == 1 { include a }\nnode default { $y = 'node' include a }", "1"),
    ("the same through a define", "define d { notify { $title: message => $y } }\n"
     "class a { d { 'r': } }\n$y = 'top'\nif ‹2› == 1 { include a }\n"
     "node default { $y = 'node' include a }", "1"),
    ("undefined when read earlier", "class a { notify { 'r': message => \"z ${::z}\" } }\n"
     "if ‹2› == 1 { include a }\n$z = 'set'\ninclude a", "1"),
    ("untaken collector", "notify { 'r': }\nif ‹2› == 1 { Notify <| |> { message => 'm' } }", "1"),
    ("untaken collector over a value", "notify { 'r': noop => true }\nNotify { message => 'd' }\n"
     "notify { 's': }\nif ‹2› == 1 { Notify <| title == 's' |> { message => 'm' } }", "1"),
    ("untaken override", "class a { notify { 'r': message => 'a' } }\nclass b inherits a {\n"
     "if ‹2› == 1 { Notify['r'] { message => 'b' } } }\ninclude b", "1"),
    ("untaken default of a nearer scope", "Notify { message => 'far' }\nclass a {\n"
     "if ‹2› == 1 { Notify { message => 'near' } }\nnotify { 'r': } }\ninclude a", "1"),
    ("defaults of another declaring scope", "class a { notify { 'r': } }\n"
     "class b { Notify { message => 'b' } include a }\n"
     "class c { Notify { message => 'c' } include a }\n"
     "if ‹2› == 1 { include c }\ninclude b", "1"),
    ("untaken realize", "@notify { 'r': }\nif ‹2› == 1 { realize Notify['r'] }", "1"),
    ("query of a collector", "@notify { 'r': message => 'x' }\nNotify <| message == ‹'x'› |>",
     "'y'"),
    ("attribute a collector tests", "notify { 'r': message => ‹'x'›, withpath => true }\n"
     "Notify <| message == 'y' |> { noop => true }\nnotify { 's': noop => false }", "'y'"),
    ("a collector that does not match", "notify { 'r': loglevel => ‹'info'› }\n"
     "Notify { message => 'd' }\nnotify { 's': loglevel => 'err' }\n"
     "Notify <| loglevel == 'err' |> { message => 'over' }", "'err'"),
    ("target of an override", "class a { notify { ['r', 's']: message => 'a' } }\n"
     "class b inherits a { Notify[‹'s'›] { message => 'b' } }\ninclude b", "'r'"),
    ("defined, negative", "if ‹2› == 1 { notify { 'x': } }\n"
     "if !defined(Notify['x']) { notify { 'r': message => 1 } }\n"
     "else { notify { 'q': } }", "1"),
    ("defined, by a title", "notify { ‹'x'›: }\n"
     "$m = defined(Notify['y'])\nnotify { 'r': message => $m }", "'y'"),
    ("defined, by when", "class a { notify { 'r': message => defined(Notify['x']) } }\n"
     "if ‹2› == 1 { include a }\nnotify { 'x': }\ninclude a", "1"),
    ("return not reached", "class a { if ‹2› == 1 { return() } notify { 'r': } }\ninclude a", "1"),
    ("return reached", "class a { $x = 1 }\n"
     "class b inherits a { if ‹1› == 1 { return() } $x = 2 }\ninclude b\n"
     "notify { 'r': message => $b::x }", "2"),
    ("break not reached", "[1, 2, 3].each |$i| { if $i == ‹5› { break() } notify { \"n${i}\": } }",
     "2"),
    ("next not reached", "[1, 2].each |$i| { if $i == ‹5› { next() } notify { \"n${i}\": } }", "2"),
    ("effect of a function", "function f($a) { if $a == 1 { notify { 'r': } } 0 }\n"
     "$x = f(‹1›)\n", "2"),
    ("effect of a function in a class", "function f($a) { notify { 'r': message => $a } }\n"
     "class c { f(7) }\nif ‹1› == 1 { include c }", "2"),
    ("value of a function", "function f($a) { if $a == 1 { $z } else { 0 } }\n$z = ‹5›\n"
     "notify { 'r': message => f(1) }", "6"),
    ("value of a function by its body", "function f($a) { [$a, ‹5›] }\n"
     "notify { 'r': message => f(1) }", "6"),
    ("value of a lambda", "$z = ‹5›\nnotify { 'r': message => [1].map |$i| { [$i, $z] } }", "6"),
    ("iteration over a computed list", "split(‹'a,b'›, ',').each |$i| { notify { $i: } }", "'a'"),
    ("include of a variable", "class a { notify { 'r': message => $y } }\nclass b { }\n"
     "$y = 'top'\n$c = ‹'b'›\ninclude $c\nnode default { $y = 'node' include a }", "'a'"),
    ("untaken arrow", "notify { ['r', 's']: }\nnotify { 'q': before => Notify['r'] }\n"
     "if ‹2› == 1 { Notify['q'] -> Notify['s'] }", "1"),
    ("target of an arrow", "notify { ['r', 's', 't']: }\nNotify['r'] -> Notify[‹'s'›]", "'t'"),
    ("untaken tag", "class a { notify { 'r': } if ‹2› == 1 { tag('x') } }\ninclude a", "1"),
    ("tag", "class a { tag(‹'x'›) notify { 'r': } }\ninclude a", "'y'"),
    ("tags of where it was declared", "class a { notify { 'r': } }\nclass b { include a }\n"
     "if ‹2› == 1 { include a }\ninclude b", "1"),
    ("untaken contain", "class a { }\nclass b { if ‹2› == 1 { contain a } }\ninclude a, b", "1"),
    ("stage", "stage { 's': }\nclass a { }\nclass { 'a': stage => ‹'main'› }", "'s'"),
    ("stage of the declaring class", "stage { 's': }\nclass a { }\nclass b { include a }\n"
     "if ‹2› == 1 { include a }\nclass { 'b': stage => 's' }", "1"),
    ("inherited metaparameter", "define d { notify { 'r': } }\nd { 'x': noop => ‹true› }",
     "false"),
    ("metaparameter of a class", "class a { notify { 'r': } }\nclass { 'a': noop => ‹true› }",
     "false"),
    ("create_resources", "create_resources('notify', { 'r' => { 'message' => ‹1› } })", "2"),
    ("create_resources with defaults", "create_resources('notify', { 'r' => {} }, "
     "{ 'message' => ‹1› })", "2"),
    ("getvar", "$x = ‹1›\nnotify { 'r': message => getvar('x') }", "2"),
    ("tagged", "if ‹2› == 1 { tag('x') }\nnotify { 'r': message => tagged('x') }", "1"),
    ("captures", "if ‹'ab'› =~ /(.)b/ { notify { 'r': message => $1 } }", "'cb'"),
    ("captures outside a condition", "class a { $m = ‹'ab'› =~ /(.)b/\n"
     "notify { 'r': message => $1 } }\ninclude a", "'cb'"),
    ("template", "$x = ‹1›\nnotify { 'r': message => inline_epp('<%= $x %>') }", "2"),
    ("virtual define", "define d { notify { 'r': } }\n@d { 'x': }\nD <| title == ‹'x'› |>", "'y'"),
    ("attribute of a resource", "notify { 's': message => ‹1› }\n"
     "notify { 'r': message => Notify['s']['message'] }", "2"),
    ("attribute by title", "notify { 's': message => 1 } notify { 't': message => 2 }\n"
     "notify { 'r': message => Notify[‹'s'›]['message'] }", "'t'"),
    ("attribute read before an override", "class a { notify { 's': message => 1 } }\n"
     "class c { notify { 'r': message => Notify['s']['message'] } }\n"
     "class b inherits a { if ‹2› == 1 { Notify['s'] { message => 3 } } include c }\n"
     "include b", "1"),
    ("attribute read before or after an override", "class a { notify { 's': message => 1 } }\n"
     "class c { notify { 'r': message => Notify['s']['message'] } }\n"
     "class b inherits a { Notify['s'] { message => 3 } include c }\n"
     "include a\nif ‹2› == 1 { include c }\ninclude b", "1"),
    ("effect in and", "class a ($p = 1) { notify { 'r': message => $y } }\n$y = 'top'\n"
     "$q = (‹2› == 1 and include(a))\nnode default { $y = 'node' include a }", "1"),
    ("effect in a selector", "class a { notify { 'r': message => $y } }\n$y = 'top'\n"
     "$q = ‹2› ? { 1 => include(a), default => 0 }\nnode default { $y = 'node' include a }", "1"),
    ("undef argument", "class a ($p = 1) { notify { 'r': message => $p } }\n"
     "class { 'a': p => ‹undef› }", "5"),
    ("reduce", "notify { 'r': message => [‹1›, 2].reduce |$m, $i| { $m + $i } }", "4"),
    ("then", "if ‹1› == 1 { $x = 5 }\nnotify { 'r': message => $x.then |$v| { $v } }", "2"),
    ("lambda of an effect", "$x = ‹1›\n$x.then |$v| { if $v == 1 { notify { 'r': } } }", "2"),
    ("element of an iteration", "[‹1›, 2].each |$i| { notify { \"n-${title}-${i}\": "
     "message => $i } }", "3"),
    ("array of titles", "notify { ['r', ‹'s'›]: }", "'t'"),
    ("attributes from a hash", "$h = { 'message' => ‹1› }\nnotify { 'r': * => $h }", "2"),
    ("appended", "class a { notify { 'r': tag => 'x' } }\n"
     "class b inherits a { Notify['r'] { tag +> ‹'y'› } }\ninclude b", "'z'"),
    ("require()", "class a { }\nclass b { if ‹2› == 1 { require a } notify { 'r': } }\n"
     "include a, b\nclass c { require a }\ninclude c", "1"),
    ("case as a value", "$x = case ‹2› { 1: { 'a' } default: { 'b' } }\n"
     "notify { 'r': message => $x }", "1"),
    ("a later option of a case", "case 3 { ‹2›: { $q = 1 } 3: { notify { 'r': } } }", "3"),
    ("a class declared later", "class a ($p = 3) { }\n"
     "if $a::p == 3 or ‹2› == 1 { $q = 1 } else { notify { 'r': } include a }", "1"),
    ("a class declared later, whose parent was there", "class b { $p = 3 }\n"
     "class a inherits b { }\ninclude b\n"
     "if $a::p == 3 or ‹2› == 1 { $q = 1 } else { notify { 'r': } include a }", "1"),
    ("a variable assigned later", "class a { notify { 'r': message => $y } $y = 2 }\n$y = ‹1›\n"
     "include a", "5"),
    ("unless", "$y = 0\nclass a { unless ‹2› == 2 { $y = 1 } notify { 'r': message => $y } }\n"
     "include a", "1"),
    ("a tag under another", "@notify { 'c': tag => ‹'c'› }\n"
     "Notify <| message != 'a' |> { tag => 'late' }", "3"),
]  # fmt: skip


def taken_apart(marked: str) -> tuple[str, int, int]:
    """The program without the marks, and the place of the literal."""
    start = marked.index("‹")
    end = marked.index("›") - 1
    return marked.replace("‹", "").replace("›", ""), start, end
