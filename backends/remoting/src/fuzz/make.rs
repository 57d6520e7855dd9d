//! Code that makes values: the arguments of a call, and the answer of a callback.

use lapis_cx::contract::library::CallbackId;
use lapis_cx::contract::library::place::Scalar;
use lapis_cx::lower::plan::{Block, Buffer, Code, Kind, Lifetime, Op, Ownership, Value};
use lapis_cx_backend_c::library::declared;

use super::code::{Why, int, size};
use super::{Phase, Printer, Target, Use, each_element, element_scope, line};
use crate::ctype;

impl Printer<'_> {
    /// Prints the assignments that make a value.
    pub(super) fn make(
        &mut self,
        out: &mut String,
        value: &Value,
        target: &Target,
        block: &Block,
        phase: Phase,
    ) -> Result<(), Why> {
        let (unit, depth) = (self.unit, target.depth);
        let at = format!("{}->self", target.scope);
        match &value.kind {
            Kind::Local { .. } if phase == Phase::Make && target.ty.contains('*') => {
                line(out, depth, &format!("cxf_put_local(c, {at});"));
            }
            Kind::Local { .. } => {}
            Kind::Block(id) => {
                let name = self.block(*id, phase)?;
                let scope = format!("inner{depth}");
                line(out, depth, &format!("const cxf_scope {scope}[1] = {{{{ {at}, {at}, 0, {} }}}};", target.scope));
                line(out, depth, &format!("{name}(c, root, {scope});"));
            }
            Kind::Array { count, .. } if !matches!(*count.ops, [Op::Int(_)]) => {
                return Err("a struct that ends with an array of any length");
            }
            Kind::Array { count, stride, element, .. } => {
                let count = self.number(count, target, block, phase)?;
                self.elements(out, element, (&at, &count, &size(unit, stride)), target, block, phase)?;
            }
            Kind::Match { .. } => self.choice(out, value, target, block, phase)?,
            Kind::Buffer(_) if value.copy_out && phase == Phase::Tell => {
                return Err("a callback that answers with a pointer");
            }
            Kind::Buffer(buffer) if phase == Phase::Tell => self.buffer_of_callback(out, buffer, target, block)?,
            _ if !phase.has(value) => {}
            Kind::Buffer(buffer) => self.buffer(out, buffer, target, block)?,
            Kind::Scalar { scalar, size: bytes } => {
                let ty = match scalar {
                    Scalar::Bool => "CXF_BOOL",
                    Scalar::Float | Scalar::Double => "CXF_FLOAT",
                    Scalar::Char if target.is_text => "CXF_TEXT",
                    Scalar::Short | Scalar::Int | Scalar::Long | Scalar::IntPtr | Scalar::Signed(_) => "CXF_SIGNED",
                    _ => "CXF_UNSIGNED",
                };
                line(out, depth, &format!("cxf_put(c, {at}, {}, {ty}, {});", size(unit, bytes), target.named));
            }
            Kind::Enum { size: bytes, .. } => {
                line(out, depth, &format!("cxf_put(c, {at}, {}, CXF_SIGNED, {});", size(unit, bytes), target.named));
            }
            Kind::Address { is_own: true } => {
                let kind = self.kind(&target.ty);
                line(out, depth, &format!("cxf_put_own(c, {at}, {kind}, {}, false);", target.is_optional));
            }
            Kind::Address { is_own: false } => line(out, depth, &format!("cxf_put_address(c, {at});")),
            Kind::Handle { of, size: bytes, is_own, is_optional, .. } => {
                let (of, bytes) = (of.index(), size(unit, bytes));
                line(out, depth, &format!("cxf_put_handle(c, {at}, {of}, {bytes}, {is_optional}, {is_own});"));
            }
            Kind::Callback { of, is_optional, .. } => self.function_pointer(out, *of, *is_optional, &at, depth)?,
            Kind::Userdata { .. } if phase == Phase::Tell => return Err("a callback that answers with a pointer"),
            Kind::Userdata { .. } => line(out, depth, &format!("cxf_put_tag(c, {at});")),
            Kind::Within { region, is_optional } => {
                let region = match region {
                    Some(region) => self.number(region, target, block, phase)?,
                    None => "cxf_none()".to_owned(),
                };
                line(out, depth, &format!("cxf_put_within(c, {at}, {region}, {is_optional});"));
            }
            Kind::File { .. } => return Err("a file"),
            Kind::Function(_) => return Err("a pointer to a function of the API"),
            Kind::Stream { .. } => return Err("a stream"),
            Kind::Nothing => {}
        }
        Ok(())
    }

    /// Prints the assignments for a value whose type depends on another value.
    fn choice(
        &mut self,
        out: &mut String,
        value: &Value,
        target: &Target,
        block: &Block,
        phase: Phase,
    ) -> Result<(), Why> {
        let Kind::Match { value: code, arms, default } = &value.kind else { return Ok(()) };
        let depth = target.depth;
        let number = self.number(code, target, block, phase)?;
        let (mut text, mut is_empty) = (String::new(), true);
        let inner = Target { depth: depth + 1, ..target.clone() };
        for (n, (patterns, arm)) in arms.iter().enumerate() {
            let holds =
                patterns.iter().map(|(first, end)| format!("cxf_within(n{depth}, {}, {})", int(first), int(end)));
            let holds: Vec<String> = holds.collect();
            line(&mut text, depth, &format!("{}if ({}) {{", if n == 0 { "" } else { "} else " }, holds.join(" || ")));
            let before = text.len();
            self.make(&mut text, arm, &inner, block, phase)?;
            is_empty &= text.len() == before;
        }
        if let Some(default) = default {
            line(&mut text, depth, if arms.is_empty() { "{" } else { "} else {" });
            let before = text.len();
            self.make(&mut text, default, &inner, block, phase)?;
            is_empty &= text.len() == before;
        }
        line(&mut text, depth, "}");
        if !is_empty {
            line(out, depth, &format!("const cxf_number n{depth} = {number};"));
            line(out, depth, &format!("(void)n{depth};"));
            out.push_str(&text);
        }
        Ok(())
    }

    /// Prints the assignments that a callback makes to a buffer of its caller.
    fn buffer_of_callback(
        &mut self,
        out: &mut String,
        buffer: &Buffer,
        target: &Target,
        block: &Block,
    ) -> Result<(), Why> {
        if !buffer.is_out {
            return Ok(());
        }
        let (unit, depth, phase) = (self.unit, target.depth, Phase::Tell);
        let at = format!("{}->self", target.scope);
        let count = buffer.count.as_ref().ok_or("a callback that writes memory without a length")?;
        let count = self.number(count, target, block, phase)?;
        let pointer = format!("(uintptr_t)cxf_bits({at}, sizeof(void *))");
        let stride = size(unit, &buffer.stride);
        let Some(until) = &buffer.until else {
            return self.elements(out, &buffer.element, (&pointer, &count, &stride), target, block, phase);
        };
        // Elements behind the end are not sent, so nothing is written there.
        let (all, inner) = (format!("size{depth}"), Target { is_text: true, ..target.clone() });
        line(out, depth, &format!("const cxf_number {all} = cxf_some_size(c, {count});"));
        self.elements(out, &buffer.element, (&pointer, &all, &stride), &inner, block, phase)?;
        let (value, bytes) = (self.number(&until.value, target, block, phase)?, size(unit, &until.compared.size));
        line(out, depth, &format!("cxf_put_end(c, {pointer}, {all}, {stride}, {value}, {bytes}, true);"));
        Ok(())
    }

    /// Prints the assignments for elements at an address.
    fn elements(
        &mut self,
        out: &mut String,
        element: &Value,
        (at, count, stride): (&str, &str, &str),
        target: &Target,
        block: &Block,
        phase: Phase,
    ) -> Result<(), Why> {
        let depth = target.depth;
        let mut text = String::new();
        let inner = Target {
            scope: element_scope(depth),
            depth: depth + 1,
            ty: format!("element of {stride}"),
            is_optional: false,
            ..target.clone()
        };
        self.make(&mut text, element, &inner, block, phase)?;
        if text.is_empty() {
            return Ok(());
        }
        each_element(out, (at, count, stride), target, &text, true);
        Ok(())
    }

    /// Prints the assignments for a pointer and its elements.
    fn buffer(&mut self, out: &mut String, buffer: &Buffer, target: &Target, block: &Block) -> Result<(), Why> {
        let (unit, depth) = (self.unit, target.depth);
        if buffer.zero_copy.is_some() {
            return Err("memory that both sides share (`@zero_copy`)");
        }
        let at = format!("{}->self", target.scope);
        let (kind, mirror) = (self.kind(&target.ty), self.mirror(&buffer.element));
        let is_optional = buffer.is_optional;
        let reads_metadata =
            |code: &Code| code.ops.iter().any(|op| matches!(op, Op::Metadata(..) | Op::MetadataElement(..)));
        let has_metadata_size = buffer.count.as_ref().is_some_and(reads_metadata);
        match buffer.ownership {
            // A block of the size that the arguments say passes to the library.
            Ownership::Taken if buffer.is_in && !has_metadata_size => {}
            Ownership::Taken => {
                line(out, depth, &format!("cxf_put_own(c, {at}, {kind}, {is_optional}, true);"));
                return Ok(());
            }
            Ownership::EndsMirroredStruct => {
                let mirror = mirror.ok_or("the end of what no call begins")?;
                line(out, depth, &format!("cxf_put_own(c, {at}, {mirror}, {is_optional}, true);"));
                return Ok(());
            }
            Ownership::Borrowed | Ownership::Given | Ownership::MirroredStruct => {}
        }
        let stride = size(unit, &buffer.stride);
        let has_count = buffer.count.is_some();
        let count = match &buffer.count {
            Some(count) => self.number(count, target, block, Phase::Make)?,
            None => "cxf_int(1 + (cxf_wide)cxf_below(c, c->tame > 1 ? 2 : 12))".to_owned(),
        };
        // The library may read `local` memory before it writes it. The worker's begins with zeros.
        let is_sent = buffer.is_in || buffer.is_out;
        let is_flat = is_sent && matches!(buffer.element.kind, Kind::Scalar { .. } | Kind::Enum { .. });
        let flags = match (has_metadata_size, is_flat) {
            (false, true) => "0",
            (true, true) => "CXF_ROOMY",
            (false, false) => "CXF_BLANK",
            (true, false) => "CXF_ROOMY | CXF_BLANK",
        };
        line(out, depth, &format!("if (!cxf_is_null(c, {is_optional})) {{"));
        let inner = Target { depth: depth + 1, is_text: buffer.until.is_some(), ..target.clone() };
        let known = mirror.filter(|_| buffer.ownership == Ownership::Borrowed);
        if let Some(mirror) = known {
            // An object whose address the library keeps.
            line(
                out,
                depth + 1,
                &format!(
                    "const cxf_thing *const known{depth} = cxf_once_in(c, 4) ? NULL : cxf_some_kept(c, {mirror});"
                ),
            );
            line(
                out,
                depth + 1,
                &format!("if (known{depth} != NULL) cxf_store({at}, known{depth}->bits, sizeof(void *));"),
            );
        }
        let is_unknown = known.map_or_else(String::new, |_| format!("known{depth} == NULL"));
        let open = if is_unknown.is_empty() { "{".to_owned() } else { format!("if ({is_unknown}) {{") };
        let inner = Target { depth: depth + 2, ..inner };
        let depth = depth + 2;
        line(out, depth - 1, &open);
        line(out, depth, &format!("const cxf_number size{depth} = {count};"));
        line(out, depth, &format!("const uintptr_t at{depth} = cxf_memory(c, size{depth}, {stride}, {flags});"));
        line(out, depth, &format!("cxf_store({at}, at{depth}, sizeof(void *));"));
        let (here, all) = (format!("at{depth}"), format!("size{depth}"));
        self.elements(out, &buffer.element, (&here, &all, &stride), &inner, block, Phase::Make)?;
        if let Some(until) = &buffer.until
            && buffer.is_in
        {
            let value = self.number(&until.value, target, block, Phase::Make)?;
            let bytes = size(unit, &until.compared.size);
            let is_last = !has_count;
            line(out, depth, &format!("cxf_put_end(c, {here}, {all}, {stride}, {value}, {bytes}, {is_last});"));
        }
        let kept = match (buffer.ownership, &buffer.lifetime) {
            (Ownership::MirroredStruct, _) => mirror,
            (_, Lifetime::Manual) => Some(kind),
            _ => None,
        };
        if let Some(kept) = kept {
            line(out, depth, &format!("cxf_add(c, &c->lent, {kept}, {here}, 0);"));
        }
        line(out, depth - 1, "}");
        line(out, depth - 2, "}");
        Ok(())
    }

    /// Prints the assignment of a callback.
    fn function_pointer(
        &mut self,
        out: &mut String,
        of: CallbackId,
        is_optional: bool,
        at: &str,
        depth: usize,
    ) -> Result<(), Why> {
        self.callbacks.get(of.index()).copied().unwrap_or(Err("a callback that answers with a pointer"))?;
        self.uses.insert(Use::Callback(of.index() as u32));
        let ty = ctype::callback(self.unit.library, of);
        let (of, pointer) = (of.index(), declared(&ty, &format!("function{depth}")));
        line(out, depth, &format!("{pointer} = cxf_callback_{of};"));
        line(
            out,
            depth,
            &format!(
                "if (!cxf_is_null(c, {is_optional})) memcpy((void *){at}, &function{depth}, sizeof function{depth});"
            ),
        );
        Ok(())
    }
}
