//! Finds blocks that describe memory alike: none has a number, or a pointer to something else, where another one has a pointer, an object or a
//! function. A specification may describe one C struct in several ways, each with other members that no message carries. Other memory must not
//! be taken for such a struct: storing a number where a pointer is expected would forge the pointer. Elements that are no structs are compared in the
//! same way.

use std::ops::Range;

use super::facts::each_inner;
use super::{Block, Buffer, Kind, Numbers, Op, Value};

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
struct Alike {
    bytes: usize,
    parts: Vec<Part>,
}

/// What structs that describe memory alike contain.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    bytes: usize,
    /// The structs end with an array of variable length.
    varies: bool,
    /// The numbers, in order.
    numbers: Vec<Numbers>,
    /// Bytes that a pointer to numbers must not lead to.
    others: Vec<Range<usize>>,
    /// The offsets and the layouts of embedded structs.
    embedded: Vec<(usize, u32)>,
}

impl Layout {
    /// The most embedded structs, and elements of an inline array, that pointers can lead to.
    const MOST: usize = 1024;
    const MOST_ELEMENTS: i128 = 1024;

    /// Returns the offsets in one struct of `bytes` bytes, at least one, at an offset in memory that contains such structs.
    fn inside(&self, offset: usize, bytes: usize) -> Option<Range<usize>> {
        let start = if self.varies { offset } else { offset.checked_rem(self.bytes)? };
        Some(start..start.checked_add(bytes.max(1))?).filter(|inside| inside.end <= self.bytes)
    }

    /// Returns whether `bytes` bytes at an offset in memory with this layout are numbers.
    pub fn has_numbers(&self, offset: usize, bytes: usize) -> bool {
        let Some(inside) = self.inside(offset, bytes) else { return false };
        // No pointer is in a gap between numbers that is smaller than one.
        let is_gap = |end: usize, next: usize| next < end + size_of::<usize>();
        let mut end = inside.start;
        for one in self.numbers.iter().filter(|one| one.offset + one.bytes > inside.start && one.offset < inside.end) {
            if one.offset > end && (end == inside.start || !is_gap(end, one.offset)) {
                return false;
            }
            end = end.max(one.offset + one.bytes);
        }
        let next = self.numbers.iter().map(|one| one.offset).find(|next| *next >= inside.end).unwrap_or(self.bytes);
        let is_other = |other: &Range<usize>| other.start < inside.end && inside.start < other.end;
        let ends_in_gap = inside.end <= end || is_gap(end, next);
        end > inside.start && ends_in_gap && !self.others.iter().any(is_other)
    }

    /// Returns whether structs with the layout `number`, of `size` bytes each, are embedded in `bytes` bytes at an offset in memory with this layout.
    pub fn has_embedded(&self, offset: usize, (number, size): (u32, usize), bytes: usize) -> bool {
        let is_embedded = |at: usize| self.embedded.binary_search(&(at, number)).is_ok();
        self.inside(offset, bytes).is_some_and(|inside| inside.step_by(size.max(1)).all(is_embedded))
    }

    /// Adds what one of the structs says.
    fn add(&mut self, block: &Block, of: (&[Block], &[u32])) {
        self.bytes = block.bytes;
        self.varies |= block.facts.varies;
        self.numbers.extend(block.facts.numbers.iter().copied());
        self.embed(block, of);
    }

    /// Adds the embedded structs of a struct, and what is no number.
    fn embed(&mut self, block: &Block, (blocks, layouts): (&[Block], &[u32])) {
        let mut inner: Vec<(&Value, usize)> = block.values.iter().map(|value| (value, value.offset)).collect();
        while let Some((value, offset)) = inner.pop() {
            match &value.kind {
                Kind::Nothing | Kind::Stream { .. } | Kind::Scalar { .. } => {}
                Kind::Block(id) if self.embedded.len() < Layout::MOST => {
                    let Some(block) = blocks.get(*id as usize) else { continue };
                    self.embedded.extend(layouts.get(*id as usize).map(|layout| (offset, *layout)));
                    inner.extend(block.values.iter().map(|value| (value, offset + value.offset)));
                }
                Kind::Array(array)
                    if matches!((&array.element.kind, &*array.count.ops), (Kind::Scalar { .. }, [Op::Int(_)])) => {}
                Kind::Array(array) if let [Op::Int(count @ 0..=Layout::MOST_ELEMENTS)] = *array.count.ops => {
                    inner.extend((0..count as usize).map(|at| (&array.element, offset + at * array.stride)));
                }
                kind => {
                    let bytes = content(value, layouts).map_or(size_of::<usize>(), |(_, bytes)| bytes);
                    // The number of elements is not known.
                    let is_rest = matches!(kind, Kind::Array(_) | Kind::Block(_));
                    self.others.push(offset..if is_rest { self.bytes.max(offset + 1) } else { offset + bytes });
                }
            }
        }
    }
}

/// Returns what the layouts contain, which `layouts` numbers for each block.
pub(super) fn contents(blocks: &[Block], layouts: &[u32]) -> Vec<Layout> {
    let mut all: Vec<Layout> = Vec::new();
    for (block, number) in blocks.iter().zip(layouts) {
        let number = *number as usize;
        all.resize_with(all.len().max(number + 1), Layout::default);
        all[number].add(block, (blocks, layouts));
    }
    for layout in &mut all {
        layout.numbers.sort_unstable_by_key(|one| (one.offset, one.bytes));
        layout.embedded.sort_unstable();
        layout.embedded.dedup();
    }
    all
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
    let mut known: Vec<Alike> = Vec::new();
    let number = |block: &Block| {
        let mut parts = Vec::new();
        block.values.iter().for_each(|value| describe(value, value.offset, (blocks, layouts), &mut parts));
        let is_alike = |layout: &Alike| {
            let contradicts = |part: &Part| layout.parts.iter().any(|other| part.contradicts(other));
            layout.bytes == block.bytes && !parts.iter().any(contradicts)
        };
        let at = known.iter().position(is_alike).unwrap_or_else(|| {
            known.push(Alike { bytes: block.bytes, parts: Vec::new() });
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
        Kind::Nothing | Kind::Local { .. } | Kind::Stream { .. } => return None,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// `struct { int a; char b; void *p; short c[4]; struct Pair d[2]; }`, in which `p` is not described.
    fn layout() -> Layout {
        let numbers = vec![
            Numbers { offset: 0, bytes: 4, each: 4 },
            Numbers { offset: 4, bytes: 1, each: 1 },
            Numbers { offset: 16, bytes: 8, each: 2 },
            Numbers { offset: 24, bytes: 8, each: 4 },
            Numbers { offset: 40, bytes: 8, each: 4 },
        ];
        let pointers = [32..40, 48..56];
        Layout { bytes: 56, varies: false, numbers, others: pointers.into(), embedded: vec![(24, 7), (40, 7)] }
    }

    #[test]
    fn numbers_do_not_reach_into_pointers() {
        let layout = layout();
        for (offset, bytes) in [(0, 4), (4, 1), (0, 5), (16, 8), (18, 2), (16, 16), (24, 8), (56, 4), (72, 8)] {
            assert!(layout.has_numbers(offset, bytes), "{bytes} bytes at {offset}");
        }
        for (offset, bytes) in [(0, 9), (0, 11), (8, 8), (4, 20), (8, 4), (24, 9), (32, 8), (36, 8), (48, 8), (52, 8)] {
            assert!(!layout.has_numbers(offset, bytes), "{bytes} bytes at {offset}");
        }
    }

    #[test]
    fn embedded_structs_are_whole() {
        let layout = layout();
        assert!(layout.has_embedded(24, (7, 16), 16) && layout.has_embedded(24, (7, 16), 32));
        assert!(layout.has_embedded(96, (7, 16), 16) && layout.has_embedded(40, (7, 16), 0));
        assert!(!layout.has_embedded(40, (7, 16), 32) && !layout.has_embedded(16, (7, 16), 16));
        assert!(!layout.has_embedded(24, (6, 16), 16) && !layout.has_embedded(32, (7, 16), 16));
    }
}
