//! The body of a library's function: what it opens, selects, saves and calls.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lapis_cx::contract::Standard;
use lapis_cx::lower::ir::{
    self, Base, Cx, Edge, Expr, ExprKind, ForeignArg, LocalId, Owner, ParamKind, Selection, Stmt, Storage,
};
use lapis_cx::lower::{Use, block_uses};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use super::api::{Kind, Number, Param, behind, returns};
use super::flow;
use super::{Of, Used, whole};
use crate::body::{Argument, Printer};
use crate::expr::{Code, number, scalar_type};
use crate::method::{Operand, edge_type};
use crate::tokens::{literal, part, word};
use crate::unit::Unit;

/// What only the body of a library's function has.
pub struct Routine<'s> {
    /// The buffers, by their positions among the parameters.
    pub buffers: BTreeMap<u32, Buffer>,
    of: &'s Of<'s>,
    contexts: Vec<Context<'s>>,
    slots: BTreeMap<u32, Ident>,
    /// The parameters.
    params: Vec<(Ident, Kind)>,
    /// What implements the functions that bodies call.
    calls: Ident,
    result: Option<Number>,
}

/// A buffer.
pub struct Buffer {
    /// The parameter.
    pub name: Ident,
    /// What an element is for the body.
    pub storage: Storage,
    /// What it is for the caller.
    pub number: Number,
    written: bool,
    optional: bool,
}

/// A use of an interface.
struct Context<'s> {
    used: &'s Used<'s>,
    context: &'s ir::Context,
    /// What an instance is called.
    opened: Ident,
    /// What issues commands.
    issuer: Ident,
    /// Whether anything is issued.
    is_issued: bool,
    own: Ident,
    caller: Ident,
    /// The length of an image.
    bytes: Literal,
}

/// Whether anything is done to a context that its commands do.
fn is_issued(body: &[Stmt], context: u32) -> bool {
    let mut found = false;
    flow::each(body, &mut |cx| {
        found |= matches!(cx, Cx::Issue { context: of, .. } | Cx::Reset(of) if *of == context);
    });
    found
}

/// Whether a buffer is written, here or by what it is passed to.
fn is_written(of: &Of<'_>, body: &[Stmt], at: u32) -> bool {
    body.iter().any(|stmt| {
        let here = match stmt {
            Stmt::Store(Base::Buffer(to), ..) => *to == at,
            Stmt::Cx(cx) => match &**cx {
                Cx::Foreign { function, args, .. } => {
                    let params = of.callees.get(function.index()).map(|callee| callee.params.as_slice());
                    let takes = |(arg, param): (&ForeignArg, &Param<'_>)| {
                        *arg == ForeignArg::Param(at) && matches!(param.kind, Kind::Buffer { written: true, .. })
                    };
                    args.iter().zip(params.unwrap_or_default()).any(takes)
                }
                _ => false,
            },
            _ => false,
        };
        here || flow::blocks(stmt).into_iter().any(|block| is_written(of, block, at))
    })
}

/// Prints a function of a library as a method.
pub fn method<'s>(unit: &mut Unit<'s>, of: &'s Of<'s>, routine: &'s ir::Routine) -> TokenStream {
    let Some(callee) = of.callees.get(routine.function.index()) else { return TokenStream::new() };
    let mut printer = Printer::of_routine(unit, &routine.body);
    let calls = printer.fresh("calls");
    let parameter = of.caller.clone();
    let (mut list, mut names, mut buffers) = (Vec::new(), Vec::new(), BTreeMap::new());
    for (at, (param, lowered)) in callee.params.iter().zip(&routine.params).enumerate() {
        let argument = |tokens: TokenTree, edge, native| Argument { tokens, edge, native };
        if let Kind::Number(number) = &param.kind {
            let (declared, name) = printer.passed(param.name, number.ty(), number.is_word());
            list.push(declared);
            printer.params.push(argument(number.inner(name.clone().into()), number.edge(), number.is_native()));
            names.push((name, param.kind.clone()));
            continue;
        }
        let local = printer.local(LocalId(at as u32));
        let is_read = printer.reads_of(at) > 0;
        let name = if is_read { local } else { word(&format!("_{}", crate::naming::stem(&local.to_string()))) };
        let mut mark = None;
        if let Kind::Buffer { number, written, optional } = &param.kind {
            let is_lent_again = *optional && *written && is_written(of, &routine.body.stmts, at as u32);
            mark = printer.mark(is_lent_again);
            if let ParamKind::Buffer { storage, .. } = lowered.kind {
                let (number, name) = (number.clone(), name.clone());
                let buffer = Buffer { name, storage, number, written: *written, optional: *optional };
                buffers.insert(at as u32, buffer);
            }
        }
        let ty = param.kind.ty(&parameter);
        list.push(part(quote!(#mark #name: #ty)));
        printer.params.push(argument(name.clone().into(), Edge::Bool, false));
        names.push((name, param.kind.clone()));
    }
    let mut explicit = BTreeSet::new();
    flow::explicit(&routine.body.stmts, &mut explicit);
    // The arms of one `with` have one name for what issues commands; where there are several, contexts may nest.
    let is_alone = |interface: u32| {
        let mine = |software: bool| {
            routine.contexts.iter().filter(|c| c.interface == interface && c.software == software).count()
        };
        mine(false) == 1 && mine(true) <= 1
    };
    let mut hardware: BTreeMap<u32, Ident> = BTreeMap::new();
    let contexts = routine.contexts.iter().enumerate().filter_map(|(at, context)| {
        let used = of.used.get(context.interface as usize)?.as_ref()?;
        let stem = crate::naming::stem(&used.module.to_string()).trim_end_matches('_').to_owned();
        // A name only for what there is.
        let mut named = |is_there: bool, name: String| if is_there { printer.fresh(&name) } else { word("_") };
        let is_issued = is_issued(&routine.body.stmts, at as u32);
        let issuer = match hardware.get(&context.interface).filter(|_| context.software && is_issued) {
            Some(name) => name.clone(),
            None => named(is_issued, used.module.to_string()),
        };
        if !context.software && is_issued && is_alone(context.interface) {
            hardware.insert(context.interface, issuer.clone());
        }
        Some(Context {
            opened: named(!context.software, format!("{stem}_cx")),
            issuer,
            own: named(context.saves_own, "own".to_owned()),
            caller: named(context.saves_caller, "caller".to_owned()),
            bytes: Literal::u64_unsuffixed((u64::from(context.words) + 1) * u64::from(of.section.xlen / 8)),
            is_issued,
            used,
            context,
        })
    });
    let contexts = contexts.collect();
    let mut slots = BTreeMap::new();
    flow::each(&routine.body.stmts, &mut |cx| {
        if let Cx::Enter(slot, _) = cx {
            // Nothing names a guard again of which only the end matters.
            let name = if explicit.contains(slot) { "selected" } else { "_selected" };
            slots.insert(*slot, printer.fresh(name));
        }
    });
    let takes_calls = callee.needs_calls;
    let generics = takes_calls.then(|| part(quote!(<#parameter: Calls>)));
    let declared = takes_calls.then(|| part(quote!(#calls: &mut #parameter)));
    let result = callee.result.clone();
    printer.routine =
        Some(Rc::new(Routine { buffers, of, contexts, slots, params: names, calls, result: result.clone() }));
    let block = printer.whole();
    let result = returns(result.as_ref());
    let list = behind(declared.into_iter().chain(list));
    match whole::method(of, callee, routine) {
        Some((outer, inner)) => quote! {
            #outer

            #[inline(always)]
            fn #inner #generics (&self #list) #result #block
        },
        None => {
            let name = &callee.name;
            quote!(pub fn #name #generics (&self #list) #result #block)
        }
    }
}

impl<'s> Printer<'_, 's> {
    fn context(&self, id: u32) -> Option<(Rc<Routine<'s>>, usize)> {
        let routine = self.routine.clone()?;
        let at = id as usize;
        (at < routine.contexts.len()).then_some((routine, at))
    }

    /// What is opened for a context: its name, and what looks for it.
    pub fn opened(&self, id: u32) -> (Ident, TokenTree) {
        let found = self.context(id);
        let Some(context) = found.as_ref().and_then(|(routine, at)| routine.contexts.get(*at)) else {
            return (word("_"), word("None").into());
        };
        let (field, interface) = (&context.used.field, &context.used.opens);
        let found = match context.context {
            ir::Context { fresh: true, .. } => quote!(abi1::Taken::fresh(&self.runtime, #interface)),
            ir::Context { held: true, .. } => quote!(self.#field.take(&self.runtime)),
            _ => quote!(self.#field.open(&self.runtime)),
        };
        (context.opened.clone(), part(found))
    }

    /// What the block begins with that has an instance.
    pub fn begun(&self, id: u32) -> TokenStream {
        let found = self.context(id);
        let Some(context) = found.as_ref().and_then(|(routine, at)| routine.contexts.get(*at)) else {
            return TokenStream::new();
        };
        let image = context.context.saves_own.then(|| {
            let (own, bytes) = (&context.own, &context.bytes);
            quote!(let mut #own = abi1::Image::<#bytes>::new();)
        });
        let issuer = context.is_issued.then(|| {
            let (mark, issuer, module) = (context.mark(), &context.issuer, &context.used.module);
            quote!(let #mark #issuer = #module::Selected::new(self.runtime.current());)
        });
        quote!(#image #issuer)
    }

    /// Prints a statement that only these bodies have.
    pub fn cx(&mut self, cx: &Cx) {
        let Some(routine) = self.routine.clone() else { return };
        let context = |id: u32| routine.contexts.get(id as usize);
        let tokens = match cx {
            // It stands where it is asked for.
            Cx::Open(_) => return,
            Cx::Begin(id) => {
                let Some(context) = context(*id).filter(|context| context.is_issued) else { return };
                let (mark, issuer) = (context.mark(), &context.issuer);
                let soft = &context.used.soft;
                quote!(let #mark #issuer = #soft;)
            }
            Cx::Enter(slot, selection) => {
                let name = routine.slots.get(slot).cloned().unwrap_or_else(|| word("_"));
                let selection = routine.selected(*selection);
                quote!(let #name = abi1::enter(&self.runtime, #selection);)
            }
            Cx::Select(selection) => {
                let selection = routine.selected(*selection);
                quote!(self.runtime.select(#selection);)
            }
            Cx::Leave(slot) => {
                let Some(name) = routine.slots.get(slot) else { return };
                quote!(drop(#name);)
            }
            Cx::Save(id, Owner::Own) | Cx::Restore(id, Owner::Own) => {
                let Some(context) = context(*id) else { return };
                let (own, work) = (&context.own, word(if matches!(cx, Cx::Save(..)) { "save" } else { "restore" }));
                quote!(#own.#work(&self.runtime);)
            }
            Cx::Save(id, Owner::Caller) => {
                let Some(context) = context(*id) else { return };
                let (caller, bytes) = (&context.caller, &context.bytes);
                let selector = context.selector();
                quote!(let #caller = abi1::keep::<#bytes, _>(&self.runtime, #selector);)
            }
            Cx::Restore(id, Owner::Caller) => {
                let Some(context) = context(*id) else { return };
                let caller = &context.caller;
                quote!(#caller.restore();)
            }
            Cx::Reset(id) => {
                let Some(context) = context(*id) else { return };
                let command = context.used.section.standard(Standard::WriteStatus);
                let method = command.and_then(|command| context.used.method(command.id));
                let (Some(method), issuer) = (method, &context.issuer) else { return };
                let name = &method.name;
                // `cs` initial sets all of the state to its reset values.
                quote!(#issuer.#name(1);)
            }
            Cx::Close(id) => {
                let Some(context) = context(*id) else { return };
                let opened = &context.opened;
                quote!(drop(#opened);)
            }
            Cx::Issue { context: id, id: command, args, into } => {
                let Some(context) = context(*id) else { return };
                let Some(method) = context.used.method(*command) else { return };
                let (issuer, name) = (&context.issuer, &method.name);
                let mut constant = None;
                let mut list = Vec::new();
                for (e, operand) in args.iter().zip(&method.operands) {
                    if operand.register.is_none() {
                        let value = immediate(operand, e);
                        constant = Some(part(quote!(::<#value>)));
                    } else {
                        list.push(self.as_number(&Number::of(&context.used.module, &operand.value), e));
                    }
                }
                let call = part(quote!(#issuer.#name #constant (#(#list),*)));
                let result = method.result.as_ref().map(|value| Number::of(&context.used.module, value));
                self.received(call, result.as_ref(), *into, method.is_pure())
            }
            Cx::Foreign { function, args, into } => {
                let Some(callee) = routine.of.callees.get(function.index()) else { return };
                let mut list = Vec::new();
                let calls = &routine.calls;
                if callee.is_routine && callee.needs_calls {
                    list.push(calls.clone().into());
                }
                // What is lent to be written cannot be read for another argument.
                let lends = args.iter().zip(&callee.params).any(|(arg, param)| {
                    matches!((arg, &param.kind), (ForeignArg::Param(_), Kind::Buffer { written: true, .. }))
                });
                for (arg, param) in args.iter().zip(&callee.params) {
                    list.push(match (arg, &param.kind) {
                        (ForeignArg::Value(e, _), Kind::Number(number)) => {
                            let value = self.as_number(number, e);
                            if lends && reads_buffer(e) {
                                let name = self.fresh("value");
                                self.push(quote!(let #name = #value;));
                                name.into()
                            } else {
                                value
                            }
                        }
                        (ForeignArg::Param(at), kind) => routine.passed_on(*at, kind),
                        (ForeignArg::Value(e, _), _) => self.expr(e).whole(),
                    });
                }
                let (receiver, name) = (if callee.is_routine { &word("self") } else { calls }, &callee.name);
                let call = part(quote!(#receiver.#name(#(#list),*)));
                self.received(call, callee.result.as_ref(), *into, false)
            }
        };
        self.push(tokens);
    }

    /// A call whose result begins a local, as a pattern; else it is dropped.
    fn received(
        &mut self,
        call: TokenTree,
        result: Option<&Number>,
        into: Option<(LocalId, Edge)>,
        must_use: bool,
    ) -> TokenStream {
        let Some((id, edge)) = into else {
            return if must_use { quote!(let _ = #call;) } else { quote!(#call;) };
        };
        let (mark, name) = (self.mark(self.locals.is_changed(id)), self.local(id));
        let ty = word(scalar_type(edge.ty()));
        match result {
            Some(result) => {
                let value = result.word(call);
                quote!(let #mark #name: #ty = #value;)
            }
            // What nothing gives is 0.
            None => {
                let zero = number(edge.ty(), 0, false);
                quote!(#call; let #mark #name: #ty = #zero;)
            }
        }
    }

    /// What the function gives.
    pub fn given(&mut self, e: &Expr) -> TokenTree {
        match self.routine.as_ref().and_then(|routine| routine.result.clone()) {
            Some(result) => self.as_number(&result, e),
            None => self.expr(e).whole(),
        }
    }

    /// A pattern as a value of a type.
    fn as_number(&mut self, to: &Number, e: &Expr) -> TokenTree {
        if let ExprKind::Element(Base::Buffer(at), index) = &e.kind
            && self.buffer(*at).is_some_and(|buffer| buffer.number.ty() == to.ty())
        {
            return self.element(Base::Buffer(*at), index);
        }
        if to.is_word() {
            return self.expr(e).whole();
        }
        let (ty, outer) = to.of_word();
        let inner = match (to.edge(), &e.kind) {
            (Edge::Bool, _) => self.expr(e).whole(),
            (Edge::Signed(bits) | Edge::Unsigned(bits), ExprKind::Const(v)) if *v < 1 << (bits - 1) => {
                number(e.ty, *v, false)
            }
            (Edge::Unsigned(32 | 64), _) if !to.is_native() => self.expr(e).whole(),
            // Where a pointer is wider than the XLEN at hand, the sign is that of the narrower number.
            (edge @ Edge::Signed(_), _) if to.is_native() => {
                let signed = self.cast(edge_type(edge), e).whole();
                part(quote!(#signed as #ty))
            }
            (_, _) if to.is_native() => self.cast(ty, e).whole(),
            (Edge::Unsigned(bits) | Edge::Signed(bits), _) => self.cut(ty, bits, e),
        };
        outer(inner)
    }

    /// The elements of a buffer.
    fn elements_of(&self, at: u32, written: bool) -> TokenTree {
        let Some(buffer) = self.buffer(at) else { return word("_").into() };
        let name = &buffer.name;
        part(match (buffer.optional, buffer.written, written) {
            (false, ..) => return name.clone().into(),
            (true, false, _) => quote!(#name.unwrap_or_default()),
            (true, true, false) => quote!(#name.as_deref().unwrap_or_default()),
            (true, true, true) => quote!(#name.as_deref_mut().unwrap_or_default()),
        })
    }

    /// An element of a buffer, as its caller has it.
    pub fn read_buffer(&mut self, at: u32, index: &Expr) -> TokenTree {
        let (elements, index) = (self.elements_of(at, false), self.untyped(index));
        part(quote!(abi1::read(#elements, #index)))
    }

    /// An element of a buffer as a pattern.
    pub fn buffer_word(&self, at: u32, element: TokenTree) -> Code {
        match self.buffer(at) {
            Some(buffer) => buffer.number.word(element),
            None => Code::atom(element),
        }
    }

    /// Writes an element of a buffer.
    pub fn write_buffer(&mut self, at: u32, index: &Expr, e: &Expr) {
        let Some(number) = self.buffer(at).map(|buffer| buffer.number.clone()) else { return };
        let (index, value) = (self.untyped(index), self.as_number(&number, e));
        let elements = self.elements_of(at, true);
        self.push(quote!(abi1::write(#index, #value, #elements);));
    }
}

/// Whether an expression reads a buffer.
fn reads_buffer(e: &Expr) -> bool {
    let mut found = false;
    let stmt = Stmt::Return(Some(e.clone()));
    block_uses(std::slice::from_ref(&stmt), &mut |one| found |= matches!(one, Use::Argument(_)));
    found
}

/// An immediate as a constant argument.
fn immediate(operand: &Operand, e: &Expr) -> TokenTree {
    let v = e.as_const().unwrap_or(0);
    match operand.value.edge {
        Edge::Bool => word(if v == 0 { "false" } else { "true" }).into(),
        Edge::Unsigned(_) => Literal::u64_unsuffixed(v).into(),
        Edge::Signed(bits) => {
            let v = (v << (64 - bits)).cast_signed() >> (64 - bits);
            let digits = literal(&v.unsigned_abs().to_string());
            if v < 0 { part(quote!({ -#digits })) } else { digits }
        }
    }
}

impl Context<'_> {
    /// `mut`, if commands change what issues them.
    fn mark(&self) -> Option<Ident> {
        self.used.section.state.is_some().then(|| word("mut"))
    }

    fn selector(&self) -> TokenTree {
        let opened = &self.opened;
        if self.context.held || self.context.fresh { part(quote!(#opened.selector())) } else { opened.clone().into() }
    }
}

impl Routine<'_> {
    fn selected(&self, selection: Selection) -> TokenTree {
        match selection {
            Selection::Context(id) => {
                self.contexts.get(id as usize).map_or_else(|| word("_").into(), Context::selector)
            }
            Selection::Builtin => part(quote!(cx::Selector::BUILTIN)),
        }
    }

    /// A parameter as the argument of a function that takes this.
    fn passed_on(&self, at: u32, wanted: &Kind) -> TokenTree {
        let Some((name, own)) = self.params.get(at as usize) else { return word("_").into() };
        part(match (own, wanted) {
            (Kind::Buffer { written, optional: false, .. }, Kind::Buffer { written: writes, optional: true, .. }) => {
                match (written, writes) {
                    (false, _) => quote!(Some(#name)),
                    (true, false) => quote!(Some(&*#name)),
                    (true, true) => quote!(Some(&mut *#name)),
                }
            }
            (
                Kind::Buffer { written: true, optional: true, .. },
                Kind::Buffer { written: writes, optional: true, .. },
            ) => {
                if *writes {
                    quote!(#name.as_deref_mut())
                } else {
                    quote!(#name.as_deref())
                }
            }
            _ => return name.clone().into(),
        })
    }
}
