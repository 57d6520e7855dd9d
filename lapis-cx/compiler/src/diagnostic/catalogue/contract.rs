//! Catalogue entries of this area; see the table in [the parent](super).

super::entries! {
    CHANGED = 501 {
        title: "a frozen contract changed",
        cause: "The interface means something else than when its `contract` line was written: a type, a body, a form, \
                a reset value or an error code is different. Whoever opens the interface by its UUID relies on the \
                old meaning.",
        remedy: "Undo the change. If it is meant, give the interface a new UUID, delete the `contract` line and run \
                 `cxc freeze`.",
        bad: r#"cxspec 1;
package org.example.doc;
interface Inc {
    uuid "5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa";
    contract "cx1:sha256:0000000000000000000000000000000000000000000000000000000000000000";
    xlen 32;
    command inc = 0 : R (x: word) -> word { return x +% 1; }
}
"#,
        good: r#"cxspec 1;
package org.example.doc;
draft interface Inc {
    uuid "5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa";
    xlen 32;
    command inc = 0 : R (x: word) -> word { return x +% 1; }
}
"#,
    }
    NOT_FROZEN = 502 {
        title: "a literal UUID without a `contract` line",
        cause: "A literal UUID names one unchanging contract, but the interface has no `contract` line with its hash.",
        remedy: "Run `cxc freeze`, which writes the line. While the interface may still change, say `draft \
                 interface`; or write `uuid auto`, which follows the contract.",
        bad: r#"cxspec 1;
package org.example.doc;
interface Inc {
    uuid "5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa";
    xlen 32;
    command inc = 0 : R (x: word) -> word { return x +% 1; }
}
"#,
        good: r#"cxspec 1;
package org.example.doc;
draft interface Inc {
    uuid "5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa";
    xlen 32;
    command inc = 0 : R (x: word) -> word { return x +% 1; }
}
"#,
    }
    MALFORMED = 503 {
        title: "a malformed contract hash",
        cause: "The string of `contract` is `cx1:sha256:` and 64 lower-case hex digits, then perhaps `;` and digests \
                of the parts.",
        remedy: "Delete the line and let `cxc freeze` write it.",
        bad: r#"cxspec 1;
package org.example.doc;
interface Inc {
    uuid auto;
    contract "sha256:1234";
    xlen 32;
    command inc = 0 : R (x: word) -> word { return x +% 1; }
}
"#,
        good: r#"cxspec 1;
package org.example.doc;
interface Inc {
    uuid auto;
    xlen 32;
    command inc = 0 : R (x: word) -> word { return x +% 1; }
}
"#,
    }
    STALE_PARTS = 504 {
        title: "digests of parts that do not belong to the contract hash",
        cause: "The contract is as frozen, but the digests after the `;` are those of another one: the line was \
                edited by hand or merged. They cannot name what changes next.",
        remedy: "Run `cxc freeze`: it rewrites the line, as the hash stays the same.",
        bad: "",
        good: "",
    }
    OPAQUE_AUTO_UUID = 505 {
        title: "`uuid auto` with an opaque command",
        cause: "A derived UUID stands for what the commands do, but the hash covers only the name of a command \
                without a body.",
        remedy: "Write a literal UUID, or give the command a body.",
        bad: r#"cxspec 1;
package org.example.doc;
interface Secret {
    uuid auto;
    xlen 32;
    command stir = 0 : R (x: word) -> word;
}
"#,
        good: r#"cxspec 1;
package org.example.doc;
interface Secret {
    uuid auto;
    xlen 32;
    command stir = 0 : R (x: word) -> word { return x ^ (x << 1); }
}
"#,
    }
}
