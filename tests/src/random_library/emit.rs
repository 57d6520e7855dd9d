//! Prints C that makes, shows and writes the contents of places. Library and program use the same code: in a callback the
//! roles swap.

use std::fmt::Write;

use super::model::{Buffer, Direction, Extent, Library, Place, Scalar, Type, Valid, find, is_read, is_read_at_exit};
use super::names;

/// The places that an expression can name, and how C names them: the base and the id.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The places.
    pub places: &'a [Place],
    /// What stands before an id.
    pub base: &'a str,
}

impl Scope<'_> {
    /// A place in C.
    pub fn name(&self, id: u32) -> String {
        format!("{}{id}", self.base)
    }
}

/// C that is being printed.
#[derive(Debug, Default)]
pub struct Emitter {
    /// What was printed.
    pub text: String,
    fresh: u32,
    /// Parameters that are objects of the program: it says which ones.
    pub objects: Vec<u32>,
    /// Structs that end with an array.
    pub tails: Vec<usize>,
}

impl Emitter {
    /// Adds a line.
    pub fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// A variable that nothing else has.
    pub fn variable(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}_{}", self.fresh)
    }

    /// Functions for each struct of a library, and for each place where a struct of its own type is.
    pub fn structs(&mut self, library: &Library) {
        let has_tail = |at: &usize| library.structs.get(*at).is_some_and(super::model::Struct::has_tail);
        self.tails = (0..library.structs.len()).filter(has_tail).collect();
        for at in 0..library.structs.len() {
            self.line(format!("static void show_s{at}(struct log *l, const r_s{at} *x);"));
            self.line(format!("static void write_s{at}(struct log *l, r_s{at} *x, int mode);"));
            self.line(format!("static void make_s{at}(struct log *l, r_s{at} *x, int depth);"));
        }
        for (at, item) in library.structs.iter().enumerate() {
            let scope = Scope { places: &item.members, base: "x->p" };
            self.line(format!("static void show_s{at}(struct log *l, const r_s{at} *x)\n{{\nsay(l, \" {{\");"));
            for place in &item.members {
                self.show(place, &scope.name(place.id), scope, "0");
            }
            self.line("say(l, \" }\");\n}");
            // `mode`: 0 if it was only sent, 1 if it comes back, 2 if it was not sent.
            self.line(format!("static void write_s{at}(struct log *l, r_s{at} *x, int mode)\n{{"));
            for place in &item.members {
                let is_fixed = is_read(&item.members, place.id) && matches!(place.ty, Type::Scalar(_));
                if !is_fixed {
                    self.write(place, &scope.name(place.id), scope, "0", "1");
                }
            }
            self.line("}");
            self.line(format!("static void make_s{at}(struct log *l, r_s{at} *x, int depth)\n{{"));
            self.make_all(scope, false);
            self.line("(void)l; (void)depth;\n}");
        }
    }

    /// The number of elements of a buffer that is there, as C. `of` is its pointer, `index` that of the pointer in its buffer.
    pub fn extent(buffer: &Buffer, of: &str, scope: Scope<'_>, index: &str) -> String {
        let element = names::c_type(&buffer.element.ty);
        let size = |id: u32| format!("(size_t){}", scope.name(id));
        match &buffer.extent {
            Extent::Fixed(n) => n.to_string(),
            Extent::Count(a) => size(*a),
            Extent::Times(a, k) => format!("{} * {k}", size(*a)),
            Extent::Plus(a, k) => format!("{} + {k}", size(*a)),
            Extent::Min(a, b) => format!("({0} < {1} ? {0} : {1})", size(*a), size(*b)),
            Extent::Max(a, b) => format!("({0} > {1} ? {0} : {1})", size(*a), size(*b)),
            Extent::Bytes(a) => format!("{} / sizeof({element})", size(*a)),
            Extent::First(a) => format!("({0} ? (size_t)*{0} : 0)", scope.name(*a)),
            Extent::Old(a) => format!("old_{}", scope.name(*a)),
            Extent::Zero => format!("until({of}, sizeof({element}), SIZE_MAX)"),
            Extent::CountOrZero(a) => format!("until({of}, sizeof({element}), {})", size(*a)),
            Extent::Length => format!("strlen((const char *){of}) + 1"),
            Extent::LengthIfNegative(a) => {
                format!("({0} < 0 ? strlen((const char *){of}) + 1 : (size_t){0})", scope.name(*a))
            }
            Extent::Index(k) => format!("{index} + {k}"),
            Extent::Meta(a) => format!("COUNT({})", scope.name(*a)),
        }
    }

    /// Saves what `old` reads.
    pub fn save_old(&mut self, scope: Scope<'_>) {
        for place in scope.places {
            if let Type::Buffer(Buffer { extent: Extent::Old(a), .. }) = &place.ty {
                let name = scope.name(*a);
                self.line(format!("size_t old_{name} = {name} ? (size_t)*{name} : 0;"));
            }
        }
    }

    /// Adds a place to the text of the call.
    pub fn show(&mut self, place: &Place, expr: &str, scope: Scope<'_>, index: &str) {
        match &place.ty {
            Type::Scalar(scalar) => self.line(show_scalar(*scalar, expr)),
            Type::Text => self.line(format!("show_text(l, {expr});")),
            Type::Array(scalar, _) | Type::Tail(_, scalar) => {
                let (i, n) = (self.variable("i"), inline_count(&place.ty, scope));
                self.line(format!(
                    "for (int {i} = 0; {i} < {n}; {i}++) {}",
                    show_scalar(*scalar, &format!("{expr}[{i}]"))
                ));
            }
            Type::Union(on, members) => self.union(*on, members, expr, scope, |emitter, place, expr| {
                emitter.show(place, expr, scope, index);
            }),
            Type::Struct(at) => self.line(format!("show_s{at}(l, &{expr});")),
            Type::Handle(at, _) => self.line(format!("SHOW_OBJECT(l, (r_h{at} *){expr});")),
            Type::Callback(_) => self.line(format!("say(l, {expr} ? \" call\" : \" null\");")),
            Type::User(of) => {
                // What a library is told instead of the program's userdata is known to be null only without a callback.
                let none: Vec<String> = of.iter().map(|id| format!("!{}", scope.name(*id))).collect();
                let none = if none.is_empty() { "1".to_owned() } else { none.join(" && ") };
                self.line(format!("if ({none}) SHOW_USER(l, {expr});"));
            }
            Type::Taken(_) => self.line(format!("say(l, {expr} ? \" ptr\" : \" null\");")),
            Type::Passed(scalar, on) => {
                let n = scope.name(*on);
                self.line(format!("SHOW_PASSED(l, {expr}, (size_t){n} * sizeof({}));", scalar.c()));
            }
            Type::Choice(on, cases) => self.choice(*on, cases, expr, scope, |emitter, place, expr| {
                emitter.show(place, expr, scope, index);
            }),
            Type::Buffer(buffer) => {
                let typed = format!("((const {}){expr})", names::typed(buffer));
                if !buffer.direction.goes() && is_read_at_exit(scope.places, place.id) {
                    // The receiver has memory for what exit expressions name even where the caller passed null.
                    self.line("if (l->entry) say(l, \" out\"); else");
                }
                self.line(format!("if ({expr} == NULL) say(l, \" null\");"));
                if buffer.direction == Direction::Local {
                    return self.line("else say(l, \" local\");");
                }
                if !buffer.direction.goes() {
                    self.line("else if (l->entry) say(l, \" out\");");
                }
                self.line(format!(
                    "else {{\nif ((uintptr_t){expr} % _Alignof({})) say(l, \" unaligned\");",
                    names::c_type(&buffer.element.ty)
                ));
                self.elements(buffer, &typed, &Self::extent(buffer, expr, scope, index), scope);
                self.line("}");
            }
        }
    }

    /// Shows elements; of many numbers only a hash.
    pub fn elements(&mut self, buffer: &Buffer, typed: &str, n: &str, scope: Scope<'_>) {
        let (count, i) = (self.variable("n"), self.variable("i"));
        self.line(format!("size_t {count} = {n};"));
        self.line(format!("say(l, \" [%zu:\", {count});"));
        if matches!(buffer.element.ty, Type::Scalar(_)) {
            let element = names::c_type(&buffer.element.ty);
            self.line(format!("if ({count} > 12) say(l, \" %llx\", (unsigned long long)mix(7, {typed}, {count} * sizeof({element}))); else"));
        }
        self.line(format!("for (size_t {i} = 0; {i} < {count}; {i}++) {{"));
        self.show(&buffer.element, &format!("{typed}[{i}]"), scope, &i);
        self.line("}\nsay(l, \" ]\");");
    }

    fn choice(
        &mut self,
        on: u32,
        cases: &[(i64, Type)],
        expr: &str,
        scope: Scope<'_>,
        mut each: impl FnMut(&mut Emitter, &Place, &str),
    ) {
        self.line(format!("switch ((int){}) {{", scope.name(on)));
        for (value, ty) in cases {
            self.line(format!("case {value}: {{"));
            let place = Place { id: 0, ty: ty.clone(), optional: false, stated: false };
            let typed = match ty {
                Type::Buffer(buffer) => format!("(({}){expr})", names::typed(buffer)),
                other => format!("(({}){expr})", names::c_type(other)),
            };
            each(self, &place, &typed);
            self.line("break;\n}");
        }
        self.line("}");
    }

    /// Emits C for the member of a union that is live.
    pub fn union(
        &mut self,
        on: u32,
        members: &[(i64, Place)],
        expr: &str,
        scope: Scope<'_>,
        mut each: impl FnMut(&mut Emitter, &Place, &str),
    ) {
        self.line(format!("switch ((int){}) {{", scope.name(on)));
        for (at, (value, place)) in members.iter().enumerate() {
            let is_last = at + 1 == members.len();
            self.line(if is_last { "default: {".to_owned() } else { format!("case {value}: {{") });
            each(self, place, &format!("{expr}.p{}", place.id));
            self.line("break;\n}");
        }
        self.line("}");
    }

    /// Writes what a receiver writes of a parameter, if the variable `go` of C is true.
    pub fn write_parameter(&mut self, place: &Place, expr: &str, scope: Scope<'_>) {
        match place.ty {
            Type::Scalar(_) | Type::Text => {}
            // `valid` of the buffer writes it, if it is there. A random number here would depend on whether it is.
            _ if is_read_at_exit(scope.places, place.id) => {}
            // The struct is the receiver's own; what its members point to may be the caller's.
            Type::Struct(at) => self.line(format!("if (go) write_s{at}(l, &{expr}, 0);")),
            _ => self.write(place, expr, scope, "0", "go"),
        }
    }

    /// Writes what a receiver writes. `go` is a condition in C: whether contents may be written.
    pub fn write(&mut self, place: &Place, expr: &str, scope: Scope<'_>, index: &str, go: &str) {
        match &place.ty {
            Type::Scalar(scalar) => self.line(format!("if (mode) {expr} = {};", random(*scalar))),
            Type::Text => self.line(format!("if (mode == 2) {expr} = TEXTS[rnd(l) % 4];")),
            Type::Union(on, members) => self.union(*on, members, expr, scope, |emitter, place, expr| {
                emitter.write(place, expr, scope, index, go);
            }),
            Type::Array(scalar, _) | Type::Tail(_, scalar) => {
                let (i, n) = (self.variable("i"), inline_count(&place.ty, scope));
                self.line(format!("for (int {i} = 0; mode && {i} < {n}; {i}++) {expr}[{i}] = {};", random(*scalar)));
            }
            Type::Struct(at) => self.line(format!("write_s{at}(l, &{expr}, mode);")),
            Type::Choice(on, cases) => self.choice(*on, cases, expr, scope, |emitter, place, expr| {
                if !matches!(place.ty, Type::Text) {
                    emitter.write(place, expr, scope, index, go);
                }
            }),
            Type::Buffer(buffer) => self.write_buffer(buffer, expr, scope, index, go),
            Type::Handle(..) | Type::Callback(_) | Type::User(_) | Type::Taken(_) | Type::Passed(..) => {}
        }
    }

    fn write_buffer(&mut self, buffer: &Buffer, expr: &str, scope: Scope<'_>, index: &str, go: &str) {
        let is_deep = !matches!(buffer.element.ty, Type::Scalar(_) | Type::Text);
        if buffer.direction == Direction::In && !is_deep {
            return;
        }
        let (n, k, i) = (self.variable("n"), self.variable("k"), self.variable("i"));
        let there = if buffer.valid.is_some() { String::new() } else { format!("{expr} && ") };
        let go = if buffer.always { "1" } else { go };
        self.line(format!("if ({there}{go}) {{"));
        let room = match &buffer.extent {
            // Nothing that ends was sent: there is room for all.
            Extent::CountOrZero(a) if !buffer.direction.goes() => format!("(size_t){}", scope.name(*a)),
            _ => Self::extent(buffer, expr, scope, index),
        };
        self.line(format!("size_t {n} = {room}, {k} = {n};"));
        self.valid(buffer, &n, &k, scope);
        let ends = matches!(
            buffer.extent,
            Extent::CountOrZero(_) | Extent::Zero | Extent::Length | Extent::LengthIfNegative(_)
        );
        let mode = match buffer.direction {
            Direction::In => 0,
            Direction::InOut => 1,
            Direction::Out | Direction::Local => 2,
        };
        self.line(format!("for (size_t {i} = 0; {expr} && {i} < {k}; {i}++) {{\nint mode = {mode}; (void)mode;"));
        let element = format!("(({}){expr})[{i}]", names::typed(buffer));
        match &buffer.element.ty {
            Type::Scalar(_) if ends => self.line(format!("{element} = {i} + 1 < {k} ? 1 + rnd(l) % 100 : 0;")),
            _ => self.write(&buffer.element, &element, scope, &i, "1"),
        }
        self.line("}");
        if buffer.direction == Direction::Local {
            // Shows whether the library can write all of its memory, and whether another buffer changes this memory.
            self.line(format!(
                "if ({expr}) say(l, \" local %llx\", (unsigned long long)mix(7, {expr}, {n} * sizeof *{expr}));"
            ));
        }
        self.line("}");
    }

    /// Chooses how many elements are written, and says so where the specification reads it.
    fn valid(&mut self, buffer: &Buffer, n: &str, k: &str, scope: Scope<'_>) {
        match buffer.valid {
            None => {}
            Some(Valid::Result) => self.line(format!("{k} = rnd(l) % ({n} + 1); valid = (int){k};")),
            Some(Valid::First(of)) => {
                let of = scope.name(of);
                self.line(format!("{k} = rnd(l) % ({n} + 1); if ({of}) *{of} = {k};"));
            }
            Some(Valid::MinFirst(of)) => {
                let of = scope.name(of);
                self.line(format!("if (rnd(l) % 2) {k} = rnd(l) % ({n} + 1);"));
                self.line(format!("if ({of}) *{of} = {k} == {n} ? {n} + 3 : {k};"));
            }
        }
    }

    /// Makes all places of a scope, first what sizes read. `declare`: as variables of their own.
    pub fn make_all(&mut self, scope: Scope<'_>, declare: bool) {
        if declare {
            for place in scope.places {
                let suffix = if let Type::Array(_, n) = place.ty { format!("[{n}]") } else { String::new() };
                self.line(format!("{} {}{suffix};", declared(&place.ty), scope.name(place.id)));
            }
        } else {
            self.line("memset(x, 0, sizeof *x);");
        }
        let rank = |place: &&Place| match place.ty {
            Type::Scalar(_) => 0,
            Type::Handle(..) => 1,
            Type::Buffer(_) if is_read(scope.places, place.id) => 2,
            Type::User(_) => 4,
            _ => 3,
        };
        let mut order: Vec<&Place> = scope.places.iter().collect();
        order.sort_by_key(rank);
        for place in order {
            super::make::make(self, place, &scope.name(place.id), scope, "0");
        }
    }
}

/// How many elements an inline array has, as C.
pub fn inline_count(ty: &Type, scope: Scope<'_>) -> String {
    match ty {
        Type::Array(_, n) => n.to_string(),
        Type::Tail(on, _) => format!("(int){}", scope.name(*on)),
        _ => "0".to_owned(),
    }
}

/// The type of a variable for a place: one that can be written.
fn declared(ty: &Type) -> String {
    match ty {
        Type::Buffer(buffer) => names::typed(buffer),
        other => names::c_type(other),
    }
}

/// Adds a number to the text of the call.
pub fn show_scalar(scalar: Scalar, expr: &str) -> String {
    if scalar.is_real() {
        format!("say(l, \" %.17g\", (double){expr});")
    } else {
        format!("say(l, \" %lld\", (long long){expr});")
    }
}

/// A number by chance: C that names `l`.
pub fn random(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => "rnd(l) % 2".to_owned(),
        Scalar::Float | Scalar::Double => "(double)(int)(rnd(l) % 4001 - 2000) / 8".to_owned(),
        other => format!("({})rnd(l)", other.c()),
    }
}

/// The scalar type that a place of a scope has.
pub fn scalar_of(scope: Scope<'_>, id: u32) -> Option<Scalar> {
    match find(scope.places, id)?.ty {
        Type::Scalar(scalar) => Some(scalar),
        _ => None,
    }
}

/// Joins lines with braces counted.
pub fn indent(text: &str) -> String {
    let (mut depth, mut out) = (0usize, String::new());
    for line in text.lines() {
        let closes = line.chars().take_while(|c| *c == '}').count();
        let at = depth.saturating_sub(closes);
        let _ = writeln!(out, "{}{line}", if line.starts_with('#') { String::new() } else { "    ".repeat(at) });
        let count = |brace: char| line.chars().filter(|c| *c == brace).count();
        depth = (depth + count('{')).saturating_sub(count('}'));
    }
    out
}
