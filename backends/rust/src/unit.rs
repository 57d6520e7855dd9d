//! The names and helpers that the bodies of one section share.

use std::collections::BTreeSet;

use lapis_cx::contract::{self, FnId};
use lapis_cx::lower::ir;

use crate::helper::Helper;
use crate::naming::{self, Scope};

/// What the bodies of one section share: the names of static things, and which helpers are in use.
pub struct Unit<'a> {
    /// The section.
    pub section: &'a ir::Section,
    functions: Vec<String>,
    tables: Vec<String>,
    /// Names of fields in the state structure.
    pub fields: Vec<String>,
    /// What no local may hide.
    pub taken: Scope,
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
        let functions = functions.collect();
        let tables = section.tables.iter().map(|t| match t.name.as_str() {
            "" => taken.fresh("TABLE"),
            name => taken.fresh(&format!("TABLE_{}", naming::screaming(name))),
        });
        let tables = tables.collect();
        let fields = field_names(section);
        Unit { section, functions, tables, fields, taken, used: BTreeSet::new(), division_limbs: 0 }
    }

    /// The name of a function.
    pub fn function(&self, id: FnId) -> String {
        self.functions.get(id.index()).cloned().unwrap_or_default()
    }

    /// The name of a table.
    pub fn table(&self, id: ir::TableId) -> String {
        self.tables.get(id.0 as usize).cloned().unwrap_or_default()
    }

    /// The name of a wide operation, which is in use from now on.
    pub fn helper(&mut self, helper: Helper) -> &'static str {
        self.used.insert(helper);
        helper.name()
    }
}

/// The names of the fields in the state structure: those of one interface may meet in Rust's case.
pub fn field_names(section: &ir::Section) -> Vec<String> {
    let mut scope = Scope::default();
    scope.reserve(naming::STATUS);
    section.state.iter().flat_map(|s| &s.fields).map(|f| scope.fresh(&naming::field(&f.name))).collect()
}
