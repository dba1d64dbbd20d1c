# SPDX-License-Identifier: GPL-2.0-or-later
#
# switches.py - a C file in which changes can be switched on (switch.h)
#
# Floor: tests.
#
# An operator is written as a statement expression that has both operands once,
# so that nothing is computed twice and one may stand in another.  The operands
# are found by the precedence of the tokens around; where that goes wrong, or a
# constant is wanted, the compiler says so, and mutate.py leaves the line alone.

from sites import tokens_of

PRECEDENCE = {op: level for level, ops in enumerate((
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="),
    ("<", "<=", ">", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%")))
    for op in ops}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=",
               ">>="}
STOPS = ASSIGNMENTS | {";", ",", "?", ":", "{", "}", "...", "return", "case",
                       "else", "do"}
OPENS, CLOSES = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}
INNERMOST = 10**9               # larger than any file
HEADS = {"if", "while", "for", "switch"}


def partner(tokens, i, step):
    """The bracket that belongs to the one at i."""
    depth = 0
    while 0 <= i < len(tokens):
        if tokens[i][1] in OPENS and tokens[i][0] == "sign":
            depth += 1
        elif tokens[i][1] in CLOSES and tokens[i][0] == "sign":
            depth -= 1
        if not depth:
            return i
        i += step
    return i


def ends_operand(token):
    return token[0] in ("word", "number", "text") and \
        token[1] not in STOPS or token[1] in (")", "]")


def begin_of(tokens, i, level):
    """Where the left operand of the operator at i begins."""
    at = i
    while at > 0:
        kind, text, _ = tokens[at - 1]
        if kind == "sign" and text in CLOSES and text != "}":
            opening = partner(tokens, at - 1, -1)
            if tokens[opening - 1][1] in HEADS:
                return at
            at = opening
            continue
        if text in STOPS or kind == "sign" and text in OPENS:
            return at
        if kind == "sign" and PRECEDENCE.get(text, level) < level and \
                ends_operand(tokens[at - 2]):
            return at
        at -= 1
    return at


def end_of(tokens, i, level):
    """The token after the right operand of the operator at i; -1 is the level
    of an assignment, in which ?: may stand."""
    at, wanted = i + 1, True    # an operand is wanted now
    while at < len(tokens):
        kind, text, _ = tokens[at]
        if kind == "sign" and text in OPENS:
            if text == "{" and tokens[at - 1][1] != ")":
                return at
            at, wanted = partner(tokens, at, 1) + 1, False
            continue
        if text in STOPS and (level >= 0 or text not in "?:") or \
                kind == "sign" and text in CLOSES:
            return at
        if text in ("?", ":"):
            wanted = True
        elif kind != "sign":
            wanted = False
        elif not wanted and text in PRECEDENCE:
            if PRECEDENCE[text] <= level:
                return at
            wanted = True
        at += 1
    return at


def pieces(tokens, site, number):
    """What is put where: (place, rank, text); the rank is by what is within
    what."""
    i, at = site.token, site.at
    after = at + len(site.old)
    if tokens[i][0] == "number":
        return [(at, 0, f"MUTATION_NUMBER({number}, "),
                (after, 0, f", {site.new})")]
    if site.old in ASSIGNMENTS:
        end = end_of(tokens, i, -1)
        last = tokens[end - 1][2] + len(tokens[end - 1][1])
        return [(after, after - last, f" MUTATION_NEGATED({number}, ("),
                (last, last - after, "))")]
    level = PRECEDENCE[site.old]
    first = tokens[begin_of(tokens, i, level)][2]
    end = end_of(tokens, i, level)
    last = tokens[end - 1][2] + len(tokens[end - 1][1])
    size, a, b = last - first, f"a{number}_", f"b{number}_"
    if site.old in ("&&", "||"):
        name, first_is = ("and", a) if site.old == "&&" else ("or", "!" + a)
        begin = f"({{ int {a} = !!("
        middle = (f"); mutation_{name}({number}, "
                  f"mutation_both({number}, {first_is}) ? !!(")
        ending = f") : {a}); }})"
    else:
        begin = f"({{ __auto_type {a} = ("
        middle = f"); __auto_type {b} = ("
        ending = (f"); MUTATION_PICK({number}, {a} {site.old} {b}, "
                  f"{a} {site.new} {b}); }})")
    return [(first, -size, begin), (at, 0, None), (after, -INNERMOST, middle),
            (last, size, ending)]


def switched(source, sites):
    """The file with switches: (number, site) of sites."""
    tokens = tokens_of(source)
    put, gone = [], set()
    for number, site in sites:
        for place, rank, text in pieces(tokens, site, number):
            if text is None:
                gone.update(range(place, place + len(site.old)))
            else:
                put.append((place, rank, text))
    out, at = ['#include "switch.h"\n#line 1\n'], 0
    for place, _, text in sorted(put, key=lambda piece: piece[:2]):
        out.append("".join(source[k] for k in range(at, place)
                           if k not in gone))
        out.append(text)
        at = place
    out.append(source[at:])
    return "".join(out)
