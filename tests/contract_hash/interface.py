"""Interfaces: packages and imports, bases copied in, one section for each XLEN."""

import os

from check import Function, Scope, constant_value
from core import Local, Node, constant, number
from lexer import SpecError
from operators import convert, placed
from syntax import parse

HERE = os.path.dirname(os.path.abspath(__file__))
# The packages that every compilation knows.
BUILT_IN = {"cx.std": "std.cxspec", "org.RiscV.Fallback": "fallback.cxspec"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return parse(file.read())


class Packages:
    """Items by package. A file of a package is read when a name of the package is first asked for."""

    def __init__(self, root, folders):
        self.root = read(root)
        self.folders = [os.path.dirname(root) or "."] + folders
        self.files = {}
        self.skip = os.path.realpath(root)

    def of(self, package):
        if package not in self.files:
            if package in BUILT_IN:
                self.files[package] = [read(os.path.join(HERE, "..", "..", "specs", BUILT_IN[package]))]
            else:
                self.files[package] = [f for f in map(self.guarded, self.paths()) if f and f.package == package]
            if package == self.root.package:
                self.files[package] = [self.root] + self.files[package]
        return self.files[package]

    def paths(self):
        found = []
        for folder in self.folders:
            if os.path.isdir(folder):
                found += [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(".cxspec")]
        return [p for p in found if os.path.realpath(p) != self.skip]

    @staticmethod
    def guarded(path):
        """A file of the folder that may have nothing to do with the root."""
        try:
            return read(path)
        except (SpecError, UnicodeDecodeError):
            return None

    def item(self, file, name):
        """What a name of a file's package means: an item of it or an import."""
        if name in file.items:
            return file.items[name]
        if name in file.uses:
            package, target = file.uses[name]
            for other in self.of(package):
                if target in other.items:
                    return other.items[target]
            raise SpecError("%s has no %s" % (package, target))
        return None

    def path(self, file, path):
        package, name = path
        if package is None:
            return self.item(file, name)
        for other in self.of(package):
            if name in other.items:
                return other.items[name]
        raise SpecError("%s has no %s" % (package, name))


def ancestry(packages, interface, seen=None):
    """The bases of an interface in order, each once and before its heirs, itself last."""
    seen = [] if seen is None else seen
    for path in interface.bases:
        base = packages.path(interface.file, path)
        if base is None:
            raise SpecError("no base is called %r" % path[1])
        ancestry(packages, base, seen)
    if interface not in seen:
        seen.append(interface)
    return seen


class Command:
    """A command at one XLEN."""

    def __init__(self, id_, forms, operands, params, result, body, name):
        self.id, self.forms, self.operands, self.params = id_, forms, operands, params
        self.result, self.body, self.name = result, body, name


class Section:
    """An interface at one XLEN."""

    def __init__(self, packages, interface, xlen):
        self.packages, self.xlen = packages, xlen
        self.lines = ancestry(packages, interface)
        self.full_name = "%s:%s" % (interface.file.package, interface.name)
        self.state_context = any(is_state_context(i) for i in self.lines)
        members = [m for i in self.lines if not is_state_context(i) for m in i.members]
        self.consts, self.functions, self.enums = {}, {}, {}
        self.members = {}
        for member in members:
            if member.name and member.kind != "command":
                self.members.setdefault(member.name, []).append(member)
        self.errors = {m.name: m.code for m in members if m.kind == "error"}
        self.fields, self.sharing, self.ucontext, self.live = [], None, 0, {}
        self.read_state([m for m in members if m.kind == "state"])
        self.csrs = sorted((self.read_csr(m) for m in members if m.kind == "csr"), key=lambda c: c[0])
        self.commands = []
        for member in members:
            if member.kind == "command":
                self.read_commands(member)
        self.commands.sort(key=lambda c: c.id)

    # ---- names ----

    def member(self, name):
        found = self.members.get(name)
        return found[0] if isinstance(found, list) else found

    def item(self, file, name):
        return self.packages.item(file, name)

    def scope(self, declaration):
        return Scope(self, declaration.file, declaration.member)

    def const(self, declaration):
        """The value of a constant, as a node."""
        same = self.members.get(declaration.name) if declaration.member else [declaration]
        key = id(same[0])
        if key not in self.consts:
            # A base may leave the value open, and the heir gives it.
            valued = next((d for d in same if d.value), None)
            if valued is None:
                raise SpecError("the constant %s has no value" % declaration.name)
            typed = next((d for d in [valued] + same if d.type), None)
            type_ = self.scope(typed).type(typed.type) if typed else None
            node = self.scope(valued).expr(valued.value, type_)
            node = constant_value(placed(node, type_) if type_ else node)
            if valued.type == ("named", "int"):
                node = number(node.extra)
            self.consts[key] = node
        return self.consts[key]

    def enum(self, declaration):
        """The type of an enum."""
        if id(declaration) not in self.enums:
            base = self.scope(declaration).type(declaration.base)
            patterns = tuple(sorted(v & ((1 << base[1]) - 1) for _, v in declaration.cases))
            declaration.base_type = base
            self.enums[id(declaration)] = ("e", base[1], patterns, declaration)
        return self.enums[id(declaration)]

    def case(self, declaration, name):
        type_ = self.enum(declaration)
        for case, value in declaration.cases:
            if case == name:
                return constant(type_, value & ((1 << type_[1]) - 1))
        return None

    def function(self, declaration, bound):
        """The instance of a function for these generics."""
        key = (id(declaration), bound)
        if key not in self.functions:
            function = self.functions[key] = Function()
            scope = self.scope(declaration)
            scope.names.update((g, number(v)) for g, v in zip(declaration.generics, bound))
            for name, type_, _, _ in declaration.params:
                local = Local(scope.type(type_))
                function.params.append(local)
                scope.names[name] = Node("l", local.type, extra=local)
            function.result = scope.type(declaration.result)
            function.body = scope.block(declaration.body, function.result)[0]
        return self.functions[key]

    # ---- members ----

    def read_state(self, states):
        for state in states:
            scope = self.scope(state)
            self.sharing = state.model
            if "ucontext" in state.attributes:
                self.ucontext = scope.expr(state.attributes["ucontext"][0]).extra
            for name, type_, reset in state.fields:
                type_ = scope.type(type_)
                # All fields can be named in bodies; resets are constants, so names of fields do no harm there.
                self.members[name] = Node("s", type_, extra=len(self.fields))
                self.fields.append((type_, scope, reset))
        for state in states:
            for key, name in state.helpers.items():
                self.live[key] = self.function(self.scope(state).declared(name), ())
        self.fields = [(t, constant_value(scope.place_value(reset, t))) for t, scope, reset in self.fields]

    def read_csr(self, declaration):
        """Address, access, and `(low bit, type, value, warl)` of each field by ascending low bit."""
        scope, fields = self.scope(declaration), []
        for low, type_, value, warl in declaration.fields:
            type_ = scope.type(type_)
            fields.append((scope.single(low), type_, convert(scope.expr(value, type_), type_), warl))
        return declaration.address, declaration.access, sorted(fields, key=lambda f: f[0])

    def read_commands(self, declaration):
        scope = self.scope(declaration)
        if "xlen" in declaration.attributes:
            if self.xlen not in [scope.single(x) for x in declaration.attributes["xlen"]]:
                return
        if not declaration.family:
            self.read_command(declaration, scope, declaration.name)
            return
        name, low, high = declaration.family
        for k in range(scope.single(low), scope.single(high)):
            member = scope.inner()
            member.names[name] = number(k)
            self.read_command(declaration, member, "%s%d" % (declaration.name, k))

    def read_command(self, declaration, scope, name):
        scope = scope.inner()
        id_ = scope.single(declaration.id)
        operands, params, register = [], [], 1
        for param, type_, immediate, attributes in declaration.params:
            local = Local(scope.type(type_))
            slot = "imm" if immediate else "rs2" if "rs2" in attributes else "rs%d" % register
            usual = slot == "rs%d" % register
            operands.append((None if usual else slot, local.type))
            register += not immediate
            params.append(local)
            scope.names[param] = Node("l", local.type, extra=local)
        result = scope.type(declaration.result) if declaration.result else None
        forms = sorted(declaration.forms or ["R"])
        body = None if declaration.body is None else scope.block(declaration.body, result)[0]
        self.commands.append(Command(id_, forms, operands, params, result, body, "%s.%s" % (self.full_name, name)))


def is_state_context(interface):
    return interface.file.package == "cx.std" and interface.name == "IStateContext"


def sections(packages, interface):
    """One for each XLEN, ascending. A base's `xlen` says nothing of its heirs."""
    xlens = [m.xlens for m in interface.members if m.kind == "xlen"]
    return [Section(packages, interface, xlen) for xlen in sorted(xlens[0] if xlens else [32, 64])]
