//! The grammar's rules in words, for messages.

use super::grammar::Rule;

/// What a person calls the text of a rule, as in "in this command".
pub(super) fn what(rule: Rule) -> &'static str {
    use Rule::*;
    match rule {
        interface => "interface",
        library => "library",
        platform => "platform",
        use_clause => "import",
        package => "package clause",
        edition => "edition clause",
        const_item => "constant",
        fn_item => "function",
        law => "law",
        uuid_clause | contract_clause | xintf_clause | short_clause | xlen_clause | refines_clause => "clause",
        enum_item => "enum",
        state_item => "state block",
        csr_item => "CSR",
        error_item => "error",
        command => "command",
        example => "example",
        run_step => "step",
        _ => "statement",
    }
}

/// The things that could have stood at a failure, in words, without repetition; empty where that would not help.
pub(super) fn expected(rules: &[Rule]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for &rule in rules {
        let Some(word) = word(rule) else { continue };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    // An operator could follow any operand: it is never what was forgotten.
    if words.len() > 1 {
        words.retain(|w| w != "an operator");
    }
    if words.len() > 4 { Vec::new() } else { words }
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}

fn word(rule: Rule) -> Option<String> {
    use Rule::*;
    let token = |t: &str| Some(format!("`{t}`"));
    let words = |w: &str| Some(w.to_owned());
    match rule {
        semi => token(";"),
        comma => token(","),
        colon => token(":"),
        eq => token("="),
        arrow => token("->"),
        fat => token("=>"),
        bar => token("|"),
        lt => token("<"),
        gt => token(">"),
        lparen => token("("),
        rparen => token(")"),
        lbracket => token("["),
        rbracket => token("]"),
        lbrace => token("{"),
        rbrace => token("}"),
        dotdot => token(".."),
        assign_op => words("an assignment such as `=`"),
        ident => words("a name"),
        int | signed_int => words("a number"),
        string => words("a string"),
        Rule::r#type | sized_type => words("a type"),
        dotted => words("a dotted name"),
        qname => words("a name such as `cx.std:IStateContext`"),
        op_lor | op_land | op_cmp | op_bor | op_bxor | op_band | op_shift | op_add | op_mul | question => {
            words("an operator")
        }
        dim | slice | part_select | method | field | dot | psl => words("an operator"),
        expr | name | call | paren | list | comprehension | op_prefix | kw_true | kw_false | place => {
            words("an expression")
        }
        block => words("a body in `{ }`"),
        attr | at => None,
        doc => None,
        family | generics | forms | bases | result | args | params => None,
        _ => {
            let text = format!("{rule:?}");
            text.strip_prefix("kw_").map(|keyword| format!("`{keyword}`"))
        }
    }
}
