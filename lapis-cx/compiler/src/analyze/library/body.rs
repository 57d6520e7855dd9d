//! `impl`: a body in this language.

use crate::contract::library::clause::Clause;
use crate::syntax::Node;

use super::Lib;
use super::scope::Scope;

impl<'t> Lib<'_, 't> {
    pub(super) fn body(&mut self, _scope: &Scope<'t>, _node: Node<'t>) -> Option<Clause> {
        None
    }
}
