"""Runs typed bodies, for constants whose value a function gives."""

from core import apply, width, wrap
from lexer import SpecError


class Return(Exception):
    def __init__(self, value):
        super().__init__()
        self.value = value


def value_of(node, locals_):
    """The value of an expression over the values of locals."""
    if node.op == "c":
        return node.extra
    if node.op == "l":
        return locals_[node.extra]
    if node.op == "call":
        return run(node.extra, [value_of(a, locals_) for a in node.args])
    if node.op == "map":
        local, low, high = node.extra
        found = []
        for i in range(low, high):
            locals_[local] = i
            found.append(value_of(node.args[0], locals_))
        return tuple(found)
    if node.op == "sel":
        return value_of(node.args[1 if value_of(node.args[0], locals_) else 2], locals_)
    if node.op in ("land", "lor"):
        left = value_of(node.args[0], locals_)
        return left if left == (node.op == "lor") else value_of(node.args[1], locals_)
    if node.op == "s":
        raise SpecError("a constant reads no state")
    return apply(node, [value_of(a, locals_) for a in node.args])


def run(function, arguments):
    """What a function returns."""
    try:
        execute(function.body, dict(zip(function.params, arguments)))
    except Return as done:
        return done.value
    raise SpecError("a function ends without `return`")


def execute(body, locals_):
    for statement in body:
        step(statement, locals_)


def step(statement, locals_):
    word = statement[0]
    if word == "let":
        locals_[statement[1]] = value_of(statement[2], locals_)
    elif word == "set":
        # The steps are computed before the right side.
        _, root, steps, right = statement
        path = [(s[0], s[1:-1], value_of(s[-1], locals_)) for s in steps]
        value = value_of(right, locals_)
        locals_[root.extra] = stored(locals_[root.extra], root.type, path, value)
    elif word == "if":
        execute(statement[2 if value_of(statement[1], locals_) else 3], locals_)
    elif word == "for":
        _, local, low, high, body = statement
        for i in range(value_of(low, locals_), value_of(high, locals_)):
            locals_[local] = i
            execute(body, locals_)
    elif word == "match":
        value = value_of(statement[1], locals_)
        for ranges, body in statement[2]:
            if any(low <= value < high for low, high in ranges):
                return execute(body, locals_)
        execute(statement[3] or [], locals_)
    elif word == "ret":
        raise Return(value_of(statement[1], locals_))
    else:
        raise SpecError("a constant does not %s" % word)


def stored(old, type_, path, value):
    """`old` with a value at a path of elements and bits; outside nothing is stored."""
    if not path:
        return value
    (kind, width_, at), rest = path[0], path[1:]
    if kind == "i":
        if at >= len(old):
            return old
        return old[:at] + (stored(old[at], type_[2], rest, value),) + old[at + 1:]
    mask = ((1 << width_[0]) - 1) << at & ((1 << width(type_)) - 1)
    return wrap(type_, old & ~mask | value << at & mask)
