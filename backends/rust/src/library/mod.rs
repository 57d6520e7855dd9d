//! The file of a library whose functions have bodies: a type whose methods they are, over a runtime, and a trait for what
//! they call.

pub mod api;
pub mod flow;
pub mod routine;
mod whole;

use lapis_cx::contract::library::{Function, FunctionId, Library};
use lapis_cx::contract::{Interface, Section, Semantics};
use lapis_cx::lower::ir::{self, Cx};
use proc_macro2::{Ident, TokenTree};
use quote::quote;

use crate::Form;
use crate::common::Common;
use crate::helper;
use crate::method::{self, Method};
use crate::naming::{self, Scope};
use crate::print::{Writer, comment};
use crate::section::{self, begin, choice};
use crate::software;
use crate::tokens::{ident, part, word};
use crate::unit::Unit;

use api::{Kind, Number, Param, Passed, returns};

/// The library that is printed, at one XLEN.
pub struct Of<'l> {
    library: &'l Library,
    section: &'l Section,
    /// The interfaces that some function uses, by their positions among those of the library.
    used: Vec<Option<Used<'l>>>,
    /// The functions by their ids.
    callees: Vec<Callee<'l>>,
    passed: Vec<Ident>,
    /// The type of the runtime, as a parameter.
    runtime: Ident,
    /// The type that implements what bodies call, as a parameter.
    caller: Ident,
}

/// An interface in use.
struct Used<'l> {
    source: &'l Interface,
    section: &'l Section,
    /// The name of its module.
    module: Ident,
    methods: Vec<Method>,
    /// What of the library's type keeps an instance.
    field: Ident,
    is_kept: bool,
    /// How it is opened.
    opens: TokenTree,
    /// Its fallback, as it begins.
    soft: TokenTree,
    /// The parameter of the fallback, if commands without a body are in use.
    bodies: Option<Ident>,
}

impl Used<'_> {
    fn method(&self, id: u16) -> Option<&Method> {
        self.methods.iter().find(|method| method.id == id)
    }
}

/// A function of the library.
struct Callee<'l> {
    function: &'l Function,
    name: Ident,
    is_routine: bool,
    /// Whether a body calls it.
    is_called: bool,
    /// Whether it takes what implements the functions that bodies call.
    needs_calls: bool,
    params: Vec<Param<'l>>,
    result: Option<Number>,
}

/// The library as people know it.
fn origin(library: &Library) -> String {
    format!("{}:{}", library.package, library.name)
}

/// Prints the file.
pub fn file(out: &mut Writer, form: Form, library: &Library, lowered: &ir::Library) {
    let origin = origin(library);
    begin(out, form, &naming::library::stem(library), &origin);
    let modules = modules(library, lowered);
    let xlens: Vec<u32> = library.sections.iter().map(|s| s.xlen).collect();
    choice(out, &origin, &xlens);
    let mut why = Some(comment("The modules of the interfaces stand beside this one."));
    let mut imports: Vec<_> = modules.iter().flatten().collect();
    imports.sort();
    for (module, alias) in imports {
        let (why, module, alias) = (why.take(), ident(module), alias.as_ref().map(|alias| ident(alias)));
        let renamed = alias.map(|alias| part(quote!(as #alias)));
        out.items(quote!(#why use super::#module #renamed;));
    }
    for (section, lowered) in library.sections.iter().zip(&lowered.sections) {
        let of = of(library, section, lowered, &modules);
        out.docs("", format_args!("`{origin}` where a register has {} bits.", section.xlen));
        out.open_common(Common::Head(section.xlen));
        module(out, &of, lowered);
        out.close();
    }
}

/// The names of the modules of the interfaces that some function uses, and what they are called here, if that is another.
fn modules(library: &Library, lowered: &ir::Library) -> Vec<Option<(String, Option<String>)>> {
    let mut scope = Scope::default();
    ["cx", "abi1", "core", "chosen", "xlen32", "xlen64"].iter().for_each(|name| scope.reserve(*name));
    let routines = || lowered.sections.iter().flat_map(|section| &section.routines);
    let is_used = |at: usize| routines().flat_map(|r| &r.contexts).any(|c| c.interface as usize == at);
    let used = library.used.iter().enumerate().map(|(at, interface)| {
        is_used(at).then(|| {
            let module = naming::module(interface);
            let alias = scope.fresh(&module);
            let alias = (*alias != *module).then(|| alias.to_string());
            (module, alias)
        })
    });
    used.collect()
}

/// Gathers what the functions are made of.
fn of<'l>(
    library: &'l Library,
    section: &'l Section,
    lowered: &ir::LibrarySection,
    modules: &[Option<(String, Option<String>)>],
) -> Of<'l> {
    let (mut fields, mut types) = (Scope::default(), types(library, section));
    ["runtime", "bodies"].iter().for_each(|name| fields.reserve(*name));
    let [runtime, caller] = ["R", "C"].map(|name| ident(&types.fresh(name)));
    let contexts = || lowered.routines.iter().flat_map(|routine| &routine.contexts);
    let used = library.used.iter().zip(modules).enumerate().map(|(at, (source, names))| {
        let mine = || contexts().filter(|context| context.interface as usize == at);
        let (module, alias) = names.as_ref().filter(|_| mine().next().is_some())?;
        let module = ident(alias.as_ref().unwrap_or(module));
        let section = source.sections.iter().find(|s| s.xlen == section.xlen)?;
        let sharing = word(software::sharing(section));
        let is_opaque = section.commands.iter().any(|c| c.semantics == Semantics::Opaque);
        let is_soft = mine().any(|context| context.software);
        let bodies = (is_opaque && is_soft).then(|| ident(&types.fresh("B")));
        let soft = match &bodies {
            Some(bodies) => quote!(#module::Soft::<#bodies>::default()),
            None if section.state.is_some() => quote!(#module::Soft::default()),
            None => quote!(#module::Soft),
        };
        Some(Used {
            methods: method::methods(source, section),
            field: ident(&fields.fresh(&module.to_string())),
            is_kept: mine().any(|context| !context.software && !context.fresh),
            opens: part(quote! {
                abi1::Interface { uuid: #module::UUID, sharing: cx::Sharing::#sharing }
            }),
            soft: part(soft),
            bodies,
            source,
            section,
            module,
        })
    });
    let used = used.collect();
    let (mut passed, mut callees) = (Passed::default(), Vec::new());
    for function in &library.functions {
        let at = FunctionId(callees.len() as u32);
        let is_routine = lowered.routines.iter().any(|routine| routine.function == at);
        let is_called = lowered.routines.iter().any(|routine| calls(&routine.body.stmts, at));
        let is_printed = is_routine || is_called;
        callees.push(Callee {
            name: ident(&if is_routine {
                naming::library::routine(function)
            } else {
                naming::library::called(function)
            }),
            params: if is_printed { passed.params(library, section, function) } else { Vec::new() },
            result: Number::new(section, &function.result).filter(|_| is_printed),
            function,
            is_routine,
            is_called,
            needs_calls: false,
        });
    }
    need_calls(&mut callees, lowered);
    Of { library, section, used, callees, passed: passed.names().cloned().collect(), runtime, caller }
}

/// Whether a function is called.
fn calls(stmts: &[ir::Stmt], function: FunctionId) -> bool {
    let mut found = false;
    flow::each(stmts, &mut |cx| found |= matches!(cx, Cx::Foreign { function: of, .. } if *of == function));
    found
}

/// Finds out which functions take what implements others: those that call one, or one that takes it, or have a parameter of
/// a type of it.
fn need_calls(callees: &mut [Callee<'_>], lowered: &ir::LibrarySection) {
    loop {
        let needs: Vec<bool> = (0..callees.len())
            .map(|at| {
                let Some(callee) = callees.get(at).filter(|callee| callee.is_routine) else { return false };
                let routine = lowered.routines.iter().find(|routine| routine.function.index() == at);
                let stmts = routine.map(|routine| routine.body.stmts.as_slice()).unwrap_or_default();
                let mut of_calls = callees.iter().enumerate().filter(|(_, c)| !c.is_routine || c.needs_calls);
                callee.params.iter().any(|param| matches!(param.kind, Kind::Passed(_)))
                    || of_calls.any(|(at, _)| calls(stmts, FunctionId(at as u32)))
            })
            .collect();
        let is_done = callees.iter().zip(&needs).all(|(callee, needs)| callee.needs_calls == *needs);
        callees.iter_mut().zip(needs).for_each(|(callee, needs)| callee.needs_calls = needs);
        if is_done {
            return;
        }
    }
}

/// What is in the module of an XLEN.
fn module(out: &mut Writer, of: &Of<'_>, lowered: &ir::LibrarySection) {
    let begin = out.mark();
    let xlen = word(&format!("xlen{}", of.section.xlen));
    let mut imports: Vec<_> = of.used.iter().flatten().collect();
    imports.sort_by_key(|used| used.module.to_string());
    for used in imports {
        let (module, name) = (&used.module, ident(&naming::type_name(&used.source.name)));
        out.items(quote! {
            use super::#module::#xlen as #module;
            use super::#module::#xlen::#name as _;
        });
    }
    for def in of.section.enums.iter().filter(|def| def.width <= 64) {
        section::enumeration(out, def);
    }
    let mut unit = Unit::new(of.section, &lowered.section);
    library(out, &mut unit, of, lowered);
    if !of.passed.is_empty() || of.callees.iter().any(|callee| callee.needs_calls) {
        called(out, of);
    }
    software::private(out, &mut unit, &lowered.section);
    helper::print(out, &unit.used, unit.division_limbs);
    // What is used is known only now.
    let [core, abi1] = ["cx::", "abi1::"].map(|used| out.has(begin, used));
    out.insert(begin, Common::Imports { core, abi1 });
}

/// Prints the type and its methods.
fn library<'s>(out: &mut Writer, unit: &mut Unit<'s>, of: &'s Of<'s>, lowered: &'s ir::LibrarySection) {
    let name = ident(&naming::library::library_type(of.library));
    let kept: Vec<&Used<'_>> = of.used.iter().flatten().filter(|used| used.is_kept).collect();
    let fields: Vec<&Ident> = kept.iter().map(|used| &used.field).collect();
    let opens: Vec<&TokenTree> = kept.iter().map(|used| &used.opens).collect();
    let r = &of.runtime;
    let mut declared = vec![part(quote!(#r: cx::Runtime))];
    let mut given = vec![TokenTree::from(r.clone())];
    for used in of.used.iter().flatten() {
        let (module, Some(bodies)) = (&used.module, &used.bodies) else { continue };
        declared.push(part(quote!(#bodies: #module::Bodies)));
        given.push(bodies.clone().into());
    }
    let bodies: Vec<&TokenTree> = given.iter().skip(1).collect();
    let has_bodies = !bodies.is_empty();
    // A derived implementation would ask the bodies for it too.
    let derive = (!has_bodies).then(|| part(quote!(#[derive(Debug)])));
    let member = has_bodies.then(|| part(quote!(bodies: ::core::marker::PhantomData<fn() -> (#(#bodies,)*)>,)));
    let value = has_bodies.then(|| part(quote!(bodies: ::core::marker::PhantomData,)));
    out.docs(&of.library.docs, "");
    let keeps = if kept.is_empty() { "" } else { " What they\nopen they keep, and close when this is dropped." };
    out.docs(
        "",
        format_args!("The functions of `{}` that have a body, on the CXs of a runtime.{keeps}", origin(of.library)),
    );
    out.items(quote! {
        #derive
        pub struct #name<#(#declared),*> {
            runtime: #r,
            #(#fields: abi1::Instance,)*
            #member
        }
    });
    let why = comment("A function may use no CX; its name and parameters are the specification's.");
    let inlined = comment("What looks at lengths first has its body twice.");
    out.open(quote! {
        #why
        #[allow(clippy::unused_self, clippy::too_many_arguments, clippy::self_named_constructors)]
        #[allow(clippy::wrong_self_convention, clippy::should_implement_trait)]
        #inlined
        #[allow(clippy::inline_always)]
        impl<#(#declared),*> #name<#(#given),*>
    });
    let nothing = if kept.is_empty() { "" } else { " Nothing is opened before it is wanted." };
    out.docs("", format_args!("The functions on this runtime.{nothing}"));
    out.attribute("must_use");
    out.items(quote! {
        pub const fn new(runtime: #r) -> Self {
            #name {
                runtime,
                #(#fields: abi1::Instance::new(#opens),)*
                #value
            }
        }
    });
    for routine in &lowered.routines {
        if let Some(callee) = of.callees.get(routine.function.index()) {
            document(out, callee);
            out.items(routine::method(unit, of, routine));
        }
    }
    out.close();
    if !kept.is_empty() {
        out.items(quote! {
            impl<#(#declared),*> Drop for #name<#(#given),*> {
                fn drop(&mut self) {
                    #(self.#fields.close(&self.runtime);)*
                }
            }
        });
    }
}

/// The types of a module.
fn types(library: &Library, section: &Section) -> Scope {
    let mut scope = Scope::default();
    scope.reserve(naming::library::library_type(library));
    scope.reserve(naming::library::CALLS);
    section.enums.iter().for_each(|def| scope.reserve(naming::type_name(&def.name)));
    scope
}

/// Documents what is printed next as this function.
fn document(out: &mut Writer, callee: &Callee<'_>) {
    out.docs(&callee.function.docs, format_args!("The function `{}`.", callee.function.name));
    for param in callee.params.iter().filter(|param| !param.docs.trim().is_empty()) {
        out.docs(&format!("`{}`: {}", param.name, param.docs.trim()), "");
    }
}

/// Prints the trait of what bodies call.
fn called(out: &mut Writer, of: &Of<'_>) {
    out.docs("", format_args!("What the functions of `{}` call, and who calls them has.", origin(of.library)));
    let why = comment("Names and parameters are the specification's.");
    out.open(quote! {
        #why
        #[allow(clippy::wrong_self_convention, clippy::too_many_arguments)]
        pub trait Calls
    });
    for name in &of.passed {
        out.docs("", format_args!("What the functions pass on as `{name}`."));
        out.items(quote!(type #name;));
    }
    for callee in of.callees.iter().filter(|callee| callee.is_called && !callee.is_routine) {
        document(out, callee);
        let convention = if callee.function.follows_cx() {
            "Of the CX calling convention: it gives back the selection, and the state of shared CXs."
        } else {
            "Of the default calling convention: it is called with built-in selected, and gives the selection back."
        };
        out.docs(convention, "");
        let (name, result) = (&callee.name, returns(callee.result.as_ref()));
        let mut scope = Scope::default();
        let list = callee.params.iter().map(|param| {
            let name = ident(&scope.fresh(&naming::snake(param.name)));
            let ty = param.kind.ty(&word("Self"));
            part(quote!(#name: #ty))
        });
        let list = api::behind(list);
        out.items(quote!(fn #name(&mut self #list) #result;));
    }
    out.close();
}
