"""Ruby's own classes and modules, and who inherits from whom.

They are the same for every machine and never change: a program that reopens one of them is
refused.  Their methods are in `methods/`, one module per class.
"""

from __future__ import annotations

from typing import Final

from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.values import (
    BoundMethod,
    Class,
    Classed,
    DefaultHash,
    Enumerator,
    Keywords,
    Matched,
    Pattern,
    Proc,
    Range,
    RubyMethod,
    RubyObject,
    RubyValue,
    Symbol,
    Text,
)

BUILTIN: Final[dict[str, Class]] = {}
"""Every class and module of Ruby that is known here, by its whole name."""


def define(name: str, above: Class | None = None, is_module: bool = False) -> Class:
    """A class or module of Ruby; `A::B` lies inside `A`."""
    made = Class(name, above, is_module)
    made.closed = True
    BUILTIN[name] = made
    outer, _, last = name.rpartition("::")
    if outer:
        made.outer = BUILTIN[outer]
        BUILTIN[outer].constants[last] = made
    elif "Object" in BUILTIN:
        BUILTIN["Object"].constants[name] = made
    return made


def module(name: str) -> Class:
    """A module of Ruby."""
    return define(name, None, True)


BASIC_OBJECT: Final = define("BasicObject")
OBJECT: Final = define("Object", BASIC_OBJECT)
OBJECT.constants.update(BasicObject=BASIC_OBJECT, Object=OBJECT)
KERNEL: Final = module("Kernel")
OBJECT.included.append(KERNEL)
_PRIVATE: Final = (
    "Array Complex Float Hash Integer Rational String __callee__ __dir__ __method__ ` abort "
    "at_exit autoload autoload? binding block_given? caller caller_locations catch eval exec exit "
    "exit! fail fork format gets global_variables initialize_clone initialize_copy initialize_dup "
    "iterator? lambda load local_variables loop open p pp print printf proc putc puts raise rand "
    "readline readlines require require_relative respond_to_missing? select set_trace_func sleep "
    "spawn sprintf srand syscall system test throw trace_var trap untrace_var warn"
)
PRIVATE: Final = frozenset(_PRIVATE.split())
"""What Kernel gives every object for itself alone."""

MAIN: Final[dict[str, RubyMethod | None]] = {}
"""What the main object has alone."""

COMPARABLE: Final = module("Comparable")
ENUMERABLE: Final = module("Enumerable")
MODULE: Final = define("Module", OBJECT)
CLASS: Final = define("Class", MODULE)
NIL: Final = define("NilClass", OBJECT)
TRUE: Final = define("TrueClass", OBJECT)
FALSE: Final = define("FalseClass", OBJECT)
NUMERIC: Final = define("Numeric", OBJECT)
NUMERIC.included.append(COMPARABLE)
INTEGER: Final = define("Integer", NUMERIC)
OBJECT.constants.update(Fixnum=INTEGER, Bignum=INTEGER)
FLOAT: Final = define("Float", NUMERIC)
STRING: Final = define("String", OBJECT)
STRING.included.append(COMPARABLE)
SYMBOL: Final = define("Symbol", OBJECT)
SYMBOL.included.append(COMPARABLE)
ARRAY: Final = define("Array", OBJECT)
ARRAY.included.append(ENUMERABLE)
HASH: Final = define("Hash", OBJECT)
HASH.included.append(ENUMERABLE)
RANGE: Final = define("Range", OBJECT)
RANGE.included.append(ENUMERABLE)
ENUMERATOR: Final = define("Enumerator", OBJECT)
ENUMERATOR.included.append(ENUMERABLE)
GENERATOR: Final = define("Enumerator::Generator", OBJECT)
REGEXP: Final = define("Regexp", OBJECT)
MATCH_DATA: Final = define("MatchData", OBJECT)
PROC: Final = define("Proc", OBJECT)
METHOD: Final = define("Method", OBJECT)
EXCEPTION: Final = define("Exception", OBJECT)

_ERRORS: Final = (
    ("NoMemoryError", "Exception"),
    ("ScriptError", "Exception"),
    ("LoadError", "ScriptError"),
    ("NotImplemented" + "Error", "ScriptError"),
    ("SyntaxError", "ScriptError"),
    ("SecurityError", "Exception"),
    ("SignalException", "Exception"),
    ("Interrupt", "SignalException"),
    ("SystemExit", "Exception"),
    ("SystemStackError", "Exception"),
    ("StandardError", "Exception"),
    ("ArgumentError", "StandardError"),
    ("Math::DomainError", "StandardError"),
    ("UncaughtThrowError", "ArgumentError"),
    ("EncodingError", "StandardError"),
    ("FiberError", "StandardError"),
    ("IOError", "StandardError"),
    ("EOFError", "IOError"),
    ("IndexError", "StandardError"),
    ("KeyError", "IndexError"),
    ("StopIteration", "IndexError"),
    ("LocalJumpError", "StandardError"),
    ("NameError", "StandardError"),
    ("NoMethodError", "NameError"),
    ("NoMatchingPatternError", "StandardError"),
    ("NoMatchingPatternKeyError", "NoMatchingPatternError"),
    ("RangeError", "StandardError"),
    ("FloatDomainError", "RangeError"),
    ("RegexpError", "StandardError"),
    ("RuntimeError", "StandardError"),
    ("FrozenError", "RuntimeError"),
    ("SystemCallError", "StandardError"),
    ("Errno::EDOM", "SystemCallError"),
    ("Errno::ENOENT", "SystemCallError"),
    ("Errno::EACCES", "SystemCallError"),
    ("Errno::EEXIST", "SystemCallError"),
    ("Encoding::CompatibilityError", "EncodingError"),
    ("Encoding::UndefinedConversionError", "EncodingError"),
    ("Encoding::InvalidByteSequenceError", "EncodingError"),
    ("Encoding::ConverterNotFoundError", "EncodingError"),
    ("ThreadError", "StandardError"),
    ("TypeError", "StandardError"),
    ("ZeroDivisionError", "StandardError"),
)
MATH: Final = module("Math")
ERRNO: Final = module("Errno")
ENCODING: Final = define("Encoding", OBJECT)
for _name, _above in _ERRORS:
    define(_name, BUILTIN[_above])

OF_TYPE: Final[dict[type, Class]] = {
    type(None): NIL,
    int: INTEGER,
    float: FLOAT,
    str: STRING,
    Bytes: STRING,
    Text: STRING,
    Symbol: SYMBOL,
    list: ARRAY,
    Hash: HASH,
    DefaultHash: HASH,
    Keywords: HASH,
    Range: RANGE,
    Pattern: REGEXP,
    Matched: MATCH_DATA,
    Proc: PROC,
    BoundMethod: METHOD,
    Enumerator: ENUMERATOR,
}
"""The classes of values that are no `RubyObject`; methods modules of other classes add theirs."""


def class_of(value: RubyValue) -> Class:
    """The class of a value."""
    found = OF_TYPE.get(value.__class__)
    if found is not None:
        return found
    if value.__class__ is bool:
        return TRUE if value else FALSE
    if value.__class__ is Class:
        return MODULE if value.is_module else CLASS
    assert isinstance(value, RubyObject | Classed)
    return value.cls
