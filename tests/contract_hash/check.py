"""Names, types and bodies: from the tree to the typed core.

A `Scope` is what names mean at one place: locals and named numbers in it, the interface and the file around it.
"""

import re

from core import BOOL, Local, Node, constant, folded, is_array, is_int, number, smallest
from evaluate import value_of
from lexer import SpecError
from operators import binary, condition, convert, extreme, only_number, placed, reread, resized, select, unary

ENDS = ("ret", "raise", "trap")
RESIZE = ("trunc", "zext", "sext", "ext", "wrap", "sat", "usat")
BUILTINS = ("clog2", "min", "max", "ones", "len", "cat", "rep")


class Function:
    """A function instance: generics are bound, the body is typed."""

    def __init__(self):
        self.params, self.result, self.body = [], None, []


class Scope:
    """Where a name is looked up: the text stands in an interface (`member`) or beside one, in `file`."""

    def __init__(self, section, file, member, names=None):
        self.section, self.file, self.member, self.names = section, file, member, dict(names or {})

    def inner(self):
        return Scope(self.section, self.file, self.member, self.names)

    # ---- names and types ----

    def lookup(self, name):
        """A node, a declaration, or None."""
        if name in self.names:
            return self.names[name]
        if name == "XLEN":
            return number(self.section.xlen)
        found = self.declared(name)
        if isinstance(found, Node) or found is None:
            return found
        return self.section.const(found) if found.kind == "const" else found

    def declared(self, name):
        """What a name means outside of bodies: a member of the interface, then an item of the file or an import."""
        found = self.section.member(name) if self.member else None
        return found or self.section.item(self.file, name)

    def type(self, tree):
        """None for `int`, the type of unsized integers."""
        kind = tree[0]
        if kind == "sized":
            return (tree[1], self.single(tree[2]))
        if kind == "array":
            return ("a", self.single(tree[2]), self.type(tree[1]))
        name = tree[1]
        known = {"bool": BOOL, "word": ("u", self.section.xlen), "sword": ("s", self.section.xlen), "int": None}
        if name in known:
            return known[name]
        if re.fullmatch("[us][0-9]+", name):
            return (name[0], int(name[1:]))
        found = self.lookup(name)
        if found is None or isinstance(found, Node) or found.kind != "enum":
            raise SpecError("no type is called %r" % name)
        return self.section.enum(found)

    def single(self, tree):
        """The value of a constant number."""
        node = self.expr(tree)
        if not node.is_constant or not is_int(node.type):
            raise SpecError("not a constant number")
        return node.extra

    # ---- expressions ----

    def expr(self, tree, wanted=None):
        """Types an expression. `wanted` is the type of the place it is for; it gives lists their element type."""
        return getattr(self, "x_" + tree[0])(*tree[1:], wanted=wanted)

    def position(self, tree):
        """A position, or a bound of a loop."""
        return only_number(self.expr(tree))

    def place_value(self, tree, type_):
        """An expression for a place of a type that a scalar may fill."""
        return placed(self.expr(tree, type_), type_)

    def value_of(self, tree, type_):
        """A result, if there is one: no scalar fills it."""
        return convert(self.expr(tree, type_), type_) if tree else None

    def x_int(self, value, suffix, wanted):
        return convert(number(value), suffix) if suffix else number(value)

    def x_bool(self, value, wanted):
        return constant(BOOL, value)

    def x_name(self, name, wanted):
        found = self.lookup(name)
        if not isinstance(found, Node):
            raise SpecError("no value is called %r" % name)
        return found

    def x_un(self, symbol, x, wanted):
        return unary(symbol, self.expr(x))

    def x_bin(self, symbol, a, b, wanted):
        if symbol not in ("&&", "||"):
            return binary(symbol, self.expr(a), self.expr(b))
        left = condition(self.expr(a))
        if left.is_constant:
            # The right side is not read if the left one decides.
            return left if left.extra == (symbol == "||") else condition(self.expr(b))
        return Node("lor" if symbol == "||" else "land", BOOL, [left, condition(self.expr(b))])

    def x_tern(self, c, a, b, wanted):
        c = condition(self.expr(c))
        if c.is_constant:
            return self.expr(a if c.extra else b, wanted)
        return select(c, self.expr(a, wanted), self.expr(b, wanted))

    def x_index(self, x, i, wanted):
        x, i = self.expr(x), self.position(i)
        if is_array(x.type):
            return folded(Node("idx", x.type[2], [x, i]))
        return folded(Node("bits", ("u", 1), [x, i]))

    def x_slice(self, x, high, low, wanted):
        high, low = self.single(high), self.single(low)
        return folded(Node("bits", ("u", high - low + 1), [self.expr(x), number(low)]))

    def x_part(self, x, at, size, wanted):
        return folded(Node("bits", ("u", self.single(size)), [self.expr(x), self.position(at)]))

    def x_list(self, items, wanted):
        element = wanted[2] if wanted and is_array(wanted) else None
        nodes = [self.expr(item, element) for item in items]
        if element is None:
            element = next((n.type for n in nodes if not n.range), None)
            if element is None:
                raise SpecError("the elements of an array have no type")
        return folded(Node("arr", ("a", len(nodes), element), [convert(n, element) for n in nodes]))

    def x_each(self, name, low, high, body, wanted):
        low, high = self.single(low), self.single(high)
        range_ = (low, max(low, high - 1))
        local = Local(smallest(*range_), range_)
        inner = self.inner()
        inner.names[name] = Node("l", local.type, extra=local, range_=range_)
        element = wanted[2] if wanted and is_array(wanted) else None
        node = inner.expr(body, element)
        if element is None and node.range:
            raise SpecError("the elements of an array have no type")
        node = convert(node, element or node.type)
        return Node("map", ("a", high - low, node.type), [node], extra=(local, low, high))

    def x_field(self, x, name, wanted):
        found = self.lookup(x[1]) if x[0] == "name" else None
        if found is None or isinstance(found, Node) or found.kind != "enum":
            raise SpecError("no enum before %r" % name)
        return self.section.case(found, name)

    def x_method(self, x, name, arguments, wanted):
        x = self.expr(x)
        if name in RESIZE:
            return resized(x, name, self.single(arguments[0]))
        if name in ("signed", "unsigned"):
            return reread(x, name)
        if name == "split":
            size = self.single(arguments[0])
            return folded(Node("split", ("a", x.type[1] // size, (x.type[0], size)), [x]))
        if name == "join":
            return folded(Node("join", ("u", x.type[1] * x.type[2][1]), [x]))
        raise SpecError("no method is called %r" % name)

    def x_call(self, name, arguments, wanted):
        # A local may have the name of what is called.
        found = self.declared(name)
        if name in BUILTINS and found is None:
            return self.builtin(name, arguments)
        if found is not None and not isinstance(found, Node) and found.kind == "fn":
            return self.function_call(found, arguments)
        type_ = self.type(("named", name))
        node = self.expr(arguments[0])
        if type_[0] == "e":
            # Through the base type, so that a number is first held against it.
            node = convert(node, found.base_type) if node.type != type_ else node
            return constant(type_, node.extra & ((1 << type_[1]) - 1)) if node.is_constant else \
                node if node.type == type_ else Node("conv", type_, [node])
        return condition(node) if type_ == BOOL else convert(node, type_)

    def builtin(self, name, arguments):
        if name == "clog2":
            return number(max(0, (self.single(arguments[0]) - 1).bit_length()))
        if name == "ones":
            size = self.single(arguments[0])
            return constant(("u", size), (1 << size) - 1)
        nodes = [self.expr(a) for a in arguments]
        if name == "len":
            return number(nodes[0].type[1])
        if name == "cat":
            return folded(Node("cat", ("u", sum(n.type[1] for n in nodes)), nodes))
        if name == "rep":
            count = nodes[1].extra
            return folded(Node("rep", ("u", nodes[0].type[1] * count), nodes[:1], extra=count))
        return extreme(name, *nodes)

    def function_call(self, declaration, arguments):
        bound = {}
        if declaration.generics:
            nodes = [self.expr(a) for a in arguments]
            for (_, type_, _, _), node in zip(declaration.params, nodes):
                bind(type_, node.type, declaration.generics, bound)
        function = self.section.function(declaration, tuple(bound[g] for g in declaration.generics))
        nodes = [convert(self.expr(a, p.type), p.type) for a, p in zip(arguments, function.params)]
        return Node("call", function.result, nodes, extra=function)

    # ---- statements ----

    def block(self, statements, result):
        """The typed statements, and whether the last one ends the body."""
        inner, found, ended = self.inner(), [], False
        for statement in statements:
            nodes, ended = inner.statement(statement, result)
            found += nodes
            if ended:
                # Only after a constant branch is there anything more; it is dropped.
                break
        return found, ended

    def statement(self, tree, result):
        return getattr(self, "s_" + tree[0])(*tree[1:], result=result)

    def s_let(self, name, type_, value, result):
        type_ = self.type(type_) if type_ else None
        node = self.place_value(value, type_) if type_ else self.expr(value)
        if node.range and node.is_constant:
            # A name for a number; it leaves no trace.
            self.names[name] = node
            return [], False
        local = Local(node.type, node.range)
        self.names[name] = Node("l", local.type, extra=local, range_=local.range)
        return [("let", local, node)], False

    def s_var(self, name, type_, value, result):
        type_ = self.type(type_)
        node = self.place_value(value, type_)
        local = Local(type_)
        self.names[name] = Node("l", type_, extra=local)
        return [("let", local, node)], False

    def s_assign(self, place, symbol, value, result):
        root, steps = self.place(place)
        read = self.expr(place)
        if symbol == "=":
            node = self.place_value(value, read.type)
        else:
            node = convert(binary(symbol[:-1], read, self.expr(value)), read.type)
        return [("set", root, steps, node)], False

    def place(self, tree):
        """The root of a place and the steps to it."""
        if tree[0] == "name":
            return self.expr(tree), []
        root, steps = self.place(tree[1])
        array = is_array(self.expr(tree[1]).type)
        if tree[0] == "index":
            at = self.position(tree[2])
            return root, steps + [("i", at) if array else ("b", 1, at)]
        if tree[0] == "slice":
            high, low = self.single(tree[2]), self.single(tree[3])
            return root, steps + [("b", high - low + 1, number(low))]
        return root, steps + [("b", self.single(tree[3]), self.position(tree[2]))]

    def s_if(self, c, then, other, result):
        c = condition(self.expr(c))
        if c.is_constant:
            return self.block(then if c.extra else other, result)
        then, then_ends = self.block(then, result)
        other, other_ends = self.block(other, result)
        return [("if", c, then, other)], then_ends and other_ends

    def s_for(self, name, low, high, body, result):
        low, high = self.position(low), self.position(high)
        range_ = (low.limits[0], max(low.limits[0], high.limits[1] - 1))
        local = Local(smallest(*range_), range_)
        inner = self.inner()
        inner.names[name] = Node("l", local.type, extra=local, range_=range_)
        return [("for", local, low, high, inner.block(body, result)[0])], False

    def s_match(self, value, arms, result):
        value = self.expr(value)
        typed = [([self.pattern(p, value.type) for p in patterns], body) for patterns, body in arms]
        if value.is_constant:
            for ranges, body in typed:
                if any(r is None or r[0] <= value.extra < r[1] for r in ranges):
                    return self.block(body, result)
            return [], False
        found, rest, ends = [], None, True
        for ranges, body in typed:
            body, ended = self.block(body, result)
            ends = ends and ended
            if None in ranges:
                rest = body
            else:
                found.append((sorted(ranges), body))
        return [("match", value, found, rest)], ends

    def pattern(self, tree, type_):
        """A half-open range, None for `_`."""
        if tree[0] == "any":
            return None
        if tree[0] == "range":
            return tree[1], tree[2]
        if tree[0] == "bool":
            return tree[1], tree[1] + 1
        case = self.section.case(type_[3], tree[1]) if type_[0] == "e" else None
        value = (case or self.expr(tree)).extra
        return value, value + 1

    def s_return(self, value, result):
        return [("ret", self.value_of(value, result))], True

    def s_raise(self, name, commit, value, result):
        code = "op" if name == "op" else self.section.errors[name]
        return [("raise", code, int(commit), self.value_of(value, result))], True

    def s_trap(self, result):
        return [("trap",)], True


def bind(tree, type_, generics, bound):
    """Finds generics in `u<N>`, `s<N>` and array lengths; two uses take the larger."""
    def take(length, value):
        if length[0] == "name" and length[1] in generics:
            bound[length[1]] = max(value, bound.get(length[1], 0))
    if tree[0] == "sized":
        take(tree[2], type_[1])
    elif tree[0] == "array" and is_array(type_):
        take(tree[2], type_[1])
        bind(tree[1], type_[2], generics, bound)


def constant_value(node):
    """The constant that an expression without locals is."""
    return node if node.is_constant else constant(node.type, value_of(node, {}))
