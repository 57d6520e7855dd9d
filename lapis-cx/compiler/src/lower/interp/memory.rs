//! Arrays in memory: locals, fields, tables, the place of a result.

use super::frame::{Frame, Role, fits};
use super::{Defect, Machine, Thing};
use crate::contract::FieldId;
use crate::lower::ir::{Base, Shape, Slice, Storage, Table, TableId, Ty};

/// A run of elements that lies inside its array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    base: Base,
    storage: Storage,
    at: u64,
    len: u64,
}

impl Place {
    /// Refuses a result here that overlaps an operand there.
    pub fn apart(&self, other: &Place) -> Result<(), Defect> {
        let meet = self.base == other.base && self.at < other.at + other.len && other.at < self.at + self.len;
        if meet { Err(Defect::Overlap) } else { Ok(()) }
    }

    pub fn storage(&self) -> Storage {
        self.storage
    }
}

impl<'a> Machine<'a> {
    /// A run of `len` elements.
    pub(super) fn place(&mut self, frame: &Frame<'a>, slice: &'a Slice, len: u32) -> Result<Place, Defect> {
        let at = self.typed(frame, &slice.at, Ty::W32)?;
        let (storage, all) = self.extent(frame, slice.base)?;
        let len = u64::from(len);
        self.charge(len)?;
        if at + len > all {
            return Err(Defect::Outside { index: at.max(all), len: all });
        }
        Ok(Place { base: slice.base, storage, at, len })
    }

    /// The elements of a run.
    pub(super) fn load(&self, frame: &Frame<'a>, place: &Place) -> Result<Vec<u64>, Defect> {
        (place.at..place.at + place.len).map(|at| self.element(frame, place.base, at)).collect()
    }

    /// Writes a run.
    pub(super) fn store(&mut self, frame: &mut Frame<'a>, place: &Place, values: &[u64]) -> Result<(), Defect> {
        (place.at..place.at + place.len).zip(values).try_for_each(|(at, v)| self.set_element(frame, place.base, at, *v))
    }

    /// What an array holds and how many elements it has.
    pub(super) fn extent(&self, frame: &Frame<'a>, base: Base) -> Result<(Storage, u64), Defect> {
        let shape = match base {
            // No command has one.
            Base::Buffer(_) => return Err(Defect::Type),
            Base::Local(id) => frame.shape(id)?,
            Base::Field(id) => self.field_shape(frame, id)?,
            Base::Table(id) => {
                let table = self.table(id)?;
                return Ok((table.storage, table.values.len() as u64));
            }
            Base::Out => frame.out.as_ref().ok_or(Defect::Absent(Thing::Out))?.0,
        };
        match shape {
            Shape::Array { storage, len } => Ok((storage, u64::from(len))),
            Shape::Scalar(_) => Err(Defect::Type),
        }
    }

    fn table(&self, id: TableId) -> Result<&'a Table, Defect> {
        // One that is not in use would not be printed.
        let table = self.section.tables.get(id.0 as usize).filter(|_| self.section.used_tables.contains(&id));
        table.ok_or(Defect::Absent(Thing::Table))
    }

    /// What a field is, for a body that may read it.
    pub(super) fn field_shape(&self, frame: &Frame<'a>, id: FieldId) -> Result<Shape, Defect> {
        if frame.role == Role::Function {
            return Err(Defect::Role);
        }
        let fields = self.section.state.as_ref().map(|s| s.fields.as_slice()).unwrap_or_default();
        fields.get(id.index()).map(|f| f.shape).ok_or(Defect::Absent(Thing::State))
    }

    /// Reads an element of an array.
    pub(super) fn element(&self, frame: &Frame<'a>, base: Base, at: u64) -> Result<u64, Defect> {
        match base {
            Base::Buffer(_) => Err(Defect::Type),
            Base::Local(id) => frame.read(id, at as usize),
            Base::Field(id) => self.field_element(id, at),
            Base::Table(id) => {
                let values = &self.table(id)?.values;
                values.get(at as usize).copied().ok_or(Defect::Outside { index: at, len: values.len() as u64 })
            }
            Base::Out => Err(Defect::Access),
        }
    }

    /// Reads an element of a field; a scalar has element 0.
    pub(super) fn field_element(&self, id: FieldId, at: u64) -> Result<u64, Defect> {
        let cells = self.fields.get(id.index()).ok_or(Defect::Absent(Thing::State))?;
        let cell = cells.get(at as usize).ok_or(Defect::Outside { index: at, len: cells.len() as u64 })?;
        cell.ok_or(Defect::Unset)
    }

    /// Writes an element of an array.
    pub(super) fn set_element(&mut self, frame: &mut Frame<'a>, base: Base, at: u64, v: u64) -> Result<(), Defect> {
        let (storage, len) = self.extent(frame, base)?;
        let v = fits(v, storage.bits())?;
        let cell = match base {
            Base::Buffer(_) => return Err(Defect::Type),
            Base::Local(id) => frame.cell(id, at as usize)?,
            Base::Field(id) => return self.set_field_element(frame, id, at, v),
            Base::Table(_) => return Err(Defect::Access),
            Base::Out => {
                let (_, cells) = frame.out.as_mut().ok_or(Defect::Absent(Thing::Out))?;
                cells.get_mut(at as usize).ok_or(Defect::Outside { index: at, len })?
            }
        };
        *cell = Some(v);
        Ok(())
    }

    /// Writes an element of a field; a scalar has element 0. The value fits.
    pub(super) fn set_field_element(&mut self, frame: &Frame<'a>, id: FieldId, at: u64, v: u64) -> Result<(), Defect> {
        if !matches!(frame.role, Role::Write | Role::Restore | Role::Command) {
            return Err(Defect::Role);
        }
        let cells = self.fields.get_mut(id.index()).ok_or(Defect::Absent(Thing::State))?;
        let len = cells.len() as u64;
        *cells.get_mut(at as usize).ok_or(Defect::Outside { index: at, len })? = Some(v);
        Ok(())
    }
}
