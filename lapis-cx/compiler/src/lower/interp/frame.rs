//! The locals of a body that runs.

use super::{Defect, Thing};
use crate::lower::ir::{Body, Local, LocalId, Shape, Ty, ones};

/// What a body may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing but compute.
    Function,
    /// Read the fields.
    Read,
    /// Read and write the fields.
    Write,
    /// Read and write the fields and the status word, reset, and return.
    Restore,
    /// Everything.
    Command,
}

/// A body that runs.
pub(super) struct Frame<'a> {
    pub role: Role,
    locals: &'a [Local],
    slots: Vec<Slot>,
    /// Locals that have begun, in order.
    begun: Vec<LocalId>,
    /// The operands of a command: words whose types are those of their edges.
    pub args: Vec<(Ty, u64)>,
    /// The place of an array or wide result.
    pub out: Option<(Shape, Vec<Option<u64>>)>,
}

/// The memory of one local.
#[derive(Clone, Default)]
struct Slot {
    /// Its elements; a scalar has one.
    cells: Vec<Option<u64>>,
    begun: bool,
    /// Not to be written: an array parameter or a loop variable.
    fixed: bool,
}

/// How many elements a shape has.
pub(super) fn elements(shape: Shape) -> u32 {
    match shape {
        Shape::Scalar(_) => 1,
        Shape::Array { len, .. } => len,
    }
}

/// The value, if it has no bits above these.
pub(super) fn fits(value: u64, bits: u32) -> Result<u64, Defect> {
    if value <= ones(bits) { Ok(value) } else { Err(Defect::Pattern { value, bits }) }
}

impl<'a> Frame<'a> {
    pub fn new(role: Role, body: &'a Body, args: Vec<(Ty, u64)>, out: Option<Shape>) -> Frame<'a> {
        let slots = vec![Slot::default(); body.locals.len()];
        let out = out.map(|shape| (shape, vec![None; elements(shape) as usize]));
        Frame { role, locals: &body.locals, slots, begun: Vec::new(), args, out }
    }

    /// What a local is.
    pub fn shape(&self, id: LocalId) -> Result<Shape, Defect> {
        self.locals.get(id.index()).map(|l| l.shape).ok_or(Defect::Absent(Thing::Local))
    }

    /// The type of a scalar local.
    pub fn scalar(&self, id: LocalId) -> Result<Ty, Defect> {
        match self.shape(id)? {
            // A local has a whole word, unlike a field.
            Shape::Scalar(storage) if storage.bits() == storage.ty().bits() => Ok(storage.ty()),
            _ => Err(Defect::Type),
        }
    }

    fn slot(&mut self, id: LocalId) -> Result<&mut Slot, Defect> {
        self.slots.get_mut(id.index()).ok_or(Defect::Absent(Thing::Local))
    }

    /// A local begins without a value.
    pub fn begin(&mut self, id: LocalId) -> Result<(), Defect> {
        let len = elements(self.shape(id)?) as usize;
        let slot = self.slot(id)?;
        if slot.begun {
            return Err(Defect::BegunTwice(id));
        }
        slot.begun = true;
        slot.fixed = false;
        slot.cells.clear();
        slot.cells.resize(len, None);
        self.begun.push(id);
        Ok(())
    }

    /// A scalar local begins with a value.
    pub fn begin_with(&mut self, id: LocalId, ty: Ty, v: u64) -> Result<(), Defect> {
        self.begin(id)?;
        self.assign(id, ty, v)
    }

    /// An array begins with these elements, and keeps them.
    pub fn begin_fixed(&mut self, id: LocalId, elements: Vec<u64>) -> Result<(), Defect> {
        self.begin(id)?;
        let slot = self.slot(id)?;
        slot.cells = elements.into_iter().map(Some).collect();
        slot.fixed = true;
        Ok(())
    }

    /// How many locals have begun: what [`Frame::end`] goes back to.
    pub fn mark(&self) -> usize {
        self.begun.len()
    }

    /// The locals that have begun since end.
    pub fn end(&mut self, mark: usize) {
        for id in self.begun.drain(mark..) {
            if let Some(slot) = self.slots.get_mut(id.index()) {
                slot.begun = false;
            }
        }
    }

    /// Assigns a scalar.
    pub fn assign(&mut self, id: LocalId, ty: Ty, v: u64) -> Result<(), Defect> {
        if self.scalar(id)? != ty {
            return Err(Defect::Type);
        }
        *self.cell(id, 0)? = Some(v);
        Ok(())
    }

    /// A loop variable takes its next value, and cannot be assigned then.
    pub fn count(&mut self, id: LocalId, ty: Ty, v: u64) -> Result<(), Defect> {
        self.slot(id)?.fixed = false;
        self.assign(id, ty, v)?;
        self.slot(id)?.fixed = true;
        Ok(())
    }

    /// An element to write.
    pub fn cell(&mut self, id: LocalId, at: usize) -> Result<&mut Option<u64>, Defect> {
        let slot = self.slot(id)?;
        if !slot.begun {
            return Err(Defect::NotBegun(id));
        }
        if slot.fixed {
            return Err(Defect::Access);
        }
        let len = slot.cells.len() as u64;
        slot.cells.get_mut(at).ok_or(Defect::Outside { index: at as u64, len })
    }

    /// Reads an element; a scalar has element 0.
    pub fn read(&self, id: LocalId, at: usize) -> Result<u64, Defect> {
        let slot = self.slots.get(id.index()).ok_or(Defect::Absent(Thing::Local))?;
        if !slot.begun {
            return Err(Defect::NotBegun(id));
        }
        let cell = slot.cells.get(at).ok_or(Defect::Outside { index: at as u64, len: slot.cells.len() as u64 })?;
        cell.ok_or(Defect::Unset)
    }
}
