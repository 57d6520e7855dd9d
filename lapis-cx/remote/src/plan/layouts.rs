//! Finds blocks that describe memory alike: none has a number, or a pointer to something else, where another one has a pointer, an object or a
//! function. A specification may describe one C struct in several ways, each with other members that no message carries. Other memory must not
//! be taken for such a struct: storing a number where a pointer is expected would forge the pointer. Elements that are no structs are compared in the
//! same way.

use super::facts::each_inner;
use super::{Block, Buffer, Kind, Op, Value};

/// What memory contains, as far as a message can change it.
#[derive(Clone, Debug, PartialEq)]
enum Content {
    Numbers,
    Address,
    Handle(u32),
    Callback(u32),
    Userdata,
    Within,
    Path,
    Descriptor,
    Function,
    /// A pointer to such elements. `None` if no message carries any.
    Pointer(Option<Box<Content>>),
    /// A struct of this layout.
    Struct(u32),
    /// Elements with this distance in bytes.
    Array(usize, Box<Content>),
    /// One of these, as a value selects.
    Choice(Vec<Content>),
}

/// A part of a block: its first byte, the byte after the last one that is known to belong to it, and what it contains.
#[derive(Clone, Debug)]
struct Part {
    start: usize,
    end: usize,
    content: Content,
}

impl Part {
    fn contradicts(&self, other: &Part) -> bool {
        let overlaps = self.start < other.end && other.start < self.end;
        let are_numbers = self.content == Content::Numbers && other.content == Content::Numbers;
        overlaps && !are_numbers && (self.start != other.start || self.content != other.content)
    }
}

/// Blocks that describe memory alike: its size in bytes, and all that they say.
struct Layout {
    bytes: usize,
    parts: Vec<Part>,
}

/// Returns a number for each block. Two blocks have the same number if they describe memory alike.
pub(super) fn of_blocks(blocks: &[Block]) -> Vec<u32> {
    // Structs that pointers lead to count as alike until a difference is found.
    let mut layouts = vec![0; blocks.len()];
    for _ in 0..=blocks.len() {
        let next = classify(blocks, &layouts);
        if next == layouts {
            break;
        }
        layouts = next;
    }
    layouts
}

/// Numbers the elements of all buffers that are neither numbers nor structs. Elements that describe memory alike have the same number.
pub(super) fn number_elements(blocks: &mut [Block], layouts: &[u32]) {
    let mut known: Vec<(usize, Option<Content>)> = Vec::new();
    let mut number = |value: &mut Value| {
        let Kind::Buffer(buffer) = &mut value.kind else { return };
        if matches!(buffer.element.kind, Kind::Scalar { .. } | Kind::Block(_)) {
            return;
        }
        let element = (buffer.stride, content(&buffer.element, layouts).map(|(content, _)| content));
        let at = known.iter().position(|one| *one == element).unwrap_or_else(|| {
            known.push(element);
            known.len() - 1
        });
        buffer.facts.element = at as u32;
    };
    for value in blocks.iter_mut().flat_map(|block| &mut block.values) {
        each_inner(value, &mut number);
    }
}

fn classify(blocks: &[Block], layouts: &[u32]) -> Vec<u32> {
    let mut known: Vec<Layout> = Vec::new();
    let number = |block: &Block| {
        let mut parts = Vec::new();
        block.values.iter().for_each(|value| describe(value, value.offset, (blocks, layouts), &mut parts));
        let is_alike = |layout: &Layout| {
            let contradicts = |part: &Part| layout.parts.iter().any(|other| part.contradicts(other));
            layout.bytes == block.bytes && !parts.iter().any(contradicts)
        };
        let at = known.iter().position(is_alike).unwrap_or_else(|| {
            known.push(Layout { bytes: block.bytes, parts: Vec::new() });
            known.len() - 1
        });
        known[at].parts.append(&mut parts);
        at as u32
    };
    blocks.iter().map(number).collect()
}

/// Adds the parts of a value at this offset. What no message carries has none.
fn describe(value: &Value, offset: usize, of: (&[Block], &[u32]), parts: &mut Vec<Part>) {
    if let Kind::Block(id) = &value.kind {
        // The members of an embedded struct count as those of the block around it.
        let values = of.0.get(*id as usize).map_or(&[][..], |block| &block.values);
        values.iter().for_each(|one| describe(one, offset + one.offset, of, parts));
    } else if let Some((content, bytes)) = content(value, of.1) {
        parts.push(Part { start: offset, end: offset + bytes, content });
    }
}

/// Returns what a value contains, and how many bytes it has at least.
fn content(value: &Value, layouts: &[u32]) -> Option<(Content, usize)> {
    let pointer = size_of::<usize>();
    Some(match &value.kind {
        Kind::Nothing | Kind::Local(_) | Kind::Stream { .. } => return None,
        Kind::Scalar { scalar, .. } => (Content::Numbers, scalar.bytes),
        Kind::Address { .. } => (Content::Address, pointer),
        Kind::Handle(handle) => (Content::Handle(handle.of), handle.bytes),
        Kind::Callback { of, .. } => (Content::Callback(*of), pointer),
        Kind::Userdata { .. } => (Content::Userdata, pointer),
        Kind::Within { .. } => (Content::Within, pointer),
        Kind::File(file) => (if file.is_descriptor { Content::Descriptor } else { Content::Path }, 1),
        Kind::Function(_) => (Content::Function, pointer),
        Kind::Block(id) => (Content::Struct(layouts.get(*id as usize).copied().unwrap_or(0)), 1),
        Kind::Buffer(buffer) => (Content::Pointer(pointed(buffer, layouts).map(Box::new)), pointer),
        Kind::Array(array) => {
            let count = if let [Op::Int(count)] = *array.count.ops { count.clamp(1, 1 << 20) as usize } else { 1 };
            match content(&array.element, layouts)? {
                (Content::Numbers, _) => (Content::Numbers, count * array.stride),
                (element, _) => (Content::Array(array.stride, Box::new(element)), count * array.stride),
            }
        }
        Kind::Match(choice) => {
            let mut all: Vec<Content> = Vec::new();
            let mut size = 0;
            for (content, bytes) in choice.cases().filter_map(|case| content(case, layouts)) {
                size = size.max(bytes);
                if !all.contains(&content) {
                    all.push(content);
                }
            }
            let first = all.pop()?;
            (if all.is_empty() { first } else { Content::Choice([all, vec![first]].concat()) }, size)
        }
    })
}

fn pointed(buffer: &Buffer, layouts: &[u32]) -> Option<Content> {
    if buffer.facts.is_flat { Some(Content::Numbers) } else { Some(content(&buffer.element, layouts)?.0) }
}
