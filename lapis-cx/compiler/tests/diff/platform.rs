//! A platform, and edits of it.

use super::{Edit, Group};

pub const BASE: &str = r#"cxspec 1;
package org.example.p;
use cx.std:IStateContext;

draft interface X { xintf 0x12345; uuid auto; xlen 64; command c = 0 : xcmd (x: u8) -> u8 { return x; } }
draft interface Y : IStateContext {
    uuid "5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa";
    xlen 64;
    state exclusive { f: u8 = 0; }
    command d = 0 : R () -> u8 { return f; }
}
platform P {
    xlen 64; xcmds 2; harts 1; levels u, m;
    device dev { unit 0 = org.example.p:X; unit 1 = org.example.p:X; }
    lun 32 = org.example.p:X { u, m -> dev.0; }
    discover org.example.p:X { 0 at u, m -> lun 32; }
    cxu 0 = org.example.p:Y { level 1; latency 1..1; contexts 4; }
}
"#;

/// What programs find on a platform; and its numbers, which they ask for.
pub const EDITS: &[Edit] = &[
    ("harts 1", "harts 2", &["platform-size-changed: "]),
    ("xcmds 2", "xcmds 1", &["platform-xcmds-removed: abi"]),
    ("u, m -> lun 32", "m -> lun 32", &["service-removed: abi"]),
    ("dev.0", "dev.1", &[]),
    ("contexts 4", "contexts 3", &["contexts-removed: abi"]),
    ("latency 1..1;", "latency 1..1; omits d;", &["omits-changed: "]),
    ("return f;", "return f ^ 1;", &["body-changed: behaviour", "service-contract-changed: behaviour"]),
    ("platform P", "/// It.\nplatform P", &["docs-changed: "]),
];

/// Edits in several places.
pub const GROUPS: &[Group] = &[(
    &[("xlen 64", "xlen 32")],
    &[
        "uuid-changed: abi",
        "xlen-added: ",
        "xlen-removed: abi source",
        "xlen-added: ",
        "xlen-removed: abi source",
        "platform-xlen-changed: abi source",
        "service-contract-changed: behaviour",
        "service-contract-changed: behaviour",
        "service-contract-changed: behaviour",
    ],
)];
