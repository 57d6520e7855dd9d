//! The names and helpers that the bodies of one section share.

use std::collections::BTreeSet;
use std::rc::Rc;

use lapis_cx::contract::{self, FieldId, FnId};
use lapis_cx::lower::ir;
use proc_macro2::Ident;

use crate::helper::Helper;
use crate::naming::{self, Scope};
use crate::tokens::{ident, word};

/// What the bodies of one section share: the names of static things, and which helpers are in use.
pub struct Unit<'a> {
    /// The section.
    pub section: &'a ir::Section,
    functions: Vec<Ident>,
    tables: Vec<Ident>,
    fields: Vec<Ident>,
    /// What no local may hide.
    pub taken: Scope,
    /// The same in the bodies of a library's functions, which have no parameters beside their own.
    pub taken_in_routines: Scope,
    /// The wide operations in use.
    pub used: BTreeSet<Helper>,
    /// The most limbs of a division.
    pub division_limbs: u32,
}

impl<'a> Unit<'a> {
    /// Names everything private.
    pub fn new(source: &contract::Section, section: &'a ir::Section) -> Unit<'a> {
        let mut taken = naming::taken(source);
        Helper::ALL.iter().for_each(|helper| taken.reserve(helper.name()));
        let functions = section.functions.iter().map(|f| {
            let generics: String = f.generics.iter().map(|n| format!("_{n}")).collect();
            taken.fresh(&format!("fn_{}{generics}", naming::stem(&naming::snake(&f.name))))
        });
        let functions = functions.map(|name| ident(&name)).collect();
        let tables = section.tables.iter().map(|t| match t.name.as_str() {
            "" => taken.fresh("TABLE"),
            name => taken.fresh(&format!("TABLE_{}", naming::screaming(name))),
        });
        let tables = tables.map(|name| ident(&name)).collect();
        let fields = field_names(section).iter().map(|name| ident(name)).collect();
        let taken_in_routines = taken.clone().shared();
        // The parameters that bodies have beside their operands.
        ["st", "out"].iter().for_each(|name| taken.reserve(*name));
        Unit {
            section,
            functions,
            tables,
            fields,
            taken: taken.shared(),
            taken_in_routines,
            used: BTreeSet::new(),
            division_limbs: 0,
        }
    }

    /// The name of a function.
    pub fn function(&self, id: FnId) -> Ident {
        self.functions.get(id.index()).cloned().unwrap_or_else(|| ident(""))
    }

    /// The name of a table.
    pub fn table(&self, id: ir::TableId) -> Ident {
        self.tables.get(id.0 as usize).cloned().unwrap_or_else(|| ident(""))
    }

    /// The name of a field in the state structure.
    pub fn field(&self, id: FieldId) -> Ident {
        self.fields.get(id.index()).cloned().unwrap_or_else(|| ident(""))
    }

    /// The name of a wide operation, which is in use from now on.
    pub fn helper(&mut self, helper: Helper) -> Ident {
        self.used.insert(helper);
        word(helper.name())
    }
}

/// The names of the fields in the state structure: those of one interface may meet in Rust's case.
pub fn field_names(section: &ir::Section) -> Vec<Rc<str>> {
    let mut scope = Scope::default();
    scope.reserve(naming::STATUS);
    section.state.iter().flat_map(|s| &s.fields).map(|f| scope.fresh(&naming::field(&f.name))).collect()
}
