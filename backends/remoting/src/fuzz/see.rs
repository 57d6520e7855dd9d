//! Values are looked at: what came of a call, and what a callback is told. What they say goes into a hash; objects and memory that
//! came are remembered for later calls.

use lapis_cx::lower::plan::{At, Block, BlockId, Buffer, Kind, Ownership, Value};

use super::code::{Why, int, size};
use super::{Printer, Spot, Way, each_element, element_scope, line};

impl Printer<'_> {
    /// Prints what looks at a value, where `is_told` says whether it came.
    pub(super) fn see(
        &mut self,
        out: &mut String,
        value: &Value,
        spot: &Spot,
        block: &Block,
        way: Way,
        at: At,
    ) -> Result<(), Why> {
        // A result that is a number always comes.
        let is_number = matches!(value.kind, Kind::Scalar { .. } | Kind::Enum { .. });
        let always = way == Way::See && at == At::Ret && is_number;
        let condition = match &value.on {
            Some(on) if way == Way::See => Some(format!("cxf_holds({})", self.number(on, spot, block, way)?)),
            _ if always => None,
            _ => Some("is_told".to_owned()),
        };
        let told = condition.clone().unwrap_or_else(|| "true".to_owned());
        let mut text = String::new();
        let inner = Spot { depth: spot.depth + usize::from(condition.is_some()), ..spot.clone() };
        // A parameter that gains a reference comes back with it.
        match &value.kind {
            Kind::Handle { of, size: bytes, is_new: true, .. } if way == Way::See && value.goes && !value.comes => {
                let (of, bytes) = (of.index(), size(self.unit, bytes));
                line(&mut text, inner.depth, &format!("cxf_see_handle(c, {}->self, {of}, {bytes}, true);", spot.scope));
            }
            _ => self.seen(&mut text, value, &inner, block, way)?,
        }
        if text.is_empty() {
            return Ok(());
        }
        if condition.is_some() {
            line(out, spot.depth, &format!("if ({told}) {{"));
        }
        out.push_str(&text);
        if condition.is_some() {
            line(out, spot.depth, "}");
        }
        Ok(())
    }

    fn seen(&mut self, out: &mut String, value: &Value, spot: &Spot, block: &Block, way: Way) -> Result<(), Why> {
        let (unit, depth) = (self.unit, spot.depth);
        let at = format!("{}->self", spot.scope);
        let comes = way.has(value);
        match &value.kind {
            Kind::Block(id) => {
                if self.says_something(*id, way) {
                    let name = self.block(*id, way)?;
                    let scope = format!("inner{depth}");
                    line(out, depth, &format!("const cxf_scope {scope}[1] = {{{{ {at}, {at}, 0, {} }}}};", spot.scope));
                    line(out, depth, &format!("{name}(c, root, {scope}, true);"));
                }
            }
            Kind::Array { count, valid, stride, element } => {
                let mut count = self.number(count, spot, block, way)?;
                if let Some(valid) = valid {
                    count = format!("cxf_smaller({count}, {})", self.number(valid, spot, block, way)?);
                }
                self.all_seen(out, element, (&at, &count, &size(unit, stride)), spot, block, way)?;
            }
            Kind::Match { value: code, arms, default } => {
                let mut text = String::new();
                let inner = Spot { depth: depth + 1, ..spot.clone() };
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
                    says |= self.said_in(&mut text, arm, &inner, block, way)?;
                }
                if let Some(default) = default {
                    line(&mut text, depth, if arms.is_empty() { "{" } else { "} else {" });
                    says |= self.said_in(&mut text, default, &inner, block, way)?;
                }
                line(&mut text, depth, "}");
                if says {
                    let number = self.number(code, spot, block, way)?;
                    line(out, depth, &format!("const cxf_number n{depth} = {number};"));
                    line(out, depth, &format!("(void)n{depth};"));
                    out.push_str(&text);
                }
            }
            Kind::Buffer(buffer) => self.buffer_seen(out, value, buffer, spot, block, way)?,
            _ if !comes => {}
            Kind::Scalar { size: bytes, .. } | Kind::Enum { size: bytes, .. } => {
                line(out, depth, &format!("cxf_say(c, (const void *){at}, {});", size(unit, bytes)));
            }
            Kind::Handle { of, size: bytes, is_new, .. } => {
                let (of, bytes) = (of.index(), size(unit, bytes));
                line(out, depth, &format!("cxf_see_handle(c, {at}, {of}, {bytes}, {is_new});"));
            }
            Kind::Within { region, .. } => {
                let region = match region {
                    Some(region) => self.number(region, spot, block, way)?,
                    None => "cxf_none()".to_owned(),
                };
                line(out, depth, &format!("cxf_see_pointer(c, {at}, {region});"));
            }
            Kind::Userdata { .. } if way == Way::Hear => line(out, depth, &format!("cxf_see_tag(c, {at});")),
            Kind::Address { .. } | Kind::Function(_) | Kind::Userdata { .. } => {
                line(out, depth, &format!("cxf_say_number(c, cxf_bits({at}, sizeof(void *)) != 0);"));
            }
            Kind::Callback { .. } | Kind::File { .. } | Kind::Stream { .. } | Kind::Local { .. } | Kind::Nothing => {}
        }
        Ok(())
    }

    /// Prints a case of a choice: whether it says something.
    fn said_in(&mut self, out: &mut String, value: &Value, spot: &Spot, block: &Block, way: Way) -> Result<bool, Why> {
        let before = out.len();
        self.seen(out, value, spot, block, way)?;
        Ok(out.len() > before)
    }

    fn all_seen(
        &mut self,
        out: &mut String,
        element: &Value,
        (at, count, stride): (&str, &str, &str),
        spot: &Spot,
        block: &Block,
        way: Way,
    ) -> Result<(), Why> {
        let depth = spot.depth;
        let inner =
            Spot { scope: element_scope(depth), depth: depth + 1, ty: format!("element of {stride}"), ..spot.clone() };
        let mut text = String::new();
        self.seen(&mut text, element, &inner, block, way)?;
        if text.is_empty() {
            return Ok(());
        }
        each_element(out, (at, count, stride), spot, &text, false);
        Ok(())
    }

    fn buffer_seen(
        &mut self,
        out: &mut String,
        value: &Value,
        buffer: &Buffer,
        spot: &Spot,
        block: &Block,
        way: Way,
    ) -> Result<(), Why> {
        let (unit, depth) = (self.unit, spot.depth);
        let at = format!("{}->self", spot.scope);
        let has_contents = match way {
            Way::See | Way::Tell => buffer.takes_out || self.says(&buffer.element, way),
            Way::Make | Way::Hear => buffer.takes_in,
        };
        let comes = way.has(value);
        if comes {
            line(out, depth, &format!("cxf_say_number(c, cxf_bits({at}, sizeof(void *)) != 0);"));
        }
        if has_contents && !matches!(buffer.ownership, Ownership::EndsTwin | Ownership::Taken) {
            let here = format!("at{depth}");
            let stride = size(unit, &buffer.stride);
            let mut count = match &buffer.count {
                Some(count) => self.number(count, spot, block, way)?,
                None => "cxf_int(-1)".to_owned(),
            };
            if let Some(until) = &buffer.until {
                let value = self.number(&until.value, spot, block, way)?;
                let (bytes, is_signed) = (size(unit, &until.compared.size), until.compared.is_signed);
                count = format!("cxf_until(cxf_at({here}), {count}, {value}, {bytes}, {is_signed}, {stride})");
            }
            if let Some(valid) = &buffer.valid {
                count = format!("cxf_smaller({count}, {})", self.number(valid, spot, block, way)?);
            }
            let mut text = String::new();
            let inner = Spot { depth: depth + 1, ..spot.clone() };
            self.all_seen(&mut text, &buffer.element, (&here, &format!("size{depth}"), &stride), &inner, block, way)?;
            if !text.is_empty() {
                line(out, depth, &format!("const uintptr_t {here} = (uintptr_t)cxf_bits({at}, sizeof(void *));"));
                line(out, depth, &format!("if ({here} != 0) {{"));
                line(out, depth + 1, &format!("const cxf_number size{depth} = {count};"));
                out.push_str(&text);
                line(out, depth, "}");
            }
        }
        if comes && way == Way::See && buffer.ownership == Ownership::Given {
            let kind = self.kind(&spot.ty);
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
    fn says(&self, value: &Value, way: Way) -> bool {
        self.says_in(value, way, &mut Vec::new())
    }

    fn says_something(&self, id: BlockId, way: Way) -> bool {
        self.block_says(id, way, &mut Vec::new())
    }

    fn block_says(&self, id: BlockId, way: Way, seen: &mut Vec<BlockId>) -> bool {
        if seen.contains(&id) {
            return false;
        }
        seen.push(id);
        let block = self.unit.plan.blocks.get(id.index());
        block.is_some_and(|block| block.values.iter().any(|(_, value)| self.says_in(value, way, seen)))
    }

    fn says_in(&self, value: &Value, way: Way, seen: &mut Vec<BlockId>) -> bool {
        match &value.kind {
            Kind::Block(id) => self.block_says(*id, way, seen),
            Kind::Array { element, .. } => self.says_in(element, way, seen),
            Kind::Match { arms, default, .. } => {
                arms.iter().map(|(_, arm)| arm).chain(default.as_deref()).any(|arm| self.says_in(arm, way, seen))
            }
            Kind::Buffer(buffer) => {
                let contents = if matches!(way, Way::See | Way::Tell) { buffer.takes_out } else { buffer.takes_in };
                way.has(value) || contents || self.says_in(&buffer.element, way, seen)
            }
            Kind::Nothing | Kind::Callback { .. } | Kind::File { .. } | Kind::Stream { .. } | Kind::Local { .. } => {
                false
            }
            _ => way.has(value),
        }
    }
}
