"""What can be wrong with characters, words, numbers, strings and tags."""

from __future__ import annotations

from headwater.langs.puppet.codes.base import code

# -- characters, words, numbers -------------------------------------------------------------

BAD_CHARACTER = code(
    "bad-character",
    "the character {char} starts nothing in Puppet",
    "A character stands where code is expected and means nothing there.",
    "It was pasted from elsewhere, or a quote before it is missing.",
    "$a = 1 ^ 2",
    "Remove it, or quote the text it belongs to.",
    "SYNTAX_ERROR",
)
BAD_NUMBER = code(
    "bad-number",
    "{text} is not a {kind}",
    "A word that starts with a digit is not a number.",
    "Octal numbers start with 0 and hold digits up to 7, hexadecimal ones start with 0x; a bare "
    "word may not start with a digit.",
    "$mode = 0689",
    "Correct the digits, or quote the word.",
    "ILLEGAL_NUMBER",
)
BAD_NAME = code(
    "bad-name",
    "{name} is not a name: its parts must all be capitalised or all be in lower case",
    "A qualified name mixes Capital:: and lower:: parts, or a part is missing.",
    "Types are written Apache::Port, classes and functions apache::port.",
    "include Apache::port",
    "Write all parts alike.",
    "ILLEGAL_CLASS_REFERENCE",
)
UNCLOSED_COMMENT = code(
    "unclosed-comment",
    "this comment is never closed",
    "A /* has no */ after it.",
    "Everything to the end of the file is taken for a comment.",
    "/* settings",
    "Write */ where the comment ends.",
    "UNCLOSED_MLCOMMENT",
)
BYTE_ORDER_MARK = code(
    "byte-order-mark",
    "the file starts with a byte order mark, which Puppet refuses",
    "The first bytes of the file are a byte order mark.",
    "Some editors write one; Puppet reads plain UTF-8 only.",
    "(bytes EF BB BF) include apache",
    "Save the file as UTF-8 without a byte order mark.",
    "ILLEGAL_BOM",
)

# -- strings --------------------------------------------------------------------------------

UNCLOSED_STRING = code(
    "unclosed-string",
    "this string is never closed: no {quote} follows",
    "A quote opens a string that nothing closes.",
    "Everything to the end of the file is taken for text.",
    "$a = 'motd",
    "Close the string; write \\' or \\\" for a quote within it.",
    "UNCLOSED_QUOTE",
)
UNKNOWN_ESCAPE = code(
    "unknown-escape",
    "{escape} is no escape; both characters are kept",
    "A backslash in a double-quoted string stands before a character that needs none.",
    'The escapes of "…" are \\\\ \\$ \\\' \\" \\n \\r \\t \\s \\uXXXX \\u{X}.',
    '$a = "a\\d"',
    "Write two backslashes, or use single quotes.",
    "UNRECOGNIZED_ESCAPE",
    "warning",
)
BAD_UNICODE_ESCAPE = code(
    "bad-unicode-escape",
    "\\u needs four hexadecimal digits, or up to six in braces; it is kept as it stands",
    "A \\u is not followed by a code point.",
    "The code point is written \\u00e9 or \\u{1F600}.",
    '$a = "\\u12"',
    "Complete the digits, or write two backslashes.",
    "ILLEGAL_UNICODE_ESCAPE",
    "warning",
)
BAD_CODE_POINT = code(
    "bad-code-point",
    "U+{number} is not a character",
    "A \\u escape names a surrogate or a number above 10FFFF.",
    "Only Unicode scalar values are characters.",
    '$a = "\\ud800"',
    "Write the code point of the character itself.",
    "ILLEGAL_UNICODE_ESCAPE",
)
MIXED_ENCODINGS = code(
    "mixed-encodings",
    "{what}",
    "Two strings are put together, or compared with a pattern, and both have characters beyond "
    "ASCII, in two encodings.",
    "A function in Ruby gives strings of bytes (Base64.decode64, digests, pack); Puppet cannot put "
    "them beside text in UTF-8.",
    '$a = "é${raw}"  # raw is what a function in Ruby made of bytes',
    "Let the function say what the bytes are: force_encoding('UTF-8').",
)
NOT_UTF8 = code(
    "not-utf8",
    "{what} is not UTF-8, and no catalog can hold it",
    "A string of a resource has bytes that are no characters.",
    "Catalogs are JSON, which is UTF-8; a string of bytes (ASCII-8BIT) may be the value of a "
    "parameter, as a Binary, but neither a title nor a key of a hash.",
    "notify { raw(): }  # raw is a function in Ruby that gives bytes",
    "Give the bytes as a value of their own, or encode them (base64).",
)
INTERPOLATED_BOOLEAN = code(
    "interpolated-boolean",
    "${{{text}}} is refused: within ${{}} a lone word is the name of a variable",
    "A boolean stands alone in an interpolation.",
    "Puppet 7 takes the word for a variable name and then stops with an internal error.",
    '"${true}"',
    "Write the word itself, or interpolate a variable that holds it.",
)
HEREDOC_TAG = code(
    "heredoc-tag",
    "this heredoc tag cannot be read: {reason}",
    "The text between @( and ) is not a heredoc tag.",
    'A tag is TAG or "TAG", then :syntax, then /escapes.',
    "@(END/x)",
    'Write @(END), @("END"), @(END:json), @(END/nt).',
    "HEREDOC_INVALID_SYNTAX",
)
HEREDOC_END = code(
    "heredoc-end",
    "no line ends the heredoc: {tag} does not stand at the end of any line below",
    "A heredoc's closing tag is missing.",
    "The text ends at the first line that ends with the tag.",
    "$a = @(END)\n  text",
    "Add a line with the tag, optionally after | (cut the margin) and - (cut the line end).",
    "HEREDOC_WITHOUT_END_TAGGED_LINE",
)
HEREDOC_BACKSLASH = code(
    "heredoc-backslash",
    "the text of this heredoc ends with a backslash that escapes nothing",
    "The last character of a heredoc with escapes is a lone backslash.",
    "With /$ a backslash always takes the next character along, and there is none.",
    '@("END"/$)\na\\\n-END',
    "Write two backslashes.",
)

NESTED_HEREDOC = code(
    "nested-heredoc",
    "a heredoc inside the text of another is refused",
    "An interpolation in a heredoc holds a heredoc.",
    "Puppet 7 stops with an internal error when it reads one.",
    '@("A")\n${f(@(B)\nb\nB\n)}\nA',
    "Assign the inner one to a variable first.",
)

# -- EPP ------------------------------------------------------------------------------------

EPP_UNBALANCED = code(
    "epp-unbalanced",
    "this tag is never closed: no %> follows",
    "A <%, <%= or <%# has no %> after it.",
    "Everything to the end of the file is taken for code or comment.",
    "Hello <%= $name",
    "Close the tag; write <%% for the characters themselves.",
    "EPP_UNBALANCED_TAG",
)
