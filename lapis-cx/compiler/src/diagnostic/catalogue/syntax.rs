//! Catalogue: source text and syntax.

super::entries! {
    UNEXPECTED = 1 {
        title: "text that fits no rule",
        cause: "The text at the mark is not what the language allows there. Often a `;`, a `,` or a bracket is missing just before.",
        remedy: "Write what the message says is expected.",
        bad: "cxspec 1;\npackage a.b;\nconst X: u8 = 3\nconst Y: u8 = 4;\n",
        good: "cxspec 1;\npackage a.b;\nconst X: u8 = 3;\nconst Y: u8 = 4;\n",
    }
    UNCLOSED = 2 {
        title: "a brace that is never closed",
        cause: "The file ends, or something begins that cannot stand inside, before the `}` that belongs to a `{`.",
        remedy: "Add the `}`.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { return x;\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { return x; }\n",
    }
    CHAINED = 3 {
        title: "comparisons in a row",
        cause: "`a < b < c` would compare a bool with a number; nobody means that.",
        remedy: "Write `a < b && b < c`.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> bool { return 1 < x < 9; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> bool { return 1 < x && x < 9; }\n",
    }
    TOO_DEEP = 4 {
        title: "nested too deeply",
        cause: "Brackets, `else if`, `? :` or operators are nested beyond the limit of the compiler.",
        remedy: "Name parts with `let` or `const`, or move them into a function.",
        bad: "",
        good: "",
    }
    BAD_CHARACTER = 5 {
        title: "a character that source text cannot hold",
        cause: "The file holds bytes that are not UTF-8, a zero byte, or a carriage return without a line feed.",
        remedy: "Save the file as UTF-8 text with LF or CR LF line ends.",
        bad: "",
        good: "",
    }
}
