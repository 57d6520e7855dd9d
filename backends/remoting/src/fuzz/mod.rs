//! A program that calls the functions of a library in random order, with arguments that its plan allows. What is random, and what is
//! remembered from call to call, is in `cx_remote_fuzz.h`; here are the places where arguments and results lie.

mod call;
mod code;
mod make;
mod named;
mod see;
mod valid;

use std::collections::{BTreeMap, BTreeSet};

use lapis_cx::contract::library::StructId;
use lapis_cx::lower::plan::{At, Block, BlockId, Kind, Memory, Op, Ownership, Value};
use lapis_cx_backend_c::library::{function_name, place_type, with_identifier};
use minijinja::{Environment, context};

use crate::{Unit, ctype, render, words};
use code::{Place, Stage, Why};
use named::Named;

/// The name of the template.
pub const TEMPLATE: &str = "fuzz.c";

/// Prints the source of the fuzzer.
pub fn print(templates: &Environment<'_>, unit: &Unit<'_>) -> Result<String, minijinja::Error> {
    let mut printer = Printer::new(unit);
    let callbacks: Vec<_> = (0..unit.library.callbacks.len()).map(|at| printer.callback(at)).collect();
    printer.callbacks = callbacks.iter().map(|one| one.as_ref().map(|_| ()).map_err(|why| *why)).collect();
    let functions: Vec<_> =
        unit.functions().enumerate().map(|(at, (one, passed))| (one, printer.function(at, passed))).collect();
    let left_out = functions.iter().filter_map(|(function, text)| {
        Some(format!("{}: {}", function_name(unit.library, function), text.as_ref().err()?))
    });
    let left_out: Vec<String> = left_out.collect();
    let made: Vec<_> = functions.iter().filter_map(|(_, text)| text.as_ref().ok()).collect();
    let heard = (0..).zip(&callbacks).filter_map(|(at, text)| Some((at, text.as_ref().ok()?)));
    // Only callbacks that a function is called with.
    let heard: Vec<_> =
        heard.filter(|(at, _)| made.iter().any(|one| printer.reaches_callback(&one.uses, *at))).collect();
    let first = made.iter().flat_map(|one| &one.uses).chain(heard.iter().flat_map(|(_, one)| &one.uses));
    let used = printer.reachable(first);
    let blocks: Vec<&Printed> = used.iter().filter_map(|key| printer.blocks.get(key)?.as_ref().ok()).collect();
    let texts = || blocks.iter().map(|one| &one.text).chain(made.iter().map(|one| &one.text));
    let arrays = printer.arrays.iter().enumerate();
    let arrays = arrays.filter(|(at, _)| texts().any(|text| text.contains(&format!("cxf_named_{at},"))));
    let kinds = unit.library.handles.iter().enumerate().map(|(at, handle)| {
        let metadata =
            unit.library.metadata.iter().position(
                |one| matches!(one.owner, lapis_cx::contract::library::Owner::Handle(id) if id.index() == at),
            );
        let number = |of: Option<usize>| of.map_or_else(|| "-1".to_owned(), |at| at.to_string());
        format!("{{ {}, {} }}", number(metadata), number(handle.parent.map(|id| id.index())))
    });
    let context = context! {
        file => unit.names.file_name("fuzz.c"),
        include => unit.names.file_name("remote.h"),
        origin => words::full_name(unit.library),
        left_out,
        arrays => arrays.map(|(at, numbers)| format!("cxf_named_{at}[] = {{ {numbers} }};")).collect::<Vec<_>>(),
        heads => blocks.iter().map(|one| one.head.clone())
            .chain(heard.iter().map(|(_, one)| one.head.clone())).collect::<Vec<_>>(),
        blocks => blocks.iter().map(|one| format!("{}\n{}", one.head, one.text)).collect::<Vec<_>>(),
        callbacks => heard.iter().map(|(_, one)| format!("{}\n{}", one.head, one.text)).collect::<Vec<_>>(),
        calls => made.iter().map(|one| format!("{}\n{}", one.head, one.text)).collect::<Vec<_>>(),
        rows => made.iter().map(|one| one.row.clone()).collect::<Vec<_>>(),
        kinds => kinds.collect::<Vec<_>>(),
    };
    render(templates, TEMPLATE, context)
}

/// Whether what a value is depends on what lies there: it would have to be made before it is known.
fn reads_itself(value: &Value, at: At) -> bool {
    let Kind::Match { value: code, arms, default } = &value.kind else { return false };
    let is_there = |two: &[Op]| matches!(two, [Op::Own | Op::Arguments, Op::Field(_, there)] if *there == at);
    let cases = arms.iter().map(|(_, value)| value).chain(default.as_deref());
    code.ops.windows(2).any(is_there) || cases.into_iter().any(|case| reads_itself(case, at))
}

/// Prints a loop over elements that lie at an address: `text` is about the one that `element_scope` names. Making them ends once that
/// failed, and counts how deep it is.
fn each_element(out: &mut String, (at, count, stride): (&str, &str, &str), target: &Target, text: &str, is_made: bool) {
    let (depth, around, scope) = (target.depth, &target.scope, element_scope(target.depth));
    let goes_on = if is_made { " && !c->has_failed" } else { "" };
    line(out, depth, &format!("const uint64_t count{depth} = cxf_count(c, {count}, {at}, {stride});"));
    if is_made {
        line(out, depth, "c->nesting++;");
    }
    line(out, depth, &format!("for (uint64_t i{depth} = 0; i{depth} < count{depth}{goes_on}; i{depth}++) {{"));
    let place = format!("{around}->own, {at} + i{depth} * {stride}, i{depth}, {around}->around");
    line(out, depth + 1, &format!("const cxf_scope {scope}[1] = {{{{ {place} }}}};"));
    out.push_str(text);
    line(out, depth, "}");
    if is_made {
        line(out, depth, "c->nesting--;");
    }
}

/// The `cxf_scope` of an element at this depth.
fn element_scope(depth: usize) -> String {
    format!("e{depth}")
}

/// What the code of a block does with its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// Makes the arguments of a call.
    Make,
    /// Reads the results of a call.
    See,
    /// Reads the arguments of a callback.
    Hear,
    /// Makes the answer of a callback.
    Tell,
}

impl Phase {
    fn stage(self) -> Stage {
        match self {
            Phase::Make | Phase::Hear => Stage::Entry,
            Phase::See | Phase::Tell => Stage::Exit,
        }
    }

    /// Whether the code makes or reads a value.
    fn has(self, value: &Value) -> bool {
        match self {
            Phase::Make | Phase::Hear => value.copy_in,
            Phase::See | Phase::Tell => value.copy_out,
        }
    }
}

/// What a generated function calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Block(u32, Phase),
    Callback(u32),
}

/// A generated function.
#[derive(Clone, Default)]
struct Printed {
    head: String,
    text: String,
    uses: BTreeSet<Use>,
    /// Its row in the table of functions.
    row: String,
}

/// The value that code is generated for.
#[derive(Clone)]
struct Target {
    /// The `cxf_scope` whose `self` is the value.
    scope: String,
    /// The numbers that the specification names for the value, as an array and its length.
    named: String,
    /// Its type in C.
    ty: String,
    /// The indentation of its code.
    depth: usize,
    /// Whether the place itself says that it may be null.
    is_optional: bool,
    /// Whether it is an element of a text that ends with 0.
    is_text: bool,
}

struct Printer<'a> {
    unit: &'a Unit<'a>,
    named: Named,
    /// Arrays of numbers.
    arrays: Vec<String>,
    /// Kinds of memory that both sides know.
    kinds: Vec<String>,
    /// Structs whose address the library keeps.
    mirrored: BTreeSet<StructId>,
    blocks: BTreeMap<Use, Result<Printed, Why>>,
    callbacks: Vec<Result<(), Why>>,
    /// What the function that is being printed needs.
    uses: BTreeSet<Use>,
}

impl<'a> Printer<'a> {
    fn new(unit: &'a Unit<'a>) -> Printer<'a> {
        let mut mirrored = BTreeSet::new();
        unit.plan
            .blocks
            .iter()
            .flat_map(|block| &block.values)
            .for_each(|(_, value)| find_mirrored(unit, value, &mut mirrored));
        Printer {
            unit,
            named: Named::of(unit.library, &unit.plan),
            arrays: Vec::new(),
            kinds: Vec::new(),
            mirrored,
            blocks: BTreeMap::new(),
            callbacks: Vec::new(),
            uses: BTreeSet::new(),
        }
    }

    /// Returns the number of a kind of memory.
    fn kind(&mut self, name: &str) -> usize {
        let name = with_identifier(name, "const", "");
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ").replace(" *", "*");
        let known = self.kinds.iter().position(|one| *one == name);
        known.unwrap_or_else(|| {
            self.kinds.push(name);
            self.kinds.len() - 1
        })
    }

    /// The kind of memory that a struct is whose address the library keeps.
    fn mirror(&mut self, value: &Value) -> Option<usize> {
        let id = struct_of(self.unit, value).filter(|id| self.mirrored.contains(id))?;
        Some(self.kind(&format!("struct {}", id.index())))
    }

    /// Returns the name of the function for a block, which is generated once.
    fn block(&mut self, id: BlockId, phase: Phase) -> Result<String, Why> {
        let key = Use::Block(id.index() as u32, phase);
        self.uses.insert(key);
        let name = format!("cxf_{}_{}", format!("{phase:?}").to_lowercase(), id.index());
        match self.blocks.get(&key) {
            Some(Ok(_)) => return Ok(name),
            Some(Err(why)) => return Err(why),
            None => {}
        }
        let Some(block) = self.unit.plan.blocks.get(id.index()) else { return Err("a block that is not there") };
        // A list comes back to itself.
        self.blocks.insert(key, Ok(Printed::default()));
        let around = std::mem::take(&mut self.uses);
        let text = self.body(block, phase);
        let uses = std::mem::replace(&mut self.uses, around);
        let more = if matches!(phase, Phase::Make | Phase::Tell) { "" } else { ", bool is_told" };
        let head = format!("static void {name}(cxf_call *c, const cxf_scope *root, const cxf_scope *s{more})");
        let printed = text.map(|text| Printed { head, text, uses, row: String::new() });
        let result = printed.as_ref().map(|_| name).map_err(|why| *why);
        self.blocks.insert(key, printed);
        result
    }

    fn body(&mut self, block: &Block, phase: Phase) -> Result<String, Why> {
        let mut out = String::from("{\n    (void)c;\n    (void)root;\n    (void)s;\n");
        if matches!(phase, Phase::See | Phase::Hear) {
            out += "    (void)is_told;\n";
        }
        let is_number = |value: &Value| matches!(value.kind, Kind::Scalar { .. } | Kind::Enum { .. });
        // Numbers of parameters, what is computed of them, and all else in its order.
        let numbers = block.values.iter().filter(|(at, value)| is_number(value) && !matches!(at, At::Implicit(_)));
        let rest = block.values.iter().filter(|(at, value)| !is_number(value) && !matches!(at, At::Implicit(_)));
        let count = numbers.clone().count();
        for (n, (at, value)) in numbers.chain(rest).enumerate() {
            if n == count {
                self.implicits(block, phase, &mut out)?;
            }
            if reads_itself(value, *at) {
                return Err("a choice that depends on the place itself");
            }
            let target = self.target(block.memory, *at, n);
            let mut text = String::new();
            match phase {
                Phase::Make | Phase::Tell => self.make(&mut text, value, &target, block, phase)?,
                Phase::See | Phase::Hear => self.see(&mut text, value, &target, block, phase, *at)?,
            }
            self.in_scope(&mut out, &text, &target, block, *at);
        }
        if matches!(phase, Phase::Make | Phase::Tell) {
            for (n, (at, value)) in block.values.iter().enumerate() {
                let (target, mut text) = (self.target(block.memory, *at, n), String::new());
                self.keep_within(&mut text, value, &target, block, phase)?;
                self.in_scope(&mut out, &text, &target, block, *at);
            }
        }
        if matches!(phase, Phase::Make | Phase::Hear) {
            for (n, code) in block.olds.iter().enumerate() {
                let place = Place { scope: "s", stage: Stage::Entry, olds: &block.olds };
                let value = code::number(self.unit, code, place)?;
                out += &format!("    cxf_keep_old(c, s->own, {n}, {value});\n");
            }
        }
        Ok(out + "}\n")
    }

    /// Prints the code for a value, in its scope.
    fn in_scope(&self, out: &mut String, text: &str, target: &Target, block: &Block, at: At) {
        if text.is_empty() {
            return;
        }
        let offset = words::offset(self.unit, block.memory, at);
        let offset = offset.map_or_else(String::new, |(of, member)| format!(" + CXR_AT({of}, {member})"));
        *out += &format!(
            "    {{\n        const cxf_scope {}[1] = {{{{ s->own, s->own{offset}, s->index, s->around }}}};\n{text}    }}\n",
            target.scope
        );
    }

    /// Prints implicit arguments that are computed from numbers, because sizes may read them. The library computes all others.
    fn implicits(&mut self, block: &Block, phase: Phase, out: &mut String) -> Result<(), Why> {
        if !matches!(phase, Phase::Make | Phase::Hear) {
            return Ok(());
        }
        for (at, _) in &block.values {
            let At::Implicit(n) = at else { continue };
            if let Some(implicit) = code::simple_implicit(self.unit, block.memory, *n)
                && let Some((of, member)) = words::offset(self.unit, block.memory, *at)
            {
                let place = Place { scope: "s", stage: Stage::Entry, olds: &block.olds };
                let (value, size) =
                    (code::number(self.unit, &implicit.value, place)?, code::size(self.unit, &implicit.size));
                line(out, 1, &format!("cxf_store_number(s->own + CXR_AT({of}, {member}), {value}, {size});"));
            }
        }
        Ok(())
    }

    fn target(&mut self, memory: Memory, at: At, n: usize) -> Target {
        let library = self.unit.library;
        let ty = match (memory, at) {
            (Memory::Arguments(id), _) => library.functions.get(id.index()).map(|function| (function, at)),
            (Memory::CallbackArguments(id), _) => library.callbacks.get(id.index()).map(|function| (function, at)),
            _ => None,
        };
        let ty = match ty {
            Some((function, At::Param(n))) => {
                ctype::params(library, function).into_iter().nth(n as usize).map(|param| param.ty)
            }
            Some((function, At::Ret)) => ctype::result(library, function),
            _ => named::place(library, memory, at).map(|place| ctype::variable(&place_type(library, None, place))),
        };
        let numbers = self.named.numbers(memory, at);
        let named = if numbers.is_empty() {
            "NULL, 0".to_owned()
        } else {
            let count = numbers.len();
            let text = |number: i64| if number == i64::MIN { "INT64_MIN".to_owned() } else { number.to_string() };
            let list: Vec<String> = numbers.into_iter().map(text).collect();
            let list = list.join(", ");
            let known = self.arrays.iter().position(|one| *one == list);
            let at = known.unwrap_or_else(|| {
                self.arrays.push(list);
                self.arrays.len() - 1
            });
            format!("cxf_named_{at}, {count}")
        };
        let is_optional = named::place(library, memory, at).is_some_and(|place| place.optional);
        Target { scope: format!("v{n}"), named, ty: ty.unwrap_or_default(), depth: 2, is_optional, is_text: false }
    }

    /// An expression where a value stands.
    fn number(
        &self,
        code: &lapis_cx::lower::plan::Code,
        target: &Target,
        block: &Block,
        phase: Phase,
    ) -> Result<String, Why> {
        code::number(self.unit, code, Place { scope: &target.scope, stage: phase.stage(), olds: &block.olds })
    }

    fn reachable<'u>(&self, first: impl Iterator<Item = &'u Use>) -> BTreeSet<Use> {
        let mut all = BTreeSet::new();
        let mut open: Vec<Use> = first.copied().collect();
        while let Some(one) = open.pop() {
            if all.insert(one)
                && let Some(Ok(printed)) = self.blocks.get(&one)
            {
                open.extend(&printed.uses);
            }
        }
        all
    }

    fn reaches_callback(&self, uses: &BTreeSet<Use>, at: u32) -> bool {
        self.reachable(uses.iter()).contains(&Use::Callback(at))
    }
}

/// Returns the struct that a value is.
fn struct_of(unit: &Unit<'_>, value: &Value) -> Option<StructId> {
    let Kind::Block(id) = value.kind else { return None };
    match unit.plan.blocks.get(id.index())?.memory {
        Memory::Struct(id) => Some(id),
        _ => None,
    }
}

fn find_mirrored(unit: &Unit<'_>, value: &Value, mirrored: &mut BTreeSet<StructId>) {
    match &value.kind {
        Kind::Buffer(buffer) => {
            if buffer.ownership == Ownership::MirroredStruct {
                mirrored.extend(struct_of(unit, &buffer.element));
            }
            find_mirrored(unit, &buffer.element, mirrored);
        }
        Kind::Array { element, .. } => find_mirrored(unit, element, mirrored),
        Kind::Match { arms, default, .. } => {
            arms.iter()
                .map(|(_, arm)| arm)
                .chain(default.as_deref())
                .for_each(|arm| find_mirrored(unit, arm, mirrored));
        }
        _ => {}
    }
}

/// Adds a line of C.
fn line(out: &mut String, depth: usize, text: &str) {
    for _ in 0..depth {
        out.push_str("    ");
    }
    out.push_str(text);
    out.push('\n');
}
