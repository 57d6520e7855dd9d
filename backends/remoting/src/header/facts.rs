//! The declarations of a probe.

use std::fmt::Write;

use lapis_cx::contract::Enum;
use lapis_cx::contract::core::Value;
use lapis_cx::contract::library::clause::Clause;
use lapis_cx::contract::library::expr::Expr;
use lapis_cx::contract::library::place::{Place, Scalar, Type};
use lapis_cx::contract::library::text::Scope;
use lapis_cx::contract::library::{Function, Library, Member, Struct, StructId};
use lapis_cx::int::Int;
use lapis_cx::lower::plan::{Required, plan_library, required};
use lapis_cx::source::Span;
use lapis_cx_backend_c::library::{declared, function_name};

use super::report::without_blanks;
use super::{Callback, Case, Check, Fact, Part, Probe, REGION};
use crate::native::indented;
use crate::{ctype, guest};

/// The size of an array that represents the value 0. Compilers print sizes, and no array has a negative size.
pub(super) const ZERO: i64 = 1 << 30;

/// The largest number of undescribed members that the probe finds in a struct.
pub(super) const MORE_MEMBERS: usize = 16;

/// Writes the probe of a library.
pub(super) fn probe(library: &Library) -> Probe {
    let binding = &library.binding;
    let prefix = binding.prefix.clone().filter(|prefix| !prefix.is_empty()).zip(binding.prefix_span);
    let callbacks = library.callbacks.iter().map(|callback| Callback {
        name: callback.name.clone(),
        types: callback.c.iter().chain([&ctype::pointer_to(library, callback)]).map(|ty| without_blanks(ty)).collect(),
    });
    let probe = Probe { text: String::new(), checks: Vec::new(), prefix, callbacks: callbacks.collect() };
    let mut writer = Writer { library, probe, needs: None };
    writer.headers();
    for code in &library.utilities {
        writer.check(code.span, Fact::Text, &indented(&code.text));
    }
    for at in 0..library.structs.len() {
        writer.structure(StructId(at as u32));
    }
    for handle in &library.handles {
        let ty = library.name_in_c(handle.c.as_deref(), &handle.name);
        writer.exists(
            handle.span,
            format!("the type `{ty}` of the handle `{}`", handle.name),
            &ty,
            (true, handle.c.is_none()),
        );
        writer.same(handle.span, Fact::Size(format!("the handle `{}`", handle.name)), &ty, "void *", "<=");
    }
    library.callbacks.iter().for_each(|callback| writer.callback(callback));
    library.functions.iter().for_each(|function| writer.function(function));
    for (span, required) in required(library, &plan_library(library)) {
        if let Required::Number(ty, bytes) = required {
            writer.same(span, Fact::Size(format!("the C type `{ty}`")), &ty, &format!("char[{bytes}]"), "<=");
        }
    }
    writer.values();
    writer.probe
}

struct Writer<'l> {
    library: &'l Library,
    probe: Probe,
    /// The check that the following checks need, by its position.
    needs: Option<usize>,
}

impl Writer<'_> {
    /// Adds the declarations `text` as a check.
    fn check(&mut self, span: Span, fact: Fact, text: &str) {
        let number = self.probe.checks.len();
        self.probe.checks.push(Check { span, fact, needs: self.needs });
        let _ = writeln!(self.probe.text, "#line 1 \"{REGION}{number}\"\n{}", text.trim_end());
    }

    /// A variable of this check.
    fn variable(&self) -> String {
        format!("cxr_check_{}", self.probe.checks.len())
    }

    fn headers(&mut self) {
        for header in ["stddef.h", "stdint.h", "stdbool.h", "stdarg.h"] {
            let _ = writeln!(self.probe.text, "#include <{header}>");
        }
        for header in &self.library.binding.headers {
            self.check(self.library.span, Fact::Header(header.clone()), &format!("#include <{header}>"));
        }
        let _ = writeln!(self.probe.text, "struct cxs_stream;");
    }

    /// The name of a type or an expression that the compiler knows the size of.
    fn exists(&mut self, span: Span, what: String, name: &str, (is_type, is_prefixed): (bool, bool)) {
        let variable = self.variable();
        self.check(
            span,
            Fact::Exists { what, is_type, is_prefixed },
            &format!("extern char {variable}[sizeof({name})];"),
        );
    }

    /// The sizes of two types: equal, or the first at most the second.
    fn same(&mut self, span: Span, fact: Fact, theirs: &str, ours: &str, relation: &str) {
        let v = self.variable();
        let theirs = match relation {
            "==" => format!("sizeof({theirs})"),
            _ => format!("sizeof({theirs}) {relation} sizeof({ours}) ? sizeof({ours}) : sizeof({theirs})"),
        };
        self.check(span, fact, &format!("extern char {v}[{theirs}]; extern char {v}[sizeof({ours})];"));
    }

    fn is_true(&mut self, span: Span, fact: Fact, condition: &str) {
        let v = self.variable();
        self.check(span, fact, &format!("extern char {v}[({condition}) ? 1 : 2]; extern char {v}[1];"));
    }

    fn callback(&mut self, callback: &Function) {
        let Some(name) = &callback.c else { return };
        let v = self.variable();
        let list = ctype::list(self.library, callback, |_| String::new());
        let ours = declared(&ctype::declared_result(self.library, callback), &format!("(*{v})({list})"));
        let fact = Fact::Signature { name: name.clone(), parts: self.parts(callback) };
        self.check(callback.span, fact, &format!("extern {name} {v}; extern {ours};"));
    }

    fn function(&mut self, function: &Function) {
        let library = self.library;
        let name = function_name(library, function);
        // The headers need not declare functions that the program gets by name, and those that the specification adds.
        let is_own =
            function.clauses.contains(&Clause::ByName) || guest::replacement(function).is_some() || function.has_body();
        if !is_own {
            self.exists(
                function.span,
                format!("the function `{name}`"),
                &format!("&({name})"),
                (false, function.c.is_none()),
            );
        }
        let list = ctype::list(library, function, |_| String::new());
        let head = declared(&ctype::declared_result(library, function), &format!("({name})({list})"));
        self.check(function.span, Fact::Signature { name, parts: self.parts(function) }, &format!("{head};"));
    }

    fn parts(&self, function: &Function) -> Vec<Part> {
        let enums = self.library.sections.first().map(|section| &section.enums);
        let part = |span, place: &Place| {
            let of_enum = match place.ty {
                Type::Enum(id) if place.c.is_none() => enums.and_then(|enums| enums.get(id.index())),
                _ => None,
            };
            Part {
                span,
                of_enum: of_enum.map(|def| def.name.clone()),
                is_buffer: matches!(place.ty, Type::Buffer { .. }),
                is_callback: matches!(place.ty, Type::Callback(_)),
            }
        };
        let result = Part { is_buffer: false, ..part(function.span, &function.result) };
        let params = function.params.iter().map(|param| part(param.span, &param.place));
        std::iter::once(result).chain(params).collect()
    }

    fn structure(&mut self, id: StructId) {
        let library = self.library;
        let Some(def) = library.structs.get(id.index()) else { return };
        let ty = ctype::structure(library, id);
        let is_prefixed = def.c.is_none() && def.view_of.is_none();
        self.exists(def.span, format!("the complete type `{ty}`"), &ty, (true, is_prefixed));
        self.needs = self.probe.checks.len().checked_sub(1);
        for member in &def.members {
            let name = member.c.as_ref().unwrap_or(&member.name);
            self.exists(
                member.span,
                format!("the member `{name}` of `{ty}`"),
                // A flexible array has an address, but no size.
                &format!("&(({ty} *)0)->{name}"),
                (false, false),
            );
            let (what, theirs) = (format!("`{name}` of `{ty}`"), format!("(({ty} *)0)->{name}"));
            match &member.place {
                Place { c: None, ty: Type::Array { element, len }, .. }
                    if ctype::member(library, &member.place).is_none() =>
                {
                    self.trailing_array(member.span, Scope::inside(library, def), (element, len), &theirs);
                    self.member(member.span, element, &format!("an element of {what}"), &format!("{theirs}[0]"));
                }
                place => self.member(member.span, place, &what, &theirs),
            }
        }
        if def.view_of.is_none() && !def.is_union {
            self.layout(def, &ty);
            self.all_members(def, &ty);
        }
        self.needs = None;
    }

    /// An array whose length depends on a value is `x[]` in the header, or `x[0]` or `x[1]` in old headers. An array of unknown length may
    /// be declared again with any length, so `x[]` agrees with the array of 0 or 1 elements of this check.
    fn trailing_array(&mut self, span: Span, scope: Scope<'_>, (element, len): (&Place, &Expr), theirs: &str) {
        let v = self.variable();
        let is_plain =
            element.c.is_none() && matches!(element.ty, Type::Scalar(_) | Type::Enum(_) | Type::Struct { .. });
        let element = if is_plain { scope.ty(&element.ty) } else { "…".to_owned() };
        let (array, one) = (format!("__typeof__({theirs})"), format!("__typeof__({theirs}[0])"));
        let ours = format!("extern {one} {v}[__builtin_types_compatible_p({array}, {one}[0]) ? 0 : 1];");
        self.check(span, Fact::Array { element, len: scope.expr(len) }, &format!("extern {array} {v}; {ours}"));
    }

    /// The size of a member, and its kind if it is a number.
    fn member(&mut self, span: Span, place: &Place, what: &str, theirs: &str) {
        let Some(ours) = ctype::member(self.library, place) else { return };
        self.same(span, Fact::Size(what.to_owned()), theirs, &ours, "==");
        let Type::Scalar(scalar) = place.ty else { return };
        if place.c.is_some() {
            return;
        }
        let number = |value: &str| {
            format!("__typeof__(__builtin_choose_expr(__builtin_classify_type({value}) == 1, {value}, 0))")
        };
        let mut condition = format!("__builtin_classify_type({theirs}) == __builtin_classify_type(({ours})0)");
        // Whether `char` has a sign depends on the machine.
        if !matches!(scalar, Scalar::Char | Scalar::Bool | Scalar::Float | Scalar::Double) {
            let _ = write!(condition, " && ((({})-1) < 0) == ((({ours})-1) < 0)", number(theirs));
        }
        self.is_true(span, Fact::Kind { what: what.to_owned(), ours }, &condition);
    }

    /// The offsets that the members have if the struct has no others.
    fn layout(&mut self, def: &Struct, ty: &str) {
        let members = def.members.iter().map(|member| {
            let name = member.c.as_ref().unwrap_or(&member.name);
            Some((member, name, declared(&ctype::member(self.library, &member.place)?, name)))
        });
        let Some(members) = members.collect::<Option<Vec<_>>>() else { return };
        let list: String = members.iter().map(|(_, _, text)| format!("{text}; ")).collect();
        let mirror = format!("struct cxr_mirror_{}", self.probe.checks.len());
        let Some((first, ..)) = members.first() else { return };
        self.check(first.span, Fact::Text, &format!("{mirror} {{ {list}}};"));
        for (member, name, _) in members {
            let v = self.variable();
            let [theirs, ours] = [ty, &mirror].map(|ty| format!("extern char {v}[offsetof({ty}, {name}) + 1];"));
            self.check(
                member.span,
                Fact::Offset { what: format!("`{name}` of `{ty}`"), of: ty.to_owned() },
                &format!("{theirs} {ours}"),
            );
        }
        self.same(def.span, Fact::Offset { what: format!("the end of `{ty}`"), of: ty.to_owned() }, ty, &mirror, "==");
    }

    /// Checks which members the header's struct has. For an initializer of the first n members, the compiler names the next member.
    fn all_members(&mut self, def: &Struct, ty: &str) {
        let v = self.variable();
        // gcc accepts a number 0 as the initializer of all members.
        let is_number = |member: &&Member| matches!(member.place.ty, Type::Scalar(_) | Type::Enum(_));
        let first = def.members.first().filter(is_number).map(|_| "{1}".to_owned()).into_iter();
        let lists = first.chain((1..=def.members.len() + MORE_MEMBERS).map(|count| "{0}, ".repeat(count)));
        let lines = lists.enumerate().map(|(at, values)| format!("static {ty} {v}_{at} = {{{values}}};\n"));
        let text: String = lines.collect();
        let described = def.members.iter().map(|member| {
            let name = member.c.as_ref().unwrap_or(&member.name);
            // `u.x` is described as a part of `u`.
            (name.split(['.', '[']).next().unwrap_or_default().to_owned(), member.span)
        });
        let fact = Fact::Members { of: ty.to_owned(), described: described.collect() };
        self.check(def.span, fact, &text);
    }

    /// Cases of enums and constants that the headers define too.
    fn values(&mut self) {
        let Some(section) = self.library.sections.first() else { return };
        for (of, def) in section.enums.iter().enumerate() {
            for case in &def.cases {
                let value = value_of(def, &case.pattern);
                for (spelling, name) in self.spellings(&def.name, &case.name).into_iter().enumerate() {
                    self.value(case.span, &name, &value, def.width, Some(Case { of, spelling }));
                }
            }
        }
        for constant in &section.consts {
            if let Value::Int(value) = &constant.value {
                self.value(constant.span, &constant.name, value, 64, None);
            }
        }
    }

    /// The names in C that the case of an enum may have: `red`, and with the prefix `P_RED` and `P_COLOR_RED`.
    fn spellings(&self, of: &str, case: &str) -> [String; 3] {
        let prefix = self.library.binding.prefix.as_deref().unwrap_or_default();
        let mut words = String::new();
        for c in of.chars() {
            let is_start = c.is_uppercase() && words.ends_with(|last: char| !last.is_uppercase() && last != '_');
            words.extend(is_start.then_some('_').into_iter().chain([c]));
        }
        [case.to_owned(), format!("{prefix}{case}").to_uppercase(), format!("{prefix}{words}_{case}").to_uppercase()]
    }

    /// The value of a name, which the headers need not have.
    fn value(&mut self, span: Span, name: &str, value: &Int, width: u32, case: Option<Case>) {
        let Some(number) = value.to_i128().filter(|_| width <= 64) else { return };
        let bits = width.next_power_of_two().max(8);
        let (v, low) = (self.variable(), number as u64);
        let is_equal = format!("(uint{bits}_t)({name}) == (uint{bits}_t)0x{low:X}ull");
        let is_small = format!("({name}) > -{ZERO}ll && ({name}) < {ZERO}ll");
        let theirs = format!("{is_equal} ? 1 : {is_small} ? ({name}) + {ZERO}ll : 2");
        let fact = Fact::Value { name: name.to_owned(), ours: value.to_string(), case };
        self.check(span, fact, &format!("extern char {v}[{theirs}]; extern char {v}[1];"));
    }
}

/// The value of a pattern of bits.
fn value_of(def: &Enum, pattern: &Int) -> Int {
    match pattern.to_i128() {
        Some(bits) if def.signed && def.width < 127 && bits >> (def.width - 1) & 1 == 1 => {
            Int::from(bits - (1 << def.width))
        }
        _ => pattern.clone(),
    }
}
