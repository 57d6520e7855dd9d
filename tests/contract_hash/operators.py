"""What an operator makes of two typed operands: its type, where conversions stand, what is folded.

The names of the rules are those of CANONICAL.md.
"""

from core import (
    BOOL, COMPARE, Node, bounds, constant, folded, holds, is_array, is_int, number, smallest, width, wrap,
)
from lexer import SpecError


def cast(node, type_):
    """The pattern of a node read as another type; no node if it has the type."""
    if node.type == type_ and not node.range:
        return node
    if node.is_constant:
        return constant(type_, wrap(type_, node.extra))
    if node.type == type_:
        return Node(node.op, type_, node.args, node.extra)
    return Node("conv", type_, [node])


def convert(node, type_):
    """The same value in a type that holds all the node's values."""
    if node.type == type_:
        return cast(node, type_)
    if is_int(node.type) and is_int(type_) and holds(type_, *node.limits):
        return cast(node, type_)
    raise SpecError("%r does not fit %r" % (node.type, type_))


def placed(node, type_):
    """What a place of a type is set to: a scalar fills an array."""
    if is_array(type_) and not is_array(node.type):
        node = placed(node, type_[2])
        return folded(Node("fill", type_, [node]))
    return convert(node, type_)


def condition(node):
    if node.type == BOOL:
        return node
    if node.type == ("u", 1) and not node.range:
        return cast(node, BOOL)
    raise SpecError("a condition is `bool` or `u1`")


def exact_range(op, a, b):
    """The range of an operation on two ranges of unsized integers."""
    (al, ah), (bl, bh) = a, b
    if op == "add":
        return al + bl, ah + bh
    if op == "sub":
        return al - bh, ah - bl
    if op == "mul":
        all_ = [al * bl, al * bh, ah * bl, ah * bh]
        return min(all_), max(all_)
    if op == "div":
        all_ = [int_div(x, y) for x in a for y in b]
        return min(all_), max(all_)
    if op == "rem":
        return 0, min(ah, bh - 1)
    if op == "and":
        return 0, min(ah, bh)
    if op == "or":
        return max(al, bl), (1 << max(ah.bit_length(), bh.bit_length())) - 1
    if op == "xor":
        return 0, (1 << max(ah.bit_length(), bh.bit_length())) - 1
    if op == "shl":
        return min(al << bl, al << bh), max(ah << bl, ah << bh)
    if op == "shr":
        return min(al >> bl, al >> bh), max(ah >> bl, ah >> bh)
    if op == "min":
        return min(al, bl), min(ah, bh)
    return max(al, bl), max(ah, bh)


def int_div(a, b):
    """Rounds to zero."""
    return abs(a) // b if a >= 0 else -(abs(a) // b)


EXACT = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": int_div,
    "rem": lambda a, b: a % b, "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b, "shr": lambda a, b: a >> b, "min": min, "max": max,
}


def only_number(node):
    """An operand of which only the value counts: a constant forgets how it was typed."""
    return number(node.extra) if node.is_constant and is_int(node.type) else node


def hull(a, b):
    return min(a[0], b[0]), max(a[1], b[1])


def unsized(op, a, b):
    """Both operands are unsized: exact, in the smallest type."""
    if a.is_constant and b.is_constant:
        return number(EXACT[op](a.extra, b.extra))
    found = exact_range(op, a.range, b.range)
    type_ = smallest(*found)
    if op in ("add", "sub", "mul"):
        return Node(op, type_, [a, b], range_=found)
    if op in ("shl", "shr"):
        # The left operand and the result share a type, the amount has its own.
        work = smallest(*hull(a.range, found))
        node = Node(op, work, [widened(a, work), b], range_=found)
    else:
        work = smallest(*hull(a.range, b.range))
        node = Node(op, work, [widened(a, work), widened(b, work)], range_=found)
    return narrowed(node, type_, found)


def widened(node, type_):
    """An unsized operand in the type that an operation works in."""
    return constant(type_, node.extra) if node.is_constant else cast(node, type_)


def narrowed(node, type_, range_):
    """A result in the smallest type of its range."""
    return node if node.type == type_ else Node("conv", type_, [node], range_=range_)


def common(a, b):
    """Both operands in the type of the side that holds the other, of which at least one is sized."""
    for one, other in ((a, b), (b, a)):
        if not one.range and (other.type == one.type or is_int(one.type) and is_int(other.type)
                              and holds(one.type, *other.limits)):
            return one.type
    raise SpecError("neither %r nor %r holds the other" % (a.type, b.type))


def exact_type(op, a, b):
    """The type of `+ - *` with a sized operand."""
    signed = "s" in (a[0], b[0])
    if op == "mul":
        return ("s" if signed else "u", a[1] + b[1])
    widths = [t[1] + (signed and t[0] == "u") for t in (a, b)]
    return ("s" if signed or op == "sub" else "u", max(widths) + 1)


WORDS = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "+%": "add", "-%": "sub", "*%": "mul",
    "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "shr",
    "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}


def binary(symbol, a, b):
    op = WORDS[symbol]
    if op in COMPARE:
        return folded(Node(op, BOOL, [only_number(a), only_number(b)]))
    if a.range and b.range and "%" not in symbol[1:]:
        return unsized(op, a, b)
    if symbol in ("+", "-", "*"):
        return folded(Node(op, exact_type(op, a.type, b.type), [a, b]))
    if op in ("shl", "shr"):
        # An unsized left side counts as its smallest type.
        left = cast(a, a.type)
        return folded(Node(op, left.type, [left, only_number(b)]))
    type_ = a.type if a.range and b.range else common(a, b)
    return folded(Node(op, type_, [convert(a, type_), convert(b, type_)]))


def extreme(op, a, b):
    """`min` and `max`."""
    if a.range and b.range:
        return unsized(op, a, b)
    type_ = common(a, b)
    return folded(Node(op, type_, [convert(a, type_), convert(b, type_)]))


def select(c, a, b):
    """`?:` whose condition is no constant."""
    if a.range and b.range:
        found = hull(a.range, b.range)
        type_ = smallest(*found)
        return Node("sel", type_, [c, widened(a, type_), widened(b, type_)], range_=found)
    type_ = a.type if a.type == b.type and not a.range else common(a, b)
    return Node("sel", type_, [c, convert(a, type_), convert(b, type_)])


def unary(symbol, a):
    if symbol == "!":
        return folded(Node("lnot", BOOL, [condition(a)]))
    if symbol == "~":
        return folded(Node("not", a.type, [a]))
    if not a.range:
        return folded(Node("neg", ("s", a.type[1] + 1), [a]))
    if a.is_constant:
        return number(-a.extra)
    low, high = a.range
    return Node("neg", smallest(-high, -low), [a], range_=(-high, -low))


def resized(node, method, size):
    """The methods that give a number another width. An unsized number counts as its smallest type."""
    node = cast(node, node.type)
    sign, old = node.type
    if method == "zext":
        return cast(cast(node, ("u", old)), ("u", size))
    if method == "sext":
        return cast(cast(node, ("s", old)), ("s", size))
    if method in ("sat", "usat"):
        return folded(Node("sat", ("u" if method == "usat" else sign, size), [node]))
    return cast(node, (sign, size))


def reread(node, method):
    """`signed()` and `unsigned()`."""
    node = cast(node, node.type)
    return cast(node, ("s" if method == "signed" else "u", width(node.type)))
