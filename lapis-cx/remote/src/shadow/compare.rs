//! Compares what the real library did with what came back of the worker, value by value as the plan has them.

use super::names::Likeness;
use super::report;
use super::{Frame, Image, Shadow, with_frame};
use crate::marshal::Marshaller;
use crate::marshal::Substitutes;
use crate::marshal::access::{bytes, bytes_mut, load, load_pointer, store, store_pointer};
use crate::plan::{Block, Buffer, Call, Kind, Lifetime, Ownership, Scalar, Value};
use crate::protocol::{Finding, Mistake};

/// A value on both sides: where the real library's lies, the worker's, and what was there before the call, if it was memory.
#[derive(Clone, Copy)]
struct Place {
    native: usize,
    remoted: usize,
    before: Option<usize>,
    /// Where the plan takes it to be.
    slot: usize,
}

impl Place {
    fn at(self, offset: usize) -> Place {
        let Place { native, remoted, before, slot } = self;
        Place {
            native: native + offset,
            remoted: remoted + offset,
            before: before.map(|at| at + offset),
            slot: slot + offset,
        }
    }
}

/// A comparison of one call.
pub(super) struct Compare<'w, 'a> {
    marshaller: &'w mut Marshaller<'a>,
    shadow: &'w Shadow,
    images: Vec<Image>,
    function: &'w str,
    /// The names of the values around.
    path: Vec<u32>,
    /// What differs follows from what was said already.
    is_quiet: bool,
    /// What was found: first what is likely to be the reason of the rest.
    found: Vec<(Rank, Finding)>,
}

/// In which order mistakes of one call are said.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// What is never to change did.
    Reason,
    /// Contents came back in part.
    Part,
    /// A value is another one.
    Value,
}

impl Shadow {
    /// Both sides did a call.
    ///
    /// # Safety
    ///
    /// The walk is over its arguments.
    pub(super) unsafe fn compare_reply(
        &self,
        marshaller: &mut Marshaller<'_>,
        call: &'static Call,
        block: &'static Block,
        success: bool,
    ) {
        let taken = with_frame(|frame: &mut Frame| {
            (std::mem::take(&mut frame.images), frame.native, frame.remoted, frame.has_found)
        });
        let Some((images, native, remoted, is_quiet)) = taken else { return };
        let function = marshaller.stage.plan.text(call.name);
        let mut compare =
            Compare { marshaller, shadow: self, images, function, path: Vec::new(), is_quiet, found: Vec::new() };
        compare.marshaller.enter(remoted);
        let whole = Place { native, remoted, before: None, slot: remoted };
        for (n, value) in block.values.iter().enumerate() {
            let place = whole.at(value.offset);
            compare.marshaller.stand_at(place.slot);
            let came = success || call.result == Some(n);
            // SAFETY: as the caller says.
            unsafe { compare.value(value, place, came) };
        }
        compare.marshaller.leave();
        let mut found = std::mem::take(&mut compare.found);
        found.sort_by_key(|(rank, _)| *rank);
        found.iter().for_each(|(_, finding)| report::found(finding));
    }
}

/// Bytes at an address as a number to be shown.
unsafe fn shown(address: usize, scalar: Scalar) -> String {
    // SAFETY: as the caller says.
    let bits = unsafe { load(address, scalar) };
    match (scalar.is_float, scalar.bytes) {
        (true, 4) => f32::from_bits(bits as u32).to_string(),
        (true, 8) => f64::from_bits(bits as u64).to_string(),
        _ => bits.to_string(),
    }
}

impl<'w, 'a> Compare<'w, 'a> {
    /// Of a callback's arguments.
    pub fn of_callback(marshaller: &'w mut Marshaller<'a>, shadow: &'w Shadow, function: &'w str) -> Compare<'w, 'a> {
        let (images, path, found) = (Vec::new(), Vec::new(), Vec::new());
        Compare { marshaller, shadow, images, function, path, is_quiet: false, found }
    }

    fn found(&mut self, value: &Value, mistake: Mistake, text: String) {
        self.ranked(Rank::Value, value, mistake, text);
    }

    fn ranked(&mut self, rank: Rank, value: &Value, mistake: Mistake, text: String) {
        if self.is_quiet {
            return;
        }
        let parameter = self.parameter(value);
        self.found.push((rank, Finding::of(self.function, &parameter, mistake, text)));
    }

    /// What a value is called, with those around it.
    fn parameter(&self, value: &Value) -> String {
        let plan = self.marshaller.stage.plan;
        let names = self.path.iter().chain([&value.name]).map(|name| plan.text(*name));
        let mut names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        names.dedup();
        names.join(".")
    }

    /// # Safety
    ///
    /// The value lies at each of the addresses.
    unsafe fn value(&mut self, value: &'static Value, place: Place, came: bool) {
        let came = match &value.on {
            Some(code) => self.marshaller.holds(Some(code)),
            None => came,
        };
        // Arguments belong to the call: only what comes back has a meaning.
        let is_seen = place.before.is_some() || value.comes;
        match &value.kind {
            // SAFETY: as the caller says.
            Kind::Scalar { scalar, .. } if is_seen => unsafe { self.number(value, *scalar, place) },
            Kind::Address { .. } if value.comes && came => {
                // SAFETY: as the caller says.
                let (native, remoted) = unsafe { (load_pointer(place.native), load_pointer(place.remoted)) };
                if (native == 0) != (remoted == 0) {
                    self.found(value, Mistake::Result, one_is_null(native));
                } else if native != remoted {
                    self.shadow.know_memory(native, 1, remoted);
                }
            }
            Kind::Handle(handle) if value.comes && came => {
                let scalar = Scalar { bytes: handle.bytes, is_signed: false, is_float: false };
                // SAFETY: as the caller says.
                let (native, remoted) =
                    unsafe { (load(place.native, scalar) as u64, load(place.remoted, scalar) as u64) };
                self.object(value, handle.of, (native, remoted));
            }
            Kind::Block(id) => {
                let Some(block) = self.marshaller.block(*id) else { return };
                self.path.push(value.name);
                self.marshaller.enter(place.slot);
                for value in &block.values {
                    let place = place.at(value.offset);
                    self.marshaller.stand_at(place.slot);
                    // SAFETY: a value of the block.
                    unsafe { self.value(value, place, came) };
                }
                self.marshaller.leave();
                self.path.pop();
            }
            Kind::Array(array) if is_seen => {
                let count = self.marshaller.eval(&array.count).and_then(|count| u64::try_from(count).ok()).unwrap_or(0);
                // SAFETY: as the caller says.
                unsafe { self.elements(value, &array.element, (count, array.stride), place, came) };
            }
            // SAFETY: as the caller says.
            Kind::Buffer(buffer) => unsafe { self.buffer(value, buffer, place, came) },
            Kind::Within { .. } if value.comes && came => {
                // SAFETY: as the caller says.
                let (native, remoted) = unsafe { (load_pointer(place.native), load_pointer(place.remoted)) };
                if (native == 0) != (remoted == 0) {
                    self.found(value, Mistake::Result, one_is_null(native));
                } else if native != remoted && self.shadow.address(native) != remoted {
                    self.found(value, Mistake::Result, "it points elsewhere than natively".to_owned());
                }
            }
            Kind::Local(_) => {
                let Some(before) = place.before else { return };
                // SAFETY: a pointer lies at each of them.
                let (native, remoted, before) =
                    unsafe { (load_pointer(place.native), load_pointer(place.remoted), load_pointer(before)) };
                // What was null may become a pointer of the library's own.
                if before != 0 && native != remoted {
                    let text = "the library changes it, and it is `local`".to_owned();
                    self.ranked(Rank::Reason, value, Mistake::Direction, text);
                }
            }
            Kind::Match(choice) => {
                if let Some(chosen) = self.marshaller.chosen(choice) {
                    // SAFETY: as the caller says.
                    unsafe { self.value(chosen, place, came) };
                }
            }
            _ => {}
        }
    }

    /// # Safety
    ///
    /// The number lies at each of the addresses.
    unsafe fn number(&mut self, value: &'static Value, scalar: Scalar, place: Place) {
        let at = |address: usize| {
            // SAFETY: as the caller says.
            unsafe { bytes(address, scalar.bytes) }
        };
        if at(place.native) == at(place.remoted) {
            return;
        }
        // SAFETY: as the caller says.
        let [native, remoted] = [place.native, place.remoted].map(|at| unsafe { shown(at, scalar) });
        if place.before.is_some_and(|before| at(before) == at(place.remoted)) {
            let text = format!("the library made it {native}, and it came back as it was: {remoted}");
            self.found(value, Mistake::Direction, text);
        } else {
            self.found(value, Mistake::Result, format!("it is {native} natively, and came back as {remoted}"));
        }
    }

    fn object(&mut self, value: &'static Value, of: u32, (native, remoted): (u64, u64)) {
        if (native == 0) != (remoted == 0) {
            if native != 0 {
                self.shadow.known().objects.insert((of, native), None);
            }
            return self.found(value, Mistake::Result, one_is_null(native as usize));
        }
        if native == 0 {
            return;
        }
        let old = self.shadow.known().objects.insert((of, native), Some(remoted)).flatten();
        let old = old.filter(|old| *old != remoted);
        let has_memory = self.marshaller.stage.plan.handles.get(of as usize).is_some_and(|handle| handle.has_memory);
        let is_alive = |old: u64| has_memory && self.marshaller.lock().known_id(of, old).is_some();
        if old.is_some_and(is_alive) {
            let text = "the library gives out the same object again, and no function ended the first one (`own`)";
            self.found(value, Mistake::Lifetime, text.to_owned());
        }
    }

    /// # Safety
    ///
    /// So many elements lie at each of the addresses.
    unsafe fn elements(
        &mut self,
        value: &'static Value,
        element: &'static Value,
        (count, stride): (u64, usize),
        place: Place,
        came: bool,
    ) {
        if let Kind::Scalar { .. } = &element.kind
            && let Some(size) = (count as usize).checked_mul(stride)
        {
            let at = |address: usize| {
                // SAFETY: as the caller says.
                unsafe { bytes(address, size) }
            };
            let takes_out = element.comes || value.comes;
            self.bytes(value, (at(place.native), at(place.remoted), place.before.map(at)), (takes_out, came, stride));
            return;
        }
        self.path.push(value.name);
        for index in 0..count {
            let place = place.at(index as usize * stride);
            self.marshaller.stand_at_element(place.slot, index);
            // SAFETY: an element.
            unsafe { self.value(element, place, came) };
        }
        self.path.pop();
    }

    /// # Safety
    ///
    /// The pointer lies at each of the addresses.
    unsafe fn buffer(&mut self, value: &'static Value, buffer: &'static Buffer, place: Place, came: bool) {
        // SAFETY: as the caller says.
        let (native, remoted) = unsafe { (load_pointer(place.native), load_pointer(place.remoted)) };
        if value.comes && came && native != remoted {
            // SAFETY: what both point at are elements of the buffer, or nothing.
            unsafe { self.new_memory(value, buffer, native, remoted) };
        }
        let Some(at) = self.images.iter().position(|image| image.slot == place.slot) else { return };
        let Some(image) = self.images.get_mut(at) else { return };
        // Nobody looks at it twice.
        let (before, remoted) = (std::mem::take(&mut image.before), std::mem::take(&mut image.remoted));
        let (here, count) = (image.here, image.count);
        let (end, is_closed) = (image.here + before.len(), remoted.len() != before.len());
        if before.is_empty() || is_closed || here == end {
            return;
        }
        if let Kind::Scalar { .. } = &buffer.element.kind {
            // SAFETY: the program's memory, which the call names.
            let native = unsafe { bytes(here, before.len()) };
            let is_text = buffer.stride == 1 && buffer.takes_out && buffer.until.is_some();
            if !(is_text && self.names_files(value, (until_end(native), until_end(&remoted)))) {
                self.bytes(value, (native, &remoted, Some(&before)), (buffer.takes_out, came, buffer.stride));
            }
            return;
        }
        let address = |all: &[u8]| all.as_ptr().expose_provenance();
        let inside = Place { native: here, remoted: address(&remoted), before: Some(address(&before)), slot: here };
        // SAFETY: the images are as long as the program's memory.
        unsafe { self.elements(value, &buffer.element, (count, buffer.stride), inside, came) };
    }

    /// Whether all that differs of two texts is names of files.
    fn names_files(&mut self, value: &'static Value, (native, remoted): (&[u8], &[u8])) -> bool {
        match self.shadow.likeness(native, remoted) {
            Likeness::Same => true,
            Likeness::ButForNames => {
                let parameter = self.parameter(value);
                report::apart(self.function, &parameter, "it names a file, which has another name in the worker");
                true
            }
            Likeness::Different => false,
        }
    }

    /// Memory that the library points at, and the program did not have.
    ///
    /// # Safety
    ///
    /// Elements of the buffer lie there, unless it is null.
    unsafe fn new_memory(&mut self, value: &'static Value, buffer: &'static Buffer, native: usize, remoted: usize) {
        if native == 0 || remoted == 0 {
            return self.found(value, Mistake::Result, one_is_null(native));
        }
        let is_the_programs = |at: usize| {
            let holds = |image: &Image| at.checked_sub(image.here).is_some_and(|offset| offset < image.native.len());
            self.images.iter().any(holds)
        };
        if is_the_programs(native) || is_the_programs(remoted) {
            return self.found(value, Mistake::Result, "it points elsewhere than natively".to_owned());
        }
        // SAFETY: as the caller says.
        let counts = unsafe {
            let native = self.marshaller.capacity(buffer, native, value.name);
            native.and_then(|native| Ok((native, self.marshaller.capacity(buffer, remoted, value.name)?)))
        };
        let Ok((count, there)) = counts else { return };
        let size = (count as usize).saturating_mul(buffer.stride);
        let is_text = buffer.stride == 1 && buffer.is_flat;
        // SAFETY: as the caller says.
        if is_text && self.names_files(value, unsafe { (bytes(native, size), bytes(remoted, there as usize)) }) {
            // They are as they should be.
        } else if count != there {
            let text = format!("there are {count} elements natively, and {there} came back");
            self.found(value, Mistake::Size, text);
        } else if buffer.is_flat {
            // SAFETY: as the caller says.
            let (ours, theirs) = unsafe { (bytes(native, size), bytes(remoted, size)) };
            self.bytes(value, (ours, theirs, None), (true, true, buffer.stride));
        }
        if buffer.ownership == Ownership::Given && matches!(buffer.lifetime, Lifetime::Call) {
            // SAFETY: the engine made it with `calloc` for the program, which has the real library's.
            unsafe { libc::free(std::ptr::with_exposed_provenance_mut(remoted)) };
        } else {
            self.shadow.know_memory(native, size, remoted);
        }
    }

    /// Says what differs of plain elements, and what that is likely to be.
    fn bytes(
        &mut self,
        value: &'static Value,
        (native, remoted, before): (&[u8], &[u8], Option<&[u8]>),
        (takes_out, came, stride): (bool, bool, usize),
    ) {
        let differ = |a: &[u8], b: &[u8]| a.iter().zip(b).position(|(a, b)| a != b);
        let Some(first) = differ(native, remoted) else { return };
        let last = native.iter().zip(remoted).rposition(|(a, b)| a != b).unwrap_or(first);
        let element = |byte: usize| byte / stride.max(1);
        let (from, to) = (element(first), element(last));
        let which = if from == to { format!("element {from}") } else { format!("elements {from} to {to}") };
        let of = |all: &[u8]| all.get(first..=last).map_or_else(Vec::new, <[u8]>::to_vec);
        let is_as_before = |all: &[u8]| before.is_some_and(|before| of(before) == of(all));
        let (rank, mistake, text) = if !takes_out {
            (Rank::Reason, Mistake::Direction, format!("the library writes {which}, and it is `in`"))
        } else if is_as_before(remoted) && !came {
            let text = format!("the library writes {which}, and nothing comes back of a call with this result (`@on`)");
            (Rank::Part, Mistake::Direction, text)
        } else if is_as_before(remoted) {
            (
                Rank::Part,
                Mistake::Size,
                format!("the library writes {which}, which did not come back (`@valid`, a size)"),
            )
        } else if is_as_before(native) {
            (
                Rank::Part,
                Mistake::Size,
                format!("{which} came back, which the library does not write (`@valid`, a size)"),
            )
        } else {
            (Rank::Value, Mistake::Result, format!("{which} came back with other contents than natively"))
        };
        self.ranked(rank, value, mistake, text);
    }

    /// What a callback is called with.
    ///
    /// # Safety
    ///
    /// Both structs of arguments are there.
    pub unsafe fn entry(&mut self, block: &'static Block, native: usize, remoted: usize) {
        for value in block.values.iter().filter(|value| value.goes) {
            let place = Place { native, remoted, before: None, slot: remoted }.at(value.offset);
            match &value.kind {
                // SAFETY: a member of both.
                Kind::Scalar { scalar, .. } => unsafe { self.number(value, *scalar, place) },
                Kind::Buffer(buffer) if buffer.takes_in && buffer.is_flat => {
                    // SAFETY: as above.
                    let (ours, theirs) = unsafe { (load_pointer(place.native), load_pointer(place.remoted)) };
                    let entry = self.marshaller.entries.iter().find(|entry| entry.slot == place.slot).copied();
                    if (ours == 0) != (theirs == 0) {
                        self.found(value, Mistake::Result, one_is_null(ours));
                    } else if let Some(entry) = entry.filter(|_| ours != 0) {
                        // SAFETY: the library gives as many elements to the program on either side.
                        let (ours, theirs) = unsafe { (bytes(ours, entry.bytes), bytes(theirs, entry.bytes)) };
                        self.bytes(value, (ours, theirs, None), (true, true, buffer.stride));
                    }
                }
                _ => {}
            }
        }
        self.found.iter().for_each(|(_, finding)| report::found(finding));
    }

    /// What the program gave to the real library is given to the worker's too.
    ///
    /// # Safety
    ///
    /// Both structs of arguments are there, and what they point at.
    pub unsafe fn copy_back(&mut self, block: &'static Block, native: usize, remoted: usize) {
        for value in &block.values {
            // SAFETY: a member of both.
            unsafe { self.copy(value, native + value.offset, remoted + value.offset) };
        }
    }

    /// # Safety
    ///
    /// The value lies at both addresses.
    unsafe fn copy(&mut self, value: &'static Value, native: usize, remoted: usize) {
        // SAFETY: as the caller says, here and below.
        unsafe {
            match &value.kind {
                Kind::Scalar { scalar, .. } if value.comes => {
                    bytes_mut(remoted, scalar.bytes).copy_from_slice(bytes(native, scalar.bytes));
                }
                Kind::Address { .. } | Kind::Within { .. } if value.comes => {
                    store_pointer(remoted, self.shadow.address(load_pointer(native)));
                }
                Kind::Handle(handle) if value.comes => {
                    let scalar = Scalar { bytes: handle.bytes, is_signed: false, is_float: false };
                    let bits = self.shadow.object(handle.of, load(native, scalar) as u64);
                    store(remoted, handle.bytes, i128::from(bits));
                }
                Kind::Block(id) => {
                    if let Some(block) = self.marshaller.block(*id) {
                        self.copy_back(block, native, remoted);
                    }
                }
                Kind::Array(array) if array.is_flat && value.comes => {
                    let count = self.marshaller.eval(&array.count).and_then(|count| usize::try_from(count).ok());
                    let size = count.unwrap_or(0).saturating_mul(array.stride);
                    bytes_mut(remoted, size).copy_from_slice(bytes(native, size));
                }
                Kind::Buffer(buffer) => {
                    let entry = self.marshaller.entries.iter().find(|entry| entry.slot == remoted).copied();
                    let (ours, theirs) = (load_pointer(native), load_pointer(remoted));
                    let Some(entry) = entry.filter(|_| ours != 0 && theirs != 0) else {
                        // The program's own memory.
                        if value.comes {
                            store_pointer(remoted, ours);
                        }
                        return;
                    };
                    if buffer.takes_out && buffer.is_flat {
                        bytes_mut(theirs, entry.bytes).copy_from_slice(bytes(ours, entry.bytes));
                    } else if buffer.takes_out {
                        for n in 0..entry.count as usize {
                            self.copy(&buffer.element, ours + n * buffer.stride, theirs + n * buffer.stride);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// A text as far as it goes.
fn until_end(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == 0).next().unwrap_or(text)
}

fn one_is_null(native: usize) -> String {
    let (native, remoted) = if native == 0 { ("null", "not") } else { ("not null", "null") };
    format!("it is {native} natively, and {remoted} in what came back")
}
