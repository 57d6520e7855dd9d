"""From tokens to a tree of plain tuples and small records.

Expressions: `(int value suffix)`, `(bool value)`, `(name n)`, `(call n args)`, `(un op x)`, `(bin op a b)`,
`(tern c a b)`, `(index x i)`, `(slice x h l)`, `(part x at width)`, `(method x n args)`, `(field x n)`, `(list items)`,
`(each var lo hi e)`. Types: `(named n)`, `(sized sign width)`, `(array element length)`.
Statements: `(let n type e)`, `(var n type e)`, `(assign place op e)`, `(if c then else)`, `(for n lo hi body)`,
`(match e arms)`, `(return e)`, `(raise n commit e)`, `(trap)`.
"""

from lexer import SpecError, integer, tokens

# Infix operators, loosest first.
LEVELS = [
    ("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">="), ("|",), ("^",), ("&",), ("<<", ">>"),
    ("+", "-", "+%", "-%"), ("*", "/", "%", "*%"),
]
ASSIGN = ("=", "+%=", "-%=", "*%=", "<<=", ">>=", "^=", "|=", "&=")


class Record:
    """A declaration: whatever attributes its kind has, the file it stands in, and whether it is in an interface."""

    def __init__(self, kind, name, **fields):
        self.kind, self.name, self.file, self.member = kind, name, None, False
        self.__dict__.update(fields)


class File:
    """A parsed file: its package, its imports by local name, its items by name in source order."""

    def __init__(self, package, uses, items):
        self.package, self.uses, self.items = package, uses, items


class Parser:
    """Recursive descent. Keywords are contextual: they are names until the place makes them more."""

    def __init__(self, text):
        self.tokens, self.at = tokens(text), 0

    # ---- tokens ----

    @property
    def here(self):
        return self.tokens[self.at]

    def ahead(self, distance):
        return self.tokens[min(self.at + distance, len(self.tokens) - 1)]

    def fail(self, wanted):
        raise SpecError("line %d: expected %s, found %r" % (self.here.line, wanted, self.here.text))

    def next(self):
        token = self.here
        self.at += 1
        return token

    def sees(self, *texts):
        return self.here.kind in ("symbol", "name") and self.here.text in texts

    def take(self, text):
        if self.sees(text):
            self.at += 1
            return True
        return False

    def need(self, text):
        if not self.take(text):
            self.fail(repr(text))

    def kind(self, kind):
        if self.here.kind != kind:
            self.fail(kind)
        return self.next().text

    def name(self):
        return self.kind("name")

    def close_angle(self):
        """`>`, also as the first half of `>=` or `>>`."""
        if self.here.text in (">=", ">>", ">>="):
            self.here.text = self.here.text[1:]
        else:
            self.need(">")

    def skip_braces(self):
        """A body that means nothing to the contract."""
        self.need("{")
        depth = 1
        while depth:
            if self.here.kind == "end":
                self.fail("'}'")
            token = self.next()
            if token.kind == "symbol":
                depth += {"{": 1, "}": -1}.get(token.text, 0)

    def skip_to(self, text):
        while not self.sees(text):
            if self.here.kind == "end":
                self.fail(repr(text))
            self.next()

    # ---- files ----

    def file(self):
        self.need("cxspec")
        self.kind("int")
        self.need(";")
        self.need("package")
        package = self.dotted()
        self.need(";")
        uses, items = {}, {}
        while self.take("use"):
            target = self.path()
            uses[self.name() if self.take("as") else target[1]] = target
            self.need(";")
        while self.here.kind != "end":
            item = self.item()
            if item:
                items[item.name] = item
        file = File(package, uses, items)
        for item in items.values():
            item.file = file
            for member in getattr(item, "members", []):
                member.file, member.member = file, True
        return file

    def dotted(self):
        name = self.name()
        while self.take("."):
            name += "." + self.name()
        return name

    def path(self):
        """`(package, item)`; the package is None for a plain name."""
        name = self.dotted()
        return (name, self.name()) if self.take(":") else (None, name)

    def item(self):
        modifiers = set()
        while self.sees("abstract", "draft"):
            modifiers.add(self.next().text)
        if self.take("interface"):
            return self.interface(modifiers)
        if self.sees("library", "platform"):
            self.skip_to("{")
            self.skip_braces()
            return None
        member = self.member()
        return member if member and member.kind in ("const", "fn") else None

    def interface(self, modifiers):
        name, bases, members = self.name(), [], []
        if self.take("="):
            self.kind("string")
        if self.take(":"):
            bases.append(self.path())
            while self.take(","):
                bases.append(self.path())
        self.need("{")
        while not self.take("}"):
            member = self.member()
            if member:
                members.append(member)
        return Record("interface", name, abstract="abstract" in modifiers, bases=bases, members=members)

    def member(self):
        """A member of an interface; None for those that mean nothing to the contract."""
        word = self.name()
        if word in ("uuid", "contract", "xintf", "short", "refines"):
            self.skip_to(";")
            return self.next() and None
        if word == "xlen":
            xlens = [int(self.kind("int"))]
            while self.take(","):
                xlens.append(int(self.kind("int")))
            self.need(";")
            return Record("xlen", None, xlens=xlens)
        if word == "example":
            self.skip_to("{")
            return self.skip_braces()
        if word == "law":
            self.skip_to(";")
            return self.next() and None
        if word == "state":
            return self.state()
        if word == "csr":
            return self.csr(self.name())
        read = {"const": self.const, "fn": self.function, "enum": self.enum, "error": self.error,
                "command": self.command}.get(word)
        if not read:
            raise SpecError("line %d: no member is called %r" % (self.here.line, word))
        return read(self.name())

    def const(self, name):
        type_ = self.type() if self.take(":") else None
        value = self.expr() if self.take("=") else None
        self.need(";")
        return Record("const", name, type=type_, value=value)

    def function(self, name):
        generics = []
        if self.take("<"):
            generics.append(self.name())
            while self.take(","):
                generics.append(self.name())
            self.close_angle()
        params = self.params()
        self.need("->")
        result = self.type()
        return Record("fn", name, generics=generics, params=params, result=result, body=self.block())

    def enum(self, name):
        self.need(":")
        base, cases = self.type(), []
        self.need("{")
        while not self.take("}"):
            case = self.name()
            self.need("=")
            cases.append((case, self.signed_int()))
            self.take(",")
        return Record("enum", name, base=base, cases=cases)

    def signed_int(self):
        sign = -1 if self.take("-") else 1
        return sign * integer(self.kind("int"))[0]

    def state(self):
        model, helpers = self.name(), {}
        if self.take("("):
            model = self.name()
            while self.take(","):
                key = self.name()
                self.need(":")
                helpers[key] = self.name()
            self.need(")")
        attributes, fields = self.attributes(), []
        self.need("{")
        while not self.take("}"):
            name = self.name()
            self.need(":")
            type_ = self.type()
            self.need("=")
            fields.append((name, type_, self.expr()))
            self.attributes()
            self.need(";")
        return Record("state", None, model=model, helpers=helpers, attributes=attributes, fields=fields)

    def csr(self, name):
        self.need("=")
        address, access, fields = integer(self.kind("int"))[0], self.name(), []
        self.need("{")
        while not self.take("}"):
            self.name()
            self.need("[")
            low = self.expr()
            if self.take(":"):
                low = self.expr()
            self.need("]")
            self.need(":")
            type_ = self.type()
            self.need("=")
            fields.append((low, type_, self.expr(), "warl" in self.attributes()))
            self.need(";")
        return Record("csr", name, address=address, access=access, fields=fields)

    def error(self, name):
        self.need("=")
        code = integer(self.kind("int"))[0]
        if self.here.kind == "string":
            self.next()
        self.need(";")
        return Record("error", name, code=code)

    def command(self, name):
        family = None
        if self.take("["):
            variable = self.name()
            self.need("in")
            family = (variable,) + self.range()
            self.need("]")
        self.need("=")
        id_ = self.id_term()
        while self.sees("+", "-", "+%", "-%"):
            id_ = ("bin", self.next().text, id_, self.id_term())
        forms = []
        if self.take(":"):
            forms.append(self.name())
            while self.take("|"):
                forms.append(self.name())
        params = self.params()
        result = self.type() if self.take("->") else None
        attributes = self.attributes()
        body = None if self.take(";") else self.block()
        return Record("command", name, family=family, id=id_, forms=forms, params=params, result=result,
                      attributes=attributes, body=body)

    def id_term(self):
        # No full expression: in `k (`, the parenthesis begins the parameters.
        return ("int",) + integer(self.next().text) if self.here.kind == "int" else ("name", self.name())

    def params(self):
        """`(name, type, is immediate, attributes)` for each."""
        found = []
        self.need("(")
        while not self.take(")"):
            name = self.name()
            self.need(":")
            immediate = self.sees("imm") and self.ahead(1).kind == "name"
            if immediate:
                self.next()
            type_ = self.type()
            found.append((name, type_, immediate, self.attributes()))
            self.take(",")
        return found

    def attributes(self):
        """The arguments of each attribute by its name."""
        found = {}
        while self.take("@"):
            name, arguments = self.name(), []
            if self.take("("):
                while not self.take(")"):
                    if self.here.kind == "name" and self.ahead(1).text == ":":
                        self.at += 2
                    arguments.append(self.expr())
                    self.take(",")
            found[name] = arguments
        return found

    # ---- types ----

    def type(self):
        name = self.name()
        if name in ("u", "s") and self.take("<"):
            found = ("sized", name, self.infix(len(LEVELS) - 2))
            self.close_angle()
        else:
            found = ("named", name)
        lengths = []
        while self.take("["):
            lengths.append(self.expr())
            self.need("]")
        # `s8[4][256]` is 4 arrays of 256.
        for length in reversed(lengths):
            found = ("array", found, length)
        return found

    def range(self):
        low = self.expr()
        self.need("..")
        return low, self.expr()

    # ---- statements ----

    def block(self):
        found = []
        self.need("{")
        while not self.take("}"):
            found.append(self.statement())
        return found

    def statement(self):
        word = self.here.text
        after = self.ahead(1)
        # `let`, `var` and so on may be names of places too.
        if self.here.kind != "name" or after.text in ASSIGN or (after.text == "[" and word != "return"):
            return self.assign()
        self.next()
        if word in ("let", "var"):
            name = self.name()
            type_ = self.type() if self.take(":") else None
            self.need("=")
            return self.ended((word, name, type_, self.expr()))
        if word == "if":
            return self.if_()
        if word == "for":
            name = self.name()
            self.need("in")
            low, high = self.range()
            return ("for", name, low, high, self.block())
        if word == "match":
            return self.match()
        if word == "return":
            return self.ended(("return", None if self.sees(";") else self.expr()))
        if word == "raise":
            name, attributes = self.name(), self.attributes()
            return self.ended(("raise", name, "commit" in attributes, self.expr() if self.take("->") else None))
        if word == "trap":
            return self.ended(("trap",))
        self.at -= 1
        return self.fail("a statement")

    def ended(self, statement):
        self.need(";")
        return statement

    def assign(self):
        place = ("name", self.name())
        while self.sees("["):
            place = self.index(place)
        if self.here.text not in ASSIGN:
            self.fail("an assignment")
        operator = self.next().text
        return self.ended(("assign", place, operator, self.expr()))

    def if_(self):
        self.need("(")
        condition = self.expr()
        self.need(")")
        then, other = self.block(), []
        if self.take("else"):
            other = [self.if_()] if self.take("if") else self.block()
        return ("if", condition, then, other)

    def match(self):
        self.need("(")
        value = self.expr()
        self.need(")")
        self.need("{")
        arms = []
        while not self.take("}"):
            patterns = [self.pattern()]
            while self.take("|"):
                patterns.append(self.pattern())
            self.need("=>")
            arms.append((patterns, self.block()))
        return ("match", value, arms)

    def pattern(self):
        """`(range lo hi)`, `(bool v)`, `(any)` or `(name n)`."""
        if self.here.kind == "name":
            word = self.name()
            return {"_": ("any",), "true": ("bool", 1), "false": ("bool", 0)}.get(word, ("name", word))
        low = self.signed_int()
        return ("range", low, self.signed_int() if self.take("..") else low + 1)

    # ---- expressions ----

    def expr(self):
        condition = self.infix(0)
        if not self.take("?"):
            return condition
        then = self.expr()
        self.need(":")
        return ("tern", condition, then, self.expr())

    def infix(self, level):
        if level == len(LEVELS):
            return self.prefix()
        left = self.infix(level + 1)
        while self.here.kind == "symbol" and self.here.text in LEVELS[level]:
            left = ("bin", self.next().text, left, self.infix(level + 1))
            if level == 2:
                break
        return left

    def prefix(self):
        if self.here.kind == "symbol" and self.here.text in ("-", "~", "!"):
            return ("un", self.next().text, self.prefix())
        found = self.primary()
        while True:
            if self.sees("["):
                found = self.index(found)
            elif self.take("."):
                name = self.name()
                found = ("method", found, name, self.arguments()) if self.sees("(") else ("field", found, name)
            else:
                return found

    def index(self, of):
        self.need("[")
        first = self.expr()
        if self.take(":"):
            found = ("slice", of, first, self.expr())
        elif self.take("+:"):
            found = ("part", of, first, self.expr())
        else:
            found = ("index", of, first)
        self.need("]")
        return found

    def arguments(self):
        found = []
        self.need("(")
        while not self.take(")"):
            found.append(self.expr())
            self.take(",")
        return found

    def primary(self):
        if self.here.kind == "int":
            return ("int",) + integer(self.next().text)
        if self.here.kind == "name":
            name = self.name()
            if name in ("true", "false"):
                return ("bool", int(name == "true"))
            return ("call", name, self.arguments()) if self.sees("(") else ("name", name)
        if self.take("("):
            found = self.expr()
            self.need(")")
            return found
        self.need("[")
        if self.sees("for") and self.ahead(1).kind == "name":
            self.next()
            variable = self.name()
            self.need("in")
            low, high = self.range()
            self.need("=>")
            found = ("each", variable, low, high, self.expr())
            self.need("]")
            return found
        items = []
        while not self.take("]"):
            items.append(self.expr())
            self.take(",")
        return ("list", items)


def parse(text):
    """The file that a text is."""
    return Parser(text).file()
