//! What stands between two neighbouring parts of a node.

use crate::syntax::{Kind, Node};

/// What stands between two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing.
    None,
    /// A space.
    Space,
    /// A space; neighbours are aligned at what follows.
    Cell,
    /// A space, or a line if what follows does not fit.
    Fill,
    /// A space, or a line if all that follows fits on one, but not on this one.
    Whole,
}

/// Between `before` and `after`, which are neighbours in `parent`.
pub(super) fn gap(parent: Node<'_>, before: Node<'_>, after: Node<'_>) -> Gap {
    let (above, left, right) = (parent.kind(), before.kind(), after.kind());
    if sticks_to_left(above, left, right) || sticks_to_right(parent, before) {
        return Gap::None;
    }
    if is_cell(above, left, right) {
        return Gap::Cell;
    }
    use Kind::*;
    match (above, left, right) {
        (_, comma, _) | (comprehension, fat, _) | (law, colon, _) => Gap::Fill,
        (_, _, bar) | (requires_clause, _, kw_else) => Gap::Fill,
        (place_type | command | state_field | csr_field, _, attr) => Gap::Fill,
        (func_item | callback_item, _, arrow) if is_long_result(parent) => Gap::Fill,
        (_, eq | assign_op | kw_return, expr) if breaks_anywhere(after) => Gap::Whole,
        _ => Gap::Space,
    }
}

/// Whether nothing stands before `right`.
fn sticks_to_left(above: Kind, left: Kind, right: Kind) -> bool {
    use Kind::*;
    match right {
        semi | comma | rparen | rbracket | gt | lt | dot | dotdot | colon => true,
        args | raw_string | dim | slice | part_select | method | field | elements => true,
        family | generics | type_params | side | index => true,
        question => above != ternary,
        lparen => above == sharing,
        params => above != command,
        places => left == ident,
        _ => false,
    }
}

/// Whether nothing stands behind `before`.
fn sticks_to_right(parent: Node<'_>, before: Node<'_>) -> bool {
    use Kind::*;
    match before.kind() {
        lparen | lbracket | lt | at | op_prefix | minus | sign_letter | dotdot | dot => true,
        colon if matches!(parent.kind(), qname | slice) => true,
        // The bits of a field: `[7:4]`.
        colon if parent.kind() == csr_field => {
            parent.child(rbracket).is_some_and(|bracket| before.span().end <= bracket.span().start)
        }
        _ => false,
    }
}

/// Whether neighbours are aligned at `right`.
fn is_cell(above: Kind, left: Kind, right: Kind) -> bool {
    use Kind::*;
    match above {
        uuid_clause | short_clause | xlen_clause | xintf_clause | refines_clause => is_clause_word(left),
        xcmds_clause | harts_clause | levels_clause => is_clause_word(left),
        state_field | c_field => left == colon,
        csr_field => right == lbracket,
        enum_case | error_item | unit => right == eq,
        command => matches!(right, eq | forms),
        handle_item => matches!(right, spelling | kw_as | kw_with),
        metadata_item | discover => right == lbrace,
        lun | cxu => matches!(right, eq | lbrace),
        resource_item => left == ident,
        arm | type_arm => right == fat,
        _ => false,
    }
}

fn is_clause_word(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, kw_uuid | kw_short | kw_xlen | kw_xintf | kw_refines | kw_xcmds | kw_harts | kw_levels)
}

/// Whether an expression has operators at which it can be broken.
fn breaks_anywhere(expr: Node<'_>) -> bool {
    expr.children().next().is_some_and(|inner| matches!(inner.kind(), Kind::binary | Kind::ternary))
}

/// Whether the result of a function is so long that it may have a line of its own.
fn is_long_result(function: Node<'_>) -> bool {
    const LONG: usize = 40;
    let Some(result) = function.child(Kind::place_type) else { return false };
    result.leaves().filter(|leaf| !leaf.is_trivia()).map(|leaf| leaf.text().len()).sum::<usize>() > LONG
}
