# SPDX-License-Identifier: GPL-2.0-or-later
#
# sites.py - the places of a C file that mutate.py may change, and into what
#
# Floor: tests.
#
# A file is cut into tokens; comments, preprocessor lines, assertions, attributes
# and what sizeof looks at are passed over.  What is changed: comparisons (a bound
# by one, == and != into each other), + and -, && and ||, and numbers (0 and 1
# into each other, others one more, large floating ones twice).  A size of an
# array and the zero of "= { 0 }" stay: to change them changes nothing.

import re

TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/ | //[^\n]*)
  | (?P<text>"(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*')
  | (?P<hash>^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<number>(?:0[xX][0-9a-fA-F]+ | (?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
      [uUlLfF]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=
      |[-+*/%&|^<>=!~?:;,.(){}\[\]])
  | (?P<space>\s+)
""", re.X | re.S | re.M)

SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
         "+": "-", "-": "+", "+=": "-=", "-=": "+=", "&&": "||", "||": "&&"}

# A sign between two operands, not before one.
BINARY = {"+", "-"}

TYPES = {"void", "char", "int", "unsigned", "long", "short", "double", "float", "bool",
         "size_t", "nsec", "struct", "union", "enum", "const", "static",
         "int64_t", "uint64_t", "int32_t", "uint32_t", "int16_t", "uint16_t",
         "int8_t", "uint8_t"}

LARGE = 1000.0


class Site:
    """One change of one place."""

    def __init__(self, file, line, column, token, at, old, new, text):
        self.file, self.line, self.column = file, line, column
        self.token, self.at = token, at
        self.old, self.new, self.text = old, new, text

    def key(self):
        """What stays the same while lines above come and go."""
        return (self.file, f"{self.old} -> {self.new}", self.text)

    def __str__(self):
        return (f"{self.file}:{self.line}:{self.column}: "
                f"{self.old} -> {self.new}    {self.text}")


def other_number(text):
    bare = text.rstrip("uUlL") if text[:2].lower() == "0x" \
        else text.rstrip("uUlLfF")
    is_float = not text.lower().startswith("0x") and re.search(r"[.eE]", bare)
    if is_float:
        value = float(bare)
        if value == 0.0:
            return "1.0"
        return f"({text} * 2)" if abs(value) >= LARGE else f"({text} + 1)"
    value = int(bare, 16) if bare[:2].lower() == "0x" else \
        int(bare, 8) if len(bare) > 1 and bare[0] == "0" else int(bare)
    if value in (0, 1):
        return str(1 - value)
    return f"({text} + 1)"


def tokens_of(source):
    """Tokens without what is passed over: (kind, text, place)."""
    found = []
    at = 0
    while at < len(source):
        match = TOKEN.match(source, at)
        if not match:
            at += 1
            continue
        if match.lastgroup in ("number", "word", "sign", "text"):
            found.append((match.lastgroup, match.group(), at))
        at = match.end()
    return found


def closing(tokens, i):
    """The place of the bracket that closes the one at i."""
    depth = 0
    while i < len(tokens):
        if tokens[i][1] in ("(", "[", "{"):
            depth += 1
        elif tokens[i][1] in (")", "]", "}"):
            depth -= 1
            if not depth:
                return i
        i += 1
    return i


def begins_declaration(tokens, i):
    """Whether the statement around a token begins with a type."""
    while i >= 0 and tokens[i][1] not in (";", "{", "}"):
        i -= 1
    return i + 1 < len(tokens) and tokens[i + 1][1] in TYPES


def sites_of(file, source):
    tokens = tokens_of(source)
    starts = [0] + [m.end() for m in re.finditer("\n", source)]
    lines = source.split("\n")
    sites = []
    line = 0
    i = 0
    while i < len(tokens):
        kind, text, at = tokens[i]
        if text in ("assert", "static_assert", "_Static_assert",
                    "__attribute__", "sizeof"):
            i = closing(tokens, i + 1) + 1
            continue
        new = None
        before = tokens[i - 1] if i else ("", "", 0)
        after = tokens[i + 1] if i + 1 < len(tokens) else ("", "", 0)
        if kind == "number":
            zero = text == "0" and before[1] == "{" and after[1] == "}"
            size = before[1] == "[" and after[1] == "]" and \
                begins_declaration(tokens, i)
            if not zero and not size:
                new = other_number(text)
        elif text in SWAPS and (text not in BINARY or
                                before[0] in ("number", "word", "text") and
                                before[1] not in ("return", "case") or
                                before[1] in (")", "]")):
            new = SWAPS[text]
        if new:
            while line + 1 < len(starts) and starts[line + 1] <= at:
                line += 1
            sites.append(Site(file, line + 1, at - starts[line] + 1, i, at,
                              text, new, " ".join(lines[line].split())))
        i += 1
    return sites
