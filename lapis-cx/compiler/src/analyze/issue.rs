//! `with Interface as m { m.command(…); } else { … }`: commands in the body of a library's function.

use crate::contract::WHAT_FORM_I_CARRIES;
use crate::contract::core::{ExprKind, Issue, Stmt, Type, With};
use crate::contract::{Command, Form, Operand, Semantics, Slot};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{library, names as name_codes, statements as codes, types};
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Context, Frame, NameInBody};
use super::methods::wrong_count;
use super::names;
use super::typed::Typed;

/// How often the body of a `with` is printed at most: a `with` in another one is printed in each arm of that.
const MAX_WAYS: usize = 64;

/// How many bytes of source are printed at most for one `with` in others, each as often as it is printed.
const MAX_PRINTED: usize = 1 << 19;

impl<'t> Checker<'_, 't> {
    /// Checks both blocks; also whether control cannot reach their end.
    pub(super) fn with_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<(With, bool)> {
        if frame.kind != BodyKind::Impl {
            let message = format!("`with` cannot stand {}", frame.kind.place());
            let word = node.child(Kind::kw_with).unwrap_or(node);
            let found = Diagnostic::error(&codes::NOT_PURE, message, word.span(), "only in a library");
            self.report(found.help("the `impl` of a library's function discovers, selects and uses interfaces"));
            return None;
        }
        let interfaces: Vec<_> =
            node.children_of(Kind::path).map(|path| self.interfaces.get(&path.span()).cloned().flatten()).collect();
        for (interface, path) in interfaces.iter().zip(node.children_of(Kind::path)) {
            if let Some(interface) = interface
                && !interface.sections.iter().any(|section| section.xlen == self.xlen)
            {
                let message = format!("`{}` has no contract at XLEN {}", interface.name, self.xlen);
                let found = Diagnostic::error(&library::BODY, message, path.span(), "a library is for both XLENs");
                self.report(found.help("give the interface both: `xlen 32, 64;`"));
            }
        }
        let complete = interfaces.iter().all(Option::is_some);
        let has_else = node.has(Kind::kw_else);
        let interfaces = interfaces.into_iter().flatten().filter(|_| complete).collect();
        let name = node.name();
        let ways = node.children_of(Kind::path).count() + usize::from(!has_else);
        let around = frame.ways;
        frame.ways = frame.ways.saturating_mul(ways.max(1));
        let length = node.child(Kind::block).map_or(0, |block| block.text().len());
        let message = if frame.ways > MAX_WAYS {
            Some(format!("the body of this `with` would be printed more than {MAX_WAYS} times"))
        } else if ways > 1 && frame.ways * length > MAX_PRINTED {
            Some(format!("the body of this `with`, {length} bytes, would be printed {} times", frame.ways))
        } else {
            None
        };
        if let Some(message) = message {
            let found =
                Diagnostic::error(&library::BODY, message, name.span(), "once for each interface and each way here");
            self.report(found.help("name fewer interfaces, nest fewer `with`s, or make two functions of it"));
        }
        frame.contexts.push(Context { interfaces, commands: Vec::new(), has_else });
        let mut blocks = node.children_of(Kind::block);
        let first = blocks.next()?;
        frame.scopes.push(Default::default());
        self.bind(frame, name, NameInBody::Context(frame.contexts.len() - 1, name.span()));
        let context = frame.contexts.len() as u32 - 1;
        let (body, mut ends) = self.inner_block(frame, first);
        frame.scopes.pop();
        frame.ways = around;
        let otherwise = blocks.next().map(|other| {
            let (stmts, other_ends) = self.inner_block(frame, other);
            ends &= other_ends;
            stmts
        });
        Some((With { context, body, otherwise }, ends))
    }

    /// `m.command(…);`
    pub(super) fn issue_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<Stmt> {
        let mut names = node.children_of(Kind::ident);
        let base = names.next()?;
        match frame.find(base.text()) {
            Some(NameInBody::Context(at, _)) => {
                let at = *at;
                let typed = self.issue(frame, at, node);
                (!typed.is_error()).then_some(Stmt::Do(typed.expr))
            }
            Some(NameInBody::Broken) => None,
            _ => {
                let found = Diagnostic::error(&codes::NOT_PURE, "a call alone does nothing", node.span(), "a call");
                self.report(found.help("assign what it returns; write `m.command(…);` in `with Interface as m { … }`"));
                None
            }
        }
    }

    /// A command of a context, with its arguments; the type is that of its result.
    pub(super) fn issue(&mut self, frame: &mut Frame<'t>, at: usize, node: Node<'t>) -> Typed {
        let args: Vec<_> = node.child(Kind::args).into_iter().flat_map(|a| a.exprs().collect::<Vec<_>>()).collect();
        let name = node.children_of(Kind::ident).last().unwrap_or(node);
        let xlen = self.xlen;
        let interfaces = frame.contexts.get(at).map(|c| c.interfaces.clone()).unwrap_or_default();
        let mut commands: Vec<Command> = Vec::new();
        for interface in &interfaces {
            let Some(section) = interface.sections.iter().find(|s| s.xlen == xlen) else { continue };
            match section.commands.iter().find(|c| c.name == name.text()) {
                Some(command) => commands.push(command.clone()),
                None => {
                    let message = format!("`{}` has no command `{}`", interface.name, name.text());
                    let found = Diagnostic::error(&name_codes::UNKNOWN_NAME, message, name.span(), "no such command");
                    let known = section.commands.iter().map(|c| c.name.as_str());
                    self.report(match names::nearest(name.text(), known) {
                        Some(near) => found.help(format!("did you mean `{near}`?")),
                        None => found,
                    });
                    self.names_only(frame, &args);
                    return Typed::error();
                }
            }
        }
        let Some(command) = commands.first().cloned() else {
            self.names_only(frame, &args);
            return Typed::error();
        };
        self.can_be_issued(&commands, frame.contexts.get(at).is_some_and(|context| context.has_else), name);
        let Some(context) = frame.contexts.get_mut(at) else { return Typed::error() };
        let position = context.commands.iter().position(|name| *name == command.name).unwrap_or_else(|| {
            context.commands.push(command.name.clone());
            context.commands.len() - 1
        });
        let shape =
            |c: &Command| (c.operands.iter().map(|o| bare(&o.ty)).collect::<Vec<_>>(), c.result.as_ref().map(bare));
        if commands.iter().any(|other| shape(other) != shape(&command)) {
            let message =
                format!("`{}` has other operands or another result in another of these interfaces", name.text());
            self.error(&types::OPERANDS, name, message, "one call, different commands");
        }
        if command.operands.len() != args.len() {
            self.names_only(frame, &args);
            self.report(wrong_count(name, name.text(), command.operands.len(), args.len()));
            return Typed::error();
        }
        let mut exprs = Vec::new();
        for (operand, arg) in command.operands.iter().zip(&args) {
            let ty = bare(&operand.ty);
            let typed = self.expr(frame, *arg, Some(&ty));
            if operand.slot != Slot::Rs1 && operand.slot != Slot::Rs2 && !typed.is_error() && typed.int().is_none() {
                let message = format!("the operand `{}` is an immediate", operand.name);
                self.error(&types::NOT_CONSTANT, *arg, message, "not a constant");
            }
            for command in &commands {
                command.operands.get(exprs.len()).into_iter().for_each(|o| self.carried(command, o, &typed, *arg));
            }
            exprs.push(self.coerce(typed, &ty, *arg));
        }
        let result = command.result.as_ref().map_or(Type::U(xlen), bare);
        let issue = Issue { context: at as u32, command: position as u32, args: exprs };
        Typed::sized(result, ExprKind::Issue(issue))
    }

    /// Refuses commands that a selected CX is not issued, and, where their fallback may have to serve, those without one.
    fn can_be_issued(&mut self, commands: &[Command], has_else: bool, name: Node<'t>) {
        if commands.iter().any(|command| command.forms.iter().all(|form| *form == Form::Xcmd)) {
            let message = format!("`{}` is an overloadable opcode only", name.text());
            let found = Diagnostic::error(&library::BODY, message, name.span(), "no form for a selected CX");
            self.report(found.help("give the command the form R, I or flex too"));
        }
        // The fallback is that of the first interface.
        let opaque = |command: &Command| matches!(command.semantics, Semantics::Opaque);
        if !has_else && commands.first().is_some_and(opaque) {
            let message = format!("`{}` has no meaning where no CX is found", name.text());
            let found = Diagnostic::error(&library::BODY, message, name.span(), "declared without a body");
            self.report(found.help("write `else { … }` behind the block of `with`, or give the command a body"));
        }
    }

    /// Refuses a constant that no form of the command carries; generated code refuses it too.
    pub(super) fn carried(&mut self, command: &Command, operand: &Operand, value: &Typed, at: Node<'t>) {
        // One that does not fit the type is said to be wrong already.
        let value = value.int().filter(|v| operand.ty.reduce(v) == *v && !command.carries(operand, v));
        if let Some(v) = value {
            let message = format!("no instruction of `{}` carries {v} as `{}`", command.name, operand.name);
            let found = Diagnostic::error(&types::IMMEDIATE, message, at.span(), "not a value of the immediate");
            self.report(
                found
                    .note(WHAT_FORM_I_CARRIES)
                    .help("take a value from -2048 to 2047 or its pattern, or give the command the form R too"),
            );
        }
    }
}

/// An enum of an interface is a number to others.
fn bare(ty: &Type) -> Type {
    match ty {
        Type::Enum { width, .. } => Type::U(*width),
        other => other.clone(),
    }
}
