//! Functions: generics are bound from the arguments, and each instance is checked once.

use crate::contract::core::{Body, ExprKind, Type};
use crate::contract::{FnId, Function, Laws};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{interface, names as codes, statements, types};
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Decl, Frame, Home};
use super::convert::UNKNOWN;
use super::expr::without_parentheses;
use super::identity::Clauses;
use super::join_findings;
use super::methods::wrong_count;
use super::names::params_of;
use super::typed::{Ty, Typed, UNKNOWN_LENGTH, is_of_unknown_length};
use super::world::World;

/// Levels of nesting that a call needs beside those of the function's statements.
const LEVELS: u32 = 8;

/// So many calls may stand one in another before a function that calls itself with other generics is suspicious.
const MAX_CALLS: u32 = 12;

/// Calls of functions in functions; the evaluator's own limit is a little higher.
const MAX_CALL_HEIGHT: u32 = 64;

impl<'t> Checker<'_, 't> {
    pub(super) fn call_function(
        &mut self,
        frame: &mut Frame<'t>,
        decl: Decl<'t>,
        node: Node<'t>,
        args: &[Node<'t>],
    ) -> Typed {
        let Some(params) = params_of(decl.node) else {
            self.names_only(frame, args);
            return Typed::error();
        };
        if params.len() != args.len() {
            self.names_only(frame, args);
            let found = wrong_count(node.name(), node.name().text(), params.len(), args.len());
            self.report(found.label(decl.node.name().span(), "declared here"));
            return Typed::error();
        }
        let generics: Vec<_> = generics_of(decl.node);
        // Lists need their type beforehand; with generics it is not known yet, and lists then need sized elements.
        let mut signature = Frame::new(BodyKind::Const, decl.home);
        let mut typed = Vec::new();
        for (param, arg) in params.iter().zip(args) {
            let written = param.child(Kind::r#type);
            let expected = match written {
                Some(written) if generics.is_empty() => match self.type_of(&mut signature, written) {
                    Some(ty) => Some(ty),
                    None => {
                        self.names_only(frame, &[*arg]);
                        typed.push(Typed::error());
                        continue;
                    }
                },
                _ => None,
            };
            typed.push(self.expr(frame, *arg, expected.as_ref()));
        }
        if typed.iter().any(Typed::is_error) {
            return Typed::error();
        }
        for (param, arg) in params.iter().zip(&typed) {
            if let Some(written) = param.child(Kind::r#type) {
                bind_generics(&mut signature, &generics, written, arg);
            }
        }
        if let Some(open) = generics.iter().find(|g| !signature.generics.contains_key(*g)) {
            let mut found = Diagnostic::error(
                &types::GENERIC,
                format!("`{open}` of `{}` cannot be found from the arguments", decl.node.name().text()),
                node.span(),
                format!("`{open}` stays open"),
            )
            .label(decl.node.name().span(), "declared here")
            .help(format!(
                "`{open}` comes from a parameter of type `u<{open}>`, `s<{open}>` or an array of length `{open}`"
            ));
            if typed.iter().filter_map(Typed::sized_type).any(is_of_unknown_length) {
                found = found.note(UNKNOWN);
            }
            self.report(found);
            return Typed::error();
        }
        let mut exprs = Vec::new();
        for ((param, arg), value) in params.iter().zip(args).zip(typed) {
            let Some(written) = param.child(Kind::r#type) else { return Typed::error() };
            let Some(ty) = self.type_of(&mut signature, written) else { return Typed::error() };
            exprs.push(self.coerce(value, &ty, *arg));
        }
        let values = generics.iter().map(|g| signature.generics.get(g).map_or(0, |g| g.value)).collect();
        match self.instance(decl, values, Some(node)) {
            Some(id) if !self.note_call(id, node) => Typed::error(),
            Some(id) => {
                let result = self.section.fns.get(id.index()).map(|f| f.result.clone());
                match result {
                    Some(ty) => Typed::sized(ty, ExprKind::Call(id, exprs)),
                    None => Typed::error(),
                }
            }
            None => Typed::error(),
        }
    }

    /// Counts a call towards the height of the function around it; false, with a finding, if calls stand too high
    /// above each other for whoever walks or runs them.
    fn note_call(&mut self, id: FnId, call: Node<'t>) -> bool {
        let height = self.call_heights.get(id.index()).map_or(1, |h| h + 1);
        if height > MAX_CALL_HEIGHT {
            self.report(
                Diagnostic::error(
                    &crate::diagnostic::catalogue::syntax::TOO_DEEP,
                    format!("functions call each other more than {MAX_CALL_HEIGHT} deep"),
                    call.span(),
                    "one call too many",
                )
                .help("let a function do more of the work itself"),
            );
            return false;
        }
        if let Some((_, running)) = self.running.last_mut() {
            *running = (*running).max(height);
        }
        true
    }

    /// The instance for some values of the generics, checked at its first use.
    pub(super) fn instance(&mut self, decl: Decl<'t>, generics: Vec<u32>, call: Option<Node<'t>>) -> Option<FnId> {
        let key = (decl.node.span(), generics.clone());
        match self.fns.get(&key) {
            Some(Some(id)) => return Some(*id),
            Some(None) => {
                // In progress, or found wrong before; only the first is worth a word.
                if self.running.iter().any(|(running, _)| *running == key) {
                    let at = call.unwrap_or(decl.node.name());
                    self.report(
                        Diagnostic::error(
                            &codes::CYCLE,
                            format!("the function `{}` calls itself", decl.node.name().text()),
                            at.span(),
                            "directly or through others",
                        )
                        .help("every command must end: use a `for` loop with constant bounds"),
                    );
                }
                return None;
            }
            None => {}
        }
        self.fns.insert(key.clone(), None);
        self.world.note_instance(decl.node);
        if self.running.len() as u32 >= MAX_CALLS && self.running.iter().any(|((span, _), _)| *span == key.0) {
            self.report(
                Diagnostic::error(
                    &codes::CYCLE,
                    format!("the function `{}` calls itself again and again", decl.node.name().text()),
                    call.unwrap_or(decl.node.name()).span(),
                    "each time with other generics",
                )
                .help("use a `for` loop with constant bounds"),
            );
            return None;
        }
        if !self.enter(call.unwrap_or(decl.node.name()), LEVELS) {
            return None;
        }
        self.running.push((key.clone(), 0));
        let before = self.found.len();
        let function = self.function(decl, &generics);
        let height = self.running.pop().map_or(0, |(_, height)| height);
        self.leave(LEVELS);
        self.note_generics(before, decl.node, &generics);
        let id = function.map(|f| {
            self.section.fns.push(f);
            self.call_heights.push(height);
            FnId(self.section.fns.len() as u32 - 1)
        });
        self.fns.insert(key, id);
        id
    }

    /// Says for which generics something was found wrong.
    fn note_generics(&mut self, before: usize, node: Node<'t>, generics: &[u32]) {
        if generics.is_empty() {
            return;
        }
        let values: Vec<_> = generics_of(node).iter().zip(generics).map(|(g, v)| format!("{g} = {v}")).collect();
        let note = format!("in `{}` with {}", node.name().text(), values.join(", "));
        for found in self.found.iter_mut().skip(before).filter(|d| d.note.is_none()) {
            found.note = Some(note.clone());
        }
    }

    fn function(&mut self, decl: Decl<'t>, generics: &[u32]) -> Option<Function> {
        let node = decl.node;
        let mut frame = Frame::new(BodyKind::Fn, decl.home);
        let names = node.child(Kind::generics).into_iter().flat_map(|g| g.children_of(Kind::ident));
        for (name, value) in names.zip(generics) {
            self.bind_generic(&mut frame, name, *value, "a generic");
        }
        let params = params_of(node)?;
        let mut complete = true;
        for param in &params {
            complete &= self.parameter(&mut frame, *param).is_some();
        }
        let written = node.child(Kind::result)?.child(Kind::r#type)?;
        let result = self.type_of(&mut frame, written)?;
        frame.result = Some(result.clone());
        let stmts = self.body(&mut frame, node.child(Kind::block)?, node.name());
        complete.then_some(())?;
        Some(Function {
            name: node.name().text().to_owned(),
            generics: generics.to_vec(),
            result,
            body: Body { locals: frame.locals, params: params.len() as u32, stmts },
            docs: node.docs(),
            span: node.name().span(),
        })
    }

    /// Declares a parameter of a function, command or law, and gives its type.
    pub(super) fn parameter(&mut self, frame: &mut Frame<'t>, param: Node<'t>) -> Option<Type> {
        if let Some(imm) = param.child(Kind::kw_imm) {
            self.report(
                Diagnostic::error(
                    &interface::FORM,
                    "only operands of commands are immediates",
                    imm.span(),
                    "no effect here",
                )
                .help("remove `imm`"),
            );
        }
        for attr in param.children_of(Kind::attr) {
            let message = format!("a parameter has no attribute `@{}`", attr.name().text());
            self.error(&interface::ATTRIBUTE, attr, message, "no effect here");
        }
        let ty = self.type_of(frame, param.child(Kind::r#type)?);
        let known = ty.clone().map_or(Ty::Error, Ty::Sized);
        self.declare(frame, param.name(), known, ("a parameter", false));
        ty
    }
}

fn generics_of<'t>(node: Node<'t>) -> Vec<&'t str> {
    node.child(Kind::generics)
        .into_iter()
        .flat_map(|g| g.children_of(Kind::ident).map(|i| i.text()).collect::<Vec<_>>())
        .collect()
}

/// Binds `N` where a parameter is written `u<N>`, `s<N>` or `T[N]`; of two uses the larger counts.
fn bind_generics<'t>(signature: &mut Frame<'t>, generics: &[&'t str], written: Node<'t>, arg: &Typed) {
    let mut bind = |node: Option<Node<'t>>, value: u32| {
        let Some(name) = node.and_then(single_name) else { return };
        if generics.contains(&name.text()) {
            signature.raise_generic(name, value);
        }
    };
    let mut ty = &arg.expr.ty;
    for dim in written.children_of(Kind::dim) {
        let Type::Array { len, elem } = ty else { return };
        if *len != UNKNOWN_LENGTH {
            bind(dim.expr(), *len);
        }
        ty = elem;
    }
    if let Some(sized) = written.child(Kind::sized_type) {
        bind(sized.child(Kind::width), ty.width());
    }
}

/// The name that an expression is, if it is nothing more.
fn single_name(node: Node<'_>) -> Option<Node<'_>> {
    let node = without_parentheses(node);
    (node.kind() == Kind::name).then(|| node.name())
}

/// Checks the functions and constants of the root file that no interface uses, so that a file of functions alone is
/// checked too, and gives the laws that stand beside the interfaces. A generic function is checked where it is called,
/// and for some widths if nothing calls it.
pub(super) fn check_package(world: &World<'_>, found: &mut Vec<Diagnostic>) -> Option<Laws> {
    let home = Home { file: 0, member: false };
    let mut by_xlen = Vec::new();
    let mut sections = Vec::new();
    for xlen in xlens_of(world) {
        let mut checker = Checker::new(world, xlen);
        for node in world.root().tree.root().children() {
            match node.kind() {
                Kind::fn_item if generics_of(node).is_empty() => {
                    checker.instance(Decl { node, home }, Vec::new(), None);
                }
                Kind::const_item => {
                    checker.const_value(Decl { node, home });
                }
                Kind::law => checker.law(Decl { node, home }),
                _ => {}
            }
        }
        for node in world.root().tree.root().children_of(Kind::fn_item) {
            if !generics_of(node).is_empty() && !world.is_instanced(node) {
                checker.uncalled(Decl { node, home });
            }
        }
        by_xlen.push((xlen, checker.found));
        super::prune::prune(&mut checker.section);
        sections.push(checker.section);
    }
    found.extend(join_findings(by_xlen));
    let span = sections.iter().flat_map(|section| &section.laws).map(|law| law.span).next()?;
    Some(Laws { sections, span })
}

/// The values that a generic of a function gets which nothing calls.
const PROBES: [u32; 4] = [1, 8, 32, 64];

impl<'t> Checker<'_, 't> {
    /// Checks a generic function that nothing calls, for some values of its generics. What is wrong for each of them in the
    /// same way is wrong in any case. If nothing is, but none of them is right either, nobody knows.
    fn uncalled(&mut self, decl: Decl<'t>) {
        let count = generics_of(decl.node).len();
        let mut common: Option<Vec<Diagnostic>> = None;
        for first in 0..2 * PROBES.len() {
            // One value for all, then different ones: which branch is checked may depend on it.
            let step = usize::from(first >= PROBES.len());
            let values = (0..count).filter_map(|i| PROBES.iter().cycle().nth(first + i * step).copied());
            let mut probe = Checker::new(self.world, self.xlen);
            probe.instance(decl, values.collect(), None);
            if !probe.found.iter().any(Diagnostic::is_error) {
                return;
            }
            // Said in the same words: a message that names another width each time may not hold for yet another one.
            let same = |d: &Diagnostic| {
                probe.found.iter().any(|p| (p.code, p.span(), &p.message) == (d.code, d.span(), &d.message))
            };
            common = Some(match common {
                None => probe.found,
                Some(before) => before.into_iter().filter(|d| same(d)).collect(),
            });
        }
        match common {
            Some(common) if !common.is_empty() => common.into_iter().for_each(|d| self.report(d)),
            _ => {
                let name = decl.node.name();
                self.report(
                    Diagnostic::warning(
                        &statements::UNCHECKED,
                        format!("nothing calls the generic function `{}`, so it is not checked", name.text()),
                        name.span(),
                        "not checked",
                    )
                    .help("state a `law` about it"),
                );
            }
        }
    }
}

/// The XLENs for which the root file is meant: those of its interfaces, or both if it has none.
fn xlens_of(world: &World<'_>) -> Vec<u32> {
    let interfaces = world.root().tree.root().children_of(Kind::interface);
    let mut xlens: Vec<u32> = interfaces.flat_map(|i| Clauses::read(i, &mut Vec::new()).xlens).collect();
    xlens.sort_unstable();
    xlens.dedup();
    if xlens.is_empty() { vec![32, 64] } else { xlens }
}
