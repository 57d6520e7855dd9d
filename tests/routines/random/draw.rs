//! Draws the functions of a library.

use std::fmt::Write as _;

use super::interfaces::{self, Command, INTERFACES, STATEFUL, STATELESS};
use super::kind::{self, KINDS, Kind, OF_BUFFERS, OF_PARAMETERS};

/// Bodies that are seldom drawn. `LAST` is the function before; all numbers are of `u32`.
const WRITTEN: [&str; 10] = [
    // What is read after the call is read in the next round.
    "with Cr as m { m.set(v, 1); for i in 0..4 { v = m.add(w); w = legacy(v); } }",
    "for i in 0..n { out[i] = v +% i.wrap(32); v = v *% 3; }",
    // A call writes what was read before it.
    "out[0] = 5; out[1] = out[0] +% 2; v = out[0] ^ LAST(a, out, b, v +% 9, w, t, n) ^ out[1] ^ LAST(a, out, b, out[2], w, t, n);",
    // A context that begins and ends in each round, also by a return.
    "for i in 0..3 { with Al as m { v = m.add(v); if (v[5]) { return legacy(v); } w = legacy(w); v = v ^ m.get(); } }",
    // Another model, another fallback, and a call between.
    "with Cr | Ex as m { m.set(v, 1); v = m.add(w) ^ legacy(v) ^ m.add(3); } else { v = v +% 77; w = legacy(v); }",
    // Two contexts that are one shared state, or two, used in turns.
    "with Cr as m { v = m.add(v); with Cr as p { v = p.add(v) ^ m.get() ^ p.add(3); } v = v ^ m.add(1); }",
    "with Ce | Cr as m { v = m.add(v); with Cr | Ce as p { v = p.add(v) ^ m.get() ^ p.add(3); } v = v ^ m.add(1); }",
    // What one pure command gives another one does not.
    "with Pure as m { w = m.mix(v, 7); with Qure as p { v = w ^ p.mix(v, 7); } }",
    // What pure commands give is another number in each arm.
    "for i in 0..n { with Pure | Qure as m { v = m.mix(v, 7) +% m.mix(v, 7); } else { v = v +% aware(v); } }",
    // Who raises takes back what was written, which a call must not lose.
    "with Cr as m { m.set(4, v); v = m.fail(v) ^ legacy(v) ^ m.get() ^ m.read_status().wrap(32); } else { v = 4; }",
];

pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0.rotate_left(31) % n as u64) as usize
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// What the buffers of some functions are made of, and how their length comes; these can call each other.
#[derive(Clone, Copy)]
pub struct Shape {
    /// `a: in [A; 3]`
    pub a: &'static Kind,
    /// `out: inout [OUT; n]?`
    pub out: &'static Kind,
    /// `b: inout [B; 2]`
    pub b: &'static Kind,
    /// `n: N`
    pub n: &'static Kind,
}

/// A function that is drawn: `f(a, out, b, v0: V, w0: W, t0: bool, n: N) -> RESULT`.
#[derive(Clone, Copy)]
pub struct Function {
    pub follows_cx: bool,
    /// Whether it, or one that it calls, may destroy shared state.
    pub destroys: bool,
    /// Its position among the shapes of the library.
    pub shape: usize,
    pub v: &'static Kind,
    pub w: &'static Kind,
    /// `None` gives nothing.
    pub result: Option<&'static Kind>,
}

/// A library.
pub struct Drawn {
    pub text: String,
    pub shapes: [Shape; 2],
    pub functions: Vec<Function>,
}

/// A context around.
#[derive(Clone)]
struct Around {
    name: String,
    has_state: bool,
    /// All that are tried inherit IStateContext.
    is_standard: bool,
}

struct Variable {
    name: String,
    kind: &'static Kind,
    is_mutable: bool,
}

struct Drawing<'d> {
    dice: &'d mut Dice,
    text: String,
    contexts: Vec<Around>,
    variables: Vec<Variable>,
    shapes: [Shape; 2],
    earlier: &'d [Function],
    function: Function,
    names: usize,
    /// Statements that may still be drawn.
    left: usize,
    /// How often the block at hand is printed.
    ways: usize,
}

impl Drawing<'_> {
    fn shape(&self) -> Shape {
        self.shapes[self.function.shape]
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn kind(&mut self) -> &'static Kind {
        &KINDS[self.dice.below(KINDS.len())]
    }

    /// A position; some lie outside of what they are positions of.
    fn position(&mut self) -> String {
        let numbers = self.variables.iter().filter(|v| !v.kind.is_bool() && !v.name.contains('['));
        let names: Vec<_> = numbers.map(|variable| variable.name.clone()).collect();
        match self.dice.below(4) {
            0 => self.dice.below(2).to_string(),
            _ => format!("({})[{}:0]", names[self.dice.below(names.len())], 1 + self.dice.below(2)),
        }
    }

    /// Something that has a value.
    fn atom(&mut self) -> (String, &'static Kind) {
        let shape = self.shape();
        match self.dice.below(10) {
            0 => ("n".to_owned(), shape.n),
            1 => (format!("a[{}]", self.position()), shape.a),
            2 => (format!("out[{}]", self.position()), shape.out),
            3 => (format!("b[{}]", self.position()), shape.b),
            4 => ("v".to_owned(), &KINDS[0]),
            _ => {
                let at = self.dice.below(self.variables.len());
                let (name, kind) = (self.variables[at].name.clone(), self.variables[at].kind);
                (if name.contains("[]") { name.replace("[]", &format!("[{}]", self.position())) } else { name }, kind)
            }
        }
    }

    /// A value without effects.
    fn value(&mut self, kind: &'static Kind) -> String {
        match self.dice.below(7) {
            0 if kind.is_bool() => self.dice.one(&["true", "false"]).to_owned(),
            0 if kind.is_signed => kind.constant(self.dice.one(&[-8, -1, 0, 7])),
            0 => kind.constant(self.dice.one(&[0, 1, 7, 31])),
            1 | 2 => {
                let (first, second) = (self.leaf(kind), self.leaf(kind));
                self.binary(kind, &first, &second)
            }
            3 if kind.is_bool() => {
                let of = self.kind();
                let operators: &[&str] = if of.is_bool() { &["==", "!="] } else { &["<", "<=", ">", ">=", "==", "!="] };
                let operator = self.dice.one(operators);
                format!("({} {operator} {})", self.leaf(of), self.leaf(of))
            }
            3 => {
                let operator = self.dice.one(&["<<", ">>"]);
                format!("({} {operator} {})", self.leaf(kind), self.position())
            }
            _ => self.leaf(kind),
        }
    }

    fn leaf(&mut self, kind: &'static Kind) -> String {
        let (text, of) = self.atom();
        of.converted(text, kind)
    }

    fn binary(&mut self, kind: &Kind, first: &str, second: &str) -> String {
        let operators: &[&str] =
            if kind.is_bool() { &["&&", "||", "!=", "=="] } else { &["+%", "-%", "*%", "^", "^", "&", "|", "/", "%"] };
        format!("({first} {} {second})", self.dice.one(operators))
    }

    /// A command or call of these operands.
    fn operands(&mut self, kinds: &[&str]) -> String {
        let operand = |kind: &&str| match *kind {
            "imm" => self.dice.one(&["-2048", "-1", "0", "5", "2047"]).to_owned(),
            kind => self.value(kind::of(kind)),
        };
        kinds.iter().map(operand).collect::<Vec<_>>().join(", ")
    }

    /// A value that may have an effect.
    fn effect(&mut self, kind: &'static Kind) -> String {
        let (text, of) = self.effect_of_any(kind);
        of.converted(text, kind)
    }

    fn effect_of_any(&mut self, kind: &'static Kind) -> (String, &'static Kind) {
        let context = (!self.contexts.is_empty()).then(|| self.dice.below(self.contexts.len()));
        let context = context.and_then(|at| self.contexts.get(at)).cloned();
        let follows_cx = self.function.follows_cx;
        match (self.dice.below(16), context) {
            (0, _) if !follows_cx => {
                self.function.destroys = true;
                (format!("legacy({})", self.operands(&["u32"])), &KINDS[0])
            }
            (1, _) if !follows_cx => {
                self.function.destroys = true;
                (format!("narrow({})", self.operands(&["s8", "u64"])), kind::of("s16"))
            }
            (2, _) => (format!("aware({})", self.operands(&["u32"])), &KINDS[0]),
            (3, _) => (format!("flagged({})", self.operands(&["bool", "word"])), kind::of("bool")),
            (4 | 5, _) if !self.earlier.is_empty() => {
                let at = self.dice.below(self.earlier.len());
                let called = self.earlier[at];
                // One of the default convention leaves shared state in any state.
                let preserves = called.follows_cx && !called.destroys;
                let may_be_called = if called.follows_cx { preserves } else { !follows_cx };
                match called.result.filter(|_| may_be_called && called.shape == self.function.shape) {
                    Some(result) => {
                        self.function.destroys |= !called.follows_cx;
                        let (v, w, t) = (self.value(called.v), self.value(called.w), self.value(kind::of("bool")));
                        (format!("f{at}(a, out, b, {v}, {w}, {t}, n)"), result)
                    }
                    None => (self.value(kind), kind),
                }
            }
            (6, Some(context)) if context.is_standard => (format!("{}.read_status()", context.name), kind::of("word")),
            (_, Some(context)) => self.issue(&context),
            _ => (self.value(kind), kind),
        }
    }

    fn issue(&mut self, context: &Around) -> (String, &'static Kind) {
        let commands: &[Command] = if context.has_state { &STATEFUL } else { &STATELESS };
        let (command, operands, result) = commands[self.dice.below(commands.len())];
        let text = format!("{}.{command}({})", context.name, self.operands(operands));
        // One that gives nothing gives 0.
        (text, kind::of(result.unwrap_or("word")))
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(depth + 2));
    }

    fn block(&mut self, depth: usize) {
        let known = self.variables.len();
        for _ in 0..=self.dice.below(4) {
            if self.left > 0 {
                self.left -= 1;
                self.statement(depth);
            }
        }
        self.variables.truncate(known);
    }

    /// Something to assign to.
    fn target(&mut self) -> (String, &'static Kind) {
        let shape = self.shape();
        match self.dice.below(6) {
            0 => (format!("out[{}]", self.position()), shape.out),
            1 => (format!("b[{}]", self.position()), shape.b),
            _ => {
                let mutable: Vec<_> = (0..self.variables.len()).filter(|at| self.variables[*at].is_mutable).collect();
                let at = self.dice.one(&mutable);
                let (name, kind) = (self.variables[at].name.clone(), self.variables[at].kind);
                (name.replace("[]", &format!("[{}]", self.dice.below(3))), kind)
            }
        }
    }

    fn statement(&mut self, depth: usize) {
        let boolean = kind::of("bool");
        let (target, kind) = self.target();
        match self.dice.below(if depth < 5 { 17 } else { 6 }) {
            0 | 1 => {
                let (first, second) = (self.effect(kind), self.effect(kind));
                let value = self.binary(kind, &first, &second);
                self.line(depth, &format!("{target} = {value};"));
            }
            2 | 3 => {
                let value = self.effect(kind);
                self.line(depth, &format!("{target} = {value};"));
            }
            4 => {
                if let Some(context) = self.contexts.last().cloned() {
                    let (text, _) = self.issue(&context);
                    self.line(depth, &format!("{text};"));
                }
            }
            5 => {
                let (condition, then, other) = (self.value(boolean), self.effect(kind), self.effect(kind));
                self.line(depth, &format!("{target} = {condition} ? {then} : {other};"));
            }
            6 | 7 => {
                let condition = self.effect(boolean);
                self.line(depth, &format!("if ({condition}) {{"));
                self.block(depth + 1);
                if self.dice.below(2) == 0 {
                    self.line(depth, "} else {");
                    self.block(depth + 1);
                }
                self.line(depth, "}");
            }
            8 => {
                let (end, i) = (self.dice.one(&["3", "n", "v[1:0]"]), self.name("i"));
                self.line(depth, &format!("for {i} in 0..{end} {{"));
                let (name, known) = (format!("{i}.wrap(16)"), self.variables.len());
                self.variables.push(Variable { name, kind: kind::of("u16"), is_mutable: false });
                self.block(depth + 1);
                self.variables.truncate(known);
                self.line(depth, "}");
            }
            9 if depth > 0 => {
                let value = self.function.result.map(|kind| self.effect(kind)).unwrap_or_default();
                self.line(depth, &format!("if (w[3:0] == 9) {{ return {value}; }}"));
            }
            10 => self.match_on(depth),
            11 => {
                let (kind, value_of) = (self.kind(), self.dice.below(2));
                let value = if value_of == 0 { self.value(kind) } else { self.effect(kind) };
                let name = self.name("z");
                self.line(depth, &format!("var {name}: {} = {value};", kind.body));
                self.variables.push(Variable { name, kind, is_mutable: true });
            }
            12 => self.array(depth),
            13 => {
                let b = self.shape().b;
                let (first, second) = (self.effect(b), self.effect(b));
                let all = format!("[{first}, {second}]");
                let value = if self.dice.below(2) == 0 { all } else { first };
                self.line(depth, &format!("b = {value};"));
            }
            _ => self.with(depth),
        }
    }

    fn match_on(&mut self, depth: usize) {
        let kind = self.kind();
        let value = self.effect(kind);
        let (value, arms) = match self.dice.below(2) {
            _ if kind.is_bool() => (format!("({value}) ? u2(2) : u2(0)"), ["0", "1..3", "_"]),
            0 => (format!("({value})[1:0]"), ["0", "1..3", "_"]),
            _ if kind.is_signed => (value, ["-9..1", "1..9", "_"]),
            _ => (value, ["0", "1..24", "_"]),
        };
        self.line(depth, &format!("match ({value}) {{"));
        for arm in arms {
            self.line(depth + 1, &format!("{arm} => {{"));
            self.block(depth + 2);
            self.line(depth + 1, "}");
        }
        self.line(depth, "}");
    }

    /// An array whose elements may have effects.
    fn array(&mut self, depth: usize) {
        let (kind, name, k) = (self.kind(), self.name("q"), self.name("k"));
        let known = self.variables.len();
        self.variables.push(Variable { name: format!("{k}.wrap(16)"), kind: kind::of("u16"), is_mutable: false });
        let element = self.effect(kind);
        self.variables.truncate(known);
        let lo = self.dice.below(3);
        self.line(depth, &format!("var {name}: {}[3] = [for {k} in {lo}..{} => {element}];", kind.body, lo + 3));
        self.variables.push(Variable { name: format!("{name}[]"), kind, is_mutable: true });
    }

    fn with(&mut self, depth: usize) {
        let has_else = self.dice.below(3) == 0;
        let has_state = self.dice.below(5) > 0;
        let of = INTERFACES.iter().filter(|one| one.model.is_empty() != has_state);
        let all: Vec<_> = of.collect();
        let mut tried = vec![self.dice.one(&all)];
        for _ in 0..[0, 0, 0, 1, 1, 2][self.dice.below(6)] {
            let other = self.dice.one(&all);
            if tried.iter().all(|one| one.name != other.name) {
                tried.push(other);
            }
        }
        let around = self.ways;
        let ways = around * (tried.len() + usize::from(!has_else));
        if self.contexts.len() > 2 || ways > 8 {
            return self.line(depth, "w = w +% 1;");
        }
        let name = self.name("m");
        let names: Vec<_> = tried.iter().map(|one| one.name).collect();
        self.line(depth, &format!("with {} as {name} {{", names.join(" | ")));
        let is_standard = tried.iter().all(|one| one.is_standard);
        self.contexts.push(Around { name, has_state, is_standard });
        self.ways = ways;
        self.left += 6;
        self.block(depth + 1);
        self.block(depth + 1);
        self.ways = around;
        self.contexts.pop();
        if has_else {
            self.line(depth, "} else {");
            self.left += 2;
            self.block(depth + 1);
            self.line(depth + 1, "v = v +% 1000;");
        }
        self.line(depth, "}");
    }
}

/// The text of a function.
fn declared(at: usize, function: &Function, shape: &Shape, prologue: &str, body: &str) -> String {
    let clause = if function.follows_cx { "cx_call; " } else { "" };
    let [a, out, b, n] = [shape.a, shape.out, shape.b, shape.n].map(|kind| kind.api[0]);
    let result = function.result.map_or("void", |kind| kind.api[0]);
    let sum = function.result.map(|kind| KINDS[0].converted("(v ^ w)".to_owned(), kind)).unwrap_or_default();
    let last = if function.result.is_some() { format!("            return {sum};\n") } else { String::new() };
    format!(
        "    func f{at}(a: in [{a}; 3], out: inout [{out}; n]?, b: inout [{b}; 2], v0: {}, w0: {}, t0: bool, n: {n}) -> \
         {result} {{\n        {clause}impl {{\n{prologue}{body}{last}        }}\n    }}\n",
        function.v.api[0], function.w.api[0]
    )
}

/// A spec with functions, each of which may call the earlier ones.
pub fn library(dice: &mut Dice, count: usize) -> Drawn {
    let mut text = interfaces::text();
    let names: Vec<_> = INTERFACES.iter().map(|one| one.name).collect();
    let _ = writeln!(text, "library Random for {} {{\n    c prefix \"rnd_\"; c header \"rnd.h\";", names.join(", "));
    text += "    func legacy(x: u32) -> u32;\n    func aware(x: u32) -> u32 { cx_call; }\n";
    text += "    func narrow(x: s8, y: u64) -> s16;\n    func flagged(x: bool, y: size) -> bool { cx_call; }\n";
    let buffers = |dice: &mut Dice| &KINDS[dice.below(OF_BUFFERS)];
    let numbers = |dice: &mut Dice| &KINDS[dice.below(OF_PARAMETERS)];
    let plain = Shape { a: &KINDS[0], out: &KINDS[0], b: &KINDS[0], n: &KINDS[0] };
    let n = [2, 3, 4, 5, 6, 7, 8, 9, 10];
    let (a, out, b) = (buffers(dice), buffers(dice), buffers(dice));
    let shapes = [plain, Shape { a, out, b, n: &KINDS[dice.one(&n)] }];
    let mut functions: Vec<Function> = Vec::new();
    for (at, written) in (0..count).map(|at| (at, None)).chain((count..).zip(WRITTEN.iter().map(Some))) {
        let mut function = Function {
            follows_cx: dice.below(2) == 0,
            destroys: false,
            shape: usize::from(dice.below(3) > 0),
            v: numbers(dice),
            w: numbers(dice),
            result: Some(numbers(dice)).filter(|_| dice.below(12) > 0),
        };
        let plain = &KINDS[0];
        if written.is_some() {
            function =
                Function { follows_cx: false, destroys: true, shape: 0, v: plain, w: plain, result: Some(plain) };
        }
        let (x, y) = (&KINDS[dice.below(KINDS.len())], &KINDS[dice.below(KINDS.len())]);
        let start =
            |name: &str, kind: &Kind, value: String| format!("            var {name}: {} = {value};\n", kind.body);
        let mut prologue = start("v", plain, function.v.converted("v0".to_owned(), plain));
        prologue += &start("w", plain, "0".to_owned());
        prologue += &start("t", kind::of("bool"), "t0".to_owned());
        let variable = |name: &str, kind| Variable { name: name.to_owned(), kind, is_mutable: true };
        let mut drawing = Drawing {
            dice,
            text: String::new(),
            contexts: Vec::new(),
            variables: vec![variable("v", plain), variable("w", plain), variable("t", kind::of("bool"))],
            shapes,
            earlier: &functions,
            function,
            names: 0,
            left: 16,
            ways: 1,
        };
        match written {
            Some(written) => {
                let last = format!("f{}", at.saturating_sub(1));
                let _ = writeln!(drawing.text, "{}", written.replace("LAST", &last));
            }
            None => {
                prologue += &start("x", x, function.w.converted("w0".to_owned(), x));
                prologue += &start("y", y, function.v.converted("v0".to_owned(), y));
                drawing.variables.extend([variable("x", x), variable("y", y)]);
                drawing.with(1);
                drawing.block(1);
                drawing.with(1);
                // All that was computed shows.
                let mixed = format!("{} ^ {}", x.converted("x".to_owned(), plain), y.converted("y".to_owned(), plain));
                drawing.line(1, &format!("w = w ^ {mixed};"));
                let shown = plain.converted("(w +% v)".to_owned(), shapes[function.shape].b);
                drawing.line(1, &format!("b[1] = {shown};"));
            }
        }
        let (body, function) = (drawing.text, drawing.function);
        text += &declared(at, &function, &shapes[function.shape], &prologue, &body);
        functions.push(function);
    }
    Drawn { text: text + "}\n", shapes, functions }
}
