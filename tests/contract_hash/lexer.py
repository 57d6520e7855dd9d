"""Tokens of a .cxspec file. Comments and documentation are dropped: they mean nothing to the contract."""

import re


class SpecError(Exception):
    """The text is no spec that this program understands."""


# Longest first, so that `+%=` is not read as `+%` and `=`.
SYMBOLS = [
    "+%=", "-%=", "*%=", "<<=", ">>=",
    "<<", ">>", "==", "!=", "<=", ">=", "&&", "||", "+%", "-%", "*%", "+:", "->", "=>", "..", "^=", "|=", "&=",
    "+", "-", "*", "/", "%", "<", ">", "&", "|", "^", "~", "!", "=", "?", ":", ";", ",", ".", "@",
    "(", ")", "[", "]", "{", "}",
]

TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*)"
    r'|(?P<raw>"""(?:.|\n)*?""")'
    r'|(?P<string>"[^"\n]*")'
    r"|(?P<int>(?:0x[0-9A-Fa-f_]+|0b[01_]+|[0-9][0-9_]*)(?:[us][0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<symbol>" + "|".join(re.escape(s) for s in SYMBOLS) + ")"
)


class Token:
    """A piece of text: `kind` is `int`, `name`, `string`, `raw`, `symbol` or `end`."""

    __slots__ = ("kind", "text", "line")

    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line


def tokens(text):
    """All tokens of a text, an `end` last."""
    found, at, line = [], 0, 1
    if text.startswith("\ufeff"):
        at = 1
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise SpecError("line %d: no token begins with %r" % (line, text[at]))
        if match.lastgroup != "blank":
            found.append(Token(match.lastgroup, match.group(), line))
        line += match.group().count("\n")
        at = match.end()
    found.append(Token("end", "", line))
    return found


def integer(text):
    """The value of an integer literal and its suffix, `("u", 8)` or None."""
    match = re.fullmatch(r"(0x[0-9A-Fa-f_]+|0b[01_]+|[0-9_]+)(?:([us])([0-9]+))?", text)
    digits = match.group(1).replace("_", "")
    base = {"0x": 16, "0b": 2}.get(digits[:2], 10)
    value = int(digits[2:] if base != 10 else digits, base)
    return value, (match.group(2), int(match.group(3))) if match.group(2) else None
