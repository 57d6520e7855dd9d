//! Keywords are contextual: each can be a name wherever a name stands.
#![allow(clippy::unwrap_used, clippy::panic)]

use lapis_cx::source::SourceMap;
use lapis_cx::syntax;
use lapis_cx::syntax::{Kind, Tree};

const KEYWORDS: &[&str] = &[
    "cxspec",
    "package",
    "use",
    "as",
    "abstract",
    "draft",
    "interface",
    "library",
    "platform",
    "const",
    "fn",
    "enum",
    "state",
    "csr",
    "error",
    "command",
    "example",
    "law",
    "uuid",
    "contract",
    "xintf",
    "short",
    "xlen",
    "refines",
    "auto",
    "for",
    "in",
    "imm",
    "let",
    "var",
    "if",
    "else",
    "match",
    "return",
    "raise",
    "raises",
    "trap",
    "reset",
    "xcmds",
    "harts",
    "levels",
    "device",
    "unit",
    "lun",
    "discover",
    "at",
    "cxu",
    "omits",
    "rw",
    "ro",
    "u",
    "s",
    "word",
    "exclusive",
    "shared",
    "R",
    "xcmd",
    "func",
    "callback",
    "struct",
    "union",
    "type",
    "handle",
    "metadata",
    "resource",
    "group",
    "defaults",
    "utility",
    "on",
    "c",
    "version",
    "with",
    "returns",
    "until",
    "success",
    "fails",
    "requires",
    "arg",
    "implicit",
    "set",
    "pass",
    "when",
    "replace",
    "before",
    "after",
    "sync",
    "async",
    "flush",
    "inout",
    "out",
    "new",
    "own",
    "local",
    "record",
    "ptr",
    "self",
    "impl",
];

/// Every place of a name, with `K` for it.
const EVERYWHERE: &str = "cxspec 1;
package K.K;
use K.K:K as K;

const K: K = K + K;
fn K<K, K>(K: K, b: imm K, c: u<K>) -> K {
    let K = K;
    let K: K[K] = K(K, K: K).K.K(K)[K][K:K][K +: K];
    var K: u8 = -K ? !K : ~K;
    K = K;
    K[K] = K;
    K[K][K:K][K +: K] +%= K * K << K;
    for K in K..K { K = [for K in K..K => K]; }
    if (K) { K = K; } else if (K == K) { K = [K, K,]; } else { K = (K); }
    match (K) { K | 1 => { K = K; } K => { } }
    if (K) { raise K @K -> K; }
    raise K;
    return K;
}
law K(K: K): K == K;
draft interface K = \"x\" : K, K.K:K {
    short K;
    refines K;
    const K;
    const K = K;
    enum K: K { K = 0, K = 1 }
    error K = 1 \"x\";
    state K(K, K: K) @K(K) { K: K = K @K; K: K[K] = K.K; }
    csr K = 0x800 rw { K [K:K]: K = K @K; K [K]: K = K; }
    command K = 0 : K | K (K: K, K: imm K @K(K)) -> K @K(K, K: K) { return K; }
    command K[K in K..K] = K + K : K () { trap; }
    command K = K : K () -> K;
    fn K(K: K) -> K { return K; }
    law K(K: K): K;
    example \"x\" @K { reset; K(K); K == K raises K; let K = K; for K in K..K { K(K) raises K; K == K(); } }
}
library K for K, K.K:K {
    version \"1\";
    c K \"x\", 1;
    c K(K) \"x\";
    handle K = \"x\" as K with K;
    handle K { record(K); }
    struct K = \"x\" as K { K = \"x\": K = K; K: K; }
    union K { K: K; }
    metadata K { K: u8[K]; }
    type K(K, K) = K(K, K.K);
    resource K K;
    enum K: K { K = 0 }
    const K = K;
    fn K(K: K) -> K { return K; }
    callback K = \"x\" (K: K, K: in [K; K until K], K: [K; until K]) -> K;
    func K(K: \"x\" as inout new K.K(K)? @K(K), K: K as K,
           K: match (K) { K | 1 => K; 1 .. 2 => in K; _ => own K; }, ...: (K: K)) -> K {
        record;
        record(K, K: K);
        async returns K = K, K until K;
        success K;
        fails K = K;
        requires K else K;
        arg K[].K: K;
        arg K @K;
        implicit K: K = K;
        set K.K = K;
        pass K = K;
        when (K) { record; } else { success K; }
        before c\"\"\"x\"\"\"
        replace c\"\"\"x\"\"\"
        impl { with K | K.K:K as K { K.K(K, K); K = K.K(K); } else { return K; } }
    }
    group K { defaults { record; } func K() -> K; }
    defaults type K { record; }
    defaults handle { record; }
    defaults callback { record; }
    utility c\"\"\"x\"\"\"
    on K before c\"\"\"x\"\"\"
    on K c\"\"\"x\"\"\"
}
platform K {
    xlen 3;
    xcmds 3;
    harts 3;
    levels K, K;
    device K { unit 3 = K; unit 3 = K.K:K; }
    lun 3 = K { K -> K.3; K, K -> K.3; }
    discover K { 3 at K -> lun 3; 3 at K, K -> lun 3; }
    discover K.K:K { }
    cxu 3 = K { K 3; K 3..3; omits K; omits K, K; }
}
";

fn parse(text: &str) -> (Tree, Vec<String>) {
    let mut sources = SourceMap::new();
    let file = sources.add("t", text);
    let (tree, diagnostics) = syntax::parse(&sources, file);
    let lines = diagnostics.iter().map(|d| {
        let span = d.span().unwrap();
        let place = sources.get(file).unwrap().line_column(span.start);
        format!("{}:{} {} {}", place.line, place.column, d.code, d.message)
    });
    let lines = lines.collect();
    (tree, lines)
}

/// The kinds in source order: the shape of a tree.
fn shape(tree: &Tree) -> Vec<Kind> {
    tree.root().descendants(|n| !n.is_trivia()).map(|n| n.kind()).collect()
}

#[test]
fn each_keyword_is_a_name_everywhere() {
    let (plain, findings) = parse(&EVERYWHERE.replace('K', "name"));
    assert_eq!(findings, Vec::<String>::new());
    for keyword in KEYWORDS {
        let (tree, findings) = parse(&EVERYWHERE.replace('K', keyword));
        assert_eq!(findings, Vec::<String>::new(), "`{keyword}` as a name");
        assert_eq!(shape(&tree), shape(&plain), "`{keyword}` as a name");
    }
}

#[test]
fn values_are_no_names() {
    for text in ["const true: u8 = 1;", "fn f(false: u8) -> u8 { return 1; }", "interface X { short true; }"] {
        let (_, findings) = parse(&format!("cxspec 1;\npackage a;\n{text}\n"));
        assert!(matches!(findings.as_slice(), [one] if one.contains("cannot be a name")), "{text}: {findings:?}");
    }
    let (_, findings) =
        parse("cxspec 1;\npackage a;\nconst truer = falsehood;\nfn f(a: u8) -> bool { return true && !false; }\n");
    assert_eq!(findings, Vec::<String>::new());
}

#[test]
fn documentation_is_in_what_it_documents() {
    let (tree, findings) = parse(
        "cxspec 1;\npackage a;\n/// One\n// between\n/// two.\ninterface X {\n    /// Three.\n    command c = 0 : R ();\n    const Y = 1;\n}\n",
    );
    assert_eq!(findings, Vec::<String>::new());
    let interface = tree.root().child(Kind::interface).unwrap();
    assert_eq!(interface.docs(), "One\ntwo.");
    assert_eq!(interface.child(Kind::command).unwrap().docs(), "Three.");
    assert_eq!(interface.child(Kind::const_item).unwrap().docs(), "");
}

#[test]
fn operators_group_by_level() {
    fn shown(node: syntax::Node<'_>) -> String {
        let inner: Vec<_> = node.children().map(shown).collect();
        match node.kind() {
            Kind::expr | Kind::name => inner.concat(),
            Kind::binary | Kind::unary | Kind::ternary | Kind::access_expr => format!("({})", inner.concat()),
            _ if inner.is_empty() => node.text().to_owned(),
            _ => inner.concat(),
        }
    }
    for (text, grouped) in [
        ("a + b * c", "(a+(b*c))"),
        ("a - b - c", "((a-b)-c)"),
        ("a || b && c == d | e ^ f & g << h + i", "(a||(b&&(c==(d|(e^(f&(g<<(h+i))))))))"),
        ("a * b + c << d", "(((a*b)+c)<<d)"),
        ("-a.b[c] * ~!d", "((-((a.b)[c]))*(~(!d)))"),
        ("a ? b : c ? d : e", "(a?b:(c?d:e))"),
        ("a + b == c ? d : e", "(((a+b)==c)?d:e)"),
        ("f(a)[b:c][d +: e].g(h).i", "((((f(a)[b:c])[d+:e]).g(h)).i)"),
    ] {
        let (tree, findings) = parse(&format!("cxspec 1;\npackage a;\nconst X = {text};\n"));
        assert_eq!(findings, Vec::<String>::new());
        let value = tree.root().child(Kind::const_item).unwrap().expr().unwrap();
        assert_eq!(shown(value), grouped, "{text}");
    }
}
