//! Flat operands and operators to nested nodes, by precedence.

use lapis_cx_grammar::Rule;

use super::build::Builder;

/// The parts of a flat expression, trivia among them, and how many are used up.
#[derive(Default)]
pub(super) struct Fold {
    pub(super) parts: Vec<u32>,
    at: usize,
}

impl Fold {
    fn peek(&self) -> Option<u32> {
        self.parts.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u32> {
        let part = self.peek()?;
        self.at += 1;
        Some(part)
    }

    /// Moves the trivia that comes next to `children`.
    fn gap(&mut self, builder: &Builder<'_>, children: &mut Vec<u32>) {
        while let Some(id) = self.peek()
            && matches!(builder.kind(id), Rule::WHITESPACE | Rule::comment)
        {
            children.push(id);
            self.at += 1;
        }
    }

    /// The next part that is no trivia.
    fn after_gap(&self, builder: &Builder<'_>) -> Option<u32> {
        let rest = self.parts.get(self.at..).unwrap_or_default();
        rest.iter().copied().find(|&id| !matches!(builder.kind(id), Rule::WHITESPACE | Rule::comment))
    }
}

/// Folds `prefix* primary postfix* (infix …)* (? … : …)?` into nested nodes under one `expr` or `width`.
pub(super) fn fold(builder: &mut Builder<'_>, rule: Rule, parts: &mut Fold) -> u32 {
    parts.at = 0;
    let Some(first) = climb(builder, parts, 0) else { return builder.branch(rule, &parts.parts) };
    let mut children = vec![first];
    if parts.peek().is_some() {
        // Only `?` can follow a complete operand and its operators.
        children.extend_from_slice(parts.parts.get(parts.at..).unwrap_or_default());
        children = vec![builder.branch(Rule::ternary, &children)];
    }
    builder.branch(rule, &children)
}

/// Precedence climbing: an operand and all operators of at least `level`. Its own nesting is bounded by the levels.
fn climb(builder: &mut Builder<'_>, parts: &mut Fold, level: u8) -> Option<u32> {
    let mut left = operand(builder, parts)?;
    while let Some(op_level) = parts.after_gap(builder).and_then(|op| infix_level(builder.kind(op)))
        && op_level >= level
    {
        let mut children = vec![left];
        parts.gap(builder, &mut children);
        children.extend(parts.next());
        parts.gap(builder, &mut children);
        children.extend(climb(builder, parts, op_level + 1));
        left = builder.branch(Rule::binary, &children);
    }
    Some(left)
}

fn operand(builder: &mut Builder<'_>, parts: &mut Fold) -> Option<u32> {
    // Prefix operators are gathered first: a long chain of them must not recurse.
    let mut prefixes = Vec::new();
    while let Some(op) = parts.peek().filter(|&id| builder.kind(id) == Rule::op_prefix) {
        parts.next();
        let mut chain = vec![op];
        parts.gap(builder, &mut chain);
        prefixes.push(chain);
    }
    let mut operand = parts.next()?;
    while parts.after_gap(builder).is_some_and(|id| is_postfix(builder.kind(id))) {
        let mut children = vec![operand];
        parts.gap(builder, &mut children);
        children.extend(parts.next());
        operand = builder.branch(Rule::access_expr, &children);
    }
    for mut chain in prefixes.into_iter().rev() {
        chain.push(operand);
        operand = builder.branch(Rule::unary, &chain);
    }
    Some(operand)
}

/// The levels of the infix operators, loosest first.
fn infix_level(rule: Rule) -> Option<u8> {
    Some(match rule {
        Rule::op_lor => 0,
        Rule::op_land => 1,
        Rule::op_cmp => 2,
        Rule::op_bor => 3,
        Rule::op_bxor => 4,
        Rule::op_band => 5,
        Rule::op_shift => 6,
        Rule::op_add => 7,
        Rule::op_mul => 8,
        _ => return None,
    })
}

fn is_postfix(rule: Rule) -> bool {
    matches!(rule, Rule::dim | Rule::slice | Rule::part_select | Rule::method | Rule::field)
}
