//! Compares the results of the real library and the worker, value by value as described in the plan.

use super::names::Likeness;
use super::report;
use super::{Frame, Image, Shadow, with_frame};
use crate::marshal::Marshaller;
use crate::marshal::Substitutes;
use crate::marshal::access::{bytes, bytes_mut, load, load_pointer, store, store_pointer};
use crate::marshal::names::id_without_object;
use crate::plan::{Block, BlockId, Buffer, Call, Kind, Lifetime, Ownership, Scalar, Value, is_local};
use crate::protocol::{Finding, Mistake};

/// The addresses of a value: the real library's, the worker's, and the contents before the call if it is memory of the program.
#[derive(Clone, Copy)]
struct Addresses {
    native: usize,
    remoted: usize,
    before: Option<usize>,
    /// The address for which the plan evaluates expressions.
    slot: usize,
}

impl Addresses {
    fn at(self, offset: usize) -> Addresses {
        let Addresses { native, remoted, before, slot } = self;
        Addresses {
            native: native + offset,
            remoted: remoted + offset,
            before: before.map(|at| at + offset),
            slot: slot + offset,
        }
    }
}

/// The comparison of one call.
pub(super) struct Compare<'w, 'a> {
    marshaller: &'w mut Marshaller<'a>,
    shadow: &'w Shadow,
    images: Vec<Image>,
    function: &'w str,
    /// The names of the enclosing values.
    path: Vec<u32>,
    /// Whether reports are suppressed, because the differences follow from an earlier report.
    is_quiet: bool,
    /// The findings, with the rank of their likely cause.
    found: Vec<(Rank, Finding)>,
}

/// How many values around a value are compared: this uses the stack of the program's thread.
const DEEPEST: usize = 200;

/// The order in which findings of one call are reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A value that must never change has changed.
    Reason,
    /// Contents were returned only in part.
    Part,
    /// A value differs.
    Value,
}

impl Shadow {
    /// Compares the results of a call that both sides made.
    ///
    /// # Safety
    ///
    /// `marshaller` must marshal the arguments of this call.
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
        compare.marshaller.set_current_value(remoted);
        let whole = Addresses { native, remoted, before: None, slot: remoted };
        for (n, value) in block.values.iter().enumerate() {
            let addresses = whole.at(value.offset);
            compare.marshaller.set_current_value(addresses.slot);
            let came = success || call.facts.result == Some(n);
            // SAFETY: the caller upholds the contract of this function.
            unsafe { compare.value(value, addresses, came) };
        }
        let mut found = std::mem::take(&mut compare.found);
        found.sort_by_key(|(rank, _)| *rank);
        found.iter().for_each(|(_, finding)| report::found(finding));
    }
}

/// Formats the number at an address.
unsafe fn shown(address: usize, scalar: Scalar) -> String {
    // SAFETY: the caller upholds the contract of this function.
    let bits = unsafe { load(address, scalar) };
    match (scalar.is_float, scalar.bytes) {
        (true, 4) => f32::from_bits(bits as u32).to_string(),
        (true, 8) => f64::from_bits(bits as u64).to_string(),
        _ => bits.to_string(),
    }
}

impl<'w, 'a> Compare<'w, 'a> {
    /// Compares the arguments of a callback.
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

    /// Returns the path of a value: its name and those of the enclosing values.
    fn parameter(&self, value: &Value) -> String {
        let plan = self.marshaller.stage.plan;
        let names = self.path.iter().chain([&value.name]).map(|name| plan.text(*name));
        let mut names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        names.dedup();
        names.join(".")
    }

    /// Compares a value.
    ///
    /// # Safety
    ///
    /// The value must be readable at each address of `addresses`.
    unsafe fn value(&mut self, value: &'static Value, addresses: Addresses, came: bool) {
        if self.path.len() == DEEPEST {
            return;
        }
        let came = match &value.on {
            Some(code) => self.marshaller.holds(Some(code)),
            None => came,
        };
        // Arguments passed by value belong to the call, so only returned values are compared.
        let is_seen = addresses.before.is_some() || value.copy_out;
        match &value.kind {
            // SAFETY: the caller upholds the contract of this function.
            Kind::Scalar { scalar, .. } if is_seen => unsafe { self.number(value, *scalar, addresses) },
            Kind::Address { .. } if value.copy_out && came => {
                // SAFETY: the caller upholds the contract of this function.
                let (native, remoted) = unsafe { (load_pointer(addresses.native), load_pointer(addresses.remoted)) };
                if (native == 0) != (remoted == 0) {
                    self.found(value, Mistake::Result, one_is_null(native));
                } else if native != remoted {
                    self.shadow.know_memory(native, 1, remoted);
                }
            }
            Kind::Handle(handle) if value.copy_out && came => {
                let scalar = Scalar::unsigned(handle.bytes);
                // SAFETY: the caller upholds the contract of this function.
                let (native, remoted) =
                    unsafe { (load(addresses.native, scalar) as u64, load(addresses.remoted, scalar) as u64) };
                self.object(value, handle.of, (native, remoted));
            }
            Kind::Callback { .. } | Kind::Userdata { .. } if value.copy_out => {
                // SAFETY: the caller upholds the contract of this function.
                let (native, remoted) = unsafe {
                    self.shadow.restore(&value.kind, addresses.native);
                    (load_pointer(addresses.native), load_pointer(addresses.remoted))
                };
                if came && native != remoted {
                    self.found(value, Mistake::Result, "it is another pointer than natively".to_owned());
                }
            }
            Kind::Block(id) => {
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.block(value, *id, addresses, came) };
            }
            Kind::Array(array) if is_seen => {
                let count = self.marshaller.eval(&array.count).and_then(|count| u64::try_from(count).ok()).unwrap_or(0);
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.elements(value, &array.element, (count, array.stride), addresses, came) };
            }
            // SAFETY: the caller upholds the contract of this function.
            Kind::Buffer(buffer) => unsafe { self.buffer(value, buffer, addresses, came) },
            Kind::Within { .. } if value.copy_out && came => {
                // SAFETY: the caller upholds the contract of this function.
                let (native, remoted) = unsafe { (load_pointer(addresses.native), load_pointer(addresses.remoted)) };
                if (native == 0) != (remoted == 0) {
                    self.found(value, Mistake::Result, one_is_null(native));
                } else if native != remoted && self.shadow.address(native) != remoted {
                    self.found(value, Mistake::Result, "it points elsewhere than natively".to_owned());
                }
            }
            // SAFETY: the caller upholds the contract of this function.
            Kind::Local { bytes } => unsafe { self.local(value, *bytes, addresses) },
            Kind::Match(choice) => {
                if let Some(chosen) = self.marshaller.chosen(choice) {
                    // SAFETY: the caller upholds the contract of this function.
                    unsafe { self.value(chosen, addresses, came) };
                }
            }
            _ => {}
        }
    }

    /// Reports a `local` value that the library changes. It may replace zero, for example null with a pointer to its own memory.
    ///
    /// # Safety
    ///
    /// `size` bytes must be readable at each address of `addresses`.
    unsafe fn local(&mut self, value: &'static Value, size: usize, addresses: Addresses) {
        let Some(before) = addresses.before else { return };
        // SAFETY: the caller upholds the contract of this function.
        let [native, remoted, before] =
            [addresses.native, addresses.remoted, before].map(|at| unsafe { bytes(at, size) });
        if native != remoted && before.iter().any(|byte| *byte != 0) {
            let text = "the library changes it, and it is `local`".to_owned();
            self.ranked(Rank::Reason, value, Mistake::Direction, text);
        }
    }

    /// Compares the members of a block.
    ///
    /// # Safety
    ///
    /// Same contract as [`value`](Self::value).
    unsafe fn block(&mut self, value: &'static Value, id: BlockId, addresses: Addresses, came: bool) {
        let Some(block) = self.marshaller.block(id) else { return };
        self.path.push(value.name);
        self.marshaller.enter(block, addresses.slot);
        for value in &block.values {
            let addresses = addresses.at(value.offset);
            self.marshaller.set_current_value(addresses.slot);
            // SAFETY: the value is a member of the block, which is readable at each address.
            unsafe { self.value(value, addresses, came) };
        }
        self.marshaller.leave();
        self.path.pop();
    }

    /// Compares a number.
    ///
    /// # Safety
    ///
    /// The number must be readable at each address of `addresses`.
    unsafe fn number(&mut self, value: &'static Value, scalar: Scalar, addresses: Addresses) {
        let at = |address: usize| {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { bytes(address, scalar.bytes) }
        };
        // The worker's library got zeros for what it must not read. What neither library writes differs then.
        let is_unwritten =
            |before| at(before) == at(addresses.native) && at(addresses.remoted).iter().all(|byte| *byte == 0);
        let is_result = value.copy_out && !value.copy_in;
        if at(addresses.native) == at(addresses.remoted) || is_result && addresses.before.is_some_and(is_unwritten) {
            return;
        }
        // SAFETY: the caller upholds the contract of this function.
        let [native, remoted] = [addresses.native, addresses.remoted].map(|at| unsafe { shown(at, scalar) });
        if addresses.before.is_some_and(|before| at(before) == at(addresses.remoted)) {
            let text = format!("the library made it {native}, and it came back as it was: {remoted}");
            self.found(value, Mistake::Direction, text);
        } else {
            self.found(value, Mistake::Result, format!("it is {native} natively, and came back as {remoted}"));
        }
    }

    fn object(&mut self, value: &'static Value, of: u32, (native, remoted): (u64, u64)) {
        let handle = self.marshaller.stage.plan.handles.get(of as usize);
        let is_object = |bits| handle.is_some_and(|one| id_without_object(bits, one.bytes).is_none());
        if is_object(native) != is_object(remoted) || !is_object(native) && native != remoted {
            if is_object(native) {
                self.shadow.known().objects.insert((of, native), None);
            }
            let numbers = || format!("it is {native:#x} natively, and came back as {remoted:#x}");
            let is_null = native == 0 || remoted == 0;
            let text = if is_null { one_is_null(native as usize) } else { numbers() };
            return self.found(value, Mistake::Result, text);
        }
        if !is_object(native) {
            return;
        }
        let old = self.shadow.known().objects.insert((of, native), Some(remoted)).flatten();
        let old = old.filter(|old| *old != remoted);
        let has_memory = handle.is_some_and(|handle| handle.has_memory);
        let is_alive = |old: u64| has_memory && self.marshaller.lock().known_id(of, old).is_some();
        if old.is_some_and(is_alive) {
            let text = "the library gives out the same object again, and no function ended the first one (`own`)";
            self.found(value, Mistake::Lifetime, text.to_owned());
        }
    }

    /// Compares `count` elements.
    ///
    /// # Safety
    ///
    /// The elements must be readable at each address of `addresses`.
    unsafe fn elements(
        &mut self,
        value: &'static Value,
        element: &'static Value,
        (count, stride): (u64, usize),
        addresses: Addresses,
        came: bool,
    ) {
        if let Kind::Scalar { .. } = &element.kind
            && let Some(size) = (count as usize).checked_mul(stride)
        {
            let at = |address: usize| {
                // SAFETY: the caller upholds the contract of this function.
                unsafe { bytes(address, size) }
            };
            let is_out = element.copy_out || value.copy_out;
            self.bytes(
                value,
                (at(addresses.native), at(addresses.remoted), addresses.before.map(at)),
                (is_out, came, stride),
            );
            return;
        }
        self.path.push(value.name);
        for index in 0..count {
            let addresses = addresses.at(index as usize * stride);
            self.marshaller.set_current_element(addresses.slot, index);
            // SAFETY: the index is less than the element count, so the element is readable at each address.
            unsafe { self.value(element, addresses, came) };
        }
        self.path.pop();
    }

    /// Compares the contents of a buffer.
    ///
    /// # Safety
    ///
    /// The pointer must be readable at each address of `addresses`.
    unsafe fn buffer(&mut self, value: &'static Value, buffer: &'static Buffer, addresses: Addresses, came: bool) {
        // SAFETY: the caller upholds the contract of this function.
        let (native, remoted) = unsafe { (load_pointer(addresses.native), load_pointer(addresses.remoted)) };
        if value.copy_out && came && native != remoted {
            // SAFETY: each pointer is null or points to elements of the buffer, as the specification states.
            unsafe { self.new_memory(value, buffer, native, remoted) };
        }
        if is_local(buffer) {
            // SAFETY: the caller upholds the contract of this function.
            return unsafe { self.local(value, size_of::<usize>(), addresses) };
        }
        let Some(at) = self.images.iter().position(|image| image.slot == addresses.slot) else { return };
        let Some(image) = self.images.get_mut(at) else { return };
        // Each image is compared once, so its contents are taken.
        let (before, remoted) = (std::mem::take(&mut image.before), std::mem::take(&mut image.remoted));
        let (here, count) = (image.here, image.count);
        let (end, is_closed) = (image.here + before.len(), remoted.len() != before.len());
        if before.is_empty() || is_closed || here == end {
            return;
        }
        if let Kind::Scalar { .. } = &buffer.element.kind {
            // SAFETY: the call names this memory of the program, which has the length of the image.
            let native = unsafe { bytes(here, before.len()) };
            let is_text = buffer.stride == 1 && buffer.is_out && buffer.until.is_some();
            if !(is_text && self.names_files(value, (until_end(native), until_end(&remoted)))) {
                self.bytes(value, (native, &remoted, Some(&before)), (buffer.is_out, came, buffer.stride));
            }
            return;
        }
        let address = |all: &[u8]| all.as_ptr().expose_provenance();
        let inside = Addresses { native: here, remoted: address(&remoted), before: Some(address(&before)), slot: here };
        // SAFETY: the images have the length of the program's memory.
        unsafe { self.elements(value, &buffer.element, (count, buffer.stride), inside, came) };
    }

    /// Returns whether two texts differ only in file names.
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

    /// Compares memory that the library returned and that the program did not have before.
    ///
    /// # Safety
    ///
    /// Each pointer must be null or point to elements of the buffer.
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
        // SAFETY: the caller upholds the contract of this function.
        let counts = unsafe {
            let native = self.marshaller.capacity(buffer, native, value.name);
            native.and_then(|native| Ok((native, self.marshaller.capacity(buffer, remoted, value.name)?)))
        };
        let Ok((count, there)) = counts else { return };
        let size = (count as usize).saturating_mul(buffer.stride);
        let is_text = buffer.stride == 1 && buffer.facts.is_flat;
        // SAFETY: the caller upholds the contract of this function.
        if is_text && self.names_files(value, unsafe { (bytes(native, size), bytes(remoted, there as usize)) }) {
            // The texts differ only in file names.
        } else if count != there {
            let text = format!("there are {count} elements natively, and {there} came back");
            self.found(value, Mistake::Size, text);
        } else if buffer.facts.is_flat {
            // SAFETY: the caller upholds the contract of this function.
            let (ours, theirs) = unsafe { (bytes(native, size), bytes(remoted, size)) };
            self.bytes(value, (ours, theirs, None), (true, true, buffer.stride));
        }
        if buffer.ownership == Ownership::Given && matches!(buffer.lifetime, Lifetime::Call) {
            // SAFETY: the engine allocated this memory with `calloc` for the program, which uses the real library's memory instead.
            unsafe { libc::free(std::ptr::with_exposed_provenance_mut(remoted)) };
        } else {
            self.shadow.know_memory(native, size, remoted);
        }
    }

    /// Reports how plain elements differ, and the likely error in the specification.
    fn bytes(
        &mut self,
        value: &'static Value,
        (native, remoted, before): (&[u8], &[u8], Option<&[u8]>),
        (is_out, came, stride): (bool, bool, usize),
    ) {
        let differ = |a: &[u8], b: &[u8]| a.iter().zip(b).position(|(a, b)| a != b);
        let Some(first) = differ(native, remoted) else { return };
        let last = native.iter().zip(remoted).rposition(|(a, b)| a != b).unwrap_or(first);
        let element = |byte: usize| byte / stride.max(1);
        let (from, to) = (element(first), element(last));
        let which = if from == to { format!("element {from}") } else { format!("elements {from} to {to}") };
        let of = |all: &[u8]| all.get(first..=last).map_or_else(Vec::new, <[u8]>::to_vec);
        let is_as_before = |all: &[u8]| before.is_some_and(|before| of(before) == of(all));
        let (rank, mistake, text) = if !is_out {
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

    /// Compares the arguments of a callback.
    ///
    /// # Safety
    ///
    /// `native` and `remoted` must be the addresses of argument structs of this callback.
    pub unsafe fn entry(&mut self, block: &'static Block, native: usize, remoted: usize) {
        for value in block.values.iter().filter(|value| value.copy_in) {
            let addresses = Addresses { native, remoted, before: None, slot: remoted }.at(value.offset);
            match &value.kind {
                // SAFETY: the value is a member of both structs.
                Kind::Scalar { scalar, .. } => unsafe { self.number(value, *scalar, addresses) },
                Kind::Buffer(buffer) if buffer.is_in && buffer.facts.is_flat => {
                    // SAFETY: same guarantee as above.
                    let (ours, theirs) = unsafe { (load_pointer(addresses.native), load_pointer(addresses.remoted)) };
                    let entry = self.marshaller.entries.iter().find(|entry| entry.slot == addresses.slot).copied();
                    if (ours == 0) != (theirs == 0) {
                        self.found(value, Mistake::Result, one_is_null(ours));
                    } else if let Some(entry) = entry.filter(|_| ours != 0) {
                        // SAFETY: the specification gives the same element count on both sides.
                        let (ours, theirs) = unsafe { (bytes(ours, entry.bytes), bytes(theirs, entry.bytes)) };
                        self.bytes(value, (ours, theirs, None), (true, true, buffer.stride));
                    }
                }
                _ => {}
            }
        }
        self.found.iter().for_each(|(_, finding)| report::found(finding));
    }

    /// Copies the results of the program's function from the real library's arguments to the worker's.
    ///
    /// # Safety
    ///
    /// `native` and `remoted` must be the addresses of argument structs of this callback, with valid pointers.
    pub unsafe fn copy_back(&mut self, block: &'static Block, native: usize, remoted: usize) {
        for value in &block.values {
            self.marshaller.set_current_value(remoted + value.offset);
            // SAFETY: the value is a member of both structs.
            unsafe { self.copy(value, native + value.offset, remoted + value.offset) };
        }
    }

    /// Copies a value.
    ///
    /// # Safety
    ///
    /// The value must be valid at both addresses.
    unsafe fn copy(&mut self, value: &'static Value, native: usize, remoted: usize) {
        // SAFETY: the caller upholds the contract of this function, here and below.
        unsafe {
            match &value.kind {
                Kind::Scalar { scalar, .. } if value.copy_out => {
                    bytes_mut(remoted, scalar.bytes).copy_from_slice(bytes(native, scalar.bytes));
                }
                Kind::Address { .. } | Kind::Within { .. } if value.copy_out => {
                    store_pointer(remoted, self.shadow.address(load_pointer(native)));
                }
                Kind::Handle(handle) if value.copy_out => {
                    let scalar = Scalar::unsigned(handle.bytes);
                    let bits = self.shadow.object(handle.of, load(native, scalar) as u64);
                    store(remoted, handle.bytes, i128::from(bits));
                }
                Kind::Block(id) => {
                    if let Some(block) = self.marshaller.block(*id) {
                        self.marshaller.enter(block, remoted);
                        self.copy_back(block, native, remoted);
                        self.marshaller.leave();
                    }
                }
                Kind::Array(array) if array.facts.is_flat && value.copy_out => {
                    let count = self.marshaller.eval(&array.count).and_then(|count| usize::try_from(count).ok());
                    let size = count.unwrap_or(0).saturating_mul(array.stride);
                    bytes_mut(remoted, size).copy_from_slice(bytes(native, size));
                }
                Kind::Buffer(buffer) => {
                    let entry = self.marshaller.entries.iter().find(|entry| entry.slot == remoted).copied();
                    let (ours, theirs) = (load_pointer(native), load_pointer(remoted));
                    let Some(entry) = entry.filter(|_| ours != 0 && theirs != 0 && ours != theirs) else {
                        // This is the program's own memory.
                        if value.copy_out {
                            store_pointer(remoted, ours);
                        }
                        return;
                    };
                    if buffer.is_out && buffer.facts.is_flat {
                        bytes_mut(theirs, entry.bytes).copy_from_slice(bytes(ours, entry.bytes));
                    } else if buffer.is_out {
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

/// Returns the text up to the NUL byte.
fn until_end(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == 0).next().unwrap_or(text)
}

fn one_is_null(native: usize) -> String {
    let (native, remoted) = if native == 0 { ("null", "not") } else { ("not null", "null") };
    format!("it is {native} natively, and {remoted} in what came back")
}
