//! Commands: signatures first, so that bodies, examples and laws can name them; then bodies.

use crate::contract::core::{Body, Type};
use crate::contract::{Command, CommandId, Form, Operand, Semantics, Slot};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{interface as codes, names};
use crate::int::Int;
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Decl, Frame, Symbol};
use super::interface::Members;
use super::names::{nearest, params_of};
use super::typed::Ty;

/// Function ids that are reserved for standard functions (language rules, "Settled where the documents disagree").
const FIRST_RESERVED: u32 = 1008;
/// Function ids have ten bits: funct3 and funct7.
const MAX_ID: u32 = 1023;
/// Width in bits of the widest registers.
const MAX_XLEN: u32 = 64;
/// I commands carry their id in funct3, xcmd k is one of eight opcodes.
const MAX_SMALL_ID: u32 = 7;
/// The longest family.
const MAX_FAMILY: u32 = 1024;

/// A command whose body waits for all signatures.
pub(super) struct PendingBody<'t> {
    id: CommandId,
    decl: Decl<'t>,
    index: Option<u32>,
}

impl<'t> Checker<'_, 't> {
    /// Checks all signatures, enters the commands by ascending id, and gives the bodies still to be checked.
    pub(super) fn commands(&mut self, members: &Members<'t>) -> Vec<PendingBody<'t>> {
        let mut found: Vec<(Command, Decl<'t>, Option<u32>)> = Vec::new();
        let of_base = members
            .state_context
            .into_iter()
            .flat_map(|context| context.node.children().map(move |node| Decl { node, home: context.home }));
        for decl in of_base.chain(members.decls.iter().copied()).filter(|d| d.node.kind() == Kind::command) {
            let is_standard =
                members.state_context.is_some_and(|c| c.home == decl.home && c.node.children().any(|n| n == decl.node));
            let runs_here = self.runs_here(decl);
            let indices = match decl.node.child(Kind::family) {
                None => vec![None],
                Some(family) => self.family_indices(decl, family).into_iter().map(Some).collect(),
            };
            for index in indices {
                if !runs_here {
                    self.declare_command(decl, index, Symbol::Elsewhere(96 - self.xlen));
                } else if let Some(command) = self.signature(decl, index, is_standard) {
                    found.push((command, decl, index));
                } else {
                    self.declare_command(decl, index, Symbol::Broken);
                }
            }
        }
        found.sort_by_key(|(c, ..)| c.id);
        let mut pending = Vec::new();
        for (command, decl, index) in found {
            if let Some(other) = self.section.commands.last().filter(|c| c.id == command.id) {
                let at = decl.node.child(Kind::command_id).unwrap_or(decl.node);
                // The same command written twice has one name too, which is said below.
                let is_twice = other.name == command.name;
                let found = Diagnostic::error(
                    &codes::COMMAND_ID,
                    format!("function id {} is used by `{}` and `{}`", command.id, other.name, command.name),
                    at.span(),
                    format!("`{}` has it", other.name),
                )
                .label(other.span, "the other command")
                .help("give each command its own id");
                if !is_twice {
                    self.report(found);
                }
                self.declare_command(decl, index, Symbol::Broken);
                continue;
            }
            let id = CommandId(self.section.commands.len() as u32);
            self.declare_command(decl, index, Symbol::Command(id));
            if decl.node.has(Kind::block) {
                pending.push(PendingBody { id, decl, index });
            }
            self.section.commands.push(command);
        }
        pending
    }

    fn declare_command(&mut self, decl: Decl<'t>, index: Option<u32>, symbol: Symbol<'t>) {
        let name = decl.node.name();
        let Some(index) = index else { return self.declare_member(name, symbol) };
        // A family member's name stands nowhere in the source.
        let member = member_name(name.text(), index);
        let taken = self.members.get(member.as_str()).map(|(first, span)| (first.what(), *span));
        if let Some((what, span)) = taken.or_else(|| self.hidden_item(name, &member)) {
            let found = Diagnostic::error(
                &names::DUPLICATE,
                format!("the family member `{member}` has a name that is taken"),
                name.span(),
                "this family",
            )
            .label(span, format!("{what} of this name"))
            .help("a member is named by its family and its index");
            self.report(found);
        }
        if self.family_names.insert(member.clone(), (symbol, name.span())).is_some() {
            self.error(&names::DUPLICATE, name, format!("two families have a member `{member}`"), "this family");
        }
    }

    /// `@xlen(64)` restricts a command or an example to one XLEN.
    pub(super) fn runs_here(&mut self, decl: Decl<'t>) -> bool {
        let Some(attr) = decl.node.children_of(Kind::attr).find(|a| a.name().text() == "xlen") else { return true };
        let mut frame = Frame::new(BodyKind::Const, decl.home);
        let mut here = false;
        let args: Vec<_> = attr.child(Kind::args).into_iter().flat_map(|a| a.exprs()).collect();
        if args.is_empty() {
            self.error(&codes::ATTRIBUTE, attr, "`@xlen` takes 32 or 64", "as in `@xlen(64)`");
        }
        for arg in args {
            if let Some(v) = self.constant(&mut frame, arg, "an XLEN") {
                if v != Int::from(32) && v != Int::from(64) {
                    let found = Diagnostic::error(&codes::XLEN, "XLEN is 32 or 64", arg.span(), "not an XLEN");
                    self.report(found.help("write `@xlen(32)` or `@xlen(64)`"));
                }
                here |= v == Int::from(self.xlen);
            }
        }
        here
    }

    fn family_indices(&mut self, decl: Decl<'t>, family: Node<'t>) -> Vec<u32> {
        let mut frame = Frame::new(BodyKind::Const, decl.home);
        let bounds: Vec<_> = family.child(Kind::range).into_iter().flat_map(|r| r.exprs()).collect();
        let [lo, hi] = bounds.as_slice() else { return Vec::new() };
        let lo = self.constant(&mut frame, *lo, "the first index of a family");
        let hi = self.constant(&mut frame, *hi, "the end of a family");
        let (Some(lo), Some(hi)) = (lo, hi) else {
            self.broken_families.insert(decl.node.name().text());
            return Vec::new();
        };
        match (lo.to_u32(), hi.to_u32()) {
            (Some(lo), Some(hi)) if lo < hi && hi - lo <= MAX_FAMILY => (lo..hi).collect(),
            _ => {
                let found =
                    Diagnostic::error(&codes::FAMILY, "a family has 1 to 1024 members", family.span(), "this range");
                let help = "write `command name[i in 0..8]` for eight members; function ids are 0 to 1007, so use an \
                            operand for what takes more values";
                self.report(found.help(help));
                self.broken_families.insert(decl.node.name().text());
                Vec::new()
            }
        }
    }

    /// A frame in which the family's index has a value.
    fn command_frame(&mut self, kind: BodyKind, decl: Decl<'t>, index: Option<u32>) -> Frame<'t> {
        let mut frame = Frame::new(kind, decl.home);
        if let (Some(family), Some(index)) = (decl.node.child(Kind::family), index) {
            self.bind_generic(&mut frame, family.name(), index, "a family index");
        }
        frame
    }

    fn signature(&mut self, decl: Decl<'t>, index: Option<u32>, is_standard: bool) -> Option<Command> {
        let node = decl.node;
        let mut frame = self.command_frame(BodyKind::Const, decl, index);
        let base = node.name().text();
        let id = self.command_id(&mut frame, node, is_standard)?;
        let forms = self.forms(node)?;
        let params = params_of(node)?;
        let mut operands = Vec::new();
        for param in &params {
            let operand = self.operand(&mut frame, *param, &operands);
            // So that the name is checked also where there is no body. The operands of the standard functions are
            // not: no body sees them, and heirs may well call a field `status` or `index`.
            if !is_standard {
                let ty = operand.as_ref().map_or(Ty::Error, |o| Ty::Sized(o.ty.clone()));
                self.declare(&mut frame, param.name(), ty, ("an operand", false));
            }
            operands.extend(operand);
        }
        if operands.len() < params.len() {
            return None;
        }
        let result = match node.child(Kind::result).and_then(|r| r.child(Kind::r#type)) {
            Some(written) => Some(self.register_type(&mut frame, written, "a result")?),
            None => None,
        };
        self.check_forms(node, &forms, (&operands, &params), id)?;
        self.check_result(node, &forms)?;
        let latency = self.attributes(&mut frame, node);
        let semantics = if is_standard {
            self.standard_semantics(base)
        } else if node.has(Kind::block) {
            Semantics::Body(Body::default())
        } else {
            Semantics::Opaque
        };
        Some(Command {
            name: index.map_or(base.to_owned(), |i| member_name(base, i)),
            family: index.map(|i| (base.to_owned(), i)),
            docs: node.docs(),
            id: id as u16,
            forms,
            operands,
            result,
            latency,
            semantics,
            span: node.name().span(),
        })
    }

    fn command_id(&mut self, frame: &mut Frame<'t>, node: Node<'t>, is_standard: bool) -> Option<u32> {
        let written = node.child(Kind::command_id)?;
        let mut sum = Int::ZERO;
        let mut minus = false;
        for term in written.children() {
            if term.kind() == Kind::op_add {
                if !matches!(term.text(), "+" | "-") {
                    self.error(&codes::COMMAND_ID, term, "a function id is a sum of numbers", "not an operator of ids");
                    return None;
                }
                minus = term.text() == "-";
                continue;
            }
            let value = self.constant(frame, term, "a function id")?;
            sum = if minus { &sum - &value } else { &sum + &value };
        }
        let id = sum.to_u32().filter(|id| *id <= MAX_ID);
        let greatest = if is_standard { MAX_ID } else { FIRST_RESERVED - 1 };
        match id {
            None => {
                self.error(
                    &codes::COMMAND_ID,
                    written,
                    format!("a function id is 0 to {greatest}, not {sum}"),
                    "out of range",
                );
                None
            }
            Some(id) if id >= FIRST_RESERVED && !is_standard => {
                self.report(
                    Diagnostic::error(
                        &codes::COMMAND_ID,
                        format!("function ids {FIRST_RESERVED} to {MAX_ID} are reserved for standard functions"),
                        written.span(),
                        format!("this is {id}"),
                    )
                    .help("choose an id below 1008; `: IStateContext` brings the standard functions in"),
                );
                None
            }
            Some(id) => Some(id),
        }
    }

    fn forms(&mut self, node: Node<'t>) -> Option<Vec<Form>> {
        let Some(list) = node.child(Kind::forms) else { return Some(vec![Form::R]) };
        let mut forms = Vec::new();
        for form in list.children_of(Kind::form) {
            let parsed = match form.text() {
                "R" => Form::R,
                "I" => Form::I,
                "flex" => Form::Flex,
                "xcmd" => Form::Xcmd,
                "flex25" => Form::Flex25,
                other => {
                    self.report(
                        Diagnostic::error(
                            &codes::FORM,
                            format!("there is no form `{other}`"),
                            form.span(),
                            "not a form",
                        )
                        .help("the forms are R, I, flex, flex25 and xcmd"),
                    );
                    return None;
                }
            };
            if forms.contains(&parsed) {
                self.error(&codes::FORM, form, "duplicate form", "again here");
            } else {
                forms.push(parsed);
            }
        }
        forms.sort_unstable();
        Some(forms)
    }

    fn operand(&mut self, frame: &mut Frame<'t>, param: Node<'t>, before: &[Operand]) -> Option<Operand> {
        let name = param.name();
        let ty = self.register_type(frame, param.child(Kind::r#type)?, "an operand");
        // The first register operand goes to rs1, whatever immediates stand before it.
        let is_first = before.iter().all(|o| o.slot == Slot::Imm);
        let mut slot = if is_first { Slot::Rs1 } else { Slot::Rs2 };
        if param.has(Kind::kw_imm) {
            slot = Slot::Imm;
        }
        for attr in param.children_of(Kind::attr) {
            match attr.name().text() {
                "rs2" if slot == Slot::Rs1 => slot = Slot::Rs2,
                "rs2" => {
                    self.report(
                        Diagnostic::error(
                            &codes::ATTRIBUTE,
                            "`@rs2` is for a single register operand",
                            attr.span(),
                            "no effect here",
                        )
                        .help("the first register operand is in rs1, the second in rs2"),
                    );
                }
                other => {
                    let message = format!("an operand has no attribute `@{other}`");
                    self.error(&codes::ATTRIBUTE, attr, message, "only `@rs2`");
                }
            }
        }
        Some(Operand { name: name.text().to_owned(), ty: ty?, slot, span: name.span() })
    }

    /// A scalar that fits a register.
    fn register_type(&mut self, frame: &mut Frame<'t>, written: Node<'t>, what: &str) -> Option<Type> {
        let ty = self.type_of(frame, written)?;
        if matches!(ty, Type::Array { .. }) {
            let name = self.name_of(&ty);
            self.error(&codes::OPERANDS, written, format!("{what} is a scalar, not `{name}`"), "an array");
            return None;
        }
        if ty.width() > self.xlen {
            let name = self.name_of(&ty);
            let help = if ty.width() > MAX_XLEN {
                "narrow it; or pass it in parts, which state keeps between the commands"
            } else {
                "narrow it, use `word`, or restrict the command with `@xlen(64)`"
            };
            self.report(
                Diagnostic::error(
                    &codes::OPERANDS,
                    format!("{what} of type `{name}` does not fit a register of {} bits", self.xlen),
                    written.span(),
                    format!("{} bits", ty.width()),
                )
                .help(help),
            );
            return None;
        }
        Some(ty)
    }

    fn check_forms(
        &mut self,
        node: Node<'t>,
        forms: &[Form],
        (operands, params): (&[Operand], &[Node<'t>]),
        id: u32,
    ) -> Option<()> {
        let at = node.child(Kind::forms).unwrap_or(node.name());
        let mut fault = |message: String, help: &str| {
            self.report(Diagnostic::error(&codes::FORM, message, at.span(), "this command").help(help));
            None
        };
        let in_slot = |slot| operands.iter().filter(|o| o.slot == slot).count();
        if in_slot(Slot::Rs2) > 1 && in_slot(Slot::Rs1) == 0 {
            return fault(
                "two operands are in rs2".to_owned(),
                "`@rs2` is for a command with a single register operand: remove it",
            );
        }
        let immediates = operands.iter().filter(|o| o.slot == Slot::Imm).count();
        for form in forms {
            let (name, registers) = (form.name(), operands.len() - immediates);
            let most = match form {
                Form::Flex => 3,
                Form::Flex25 => 1,
                Form::R | Form::I | Form::Xcmd => 2,
            };
            if operands.len() > most {
                return fault(
                    format!("`{name}` carries at most {most} operands, not {}", operands.len()),
                    "keep more operands in state, or use a command family for a small one",
                );
            }
            match form {
                Form::R | Form::Xcmd if immediates > 0 => {
                    return fault(
                        format!("`{name}` carries no immediate"),
                        "an `imm` operand needs form I, flex (third operand) or flex25; without `imm`, I takes the second operand as immediate",
                    );
                }
                Form::I if immediates > 1 || registers > 2 || operands.is_empty() => {
                    return fault(
                        "`I` carries one register and one immediate".to_owned(),
                        "declare at least one operand",
                    );
                }
                Form::I if in_slot(Slot::Rs2) > 0 && in_slot(Slot::Rs1) == 0 => {
                    return fault(
                        "`I` has no rs2".to_owned(),
                        "remove `@rs2`, or declare the operand `imm` if it is the immediate",
                    );
                }
                Form::I | Form::Xcmd if id > MAX_SMALL_ID => {
                    return fault(
                        format!("`{name}` has room for function ids 0 to {MAX_SMALL_ID}, not {id}"),
                        "choose a smaller id, or another form",
                    );
                }
                Form::Flex if immediates > 1 || registers > 2 => {
                    return fault("`flex` carries two registers and five immediate bits".to_owned(), "drop an operand");
                }
                Form::Flex25 if registers > 0 => {
                    return fault(
                        "`flex25` carries one immediate and no register".to_owned(),
                        "declare it as `imm u15`",
                    );
                }
                _ => {}
            }
        }
        for (form, most) in [(Form::Flex, 5), (Form::Flex25, 15)] {
            let wide = operands.iter().zip(params).find(|(o, _)| o.slot == Slot::Imm && o.ty.width() > most);
            if let Some((operand, param)) = wide.filter(|_| forms.contains(&form)) {
                let name = self.name_of(&operand.ty);
                self.report(
                    Diagnostic::error(
                        &codes::FORM,
                        format!(
                            "the immediate of `{}` has {most} bits, `{name}` has {}",
                            form.name(),
                            operand.ty.width()
                        ),
                        param.span(),
                        "does not fit",
                    )
                    .help(format!("declare it as `imm u{most}`, or leave out the form `{}`", form.name())),
                );
                return None;
            }
        }
        if forms.contains(&Form::Xcmd)
            && let (Some(a), Some(param)) = (operands.iter().find(|o| o.slot == Slot::Rs1), params.first())
            && a.ty.width() > self.xlen - 12
        {
            self.report(
                Diagnostic::error(
                    &codes::OPERANDS,
                    "the first operand of an xcmd shares its register with the 12 bits of the lun",
                    param.span(),
                    format!("{} bits, but only {} are free", a.ty.width(), self.xlen - 12),
                )
                .help("declare it as `u<XLEN-12>`, or put a single operand into rs2 with `@rs2`"),
            );
            return None;
        }
        Some(())
    }

    /// A result needs a form that returns it.
    fn check_result(&mut self, node: Node<'t>, forms: &[Form]) -> Option<()> {
        let Some(result) = node.child(Kind::result) else { return Some(()) };
        if forms.iter().any(|form| matches!(form, Form::R | Form::I | Form::Xcmd)) {
            return Some(());
        }
        let at = node.child(Kind::forms).unwrap_or(node.name());
        let has_immediate =
            node.child(Kind::params).is_some_and(|p| p.children_of(Kind::param).any(|p| p.has(Kind::kw_imm)));
        self.report(
            Diagnostic::error(
                &codes::LOST_RESULT,
                format!("no form of `{}` returns a result", node.name().text()),
                result.span(),
                "lost on hardware",
            )
            .label(at.span(), "instructions of this form have no result register")
            .help(match has_immediate {
                true => "remove the result, or keep it in state for a command that reads it",
                false => "add the form R, or remove the result",
            }),
        );
        None
    }

    /// Reads `@latency`; complains about what is unknown.
    fn attributes(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<(u32, u32)> {
        let mut latency = None;
        for attr in node.children_of(Kind::attr) {
            let args: Vec<_> = attr.child(Kind::args).into_iter().flat_map(|a| a.exprs()).collect();
            match attr.name().text() {
                "xlen" => {}
                "latency" if matches!(args.len(), 1 | 2) => {
                    let mut cycles = Vec::new();
                    for arg in &args {
                        cycles.extend(self.constant(frame, *arg, "a latency").and_then(|v| v.to_u32()));
                    }
                    latency = match cycles.as_slice() {
                        [one] => Some((*one, *one)),
                        [lo, hi] if lo <= hi => Some((*lo, *hi)),
                        _ => {
                            self.error(
                                &codes::ATTRIBUTE,
                                attr,
                                "a latency is one or two numbers of cycles",
                                "lowest first",
                            );
                            None
                        }
                    };
                }
                "latency" => self.error(&codes::ATTRIBUTE, attr, "a latency is one or two numbers of cycles", "here"),
                other => {
                    let mut found = Diagnostic::error(
                        &codes::ATTRIBUTE,
                        format!("a command has no attribute `@{other}`"),
                        attr.span(),
                        "unknown",
                    );
                    if let Some(near) = nearest(other, ["latency", "xlen"].into_iter()) {
                        found = found.help(format!("did you mean `@{near}`?"));
                    }
                    self.report(found);
                }
            }
        }
        latency
    }

    /// Checks a body, in a frame with the operands.
    pub(super) fn command_body(&mut self, pending: PendingBody<'t>) {
        let PendingBody { id, decl, index } = pending;
        let Some(block) = decl.node.child(Kind::block) else { return };
        let mut frame = self.command_frame(BodyKind::Command, decl, index);
        let Some(command) = self.section.commands.get(id.index()) else { return };
        frame.result.clone_from(&command.result);
        let types: Vec<Type> = command.operands.iter().map(|o| o.ty.clone()).collect();
        let params = decl.node.child(Kind::params);
        for (param, ty) in params.into_iter().flat_map(|p| p.children_of(Kind::param)).zip(&types) {
            self.declare(&mut frame, param.name(), Ty::Sized(ty.clone()), ("an operand", false));
        }
        let stmts = self.body(&mut frame, block, decl.node.name());
        let body = Body { locals: frame.locals, params: types.len() as u32, stmts };
        if let Some(command) = self.section.commands.get_mut(id.index()) {
            command.semantics = Semantics::Body(body);
        }
    }
}

/// The name of a member of a family: `trap` and 0 give `trap0`.
fn member_name(family: &str, index: u32) -> String {
    format!("{family}{index}")
}
