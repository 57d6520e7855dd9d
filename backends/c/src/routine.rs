//! The functions of libraries: what discovers, selects and uses interfaces, as calls of the CX API.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

use lapis_cx::backend::in_c_comment;
use lapis_cx::contract::library::{Function, Library};
use lapis_cx::contract::{Interface, Section, Sharing, Standard};
use lapis_cx::lower::ir::{
    self, Base, Cx, Edge, Expr, ExprKind, ForeignArg, LocalId, Owner, ParamKind, Routine, Selection, Stmt, Storage,
};
use lapis_cx::lower::{Abi, ir::Context};
use minijinja::Environment;

use crate::body::{Ending, Printer};
use crate::expr::{edge_type, storage_type};
use crate::fallback::{functions, print_table};
use crate::header::{comment, comment_lines, type_name};
use crate::library;
use crate::naming::routine::LibraryNames;
use crate::naming::{self, Names, Scope};
use crate::text::List;
use crate::unit::Unit;

/// What the body of a function is made of, in C.
#[derive(Clone)]
pub struct RoutineNames<'s> {
    buffers: BTreeMap<u32, Buffer<'s>>,
    contexts: Vec<ContextNames<'s>>,
    slots: BTreeMap<u32, Cow<'s, str>>,
    /// The parameters as the caller gave them.
    params: Vec<Cow<'s, str>>,
    /// The C type of the result, if it is not that of its edge.
    pub result: Option<String>,
    /// All functions of the library, and the C types of their parameters and results.
    functions: Vec<(String, Vec<String>, String)>,
    abi: Abi,
}

/// A buffer.
#[derive(Clone)]
pub struct Buffer<'s> {
    /// A pointer to its elements.
    pub name: Cow<'s, str>,
    /// What an element is for the body.
    pub storage: Storage,
    /// The C type of an element.
    ty: String,
    /// The width of an element that has a sign in C.
    signed: Option<u32>,
}

/// A use of an interface.
#[derive(Clone)]
struct ContextNames<'s> {
    interface: Names,
    section: &'s Section,
    context: &'s Context,
    selector: Cow<'s, str>,
    state: Cow<'s, str>,
    images: [Cow<'s, str>; 2],
    /// The static functions that look for an instance and give one back.
    open: String,
    close: String,
}

impl<'s> RoutineNames<'s> {
    /// A buffer by its position among the parameters.
    pub fn buffer(&self, at: u32) -> Option<&Buffer<'s>> {
        self.buffers.get(&at)
    }

    /// The C type of the elements of a buffer, if the body sees them as another type.
    pub fn foreign_element(&self, base: Base) -> Option<String> {
        let Base::Buffer(at) = base else { return None };
        self.buffer(at).filter(|buffer| buffer.ty != storage_type(buffer.storage)).map(|buffer| buffer.ty.clone())
    }

    /// Whether the elements of a buffer are signed numbers of this width in C.
    pub fn is_signed(&self, base: Base, bits: u32) -> bool {
        matches!(base, Base::Buffer(at) if self.buffer(at).is_some_and(|buffer| buffer.signed == Some(bits)))
    }

    /// The variable that holds the selector of a context.
    pub fn selector(&self, context: u32) -> Cow<'s, str> {
        self.contexts.get(context as usize).map(|context| context.selector.clone()).unwrap_or_default()
    }
}

impl<'s> Printer<'_, 's> {
    /// Gives a name out in the body.
    fn fresh(&mut self, name: impl Into<Cow<'s, str>>) -> Cow<'s, str> {
        self.scope.fresh(name)
    }

    /// The name of a parameter of a library's function: that of its local, unless the local begins with something else
    /// than what the caller passed.
    fn parameter(&mut self, at: u32, name: &'s str, kind: ParamKind, ty: &str) -> Cow<'s, str> {
        let own = self.locals.get(at as usize).cloned().unwrap_or_default();
        match kind {
            ParamKind::Value(edge @ (Edge::Bool | Edge::Unsigned(32 | 64))) if ty == edge_type(edge) => {
                self.direct.push(LocalId(at));
            }
            ParamKind::Value(_) => return self.scope.fresh(naming::local(name).into_owned() + "_in"),
            ParamKind::Buffer { .. } | ParamKind::Passed => {}
        }
        own
    }

    /// Prints the body of a library's function, whose parameters have their names, behind these declarations.
    fn of_routine(mut self, result: Option<Edge>, declarations: String) -> String {
        self.result = result;
        self.ending = Ending::Silent;
        self.text = declarations;
        self.unused_arguments();
        for stmt in &self.body.stmts {
            // Such a local is the parameter itself.
            if !matches!(stmt, Stmt::Let(id, Expr { kind: ExprKind::Arg(_), .. }) if self.direct.contains(id)) {
                self.stmt(stmt);
            }
        }
        self.finished()
    }

    /// Prints a function of a library: parameter list and statements.
    fn routine(
        mut self,
        of: &Of<'s>,
        section: &'s Section,
        routine: &'s Routine,
        function: &'s Function,
    ) -> (String, String) {
        let types = library::parameter_types(of.library, function);
        let mut list = List::default();
        let mut buffers = BTreeMap::new();
        let mut aliases = String::new();
        let mut params = Vec::new();
        for (i, (param, (ty, element))) in routine.params.iter().zip(types).enumerate() {
            let name = self.parameter(i as u32, &param.name, param.kind, &ty);
            list.item(&[&library::declared(&ty, &name)]);
            let edge = match param.kind {
                ParamKind::Value(edge) => edge,
                ParamKind::Buffer { storage, written, edge, .. } => {
                    let signed = match edge {
                        Edge::Signed(bits) => Some(bits),
                        Edge::Bool | Edge::Unsigned(_) => None,
                    };
                    let mut buffer = Buffer { name: name.clone(), storage, ty: element, signed };
                    if function.params.get(i).is_some_and(|param| param.place.c.is_some()) {
                        // Declared as something else: the elements are looked at through a pointer of their own.
                        buffer.name = self.fresh(format!("{name}_elements"));
                        let ty = if written { format!("{} *", buffer.ty) } else { format!("const {} *", buffer.ty) };
                        let _ = writeln!(aliases, "    {ty}{} = ({ty}){name};", buffer.name);
                    }
                    buffers.insert(i as u32, buffer);
                    Edge::Bool
                }
                ParamKind::Passed => Edge::Bool,
            };
            params.push(name.clone());
            // Of another type in C, it is first made one of the body's.
            let is_other = matches!(param.kind, ParamKind::Value(_)) && ty != edge_type(edge);
            let read = if is_other { format!("({}){name}", edge_type(edge)).into() } else { name };
            self.params.push((read, edge));
        }
        let contexts = routine.contexts.iter().filter_map(|context| {
            let interface = of.library.used.get(context.interface as usize)?;
            let used = of.used.iter().find(|used| used.interface == context.interface);
            let names = Names::new(interface);
            // A name only for what there is.
            let mut named = |is_there: bool, word: &str| {
                if is_there { self.fresh(format!("{}_{word}", names.stem)) } else { Cow::Borrowed("") }
            };
            Some(ContextNames {
                section: interface.sections.iter().find(|s| s.xlen == section.xlen)?,
                context,
                selector: named(!context.software, "sel"),
                state: named(context.software, "st"),
                images: [named(context.saves_own, "own"), named(context.saves_caller, "caller")],
                open: used
                    .map(|used| if context.held { used.take.clone() } else { used.open.clone() })
                    .unwrap_or_default(),
                close: used.map(|used| used.give.clone()).unwrap_or_default(),
                interface: names,
            })
        });
        let contexts = contexts.collect();
        let functions = of.library.functions.iter().map(|f| {
            let types = library::parameter_types(of.library, f).into_iter().map(|(ty, _)| ty);
            (library::function_name(of.library, f), types.collect(), library::result_type(of.library, f))
        });
        let functions = functions.collect();
        let result = library::result_type(of.library, function);
        let result = routine.result.filter(|edge| result != edge_type(*edge)).map(|_| result);
        let slots = BTreeMap::new();
        self.routine = Some(RoutineNames { buffers, contexts, slots, params, result, functions, abi: of.abi });
        let text = self.of_routine(routine.result, aliases);
        (list.or_void(), text)
    }

    /// Prints a statement that only these bodies have.
    pub fn cx(&mut self, cx: &Cx) {
        let Some(routine) = self.routine.clone() else { return };
        let context = |id: u32| routine.contexts.get(id as usize);
        let mut text = String::new();
        match cx {
            Cx::Open(id) => {
                let Some(context) = context(*id) else { return };
                let owners = [(context.context.saves_own, 0), (context.context.saves_caller, 1)];
                for (_, owner) in owners.iter().filter(|(saves, _)| *saves) {
                    let image = context.images.get(*owner).map_or("", |name| name);
                    self.indent();
                    let _ = writeln!(self.text, "cx_word_t {image}[{}];", u64::from(context.context.words) + 1);
                }
                let open = if context.context.fresh {
                    format!("cx_open(&{}, {})", context.interface.member("uuid"), flags(context.section))
                } else {
                    format!("{}()", context.open)
                };
                put!(&mut text, "const cx_sel_t ", context.selector, " = ", open);
            }
            Cx::Begin(id) => {
                let Some(context) = context(*id).filter(|context| context.section.state.is_some()) else { return };
                self.indent();
                put!(&mut self.text, context.interface.member("state"), " ", context.state, ";\n");
                put!(&mut text, context.interface.member("state_init"), "(&", context.state, ")");
            }
            Cx::Enter(slot, selection) if routine.abi == Abi::Preserved => {
                let name = self.fresh("prev");
                put!(&mut text, "const cx_sel_t ", name, " = cx_select(", routine.selected(*selection), ")");
                if let Some(routine) = &mut self.routine {
                    routine.slots.insert(*slot, name);
                }
            }
            Cx::Enter(_, selection) | Cx::Select(selection) => {
                put!(&mut text, "cx_select(", routine.selected(*selection), ")");
            }
            Cx::Leave(slot) => {
                let before = routine.slots.get(slot).map_or("cx_sel_builtin", |name| name);
                put!(&mut text, "cx_select(", before, ")");
            }
            Cx::Save(id, owner) | Cx::Restore(id, owner) => {
                let Some(context) = context(*id) else { return };
                let image = match (owner, &context.images) {
                    (Owner::Own, [own, _]) => own,
                    (Owner::Caller, [_, caller]) => caller,
                };
                let call = if matches!(cx, Cx::Save(..)) { "(void)cx_save(" } else { "cx_restore(" };
                put!(&mut text, call, image, ", sizeof ", image, ")");
            }
            Cx::Reset(id) => {
                let Some(context) = context(*id) else { return };
                let Some(command) = context.section.standard(Standard::WriteStatus) else { return };
                // `cs` initial sets all of the state to its reset values.
                put!(&mut text, "(void)", context.interface.member(&command.name), "(1)");
            }
            Cx::Close(id) => {
                let Some(context) = context(*id) else { return };
                let close = if context.context.fresh { "cx_close" } else { &context.close };
                put!(&mut text, close, "(", context.selector, ")");
            }
            Cx::Issue { context: id, id: command, args, into } => {
                let Some(context) = context(*id) else { return };
                let Some(command) = context.section.commands.iter().find(|c| c.id == *command) else { return };
                let mut list = List::default();
                let software = context.context.software;
                if software && context.section.state.is_some() {
                    list.item(&["&", &context.state]);
                }
                for (e, operand) in args.iter().zip(&command.operands) {
                    let ty = type_name(&context.interface, context.section, &operand.ty);
                    list.item(&[&self.converted(e, &ty, lapis_cx::lower::edge(&operand.ty))]);
                }
                let name = if software {
                    context.interface.software(&command.name)
                } else {
                    context.interface.member(&command.name)
                };
                let call = format!("{name}({})", list.as_str());
                text = self.received(&call, *into, command.result.is_some());
            }
            Cx::Foreign { function, args, into } => {
                let mut list = List::default();
                let (name, types, result) = routine.functions.get(function.index()).cloned().unwrap_or_default();
                for (arg, ty) in args.iter().zip(&types) {
                    match arg {
                        ForeignArg::Value(e, edge) => list.item(&[&self.converted(e, ty, *edge)]),
                        ForeignArg::Param(at) => list.item(&[routine.params.get(*at as usize).map_or("", |name| name)]),
                    }
                }
                // One that may be wider than its number is cut.
                let cut = match into {
                    Some((_, edge @ Edge::Unsigned(32 | 64))) if result != edge_type(*edge) => {
                        format!("({})", edge_type(*edge))
                    }
                    _ => String::new(),
                };
                let call = format!("{cut}{name}({})", list.as_str());
                text = self.received(&call, *into, false);
            }
        }
        self.indent();
        self.text.push_str(&text);
        self.end();
    }

    /// A value as a type that its pattern is of.
    fn converted(&mut self, e: &Expr, ty: &str, edge: Edge) -> String {
        let start = self.text.len();
        let element = |base: Base| self.routine.as_ref().and_then(|routine| routine.foreign_element(base));
        match &e.kind {
            // An element that is of this type anyway.
            ExprKind::Element(base, index) if element(*base).is_some_and(|of| of == ty) => self.element(*base, index),
            _ if edge == Edge::Bool && ty == "bool" => self.expr(e),
            _ if matches!(edge, Edge::Unsigned(32 | 64)) && ty == edge_type(edge) => self.expr(e),
            _ => self.cast(ty, e),
        }
        self.text.split_off(start)
    }

    /// A call whose result begins a local, as a pattern; else it is dropped.
    fn received(&mut self, call: &str, into: Option<(LocalId, Edge)>, drops: bool) -> String {
        let Some((id, edge)) = into else {
            return if drops { format!("(void){call}") } else { call.to_owned() };
        };
        let (ty, casts) = match edge {
            Edge::Bool => ("bool", ""),
            Edge::Unsigned(64) => ("uint64_t", ""),
            Edge::Unsigned(32) => ("uint32_t", ""),
            Edge::Unsigned(16) => ("uint32_t", "(uint16_t)"),
            Edge::Unsigned(_) => ("uint32_t", "(uint8_t)"),
            Edge::Signed(64) => ("uint64_t", "(uint64_t)"),
            Edge::Signed(32) => ("uint32_t", "(uint32_t)"),
            Edge::Signed(16) => ("uint32_t", "(uint16_t)"),
            Edge::Signed(_) => ("uint32_t", "(uint8_t)"),
        };
        let start = self.text.len();
        self.local(id);
        let name = self.text.split_off(start);
        format!("{ty} {name} = {casts}{call}")
    }
}

impl RoutineNames<'_> {
    fn selected(&self, selection: Selection) -> Cow<'_, str> {
        match selection {
            Selection::Builtin => "cx_sel_builtin".into(),
            Selection::Context(id) => self.selector(id),
        }
    }
}

/// How an interface is opened: as its contract says.
fn flags(section: &Section) -> &'static str {
    match section.state.as_ref().map(|state| state.sharing) {
        Some(Sharing::Exclusive) => "cx_open_exclusive",
        _ => "cx_open_shared",
    }
}

/// An interface that functions use on the CX, and the static names about it.
struct Used<'l> {
    interface: u32,
    source: &'l Interface,
    instance: String,
    open: String,
    take: String,
    give: String,
    is_held: bool,
    is_kept: bool,
}

/// The library that is printed.
struct Of<'l> {
    library: &'l Library,
    used: &'l [Used<'l>],
    abi: Abi,
}

/// Prints the header.
pub fn header(
    templates: &Environment<'_>,
    names: &LibraryNames,
    library: &Library,
    abi: Abi,
) -> Result<String, minijinja::Error> {
    let is_cx = |function: &Function| abi == Abi::Preserved && function.follows_cx();
    let shown = names.declared(library).map(|function| {
        let mut docs = String::new();
        comment(&mut docs, &function.docs);
        let text = library::with_identifier(&library::shown(library, function), "_Bool", "bool");
        let attribute = if is_cx(function) { " CX_CALL;" } else { ";" };
        format!("{docs}{}{attribute}", text.trim_end_matches(';'))
    });
    let context = minijinja::context! {
        title => names.include(),
        origin => origin(library),
        docs => comment_lines(&library.docs),
        guard => names.guard(),
        includes => library.binding.declaring_headers().to_vec(),
        declarations => shown.collect::<Vec<_>>(),
        close => names.close(),
        uses_cx => library.functions.iter().any(is_cx),
    };
    crate::render(templates, crate::LIBRARY_HEADER, context)
}

/// Prints the functions.
pub fn source(
    templates: &Environment<'_>,
    names: &LibraryNames,
    library: &Library,
    lowered: &ir::Library,
    abi: Abi,
) -> Result<String, minijinja::Error> {
    let mut taken = Scope::default();
    for interface in &library.used {
        Names::new(interface).public(interface).into_iter().for_each(|name| taken.reserve(name.name));
    }
    library.functions.iter().for_each(|f| taken.reserve(library::function_name(library, f)));
    taken.reserve(names.close());
    let used = used(library, lowered, &mut taken);
    let taken = Rc::new(taken);
    let of = Of { library, used: &used, abi };
    let sections = library.sections.iter().zip(&lowered.sections).map(|(source, section)| {
        minijinja::context! { xlen => source.xlen, text => section_text(&of, names, source, section, &taken) }
    });
    let stems = library.used.iter().map(|interface| Names::new(interface).stem + ".h");
    let instances = used.iter().filter(|used| used.is_kept).map(|used| {
        let interface = Names::new(used.source);
        let sharing = used.source.sections.first().map_or("cx_open_shared", flags);
        minijinja::context! {
            origin => in_c_comment(&format!("{}:{}", used.source.package, used.source.name)),
            uuid => interface.member("uuid"),
            flags => sharing,
            instance => used.instance.clone(),
            open => used.open.clone(),
            take => used.take.clone(),
            give => used.give.clone(),
            is_held => used.is_held,
        }
    });
    let context = minijinja::context! {
        title => names.source_file(),
        origin => origin(library),
        include => names.include(),
        includes => stems.collect::<Vec<_>>(),
        instances => instances.collect::<Vec<_>>(),
        close => names.close(),
        sections => sections.collect::<Vec<_>>(),
    };
    crate::render(templates, crate::LIBRARY_SOURCE, context)
}

fn origin(library: &Library) -> String {
    in_c_comment(&format!("{}:{}", library.package, library.name)).into_owned()
}

/// The interfaces that some function looks for.
fn used<'l>(library: &'l Library, lowered: &ir::Library, taken: &mut Scope<'_>) -> Vec<Used<'l>> {
    let contexts: Vec<&Context> =
        lowered.sections.iter().flat_map(|s| &s.routines).flat_map(|r| &r.contexts).filter(|c| !c.software).collect();
    let mut used = Vec::new();
    for (at, source) in library.used.iter().enumerate() {
        let mine = || contexts.iter().filter(|context| context.interface as usize == at);
        if mine().next().is_none() {
            continue;
        }
        let stem = Names::new(source).stem;
        let mut name = |word: &str| taken.fresh(format!("{word}_{stem}")).into_owned();
        used.push(Used {
            interface: at as u32,
            source,
            instance: name("instance_of"),
            open: name("open"),
            take: name("take"),
            give: name("give"),
            is_held: mine().any(|context| context.held && !context.fresh),
            is_kept: mine().any(|context| !context.fresh),
        });
    }
    used
}

fn section_text<'a>(
    of: &Of<'a>,
    names: &LibraryNames,
    source: &'a Section,
    section: &'a ir::LibrarySection,
    taken: &Rc<Scope<'a>>,
) -> String {
    let mut unit = Unit::new(&names.statics(), &section.section, taken);
    let mut code = String::new();
    functions(&mut code, &mut unit);
    for routine in &section.routines {
        let Some(function) = of.library.functions.get(routine.function.index()) else { continue };
        let (list, text) = Printer::new(&mut unit, &routine.body).routine(of, source, routine, function);
        let attribute = if of.abi == Abi::Preserved && function.follows_cx() { " CX_CALL" } else { "" };
        let head = library::head(of.library, function, &list);
        put!(&mut code, head, attribute, "\n{\n", text, "}\n\n");
    }
    let mut out = String::new();
    for id in &section.section.used_tables {
        if let Some(table) = section.section.tables.get(id.0 as usize) {
            print_table(&mut out, unit.table(*id), table);
        }
    }
    out.push_str(&crate::helper::texts(&unit.used, unit.division_limbs, |helper| unit.helper_name(helper)));
    out + code.trim_end()
}
