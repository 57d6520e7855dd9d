//! The traversal of a message: runs the operations of a block, and of the blocks and elements that it contains or points to.
//!
//! Encoders and decoders of requests and replies each implement [`Pass`]. A pass processes one value and returns what the value contains.
//! The traversal keeps its nesting in a list of frames rather than on the thread's stack. So a list of a million nodes uses heap memory,
//! which counts against the limit of the call.

use super::frame::{Choice, Elements, Frame, OuterState, Received};
use super::marshaller::Marshaller;
use super::scopes::Scope;
use super::side::{CallError, CallResult};
use crate::plan::{Block, Step, Value};

/// Processes each operation of an encoder or a decoder.
pub(super) trait Pass {
    /// Whether the pass handles requests. If so, blocks store snapshots of their values for `old`.
    const IS_REQUEST: bool;

    /// Copies adjacent numbers between memory and message.
    ///
    /// # Safety
    ///
    /// `address` must be the address of `bytes` bytes of the block that is traversed.
    unsafe fn copy(&mut self, marshaller: &mut Marshaller<'_>, address: usize, bytes: usize) -> CallResult<()>;

    /// Encodes or decodes a value. `copy_out` is whether a reply carries the value.
    ///
    /// # Safety
    ///
    /// `address` must be the address of the value.
    unsafe fn value(
        &mut self,
        marshaller: &mut Marshaller<'_>,
        value: &'static Value,
        address: usize,
        copy_out: bool,
    ) -> CallResult<Next>;

    /// Finishes a buffer whose elements were encoded or decoded.
    ///
    /// # Safety
    ///
    /// `received` must describe elements in memory.
    unsafe fn after(&mut self, marshaller: &mut Marshaller<'_>, received: &Received) -> CallResult<()>;
}

/// The next action of the traversal after a value.
pub(super) enum Next {
    /// Continues with the next operation.
    Done,
    /// Continues with the values of a block at the same address. The flag is whether a reply carries the values.
    Block(&'static Block, bool),
    /// Continues with elements.
    Elements(Elements),
    /// Continues with elements, if there are any, and then again with the value.
    Again(Option<Elements>),
    /// Continues with the selected case of a `match` at the same address: its value, whether a reply carries it, and the check that follows.
    Chosen(&'static Value, bool, Option<Choice>),
}

impl Next {
    /// Lets the value be processed again after its elements.
    pub fn and_again(self) -> Next {
        match self {
            Next::Elements(all) => Next::Again(Some(all)),
            _ => Next::Again(None),
        }
    }
}

impl Marshaller<'_> {
    /// Runs a pass over the arguments of a call. `success` is whether a reply carries more than the result.
    ///
    /// # Safety
    ///
    /// `own` must be the address of memory laid out as `block`.
    pub(super) unsafe fn traverse<P: Pass>(
        &mut self,
        pass: &mut P,
        block: &'static Block,
        own: usize,
        success: bool,
        result: Option<usize>,
    ) -> CallResult<()> {
        let mut frames = std::mem::take(self.frames);
        frames.clear();
        if own == self.stage.arguments {
            self.set_current_value(own);
            frames.push(Frame::Block { block, at: 0, own, copy_out: success });
        } else {
            // `block` is the struct behind a handle.
            self.enter_block(&mut frames, block, own, success)?;
        }
        // SAFETY: the caller upholds the contract of this function.
        let done = unsafe { self.run(pass, &mut frames, result) };
        *self.frames = frames;
        self.stage.scopes.set_current(0);
        self.stage.sources.clear();
        if done.is_ok() {
            self.commit_sent();
        }
        done.map_err(|fault| self.with_name(fault))
    }

    /// Runs the operations of all frames.
    ///
    /// # Safety
    ///
    /// The addresses in `frames` must be those of the values that the frames describe.
    unsafe fn run<P: Pass>(&mut self, pass: &mut P, frames: &mut Vec<Frame>, result: Option<usize>) -> CallResult<()> {
        loop {
            let is_outermost = frames.len() == 1;
            let Some(frame) = frames.last_mut() else { return Ok(()) };
            let (mut value, address, mut copy_out) = match frame {
                Frame::Block { block, at, own, copy_out } => {
                    let steps = if P::IS_REQUEST { &block.facts.request } else { &block.facts.reply };
                    *at += 1;
                    match steps.get(*at - 1).copied() {
                        Some(Step::Copy { offset, bytes }) => {
                            if *copy_out {
                                self.carry(*own + offset, bytes);
                                // SAFETY: the caller guarantees the block at `own`; the plan's offsets are within the block.
                                unsafe { pass.copy(self, *own + offset, bytes)? };
                            }
                            continue;
                        }
                        Some(Step::Value(position)) => {
                            let Some(value) = block.values.get(position) else { continue };
                            let is_result = is_outermost && result == Some(position);
                            let copy_out = *copy_out || is_result && self.is_sent_after_failure(&value.kind);
                            let address = *own + value.offset;
                            self.set_current_value(address);
                            (value, address, copy_out)
                        }
                        None => {
                            if P::IS_REQUEST {
                                self.take_snapshots(block)?;
                            }
                            self.leave();
                            frames.pop();
                            continue;
                        }
                    }
                }
                Frame::Elements { all, index, .. } if *index < all.count => {
                    let address = all.base.wrapping_add((*index as usize).wrapping_mul(all.stride));
                    self.set_current_element(address, *index);
                    *index += 1;
                    (all.element, address, all.copy_out)
                }
                Frame::Again { .. } => {
                    let Some(Frame::Again { value, address, copy_out }) = frames.pop() else { continue };
                    (value, address, copy_out)
                }
                Frame::Choice(_) => {
                    let Some(Frame::Choice(choice)) = frames.pop() else { continue };
                    self.check_choice(&choice)?;
                    continue;
                }
                Frame::Elements { .. } => {
                    let Some(Frame::Elements { all, before, .. }) = frames.pop() else { continue };
                    // SAFETY: this pass encoded or decoded all elements.
                    unsafe { self.end_elements(pass, all.received.as_ref(), &before)? };
                    continue;
                }
            };
            loop {
                // SAFETY: `address` is that of a value within the block or of an element below `count`.
                match unsafe { pass.value(self, value, address, copy_out)? } {
                    Next::Done => {}
                    Next::Block(block, copy_out) => self.enter_block(frames, block, address, copy_out)?,
                    Next::Elements(all) => self.enter_elements(frames, all)?,
                    Next::Again(elements) => {
                        self.deepen(frames.len())?;
                        frames.push(Frame::Again { value, address, copy_out });
                        elements.map_or(Ok(()), |all| self.enter_elements(frames, all))?;
                    }
                    Next::Chosen(chosen, carried, check) => {
                        // A case has no name.
                        self.outer = if self.has_name(value.name) { value.name } else { self.outer };
                        frames.extend(check.map(Frame::Choice));
                        (value, copy_out) = (chosen, carried);
                        continue;
                    }
                }
                break;
            }
        }
    }

    /// Compares a choice that the caller sent with the values that determine it. These values must have been decoded.
    fn check_choice(&mut self, choice: &Choice) -> CallResult<()> {
        if self.choose(choice.of) == Some(choice.at) {
            return Ok(());
        }
        Err(CallError::Refused("the case sent is not the one that its values select", choice.name))
    }

    fn enter_block(
        &mut self,
        frames: &mut Vec<Frame>,
        block: &'static Block,
        own: usize,
        copy_out: bool,
    ) -> CallResult<()> {
        self.deepen(frames.len())?;
        self.enter(block, own);
        self.charge(0)?;
        frames.push(Frame::Block { block, at: 0, own, copy_out });
        Ok(())
    }

    fn enter_elements(&mut self, frames: &mut Vec<Frame>, all: Elements) -> CallResult<()> {
        self.deepen(frames.len())?;
        let inner = match (all.kind, &all.received) {
            (Some(kind), Some(received)) => self.stage_contents(kind, received)?,
            (kind, _) => kind.unwrap_or(self.kind),
        };
        let has_source = all.received.is_some_and(|received| self.add_source(inner, &received));
        let Scope { this, index, .. } = self.stage.scopes.innermost();
        let Marshaller { inherited, outlives, end, kind, shift, outer, .. } = *self;
        let before = OuterState { this, index, inherited, outlives, end, kind, shift, outer, has_source };
        if self.has_name(all.name) {
            self.outer = all.name;
        }
        self.inherited = all.inherited.unwrap_or(self.inherited);
        self.outlives = all.outlives.unwrap_or(self.outlives);
        self.end = all.received.map_or(self.end, |buffer| buffer.here + buffer.bytes);
        self.kind = inner;
        self.shift = all.shift.unwrap_or(self.shift);
        frames.push(Frame::Elements { all, index: 0, before });
        Ok(())
    }

    /// Leaves elements, which were the contents of `received` unless the enclosing value contains them.
    ///
    /// # Safety
    ///
    /// The pass must have encoded or decoded the elements.
    unsafe fn end_elements<P: Pass>(
        &mut self,
        pass: &mut P,
        received: Option<&Received>,
        before: &OuterState,
    ) -> CallResult<()> {
        let kind = self.kind;
        self.leave_elements(before);
        if let Some(received) = received {
            self.end_sent(kind);
            // SAFETY: the caller upholds the contract of this function.
            unsafe { self.end_contents(kind, received, |marshaller| pass.after(marshaller, received))? };
        }
        self.stage.sources.remove(before.has_source);
        Ok(())
    }

    /// Charges the memory of the frames if the nesting is deeper than before.
    fn deepen(&mut self, depth: usize) -> CallResult<()> {
        if depth > self.deepest {
            self.deepest = depth;
            self.charge(size_of::<Frame>())?;
        }
        Ok(())
    }

    fn leave_elements(&mut self, before: &OuterState) {
        self.set_current_element(before.this, before.index);
        (self.inherited, self.outlives) = (before.inherited, before.outlives);
        (self.end, self.kind) = (before.end, before.kind);
        (self.shift, self.outer) = (before.shift, before.outer);
    }

    fn has_name(&self, name: u32) -> bool {
        self.stage.plan.has_text(name)
    }

    /// Replaces the name in an error about an unnamed value by that of the enclosing value.
    fn with_name(&self, fault: CallError) -> CallError {
        if fault.name().is_some_and(|name| !self.has_name(name)) { fault.about(self.outer) } else { fault }
    }
}
