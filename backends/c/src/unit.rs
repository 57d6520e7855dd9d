//! The names and helpers that the bodies of one section share.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

use lapis_cx::contract::FnId;
use lapis_cx::lower::ir;

use crate::helper::Helper;
use crate::naming::{self, Names, Scope};

/// What the bodies of one section share: the names of static things, and which helpers are in use.
pub struct Unit<'a> {
    /// The section.
    pub section: &'a ir::Section,
    /// Names of functions by [`FnId`].
    functions: Vec<Cow<'a, str>>,
    /// Names of tables by position.
    tables: Vec<Cow<'a, str>>,
    /// Names of fields in the state structure.
    pub fields: Vec<Cow<'a, str>>,
    /// The functions over state words.
    pub read_word: Cow<'a, str>,
    /// Writes a state word.
    pub write_word: Cow<'a, str>,
    /// Sets all fields to their reset values.
    pub reset: Cow<'a, str>,
    /// Takes the status word of an image over.
    pub restore: Cow<'a, str>,
    /// Reads and writes the words of an image, if not all of them are live.
    pub live: [Cow<'a, str>; 2],
    /// What no local may hide: everything static, and all that the header declares.
    pub taken: Rc<Scope<'a>>,
    helpers: Vec<Cow<'a, str>>,
    /// The wide operations in use.
    pub used: BTreeSet<Helper>,
    /// The most limbs of a division.
    pub division_limbs: u32,
}

impl<'a> Unit<'a> {
    /// Names everything static; `around` holds all names that others see.
    pub fn new(names: &Names, section: &'a ir::Section, around: &Rc<Scope<'a>>) -> Unit<'a> {
        let mut taken = Scope::inside(around);
        let mut fresh = |name: &str| taken.fresh(names.member(name));
        let read_word = fresh("read_word");
        let write_word = fresh("write_word");
        let reset = fresh("reset");
        let restore = fresh("restore_status");
        let live = ["save_word", "restore_word"].map(&mut fresh);
        let helpers = Helper::ALL.iter().map(|helper| fresh(helper.name())).collect();
        let functions = section.functions.iter().map(|f| {
            let generics: String = f.generics.iter().map(|n| format!("_{n}")).collect();
            fresh(&format!("fn_{}{generics}", f.name))
        });
        let functions = functions.collect();
        let tables = section.tables.iter().map(|t| match t.name.as_str() {
            "" => fresh("table"),
            name => fresh(&format!("table_{name}")),
        });
        let tables = tables.collect();
        let fields = field_names(section);
        Unit {
            section,
            functions,
            tables,
            fields,
            taken: Rc::new(taken),
            read_word,
            write_word,
            reset,
            restore,
            live,
            helpers,
            used: BTreeSet::new(),
            division_limbs: 0,
        }
    }

    /// The name of a function.
    pub fn function(&self, id: FnId) -> &str {
        self.functions.get(id.index()).map_or("", |name| name)
    }

    /// The name of a table.
    pub fn table(&self, id: ir::TableId) -> &str {
        self.tables.get(id.0 as usize).map_or("", |name| name)
    }

    /// The name of a wide operation, which is in use from now on.
    pub fn helper(&mut self, helper: Helper) -> &str {
        self.used.insert(helper);
        self.helper_name(helper)
    }

    /// The name of a wide operation.
    pub fn helper_name(&self, helper: Helper) -> &str {
        let place = Helper::ALL.iter().position(|h| *h == helper);
        place.and_then(|i| self.helpers.get(i)).map_or("", |name| name)
    }
}

/// The names of the fields in the state structure.
pub fn field_names(section: &ir::Section) -> Vec<Cow<'_, str>> {
    section.state.iter().flat_map(|s| &s.fields).map(|f| naming::field(&f.name)).collect()
}
