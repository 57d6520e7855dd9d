"""The typed core: types, values and nodes.

A type is a tuple: `("b",)`, `("u", 8)`, `("s", 8)`, `("e", width, patterns, declaration)`, `("a", length, element)`.
A value is an int (bool 0 or 1, an enum its unsigned pattern) or, of an array, a tuple.
"""

from lexer import SpecError

BOOL = ("b",)


def width(type_):
    """Bits of a scalar."""
    return 1 if type_ == BOOL else type_[1]


def is_int(type_):
    return type_[0] in "us"


def is_array(type_):
    return type_[0] == "a"


def bounds(type_):
    """The least and the greatest value of a scalar."""
    if type_[0] == "s":
        return -(1 << (type_[1] - 1)), (1 << (type_[1] - 1)) - 1
    return 0, (1 << width(type_)) - 1


def wrap(type_, value):
    """The value of a type that is congruent to `value`."""
    value &= (1 << width(type_)) - 1
    return value - (1 << width(type_)) if type_[0] == "s" and value >> (width(type_) - 1) else value


def smallest(low, high):
    """The smallest type that holds all of `low..=high`."""
    if low >= 0:
        return ("u", max(1, high.bit_length()))
    return ("s", max((~low).bit_length(), high.bit_length() if high > 0 else 0) + 1)


def holds(type_, low, high):
    least, greatest = bounds(type_)
    return least <= low and high <= greatest


def zero(type_):
    return (zero(type_[2]),) * type_[1] if is_array(type_) else 0


class Local:
    """An operand, a parameter, a variable or a loop's variable. `range` is set if it is an unsized integer."""

    def __init__(self, type_, range_=None):
        self.type, self.range = type_, range_


class Node:
    """An expression. `op` is the canonical word; `range` is set if it is an unsized integer, of which `type` is then
    the smallest type. `extra` is the value of `c`, the `Local` of `l`, the index of `s`, the count of `rep`, the
    `Function` of `call` and (local, low, high) of `map`."""

    __slots__ = ("op", "type", "args", "extra", "range")

    def __init__(self, op, type_, args=(), extra=None, range_=None):
        self.op, self.type, self.args, self.extra, self.range = op, type_, list(args), extra, range_

    @property
    def is_constant(self):
        return self.op == "c"

    @property
    def limits(self):
        """The range of what it can be: that of an unsized integer, else that of its type."""
        return self.range or bounds(self.type)


def constant(type_, value):
    return Node("c", type_, extra=value)


def number(value):
    """An unsized constant."""
    return Node("c", smallest(value, value), extra=value, range_=(value, value))


def pattern_bits(value, type_, at, count):
    """`count` bits of a scalar's pattern from `at`; zeros outside."""
    return ((value & ((1 << width(type_)) - 1)) >> at if at < width(type_) else 0) & ((1 << count) - 1)


def divide(type_, a, b):
    """Rounds to zero; by zero it gives all ones."""
    if b == 0:
        return wrap(type_, -1)
    quotient = abs(a) // abs(b)
    return wrap(type_, quotient if (a < 0) == (b < 0) else -quotient)


def remainder(a, b):
    """Has the sign of the dividend; by zero it gives the dividend."""
    if b == 0:
        return a
    return -(-a % abs(b)) if a < 0 else a % abs(b)


COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}


def apply(node, values):
    """The value of a node whose arguments have these values. Not for `l`, `s`, `call`, `map`."""
    op, type_, types = node.op, node.type, [a.type for a in node.args]
    a = values[0] if values else None
    b = values[1] if len(values) > 1 else None
    if op == "c":
        return node.extra
    if op in COMPARE:
        return int(COMPARE[op](a, b))
    if op in ("add", "sub", "mul"):
        return wrap(type_, {"add": a + b, "sub": a - b, "mul": a * b}[op])
    if op == "div":
        return divide(type_, a, b)
    if op == "rem":
        return wrap(type_, remainder(a, b))
    if op in ("and", "or", "xor"):
        return wrap(type_, {"and": a & b, "or": a | b, "xor": a ^ b}[op])
    if op == "shl":
        return wrap(type_, a << b) if b < width(type_) else 0
    if op == "shr":
        return a >> min(b, width(type_))
    if op in ("min", "max"):
        return min(a, b) if op == "min" else max(a, b)
    if op in ("land", "lor"):
        return a & b if op == "land" else a | b
    if op in ("neg", "not", "conv"):
        return wrap(type_, {"neg": -a, "not": ~a, "conv": a}[op])
    if op == "lnot":
        return 1 - a
    if op == "sat":
        least, greatest = bounds(type_)
        return min(max(a, least), greatest)
    if op == "fill":
        return (a,) * type_[1]
    if op == "arr":
        return tuple(values)
    if op == "split":
        size = width(type_[2])
        return tuple(wrap(type_[2], a >> (size * i)) for i in range(type_[1]))
    if op == "join":
        size = width(types[0][2])
        return sum((v & ((1 << size) - 1)) << (size * i) for i, v in enumerate(a))
    if op == "sel":
        return values[1] if a else values[2]
    if op == "idx":
        return a[b] if b < len(a) else zero(type_)
    if op == "bits":
        return pattern_bits(a, types[0], b, type_[1])
    if op == "cat":
        total = 0
        for value, of in zip(values, types):
            total = total << width(of) | value & ((1 << width(of)) - 1)
        return total
    if op == "rep":
        total = 0
        for _ in range(node.extra):
            total = total << width(types[0]) | a & ((1 << width(types[0])) - 1)
        return total
    raise SpecError("no value for %r" % op)


def folded(node):
    """The node, or the constant that it is."""
    if all(a.is_constant for a in node.args):
        return constant(node.type, apply(node, [a.extra for a in node.args]))
    return node
