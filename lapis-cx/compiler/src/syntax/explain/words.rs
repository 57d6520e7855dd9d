//! The grammar's rules in words, for messages.

use lapis_cx_grammar::Rule;

/// What a person calls the text of a rule, as in "in this command".
pub(super) fn what(rule: Rule) -> &'static str {
    use Rule::*;
    match rule {
        interface | interface_head => "interface",
        library | library_head => "library",
        platform | platform_head => "platform",
        use_clause => "import",
        package => "package clause",
        edition => "edition clause",
        const_item => "constant",
        fn_item | fn_head => "function",
        law => "law",
        uuid_clause | contract_clause | xintf_clause | short_clause | xlen_clause | refines_clause => "clause",
        enum_item | enum_head => "enum",
        enum_case => "case",
        state_item | state_head => "state block",
        state_field | csr_field => "field",
        csr_item | csr_head => "CSR",
        error_item => "error",
        command | command_head => "command",
        param => "parameter",
        example | example_head => "example",
        run_step | let_step | for_step | reset_step => "step",
        cond => "condition",
        for_head => "loop",
        arm | type_arm => "arm",
        func_item => "function",
        callback_item => "callback",
        signature => "signature",
        struct_item | struct_head => "struct",
        handle_item | handle_head => "handle",
        type_item => "type",
        metadata_item | metadata_head => "metadata",
        resource_item => "resource",
        group_item => "group",
        defaults_item => "defaults",
        utility_item | hook_item => "code",
        place_item => "parameter",
        c_field => "member",
        binding | version_clause | fact | timing | success_clause | fails_clause | requires_clause | arg_clause
        | implicit_clause | set_clause | pass_clause | when_clause | around_clause | replace_clause | impl_clause
        | bad_clause => "clause",
        bad_part => "library",
        device | device_head => "device",
        unit => "unit",
        lun | lun_head => "lun",
        route => "mapping",
        discover | discover_head => "discover table",
        sequence => "entry",
        cxu | cxu_head => "CXU",
        cxu_property | omits => "property",
        xcmds_clause | harts_clause | levels_clause => "clause",
        _ => "statement",
    }
}

/// What a rule looks like, for those whose form is best shown whole.
pub(super) fn form(rule: Rule) -> Option<&'static str> {
    use Rule::*;
    Some(match rule {
        edition => "cxspec 1;",
        package => "package org.example.name;",
        use_clause => "use org.example.name:Item;",
        interface => "interface Name { … }",
        interface_head => "interface Name : Base { … }",
        uuid_clause => "uuid \"00000000-0000-0000-0000-000000000000\";` or `uuid auto;",
        contract_clause => "contract \"cx1:sha256:…\";",
        xintf_clause => "xintf 0x12345;` or `xintf auto;",
        short_clause => "short name;",
        xlen_clause => "xlen 32, 64;",
        refines_clause => "refines Name;",
        const_item => "const NAME: u8 = 3;",
        fn_item | fn_head => "fn name(a: u8) -> u8 { return a; }",
        enum_item | enum_head => "enum Name: u2 { first = 0, second = 1 }",
        enum_case => "name = 1",
        state_item | state_head => "state exclusive { … }",
        state_field => "name: word = 0;",
        csr_item | csr_head => "csr name = 0x810 rw { … }",
        csr_field => "name [1:0]: u2 = field;",
        error_item => "error name = 1 \"what went wrong\";",
        command | command_head => "command name = 0 : R (a: word) -> word { … }",
        param => "name: type",
        example | example_head => "example \"title\" { … }",
        law => "law name(a: word): a == a;",
        for_stmt | for_step | for_head => "for i in 0..8 { … }",
        match_stmt => "match (x) { 0 => { … } _ => { … } }",
        arm => "0 | 1 => { … }",
        raise_stmt => "raise name;` or `raise name -> result;",
        var_stmt => "var name: type = value;",
        let_stmt | let_step => "let name = value;",
        assign_stmt => "name = value;",
        if_stmt | cond => "if (a == b) { … }",
        with_stmt => "with Interface as m { … } else { … }",
        library | library_head => "library Name { … }",
        func_item => "func name(a: int, p: in [u8; n], n: size) -> int { … }",
        callback_item => "callback Name(user: userdata) -> void;",
        signature => "name(a: int, p: in [u8; n], n: size) -> int",
        place_item => "name: type",
        struct_item | struct_head => "struct Name { member: type; }",
        metadata_item | metadata_head => "metadata Name { member: type; }",
        c_field => "name: type;",
        handle_item | handle_head => "handle Name = \"C type\" with Parent;",
        type_item => "type Name(n) = in [u8; n];",
        resource_item => "resource rate name;` or `resource store name;",
        group_item => "group name { … }",
        defaults_item => "defaults { … }` or `defaults type Name { … }",
        utility_item => "utility c\"\"\"…\"\"\"",
        hook_item => "on guest_init after c\"\"\"…\"\"\"",
        binding => "c header \"name.h\";",
        version_clause => "version \"1.0\";",
        type_arm => "0 | 1 => in [u8; n];",
        timing => "async returns 0;",
        success_clause => "success ret == 0;",
        fails_clause => "fails errno = 12, -1;",
        requires_clause => "requires n > 0 else -1;",
        arg_clause => "arg p[] @valid(n);` or `arg p: type;",
        implicit_clause => "implicit name: type = value;",
        set_clause => "set ret.member = value;",
        pass_clause => "pass name = value;",
        when_clause => "when (a == b) { … } else { … }",
        around_clause => "before c\"\"\"…\"\"\"",
        replace_clause => "replace c\"\"\"…\"\"\"",
        impl_clause => "impl { with Interface as m { … } else { … } }",
        platform | platform_head => "platform Name { … }",
        xcmds_clause => "xcmds 8;",
        harts_clause => "harts 1;",
        levels_clause => "levels u, s, h, m;",
        device | device_head => "device name { unit 0 = org.example.name:Item; }",
        unit => "unit 0 = org.example.name:Item;",
        lun | lun_head => "lun 32 = org.example.name:Item { u, s -> device.0; }",
        route => "u, s -> device.0;",
        discover | discover_head => "discover org.example.name:Item { 0 at u, s -> lun 32; }",
        sequence => "0 at u, s -> lun 32;",
        cxu | cxu_head => "cxu 0 = org.example.name:Item { level 1; contexts 4; }",
        cxu_property => "contexts 4;` or `latency 1..4;",
        omits => "omits first, second;",
        _ => return None,
    })
}

/// The statement a word begins.
pub(super) fn statement(word: &str) -> Option<Rule> {
    Some(match word {
        "let" => Rule::let_stmt,
        "var" => Rule::var_stmt,
        "if" => Rule::if_stmt,
        "for" => Rule::for_stmt,
        "match" => Rule::match_stmt,
        "return" => Rule::return_stmt,
        "raise" => Rule::raise_stmt,
        "trap" => Rule::trap_stmt,
        "with" => Rule::with_stmt,
        _ => return None,
    })
}

/// The part of a library a word begins.
pub(super) fn part(word: &str) -> Option<Rule> {
    Some(match word {
        "func" => Rule::func_item,
        "callback" => Rule::callback_item,
        "struct" | "union" => Rule::struct_item,
        "handle" => Rule::handle_item,
        "type" => Rule::type_item,
        "metadata" => Rule::metadata_item,
        "resource" => Rule::resource_item,
        "group" => Rule::group_item,
        "defaults" => Rule::defaults_item,
        "utility" => Rule::utility_item,
        "on" => Rule::hook_item,
        "c" => Rule::binding,
        "version" => Rule::version_clause,
        "enum" => Rule::enum_item,
        "const" => Rule::const_item,
        "fn" => Rule::fn_item,
        _ => return None,
    })
}

/// The words that parts of a library begin with.
pub(super) const PARTS: &[&str] = &[
    "func", "callback", "struct", "union", "handle", "type", "enum", "metadata", "resource", "group", "defaults",
    "utility", "on", "c", "version", "const", "fn",
];

/// The clause a word begins; one without a syntax of its own is a `fact`.
pub(super) fn clause(word: &str) -> Rule {
    match word {
        "sync" | "async" | "flush" => Rule::timing,
        "success" => Rule::success_clause,
        "fails" => Rule::fails_clause,
        "requires" => Rule::requires_clause,
        "arg" => Rule::arg_clause,
        "implicit" => Rule::implicit_clause,
        "set" => Rule::set_clause,
        "pass" => Rule::pass_clause,
        "when" => Rule::when_clause,
        "before" | "after" => Rule::around_clause,
        "replace" => Rule::replace_clause,
        "impl" => Rule::impl_clause,
        _ => Rule::fact,
    }
}

/// The words that clauses begin with; the checker has what each may say.
pub(super) const CLAUSES: &[&str] = &[
    "sync",
    "async",
    "flush",
    "success",
    "fails",
    "requires",
    "arg",
    "implicit",
    "set",
    "pass",
    "when",
    "before",
    "after",
    "replace",
    "impl",
    "ordered",
    "unordered",
    "monitor",
    "atomic",
    "thread",
    "errno",
    "record",
    "depends_on",
    "snapshot",
    "acquires",
    "releases",
    "consumes",
    "ends",
    "once",
    "slots",
    "by_name",
];

/// The statements' words.
pub(super) const STATEMENTS: &[&str] = &["let", "var", "if", "for", "match", "return", "raise", "trap", "with"];
/// The steps' words.
pub(super) const STEPS: &[&str] = &["let", "for", "reset"];
/// The words that items begin with.
pub(super) const ITEMS: &[&str] =
    &["cxspec", "package", "use", "interface", "const", "fn", "law", "library", "platform", "abstract", "draft"];
/// The words that members of an interface begin with.
pub(super) const MEMBERS: &[&str] = &[
    "command", "state", "error", "enum", "csr", "const", "fn", "example", "law", "uuid", "short", "xlen", "contract",
    "xintf", "refines",
];

/// The words that members of a platform begin with.
pub(super) const PLATFORM: &[&str] = &["xlen", "xcmds", "harts", "levels", "device", "lun", "discover", "cxu"];

/// The item or member a word begins.
pub(super) fn item(word: &str) -> Option<Rule> {
    Some(match word {
        "interface" | "abstract" | "draft" => Rule::interface,
        "library" => Rule::library,
        "platform" => Rule::platform,
        "use" => Rule::use_clause,
        "package" => Rule::package,
        "cxspec" => Rule::edition,
        "const" => Rule::const_item,
        "fn" => Rule::fn_item,
        "law" => Rule::law,
        "uuid" => Rule::uuid_clause,
        "contract" => Rule::contract_clause,
        "xintf" => Rule::xintf_clause,
        "short" => Rule::short_clause,
        "xlen" => Rule::xlen_clause,
        "refines" => Rule::refines_clause,
        "enum" => Rule::enum_item,
        "state" => Rule::state_item,
        "csr" => Rule::csr_item,
        "error" => Rule::error_item,
        "command" => Rule::command,
        "example" => Rule::example,
        "xcmds" => Rule::xcmds_clause,
        "harts" => Rule::harts_clause,
        "levels" => Rule::levels_clause,
        "device" => Rule::device,
        "lun" => Rule::lun,
        "discover" => Rule::discover,
        "cxu" => Rule::cxu,
        _ => return None,
    })
}

/// What may follow where the strict rule of a bad node ends well.
pub(super) fn after(bad: Rule) -> Vec<String> {
    let tokens: &[&str] = match bad {
        Rule::bad_param | Rule::bad_place => &["`,`", "`)`"],
        Rule::bad_case => &["`,`", "`}`"],
        Rule::bad_head | Rule::bad_cond | Rule::bad_loop => &["`{`"],
        _ => &[],
    };
    tokens.iter().map(|&t| t.to_owned()).collect()
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
    // After a name, `(` would make it a call: where the end is expected, that is not what is missing.
    if words.iter().any(|w| matches!(w.as_str(), "`;`" | "`)`" | "`]`" | "`,`")) {
        words.retain(|w| w != "`(`");
    }
    // An expression may begin with a name or a number, so these say nothing beside it.
    if words.iter().any(|w| w == "an expression") {
        words.retain(|w| {
            !matches!(w.as_str(), "a name" | "a number" | "a string" | "`(`" | "`[`" | "`true`" | "`false`")
        });
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
        access => words("`rw` or `ro`"),
        assign_op => words("an assignment such as `=`"),
        ident => words("a name"),
        int | signed_int => words("a number"),
        string => words("a string"),
        Rule::r#type | sized_type | place_type | base_type | named_type | buffer | match_type | tuple => {
            words("a type")
        }
        code => words("code such as `c\"\"\"…\"\"\"`"),
        raw_string => None,
        direction => None,
        places => token("("),
        clauses => words("clauses in `{ }`"),
        spelling => words("a C name such as `= \"name\"`"),
        place_item => words("a parameter"),
        sharing => words("a sharing model such as `exclusive`"),
        dotted => words("a dotted name"),
        qname => words("a name such as `cx.std:IStateContext`"),
        path => words("the name of an interface"),
        params => token("("),
        result => token("->"),
        pattern => words("a pattern"),
        op_lor | op_land | op_cmp | op_bor | op_bxor | op_band | op_shift | op_add | op_mul | question | dim
        | index | slice | part_select | method | field | dot | psl => words("an operator"),
        expr | operand | name | call | paren | list | comprehension | op_prefix | kw_true | kw_false | range
        | bad_int | command_id => words("an expression"),
        place => words("a name"),
        cond => words("a condition in `( )`"),
        block => words("a body in `{ }`"),
        kw_raises => None,
        _ => {
            // A keyword is named; a rule that is optional there is left out.
            let text = format!("{rule:?}");
            text.strip_prefix("kw_").map(|keyword| format!("`{keyword}`"))
        }
    }
}
