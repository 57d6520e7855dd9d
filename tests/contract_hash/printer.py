"""The canonical text of an interface: the text whose SHA-256 is the contract hash."""


def group(*parts):
    return "(" + " ".join(parts) + ")"


def type_text(type_):
    if type_[0] == "b":
        return "(b)"
    if type_[0] == "e":
        return group("e", str(type_[1]), *map(str, type_[2]))
    if type_[0] == "a":
        return group("a", str(type_[1]), type_text(type_[2]))
    return group(type_[0], str(type_[1]))


def value_text(value):
    return group(*map(value_text, value)) if isinstance(value, tuple) else str(value)


class Printer:
    """Prints the bodies of one section, and numbers locals and functions as they appear."""

    def __init__(self):
        self.functions, self.locals = [], []

    def number_of(self, function):
        if function not in self.functions:
            self.functions.append(function)
        return str(self.functions.index(function))

    def local(self, local):
        if local not in self.locals:
            self.locals.append(local)
        return group("l", str(self.locals.index(local)))

    def expr(self, node):
        op, extra = node.op, node.extra
        if op == "c":
            return group("c", type_text(node.type), value_text(extra))
        if op == "l":
            return self.local(extra)
        if op == "s":
            return group("s", str(extra))
        if op == "call":
            return group("call", self.number_of(extra), *map(self.expr, node.args))
        if op == "map":
            local, low, high = extra
            head = self.local(local)
            return group("map", type_text(node.type), head, type_text(local.type), str(low), str(high),
                         self.expr(node.args[0]))
        arguments = [self.expr(a) for a in node.args]
        if op == "rep":
            arguments.append(str(extra))
        return group(op, type_text(node.type), *arguments)

    def body(self, statements):
        return group(*map(self.statement, statements))

    def optional(self, node):
        return self.expr(node) if node else "()"

    def statement(self, statement):
        word = statement[0]
        if word == "let":
            _, local, node = statement
            return group("let", self.local(local), type_text(local.type), self.expr(node))
        if word == "set":
            _, root, steps, node = statement
            root = self.expr(root)
            steps = group(*(group(s[0], *map(str, s[1:-1]), self.expr(s[-1])) for s in steps))
            return group("set", root, steps, self.expr(node))
        if word == "if":
            return group("if", self.expr(statement[1]), self.body(statement[2]), self.body(statement[3]))
        if word == "for":
            _, local, low, high, body = statement
            return group("for", self.local(local), type_text(local.type), self.expr(low), self.expr(high),
                         self.body(body))
        if word == "match":
            _, value, arms, rest = statement
            value = self.expr(value)
            arms = [group("arm", group(*(group(str(a), str(b)) for a, b in ranges)), self.body(body))
                    for ranges, body in arms]
            return group("match", value, *arms, group("else", self.body(rest or [])))
        if word == "ret":
            return group("ret", self.expr(statement[1])) if statement[1] else "(ret)"
        if word == "raise":
            return group("raise", str(statement[1]), str(statement[2]), self.optional(statement[3]))
        return group(word)

    def state(self, section):
        fields = [group(type_text(t), value_text(reset.extra)) for t, reset in section.fields]
        for key in ("save", "restore"):
            if key in section.live:
                function = section.live[key]
                others = ["(s %d)" % k for k in range(len(function.params) - 1)]
                fields.append(group(key, group("call", self.number_of(function), "(l 0)", *others)))
        return group("state", section.sharing, str(section.ucontext), *fields)

    def csr(self, csr):
        address, access, fields = csr
        self.locals = []
        fields = [group(str(low), type_text(type_), self.expr(value), *(["warl"] if warl else []))
                  for low, type_, value, warl in fields]
        return group("csr", str(address), access, *fields)

    def command(self, command):
        operands = [type_text(t) if slot is None else group(slot, type_text(t)) for slot, t in command.operands]
        self.locals = list(command.params)
        return group("cmd", str(command.id), group(*command.forms), group(*operands),
                     type_text(command.result) if command.result else "()",
                     group("opaque", command.name) if command.body is None else self.body(command.body))

    def function(self, k, function):
        self.locals = list(function.params)
        return group("fn", str(k), group(*(type_text(p.type) for p in function.params)),
                     type_text(function.result), self.body(function.body))


def section_text(section):
    parts = ["(xlen %d" % section.xlen]
    if section.state_context:
        parts.append("(std IStateContext)")
    printer = Printer()
    if section.sharing:
        parts.append(printer.state(section))
    parts += [printer.csr(c) for c in section.csrs]
    if section.errors:
        parts.append(group("err", *map(str, sorted(section.errors.values()))))
    commands = [printer.command(c) for c in section.commands]
    functions = []
    # Printing a function may number more of them.
    while len(functions) < len(printer.functions):
        functions.append(printer.function(len(functions), printer.functions[len(functions)]))
    return "\n".join(parts + functions + commands) + ")"


def canonical_text(sections):
    """The text of the sections of an interface, by ascending XLEN."""
    return "\n".join(["(cx1"] + [section_text(s) for s in sections]) + ")\n"
