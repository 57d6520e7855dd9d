//! The statements of one body as tokens.

use std::rc::Rc;

use lapis_cx::contract::FieldId;
use lapis_cx::lower::ir::{self, Base, Body, Edge, Expr, ExprKind, LocalId, Shape, Stmt, Storage};
use lapis_cx::lower::{Use, block_uses};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote;

use crate::expr::storage_type;
use crate::library::routine::{Buffer, Routine};
use crate::method::edge_type;
use crate::mutable::Locals;
use crate::naming::{self, STATUS, Scope};
use crate::tokens::{ident, part, word};
use crate::unit::Unit;

/// What a body was passed as an operand.
pub struct Argument {
    /// The number, in a type of this edge.
    pub tokens: TokenTree,
    /// What it is.
    pub edge: Edge,
    /// Whether that type is `usize` or `isize` in place of one with as many bits as the edge.
    pub native: bool,
}

/// Makes the tokens of one body.
pub struct Printer<'u, 's> {
    /// What the section shares.
    pub unit: &'u mut Unit<'s>,
    /// The name of the state: `self` in its own methods.
    pub state: &'static str,
    /// What a command, or a function of a library, was passed.
    pub params: Vec<Argument>,
    names: Vec<Ident>,
    /// What is given out: these names, and what no local may hide.
    scope: Scope,
    /// The argument of each place that reads one.
    arguments: Vec<u32>,
    /// Which of them are `mut`.
    pub locals: Locals,
    /// Which of them are read.
    pub read: Vec<bool>,
    /// The body.
    pub body: &'s Body,
    /// The storage and length of a function's array result.
    array_result: Option<(Storage, u32)>,
    /// The parameters of a function, which are borrowed if they are arrays.
    borrowed: usize,
    /// What a command gives.
    pub result: Option<Edge>,
    /// Whether it gives an answer too.
    pub reports: bool,
    /// Locals that are parameters.
    direct: Vec<LocalId>,
    /// What only the body of a library's function has.
    pub routine: Option<Rc<Routine<'s>>>,
    /// Statements that the next block begins with.
    pub first: TokenStream,
    /// The statements so far.
    pub out: TokenStream,
}

/// Where a function puts its array result.
const OUT: &str = "out";

impl<'u, 's> Printer<'u, 's> {
    /// A printer of a body whose first `params` locals are parameters.
    fn new(unit: &'u mut Unit<'s>, body: &'s Body, params: usize) -> Printer<'u, 's> {
        let scope = unit.taken.clone();
        Printer::within(unit, scope, body, params)
    }

    /// A printer of the body of a library's function.
    pub fn of_routine(unit: &'u mut Unit<'s>, body: &'s Body) -> Printer<'u, 's> {
        let scope = unit.taken_in_routines.clone();
        Printer::within(unit, scope, body, 0)
    }

    fn within(unit: &'u mut Unit<'s>, mut scope: Scope, body: &'s Body, params: usize) -> Printer<'u, 's> {
        let locals = Locals::new(body, params);
        let mut read = vec![false; body.locals.len()];
        let mut arguments = Vec::new();
        block_uses(&body.stmts, &mut |u| match u {
            Use::Local(id) => {
                if let Some(flag) = read.get_mut(id.index()) {
                    *flag = true;
                }
            }
            Use::Argument(i) => arguments.push(i),
            _ => {}
        });
        // Loop variables have a scope of their own, so many may have one name; other locals must differ, as lowering may
        // have merged their scopes.
        let is_loop = |i: usize| locals.is_loop(LocalId(i as u32));
        let name = |local: &ir::Local| naming::snake(&local.name);
        let mut names = vec![None; body.locals.len()];
        for (i, (local, place)) in body.locals.iter().zip(&mut names).enumerate() {
            if !local.name.is_empty() && !is_loop(i) {
                *place = Some(scope.fresh(&name(local)));
            }
        }
        let mut loops = Vec::new();
        for (i, (local, place)) in body.locals.iter().zip(&mut names).enumerate() {
            if !local.name.is_empty() && is_loop(i) {
                let name = scope.free(&name(local));
                loops.push(name.clone());
                *place = Some(name);
            }
        }
        loops.into_iter().for_each(|name| scope.reserve(name));
        let mut next = 0;
        let names = names.into_iter().map(|name| name.unwrap_or_else(|| scope.temporary(&mut next)));
        let names = names.map(|name| ident(&name)).collect();
        Printer {
            unit,
            state: "st",
            params: Vec::new(),
            names,
            scope,
            arguments,
            locals,
            read,
            body,
            array_result: None,
            borrowed: params,
            result: None,
            reports: false,
            direct: Vec::new(),
            routine: None,
            first: TokenStream::new(),
            out: TokenStream::new(),
        }
    }

    /// Prints a method of the state: the names of its parameters, and its statements.
    pub fn method(unit: &'u mut Unit<'s>, body: &'s Body, params: usize) -> (Vec<TokenTree>, Group) {
        let mut printer = Printer::new(unit, body, params);
        printer.state = "self";
        printer.borrowed = 0;
        let names = (0..params as u32).map(|i| printer.parameter(LocalId(i))).collect();
        let block = printer.block(&body.stmts, true);
        (names, block)
    }

    /// Prints the body of a command, or of an access of a CSR: the parameters that stand behind the state, and statements.
    /// `reports` says that it gives an answer beside its value.
    pub fn issued(
        unit: &'u mut Unit<'s>,
        body: &'s Body,
        params: &[ir::Param],
        result: Option<Edge>,
        reports: bool,
    ) -> (Vec<TokenTree>, Group) {
        let mut printer = Printer::new(unit, body, 0);
        let list = params.iter().map(|param| {
            let is_word = matches!(param.edge, Edge::Bool | Edge::Unsigned(32 | 64));
            let (declared, name) = printer.passed(&param.name, edge_type(param.edge), is_word);
            printer.params.push(Argument { tokens: name.into(), edge: param.edge, native: false });
            declared
        });
        let list = list.collect();
        printer.result = result;
        printer.reports = reports;
        (list, printer.whole())
    }

    /// The next operand: as a parameter of this type, and its name. `is_word` says that what the body computes with is of
    /// this type.
    pub fn passed(&mut self, name: &str, ty: Ident, is_word: bool) -> (TokenTree, Ident) {
        let i = self.params.len();
        // A word of the right type is its own local; others begin as the low bits of what was passed.
        let own = self.body.stmts.iter().find_map(|stmt| match stmt {
            Stmt::Let(id, Expr { kind: ExprKind::Arg(n), .. }) if *n as usize == i => Some(*id),
            _ => None,
        });
        let named = |id: &LocalId| self.body.locals.get(id.index()).is_some_and(|l| !l.name.is_empty());
        if let Some(id) = own.filter(named).filter(|_| is_word) {
            self.direct.push(id);
            let (mark, name) = (self.mark(self.locals.is_changed(id)), self.local(id));
            return (part(quote!(#mark #name: #ty)), name);
        }
        let name = naming::snake(name);
        let name = match self.reads_of(i) {
            0 => word(&format!("_{}", naming::stem(&name))),
            // Its local hides it where it is read.
            1 if self.is_first(&name) => ident(&name),
            _ => ident(&self.scope.fresh(&name)),
        };
        (part(quote!(#name: #ty)), name)
    }

    /// How many places read an argument.
    pub fn reads_of(&self, i: usize) -> usize {
        self.arguments.iter().filter(|a| **a as usize == i).count()
    }

    /// A name that nothing else in the body has.
    pub fn fresh(&mut self, name: &str) -> Ident {
        ident(&self.scope.fresh(name))
    }

    /// The statements of a body whose operands have names.
    pub fn whole(&mut self) -> Group {
        let is_direct = |stmt: &Stmt| matches!(stmt, Stmt::Let(id, _) if self.direct.contains(id));
        let kept: Vec<&Stmt> = self.body.stmts.iter().filter(|stmt| !is_direct(stmt)).collect();
        self.statements(&kept, true)
    }

    /// Prints a function: parameter list and statements.
    pub fn function(unit: &'u mut Unit<'s>, function: &'s ir::Function) -> (Vec<TokenTree>, Group) {
        let mut printer = Printer::new(unit, &function.body, function.params as usize);
        let mut list = Vec::new();
        for (i, local) in function.body.locals.iter().take(function.params as usize).enumerate() {
            let id = LocalId(i as u32);
            let name = printer.parameter(id);
            let ty = word(storage_type(match local.shape {
                Shape::Scalar(storage) | Shape::Array { storage, .. } => storage,
            }));
            list.push(part(match local.shape {
                Shape::Scalar(_) => quote!(#name: #ty),
                Shape::Array { .. } => quote!(#name: &[#ty]),
            }));
        }
        if let Shape::Array { storage, len } = function.result {
            printer.array_result = Some((storage, len));
            let (out, ty) = (word(OUT), word(storage_type(storage)));
            list.push(part(quote!(#out: &mut [#ty])));
        }
        let block = printer.block(&function.body.stmts, true);
        (list, block)
    }

    /// Whether the body begins with a local of this name among others.
    fn is_first(&self, name: &str) -> bool {
        self.body.stmts.iter().any(|stmt| matches!(stmt, Stmt::Let(id, _) if self.local(*id) == name))
    }

    /// How a parameter is declared.
    fn parameter(&self, id: LocalId) -> TokenTree {
        let name = self.local(id);
        if !self.read.get(id.index()).copied().unwrap_or(false) {
            return word(&format!("_{}", naming::stem(&name.to_string()))).into();
        }
        match self.mark(self.locals.is_changed(id)) {
            Some(mark) => part(quote!(#mark #name)),
            None => name.into(),
        }
    }

    /// `mut`, or nothing.
    pub fn mark(&self, mutable: bool) -> Option<Ident> {
        mutable.then(|| word("mut"))
    }

    /// The name of a local.
    pub fn local(&self, id: LocalId) -> Ident {
        self.names.get(id.index()).cloned().unwrap_or_else(|| ident(""))
    }

    /// A field of the state.
    pub fn field(&self, id: FieldId) -> TokenTree {
        let (state, field) = (word(self.state), self.unit.field(id));
        part(quote!(#state.#field))
    }

    /// The status word.
    pub fn status(&self) -> TokenTree {
        let (state, status) = (word(self.state), word(STATUS));
        part(quote!(#state.#status))
    }

    fn field_shape(&self, id: FieldId) -> Shape {
        let fields = self.unit.section.state.as_ref().map(|s| s.fields.as_slice()).unwrap_or_default();
        fields.get(id.index()).map_or(Shape::Scalar(Storage::U32), |f| f.shape)
    }

    /// The storage of a field.
    pub fn field_storage(&self, id: FieldId) -> Storage {
        match self.field_shape(id) {
            Shape::Scalar(storage) | Shape::Array { storage, .. } => storage,
        }
    }

    /// The name of an array.
    pub fn base(&self, base: Base) -> TokenTree {
        match base {
            Base::Local(id) => self.local(id).into(),
            Base::Field(id) => self.field(id),
            Base::Table(id) => self.unit.table(id).into(),
            Base::Out => word(OUT).into(),
            Base::Buffer(at) => self.buffer(at).map_or_else(|| word(OUT).into(), |buffer| buffer.name.clone().into()),
        }
    }

    /// A buffer of the caller.
    pub fn buffer(&self, at: u32) -> Option<&Buffer> {
        self.routine.as_ref()?.buffers.get(&at)
    }

    /// Whether the name of an array stands for a borrow of it.
    pub fn is_borrowed(&self, base: Base) -> bool {
        match base {
            Base::Local(id) => id.index() < self.borrowed,
            Base::Out => true,
            Base::Field(_) | Base::Table(_) | Base::Buffer(_) => false,
        }
    }

    /// The storage and length of an array.
    pub fn elements(&self, base: Base) -> Option<(Storage, u32)> {
        let of = |shape: Shape| match shape {
            Shape::Scalar(_) => None,
            Shape::Array { storage, len } => Some((storage, len)),
        };
        match base {
            Base::Local(id) => self.body.locals.get(id.index()).and_then(|l| of(l.shape)),
            Base::Field(id) => of(self.field_shape(id)),
            Base::Table(id) => {
                let table = self.unit.section.tables.get(id.0 as usize)?;
                Some((table.storage, table.values.len() as u32))
            }
            Base::Out => self.array_result,
            Base::Buffer(_) => None,
        }
    }

    /// The storage of an array's elements.
    pub fn storage(&self, base: Base) -> Storage {
        if let Base::Buffer(at) = base {
            return self.buffer(at).map_or(Storage::U32, |buffer| buffer.storage);
        }
        self.elements(base).map_or(Storage::U32, |(storage, _)| storage)
    }

    /// The length of an array.
    pub fn len(&self, base: Base) -> Option<u32> {
        self.elements(base).map(|(_, len)| len)
    }
}
