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
        cause: "`a < b < c` would compare a bool with a number.",
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
        cause: "The file holds bytes that are not UTF-8, a control character such as a zero byte, or a carriage return without a \
                line feed.",
        remedy: "Save the file as UTF-8 text with LF or CR LF line ends.",
        bad: "cxspec 1;\rpackage a.b;\n",
        good: "cxspec 1;\npackage a.b;\n",
    }
    HEADER = 6 {
        title: "a file without its head",
        cause: "A file starts with the edition of the language and the name of its package.",
        remedy: "Start the file with `cxspec 1;` and `package org.example.name;`.",
        bad: "const X: u8 = 3;\n",
        good: "cxspec 1;\npackage a.b;\nconst X: u8 = 3;\n",
    }
    EDITION = 7 {
        title: "an unknown edition",
        cause: "The file says that it is written in an edition of the language that this compiler does not read.",
        remedy: "Use a newer compiler, or write the file in an edition that the message names.",
        bad: "cxspec 2;\npackage a.b;\n",
        good: "cxspec 1;\npackage a.b;\n",
    }
    ORDER = 8 {
        title: "a clause in the wrong place of a file",
        cause: "A file has one `cxspec` clause, then one `package` clause, then all imports, then its items.",
        remedy: "Move the clause to its place, or remove the second one.",
        bad: "cxspec 1;\npackage a.b;\nconst X: u8 = 3;\nuse cx.std:IStateContext;\n",
        good: "cxspec 1;\npackage a.b;\nuse cx.std:IStateContext;\nconst X: u8 = 3;\n",
    }
    BAD_NAME = 9 {
        title: "a word that cannot be a name",
        cause: "A name begins with a letter, and a single `_` is allowed between letters or digits: `__` separates the parts of the names that are generated. `true` and `false` are values.",
        remedy: "Choose another name.",
        bad: "cxspec 1;\npackage a.b;\nconst MAX__SIZE: u8 = 3;\n",
        good: "cxspec 1;\npackage a.b;\nconst MAX_SIZE: u8 = 3;\n",
    }
    UNTERMINATED = 10 {
        title: "a string that does not end",
        cause: "A string ends on the line it begins on; text in triple quotes ends with triple quotes.",
        remedy: "Add the closing quote.",
        bad: "cxspec 1;\npackage a.b;\ninterface X = \"a {\n    uuid auto;\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X = \"a\" {\n    uuid auto;\n}\n",
    }
    BLOCK_COMMENT = 11 {
        title: "a block comment",
        cause: "Comments begin with `//` and end with the line.",
        remedy: "Begin each line of the comment with `//`.",
        bad: "cxspec 1;\n/* text */\npackage a.b;\n",
        good: "cxspec 1;\n// text\npackage a.b;\n",
    }
    MISPLACED = 12 {
        title: "a member or statement outside of its place",
        cause: "Commands, state and the like stand in an interface, statements in a body. Often a `}` too many closes the interface or body too early.",
        remedy: "Remove the `}`, or move the text.",
        bad: "cxspec 1;\npackage a.b;\nerror e = 1;\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    state exclusive { s: u8 = 0; }\n    error e = 1;\n}\n",
    }
    STRAY_DOC = 13 {
        title: "documentation of nothing",
        cause: "`///` documents the item, member, field or case that follows it. Here none follows.",
        remedy: "Begin the comment with `//`.",
        bad: "/// My file.\ncxspec 1;\npackage a.b;\n",
        good: "// My file.\ncxspec 1;\npackage a.b;\n",
    }
    FOREIGN = 14 {
        title: "a construct of another language",
        cause: "The text is C, Rust or Verilog: `int x = 3;`, `x++`, `x += 1`, `while`, `switch`, `#define` and the like.",
        remedy: "Write what the message shows.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { u8 y = x; return y; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { let y: u8 = x; return y; }\n",
    }
}
