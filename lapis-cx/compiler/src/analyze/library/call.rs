//! Calls in a library's expressions: builtins, functions of the language, of the API and of `utility` text.

use crate::contract::core::Type as CoreType;
use crate::contract::library::FunctionId;
use crate::contract::library::construct::Construct;
use crate::contract::library::expr::{Expr, ExprKind, ValueKind, When};
use crate::contract::library::place::ZeroCopy;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{library as codes, names as name_codes, types};
use crate::syntax::{Kind, Node};

use super::Lib;
use super::declare::{HOME, Meaning};
use super::place::Context;
use super::scope::{Scope, Typed, value_of};
use super::table;
use crate::analyze::checker::{Decl, Symbol as ItemSymbol};
use crate::analyze::expr::without_parentheses;
use crate::analyze::methods::wrong_count;

/// What is built in.
const BUILTINS: &[&str] = &["old", "sizeof", "strlen", "strchr", "min", "max", "physical"];

impl<'t> Lib<'_, 't> {
    pub(super) fn call(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Typed {
        let name = node.name();
        let Some(list) = node.child(Kind::args) else { return Typed::poison() };
        if let Some(named) = list.child(Kind::named_arg) {
            self.error(&types::ARGUMENTS, named, "arguments have no names here", "a named argument");
            return Typed::poison();
        }
        let args: Vec<_> = list.exprs().collect();
        match self.symbols.get(name.text()).map(|s| s.meaning) {
            Some(Meaning::Function(id)) => return self.call_api(scope, id, node, &args),
            Some(Meaning::Fn(decl)) => return self.call_fn(scope, decl, node, &args),
            Some(other) => {
                let message = format!("`{}` is {} and cannot be called", name.text(), other.what());
                self.error(&name_codes::WRONG_KIND, name, message, other.what());
                return Typed::poison();
            }
            None => {}
        }
        let item = self.checkers.first().and_then(|checker| checker.symbol(HOME, name.text()));
        match item {
            Some(ItemSymbol::Fn(decl)) => return self.call_fn(scope, decl, node, &args),
            Some(ItemSymbol::Broken) => return Typed::poison(),
            _ => {}
        }
        if BUILTINS.contains(&name.text()) {
            return self.builtin(scope, node, &args);
        }
        if self.is_utility(name.text()) {
            let args: Vec<Expr> = args.iter().map(|arg| self.value(scope, *arg).expr).collect();
            let when = latest(&args);
            return Typed::new(ValueKind::Any, when, ExprKind::Utility(name.text().to_owned(), args));
        }
        for arg in args {
            self.value(scope, arg);
        }
        let known: Vec<&str> = self.symbols.keys().copied().chain(BUILTINS.iter().copied()).collect();
        self.unknown(name, "function", known.into_iter());
        Typed::poison()
    }

    /// Whether the text of a `utility` calls something by this name. What C it is, the C compiler checks.
    fn is_utility(&self, name: &str) -> bool {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        self.utilities.iter().any(|text| {
            text.match_indices(name).any(|(at, _)| {
                let before = text.get(..at).and_then(|t| t.chars().next_back());
                let after = text.get(at + name.len()..).unwrap_or_default();
                !before.is_some_and(word) && after.trim_start().starts_with('(')
            })
        })
    }

    fn counted(&mut self, node: Node<'t>, wanted: usize, found: usize) -> bool {
        if wanted != found {
            self.report(wrong_count(node.name(), node.name().text(), wanted, found));
        }
        wanted == found
    }

    /// A function of the API, asked on the worker: so its answer is known at exit.
    fn call_api(&mut self, scope: &Scope<'t>, id: FunctionId, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        let typed: Vec<Typed> = args.iter().map(|arg| self.value(scope, *arg)).collect();
        let Some(signature) = self.signatures.get(id.index()).cloned() else { return Typed::poison() };
        if !self.counted(node, signature.params.len(), args.len()) {
            return Typed::poison();
        }
        for ((param, arg), value) in signature.params.iter().zip(args).zip(&typed) {
            self.passes(*arg, &value.expr, value_of(param));
        }
        let args = typed.into_iter().map(|t| t.expr).collect();
        Typed::of(signature.result, When::Exit, ExprKind::Call(id, args))
    }

    /// Complains about an argument that the parameter cannot be.
    fn passes(&mut self, node: Node<'t>, expr: &Expr, wanted: ValueKind) {
        use ValueKind::{Any, Bool, Float, Handle, Int, Null, Pointer};
        let fits = match (wanted, expr.value) {
            (Any, _) | (_, Any) => true,
            (Float, Int) | (Bool, Int) | (Int, Bool) => true,
            (Pointer | Handle(_), Null) => true,
            (wanted, found) => wanted == found,
        };
        if !fits {
            let wanted = self.describe(wanted);
            self.wrong_value(node, &wanted, expr);
        }
    }

    /// A function of the language.
    fn call_fn(&mut self, scope: &Scope<'t>, decl: Decl<'t>, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        let mut typed: Vec<Expr> = args.iter().map(|arg| self.value(scope, *arg).expr).collect();
        if decl.node.has(Kind::generics) {
            let message = format!("the generic function `{}` cannot be called here", node.name().text());
            self.report(
                Diagnostic::error(&codes::VALUE, message, node.name().span(), "numbers have no width here")
                    .label(decl.node.name().span(), "declared here")
                    .help("give its parameters types such as `u64`"),
            );
            return Typed::poison();
        }
        let Some(id) = self.fn_use(decl) else { return Typed::poison() };
        let signature = self.library.fns.get(id.index()).and_then(|used| {
            let checker = self.checkers.last()?;
            let function = checker.section.fns.get(used.instances.last()?.index())?;
            let params = function.body.locals.iter().take(function.body.params as usize);
            Some((params.map(|p| p.ty.clone()).collect::<Vec<_>>(), function.result.clone()))
        });
        let Some((params, result)) = signature else { return Typed::poison() };
        if !self.counted(node, params.len(), args.len()) {
            return Typed::poison();
        }
        for ((param, arg), value) in params.iter().zip(args).zip(&mut typed) {
            self.passes(*arg, value, kind_of(param));
        }
        let when = latest(&typed);
        Typed::new(kind_of(&result), when, ExprKind::Fn(id, typed))
    }

    fn builtin(&mut self, scope: &Scope<'t>, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        let name = node.name().text();
        if matches!(name, "min" | "max") {
            if args.len() < 2 {
                self.counted(node, 2, args.len());
                return Typed::poison();
            }
            let args: Vec<Expr> = args.iter().map(|a| self.number_at(scope, *a, When::Exit, "it")).collect();
            let when = latest(&args);
            let kind = if name == "min" { ExprKind::Min(args) } else { ExprKind::Max(args) };
            return Typed::new(ValueKind::Int, when, kind);
        }
        if !self.counted(node, if name == "strchr" { 2 } else { 1 }, args.len()) {
            return Typed::poison();
        }
        let (Some(first), second) = (args.first().copied(), args.get(1).copied()) else { return Typed::poison() };
        match name {
            "old" => {
                let typed = self.value(scope, first);
                if typed.expr.when == When::Exit {
                    self.report(
                        Diagnostic::error(
                            &codes::NOT_AT_ENTRY,
                            "this has no value before the call",
                            first.span(),
                            "known only after the call",
                        )
                        .help("`old(e)` is the value of arguments, of what `in` and `inout` bring, or of metadata"),
                    );
                    return Typed::poison();
                }
                let expr = Expr { kind: ExprKind::Old(Box::new(typed.expr.clone())), ..typed.expr };
                Typed { expr, place: typed.place }
            }
            "sizeof" => self.sizeof(scope, first),
            "strlen" => {
                let text = self.pointer(scope, first);
                let when = text.when;
                Typed::new(ValueKind::Int, when, ExprKind::Strlen(Box::new(text)))
            }
            "strchr" => {
                let text = self.pointer(scope, first);
                let c = second.map_or(Typed::poison().expr, |c| self.number_at(scope, c, When::Exit, "it"));
                let when = text.when.max(c.when);
                Typed::new(ValueKind::Int, when, ExprKind::Strchr(Box::new(text), Box::new(c)))
            }
            _ => {
                self.uses(Construct::ZeroCopy, "physical", first.span());
                let typed = self.value(scope, first);
                let pinned = typed.place.as_ref().and_then(|p| p.zero_copy) == Some(ZeroCopy::Physical);
                if !pinned && typed.expr.value != ValueKind::Any {
                    self.report(
                        Diagnostic::error(
                            &codes::VALUE,
                            "only pinned memory has a physical address",
                            first.span(),
                            "not pinned",
                        )
                        .help("give it `@zero_copy(physical)`"),
                    );
                }
                let when = typed.expr.when;
                Typed::new(ValueKind::Int, when, ExprKind::Physical(Box::new(typed.expr)))
            }
        }
    }

    fn pointer(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Expr {
        let expr = self.value(scope, node).expr;
        if !matches!(expr.value, ValueKind::Pointer | ValueKind::Any) {
            self.wrong_value(node, "a pointer", &expr);
        }
        expr
    }

    /// `sizeof(T)` of a type that has a name, else of a value.
    fn sizeof(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Typed {
        let inner = without_parentheses(node);
        if inner.kind() == Kind::name && scope.find(inner.text()).is_none() {
            let name = inner.name();
            let is_type = table::type_names().any(|t| t == name.text())
                || self.symbols.get(name.text()).is_some_and(|s| {
                    matches!(
                        s.meaning,
                        Meaning::Struct(_)
                            | Meaning::Handle(_)
                            | Meaning::Type(..)
                            | Meaning::Enum(_)
                            | Meaning::Callback(_)
                    )
                });
            if is_type {
                let place = match self.named(scope, name, None, &[], Context::shape()) {
                    Some(place) => place,
                    None => return Typed::poison(),
                };
                return Typed::new(ValueKind::Int, When::Entry, ExprKind::SizeofType(Box::new(place)));
            }
        }
        let typed = self.value(scope, node);
        Typed::new(ValueKind::Int, When::Entry, ExprKind::SizeofValue(Box::new(typed.expr)))
    }
}

/// What expressions see in a type of the core.
fn kind_of(ty: &CoreType) -> ValueKind {
    match ty {
        CoreType::Bool => ValueKind::Bool,
        CoreType::Array { .. } => ValueKind::Array,
        _ => ValueKind::Int,
    }
}

fn latest(args: &[Expr]) -> When {
    args.iter().map(|a| a.when).max().unwrap_or(When::Entry)
}
