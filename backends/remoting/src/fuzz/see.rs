//! Values are looked at: what came of a call, and what a callback is told. What they say goes into a hash; objects and memory that
//! came are remembered for later calls.

use lapis_cx::lower::plan::{At, Block, BlockId, Buffer, Kind, Ownership, Value};

use super::code::{Why, int, size};
use super::{Phase, Printer, Target, each_element, element_scope, line};

impl Printer<'_> {
    /// Prints what looks at a value, where `is_told` says whether it came.
    pub(super) fn see(
        &mut self,
        out: &mut String,
        value: &Value,
        target: &Target,
        block: &Block,
        phase: Phase,
        at: At,
    ) -> Result<(), Why> {
        // A result that is a number always comes.
        let is_number = matches!(value.kind, Kind::Scalar { .. } | Kind::Enum { .. });
        let always = phase == Phase::See && at == At::Ret && is_number;
        let condition = match &value.on {
            Some(on) if phase == Phase::See => Some(format!("cxf_holds({})", self.number(on, target, block, phase)?)),
            _ if always => None,
            _ => Some("is_told".to_owned()),
        };
        let told = condition.clone().unwrap_or_else(|| "true".to_owned());
        let mut text = String::new();
        let inner = Target { depth: target.depth + usize::from(condition.is_some()), ..target.clone() };
        // A parameter that gains a reference comes back with it.
        match &value.kind {
            Kind::Handle { of, size: bytes, is_new: true, .. }
                if phase == Phase::See && value.copy_in && !value.copy_out =>
            {
                let (of, bytes) = (of.index(), size(self.unit, bytes));
                line(
                    &mut text,
                    inner.depth,
                    &format!("cxf_see_handle(c, {}->self, {of}, {bytes}, true);", target.scope),
                );
            }
            _ => self.seen(&mut text, value, &inner, block, phase)?,
        }
        if text.is_empty() {
            return Ok(());
        }
        if condition.is_some() {
            line(out, target.depth, &format!("if ({told}) {{"));
        }
        out.push_str(&text);
        if condition.is_some() {
            line(out, target.depth, "}");
        }
        Ok(())
    }

    fn seen(
        &mut self,
        out: &mut String,
        value: &Value,
        target: &Target,
        block: &Block,
        phase: Phase,
    ) -> Result<(), Why> {
        let (unit, depth) = (self.unit, target.depth);
        let at = format!("{}->self", target.scope);
        let has_value = phase.has(value);
        match &value.kind {
            Kind::Block(id) => {
                if self.says_something(*id, phase) {
                    let name = self.block(*id, phase)?;
                    let scope = format!("inner{depth}");
                    line(
                        out,
                        depth,
                        &format!("const cxf_scope {scope}[1] = {{{{ {at}, {at}, 0, {} }}}};", target.scope),
                    );
                    line(out, depth, &format!("{name}(c, root, {scope}, true);"));
                }
            }
            Kind::Array { count, valid, stride, element, .. } => {
                let mut count = self.number(count, target, block, phase)?;
                if let Some(valid) = valid {
                    count = format!("cxf_smaller({count}, {})", self.number(valid, target, block, phase)?);
                }
                self.all_seen(out, element, (&at, &count, &size(unit, stride)), target, block, phase)?;
            }
            Kind::Match { value: code, arms, default } => {
                let mut text = String::new();
                let inner = Target { depth: depth + 1, ..target.clone() };
                let mut says = false;
                for (n, (patterns, arm)) in arms.iter().enumerate() {
                    let holds = patterns
                        .iter()
                        .map(|(first, end)| format!("cxf_within(n{depth}, {}, {})", int(first), int(end)));
                    let holds: Vec<String> = holds.collect();
                    line(
                        &mut text,
                        depth,
                        &format!("{}if ({}) {{", if n == 0 { "" } else { "} else " }, holds.join(" || ")),
                    );
                    says |= self.said_in(&mut text, arm, &inner, block, phase)?;
                }
                if let Some(default) = default {
                    line(&mut text, depth, if arms.is_empty() { "{" } else { "} else {" });
                    says |= self.said_in(&mut text, default, &inner, block, phase)?;
                }
                line(&mut text, depth, "}");
                if says {
                    let number = self.number(code, target, block, phase)?;
                    line(out, depth, &format!("const cxf_number n{depth} = {number};"));
                    line(out, depth, &format!("(void)n{depth};"));
                    out.push_str(&text);
                }
            }
            Kind::Buffer(buffer) => self.buffer_seen(out, value, buffer, target, block, phase)?,
            _ if !has_value => {}
            Kind::Scalar { size: bytes, .. } | Kind::Enum { size: bytes, .. } => {
                line(out, depth, &format!("cxf_say(c, (const void *){at}, {});", size(unit, bytes)));
            }
            Kind::Handle { of, size: bytes, is_new, .. } => {
                let (of, bytes) = (of.index(), size(unit, bytes));
                line(out, depth, &format!("cxf_see_handle(c, {at}, {of}, {bytes}, {is_new});"));
            }
            Kind::Within { region, .. } => {
                let region = match region {
                    Some(region) => self.number(region, target, block, phase)?,
                    None => "cxf_none()".to_owned(),
                };
                line(out, depth, &format!("cxf_see_pointer(c, {at}, {region});"));
            }
            Kind::Userdata { .. } if phase == Phase::Hear => line(out, depth, &format!("cxf_see_tag(c, {at});")),
            Kind::Address { .. } | Kind::Function(_) | Kind::Userdata { .. } => {
                line(out, depth, &format!("cxf_say_number(c, cxf_bits({at}, sizeof(void *)) != 0);"));
            }
            Kind::Callback { .. } | Kind::File { .. } | Kind::Stream { .. } | Kind::Local { .. } | Kind::Nothing => {}
        }
        Ok(())
    }

    /// Prints a case of a choice: whether it says something.
    fn said_in(
        &mut self,
        out: &mut String,
        value: &Value,
        target: &Target,
        block: &Block,
        phase: Phase,
    ) -> Result<bool, Why> {
        let before = out.len();
        self.seen(out, value, target, block, phase)?;
        Ok(out.len() > before)
    }

    fn all_seen(
        &mut self,
        out: &mut String,
        element: &Value,
        (at, count, stride): (&str, &str, &str),
        target: &Target,
        block: &Block,
        phase: Phase,
    ) -> Result<(), Why> {
        let depth = target.depth;
        let inner = Target {
            scope: element_scope(depth),
            depth: depth + 1,
            ty: format!("element of {stride}"),
            ..target.clone()
        };
        let mut text = String::new();
        self.seen(&mut text, element, &inner, block, phase)?;
        if text.is_empty() {
            return Ok(());
        }
        each_element(out, (at, count, stride), target, &text, false);
        Ok(())
    }

    fn buffer_seen(
        &mut self,
        out: &mut String,
        value: &Value,
        buffer: &Buffer,
        target: &Target,
        block: &Block,
        phase: Phase,
    ) -> Result<(), Why> {
        let (unit, depth) = (self.unit, target.depth);
        let at = format!("{}->self", target.scope);
        let has_contents = match phase {
            Phase::See | Phase::Tell => buffer.is_out || self.says(&buffer.element, phase),
            Phase::Make | Phase::Hear => buffer.is_in,
        };
        let has_value = phase.has(value);
        if has_value {
            line(out, depth, &format!("cxf_say_number(c, cxf_bits({at}, sizeof(void *)) != 0);"));
        }
        if has_contents && !matches!(buffer.ownership, Ownership::EndsMirroredStruct | Ownership::Taken) {
            let here = format!("at{depth}");
            let stride = size(unit, &buffer.stride);
            let mut count = match &buffer.count {
                Some(count) => self.number(count, target, block, phase)?,
                None => "cxf_int(-1)".to_owned(),
            };
            if let Some(until) = &buffer.until {
                let value = self.number(&until.value, target, block, phase)?;
                let (bytes, is_signed) = (size(unit, &until.compared.size), until.compared.sign_in_c());
                count = format!("cxf_until(cxf_at({here}), {count}, {value}, {bytes}, {is_signed}, {stride})");
            }
            if let Some(valid) = &buffer.valid {
                count = format!("cxf_smaller({count}, {})", self.number(valid, target, block, phase)?);
            }
            let mut text = String::new();
            let inner = Target { depth: depth + 1, ..target.clone() };
            self.all_seen(&mut text, &buffer.element, (&here, &format!("size{depth}"), &stride), &inner, block, phase)?;
            if !text.is_empty() {
                line(out, depth, &format!("const uintptr_t {here} = (uintptr_t)cxf_bits({at}, sizeof(void *));"));
                line(out, depth, &format!("if ({here} != 0) {{"));
                line(out, depth + 1, &format!("const cxf_number size{depth} = {count};"));
                out.push_str(&text);
                line(out, depth, "}");
            }
        }
        if has_value && phase == Phase::See && buffer.ownership == Ownership::Given {
            let kind = self.kind(&target.ty);
            line(
                out,
                depth,
                &format!(
                    "if (cxf_bits({at}, sizeof(void *)) != 0) cxf_remember({kind}, cxf_bits({at}, sizeof(void *)), 0);"
                ),
            );
        }
        Ok(())
    }

    /// Whether a value says anything, or has contents that do.
    fn says(&self, value: &Value, phase: Phase) -> bool {
        self.says_in(value, phase, &mut Vec::new())
    }

    fn says_something(&self, id: BlockId, phase: Phase) -> bool {
        self.block_says(id, phase, &mut Vec::new())
    }

    fn block_says(&self, id: BlockId, phase: Phase, seen: &mut Vec<BlockId>) -> bool {
        if seen.contains(&id) {
            return false;
        }
        seen.push(id);
        let block = self.unit.plan.blocks.get(id.index());
        block.is_some_and(|block| block.values.iter().any(|(_, value)| self.says_in(value, phase, seen)))
    }

    fn says_in(&self, value: &Value, phase: Phase, seen: &mut Vec<BlockId>) -> bool {
        match &value.kind {
            Kind::Block(id) => self.block_says(*id, phase, seen),
            Kind::Array { element, .. } => self.says_in(element, phase, seen),
            Kind::Match { arms, default, .. } => {
                arms.iter().map(|(_, arm)| arm).chain(default.as_deref()).any(|arm| self.says_in(arm, phase, seen))
            }
            Kind::Buffer(buffer) => {
                let contents = if matches!(phase, Phase::See | Phase::Tell) { buffer.is_out } else { buffer.is_in };
                phase.has(value) || contents || self.says_in(&buffer.element, phase, seen)
            }
            Kind::Nothing | Kind::Callback { .. } | Kind::File { .. } | Kind::Stream { .. } | Kind::Local { .. } => {
                false
            }
            _ => phase.has(value),
        }
    }
}
