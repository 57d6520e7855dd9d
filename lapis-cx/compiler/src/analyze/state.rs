//! The `state` block.

use crate::contract::core::{Type, Value};
use crate::contract::layout::status;
use crate::contract::{Field, FieldId, Live, LiveWords, Sharing, State};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::interface as codes;
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Decl, Frame, Symbol};
use super::interface::Members;

/// The size field of the status word has ten bits (language rules, "State, status word, CSRs").
const MAX_STATE_WORDS: u32 = 1023;

/// Bits of the index of any state word.
const INDEX_BITS: u32 = status::SIZE_BITS;

impl<'t> Checker<'_, 't> {
    pub(super) fn state(&mut self, members: &Members<'t>) {
        let blocks: Vec<_> = members.decls.iter().filter(|d| d.node.kind() == Kind::state_item).copied().collect();
        let mut state: Option<State> = None;
        for block in &blocks {
            // Where the model is wrong or missing the fields count all the same, so that their uses are understood.
            let (sharing, ucontext) = self.state_model(*block).unwrap_or((Sharing::Exclusive, false));
            let model = state.get_or_insert(State { docs: String::new(), sharing, ucontext, fields: Vec::new() });
            let docs = block.node.docs();
            if !docs.is_empty() {
                let between = if model.docs.is_empty() { "" } else { "\n\n" };
                model.docs += between;
                model.docs += &docs;
            }
            if (model.sharing, model.ucontext) != (sharing, ucontext) {
                let at = block.node.child(Kind::sharing).unwrap_or(block.node);
                self.report(
                    Diagnostic::error(
                        &codes::STATE,
                        "the bases share their state in two ways",
                        at.span(),
                        "another model",
                    )
                    .help("an interface has one sharing model and one `@ucontext`, which its bases must agree on"),
                );
            }
            for field in block.node.children_of(Kind::state_field) {
                let field = self.field(*block, field);
                state.iter_mut().for_each(|s| s.fields.push(field.clone()));
            }
        }
        let Some(state) = state else { return };
        let words: u64 = state.fields.iter().map(|f| f.ty.bits().div_ceil(u64::from(self.xlen))).sum();
        if words == 0
            && let Some(block) = blocks.first()
            && !blocks.iter().any(|block| block.node.is_broken())
        {
            let at = block.node.child(Kind::kw_state).unwrap_or(block.node);
            self.report(
                Diagnostic::error(&codes::STATE, "the state has no fields", at.span(), "nothing to keep")
                    .note("a CX with state has at least one state word; one without is stateless, and has no status word either")
                    .help("declare a field such as `seed: u32 = 0;`, or remove the block"),
            );
        }
        if words > u64::from(MAX_STATE_WORDS)
            && let Some(block) = blocks.first()
        {
            let at = block.node.child(Kind::kw_state).unwrap_or(block.node);
            self.report(
                Diagnostic::error(
                    &codes::STATE,
                    format!("the state needs {words} words at XLEN {}, more than {MAX_STATE_WORDS}", self.xlen),
                    at.span(),
                    "too large",
                )
                .note("the status word has ten bits for the size of a state context"),
            );
        }
        self.section.state = Some(state);
    }

    fn state_model(&mut self, block: Decl<'t>) -> Option<(Sharing, bool)> {
        let node = block.node.child(Kind::sharing)?;
        let words: Vec<_> = node.children_of(Kind::ident).map(|i| i.text()).collect();
        let sharing = match words.as_slice() {
            ["exclusive"] => Sharing::Exclusive,
            ["shared", "caller_save"] => Sharing::CallerSave,
            ["shared", "callee_save"] => Sharing::CalleeSave,
            ["shared", "always_init"] => Sharing::AlwaysInit,
            ["shared", "custom", "save", _, "restore", _] | ["shared", "custom", "restore", _, "save", _] => {
                Sharing::Custom
            }
            ["shared", "custom", ..] => {
                self.report(
                    Diagnostic::error(
                        &codes::STATE,
                        "`shared(custom, …)` names two functions",
                        node.span(),
                        "which state words are live?",
                    )
                    .help("write `shared(custom, save: f, restore: g)`"),
                );
                return None;
            }
            _ => {
                self.report(
                    Diagnostic::error(&codes::STATE, "there is no such sharing model", node.span(), "not a model").help(
                        "the models are exclusive, shared(caller_save), shared(callee_save), shared(always_init) and shared(custom, save: f, restore: g)",
                    ),
                );
                return None;
            }
        };
        let mut ucontext = false;
        for attr in block.node.children_of(Kind::attr) {
            let args: Vec<_> = attr.child(Kind::args).into_iter().flat_map(|a| a.exprs()).collect();
            match (attr.name().text(), args.as_slice()) {
                ("ucontext", [value]) => {
                    let mut frame = Frame::new(BodyKind::Const, block.home);
                    let typed = self.condition(&mut frame, *value);
                    ucontext = typed.int().is_some_and(|v| !v.is_zero());
                }
                ("ucontext", _) => self.error(&codes::ATTRIBUTE, attr, "`@ucontext` takes true or false", "here"),
                (other, _) => {
                    let message = format!("a state block has no attribute `@{other}`");
                    self.error(&codes::ATTRIBUTE, attr, message, "only `@ucontext`");
                }
            }
        }
        Some((sharing, ucontext))
    }

    /// The functions that say what is live, if the state is shared in a way of its own. State is known.
    pub(super) fn live(&mut self, members: &Members<'t>) {
        let mut found: Option<Live> = None;
        for block in members.decls.iter().filter(|d| d.node.kind() == Kind::state_item) {
            let Some(node) = block.node.child(Kind::sharing) else { continue };
            let words: Vec<_> = node.children_of(Kind::ident).collect();
            let [_, custom, first, f, second, g] = words.as_slice() else { continue };
            let (save, restore) = match (custom.text(), first.text(), second.text()) {
                ("custom", "save", "restore") => (*f, *g),
                ("custom", "restore", "save") => (*g, *f),
                _ => continue,
            };
            let (Some(save), Some(restore)) = (self.live_words(*block, save), self.live_words(*block, restore)) else {
                continue;
            };
            let live = Live { save, restore };
            if found.as_ref().is_some_and(|other| *other != live) {
                self.error(&codes::STATE, node, "the bases share their state in two ways", "other functions");
            }
            found = Some(live);
        }
        self.section.live = found;
    }

    /// A function of the index of a state word and of the leading state fields, in their order.
    fn live_words(&mut self, block: Decl<'t>, name: Node<'t>) -> Option<LiveWords> {
        let text = name.text();
        let wrong = |checker: &mut Self, message: String, label: &str| {
            let help = "a function such as `fn live(index: u10, depth: u4) -> bool` says whether a state word is live, by its \
                        index and the first state fields";
            checker.report(Diagnostic::error(&codes::LIVE, message, name.span(), label).help(help));
            None
        };
        let decl = match self.symbol(block.home, text) {
            Some(Symbol::Fn(decl)) => decl,
            Some(Symbol::Broken) => return None,
            Some(other) => return wrong(self, format!("`{text}` is {}", other.what()), "not a function"),
            None => return wrong(self, format!("there is no function `{text}`"), "not found here"),
        };
        if decl.node.has(Kind::generics) {
            return wrong(self, format!("`{text}` has generics"), "of no known type");
        }
        let id = self.instance(decl, Vec::new(), Some(name))?;
        let function = self.section.fns.get(id.index())?.clone();
        if function.result != Type::Bool {
            let result = self.name_of(&function.result);
            return wrong(self, format!("`{text}` returns `{result}`, not `bool`"), "does not say yes or no");
        }
        let mut params = function.body.locals.iter().take(function.body.params as usize);
        let index = match params.next().map(|p| &p.ty) {
            Some(Type::U(n)) if *n >= INDEX_BITS => Type::U(*n),
            _ => {
                let message = format!("`{text}` does not take the index of a state word first");
                return wrong(self, message, "wants an unsigned index of at least 10 bits");
            }
        };
        let mut fields = Vec::new();
        for (position, param) in params.enumerate() {
            let field = self.section.state.as_ref().and_then(|s| s.fields.get(position)).cloned();
            let wants = self.name_of(&param.ty);
            match field {
                Some(field) if field.ty == param.ty => fields.push(FieldId(position as u32)),
                Some(field) => {
                    let (has, name) = (self.name_of(&field.ty), &field.name);
                    let message =
                        format!("the parameter `{}` is `{wants}`, the state field `{name}` is `{has}`", param.name);
                    return wrong(self, message, "does not take the leading state fields");
                }
                None => {
                    let message = format!("there is no state field for the parameter `{}`", param.name);
                    return wrong(self, message, "has more parameters than state fields");
                }
            }
        }
        Some(LiveWords { function: id, index, fields })
    }

    fn field(&mut self, block: Decl<'t>, node: Node<'t>) -> Field {
        let mut frame = Frame::new(BodyKind::Const, block.home);
        let name = node.name();
        let ty = node.child(Kind::r#type).and_then(|written| self.type_of(&mut frame, written));
        let reset = ty.as_ref().zip(node.expr()).and_then(|(ty, init)| {
            let typed = self.expr(&mut frame, init, Some(ty));
            if typed.is_error() {
                return None;
            }
            let expr = self.coerce_or_fill(typed, ty, init);
            self.evaluate_constant(&frame, &expr, init)
        });
        for attr in node.children_of(Kind::attr) {
            let message = format!("a state field has no attribute `@{}`", attr.name().text());
            self.error(&codes::ATTRIBUTE, attr, message, "unknown");
        }
        // A field that is wrong keeps its place, and its uses are not unknown names.
        if ty.is_none() {
            self.members.insert(name.text(), (Symbol::Broken, name.span()));
        }
        let ty = ty.unwrap_or(Type::Bool);
        let reset = reset.unwrap_or_else(|| Value::zero(&ty));
        Field { name: name.text().to_owned(), docs: node.docs(), ty, reset, span: name.span() }
    }
}
