//! What random libraries use: interfaces of each model, all with the same commands, so that one can stand in for another.

/// An interface, and where its model comes from.
pub struct Interface {
    pub name: &'static str,
    pub short: &'static str,
    /// Its state; empty for one that has none.
    pub model: &'static str,
    /// It inherits IStateContext.
    pub is_standard: bool,
}

const fn interface(name: &'static str, short: &'static str, model: &'static str, is_standard: bool) -> Interface {
    Interface { name, short, model, is_standard }
}

/// As `random.c` and `rnd.rs` number them.
pub const INTERFACES: [Interface; 9] = [
    interface("Pure", "pu", "", false),
    interface("Ex", "ex", "exclusive", true),
    interface("Cr", "cr", "shared(caller_save)", true),
    interface("Ce", "ce", "shared(callee_save)", true),
    interface("Al", "al", "shared(always_init)", true),
    interface("Cu", "cu", "shared(custom, save: is_live, restore: is_live)", true),
    // Nothing sets the reset state of `Bx` and `Ba`: one is opened for each use, the other one is never used.
    interface("Bx", "bx", "exclusive", false),
    interface("Qure", "qu", "", false),
    interface("Ba", "ba", "shared(caller_save)", false),
];

/// A command: its operands, and its result, if it has one. The operand `imm` is an immediate.
pub type Command = (&'static str, &'static [&'static str], Option<&'static str>);

/// Those of each interface with state.
pub const STATEFUL: [Command; 11] = [
    ("set", &["u32", "u32"], Some("u32")),
    ("add", &["u32"], Some("u32")),
    ("part", &["u32"], Some("u32")),
    ("get", &[], Some("u32")),
    ("tiny", &["s8", "bool"], Some("s16")),
    ("flag", &["u16"], Some("bool")),
    ("wide", &["word", "s16"], Some("s<XLEN>")),
    ("near", &["u32", "imm"], Some("u8")),
    ("fail", &["u32"], Some("u32")),
    ("keep", &["s32"], Some("s13")),
    ("put", &["u8", "s32"], None),
];

/// Those of each interface without state: but for `check` they may be issued once for many.
pub const STATELESS: [Command; 7] = [
    ("mix", &["u32", "u32"], Some("u32")),
    ("low", &["u32"], Some("u8")),
    ("tiny", &["s8", "bool"], Some("s16")),
    ("wide", &["word", "s16"], Some("s<XLEN>")),
    ("bit", &["u16", "u8"], Some("bool")),
    ("near", &["s7", "imm"], Some("s13")),
    ("check", &["u16"], Some("u16")),
];

const PURE: &str = r#"interface NAME {
    uuid auto; short SHORT;
    command mix = 0 : R (a: u32, b: u32) -> u32 { return (a *% SALT) ^ b; }
    command low = 1 : R (a: u32) -> u8 { return (a >> SALT).trunc(8); }
    command tiny = 2 : R (a: s8, b: bool) -> s16 { return b ? a.ext(16) *% SALT : 5 - a; }
    command wide = 3 : R (a: word, b: s16) -> s<XLEN> { return a.signed() -% b.ext(XLEN) *% SALT; }
    command bit = 4 : R (a: u16, b: u8) -> bool { return a[b[3:0]] == 1 || b == SALT; }
    command near = 5 : I (a: s7, k: imm s12) -> s13 { return a +% k; }
    command check = 6 : R (a: u16) -> u16 { if (a[1:0] == 3) { raise op; } return a *% SALT; }
}
"#;

const STATE: &str = r#"interface NAME BASE {
    uuid auto; short SHORT;
    error odd = 7;
    error late = 9;
    state MODEL { x: u32 = SALT; y: u32 = 6; }
    command set = 0 : R (a: u32, b: u32) -> u32 { x = a; y = b; return a ^ b; }
    command add = 1 : R (a: u32) -> u32 { x = x +% a +% SALT; y = y +% 1; return x; }
    command part = 2 : R (a: u32) -> u32 { y = a; return y; }
    command get = 3 : R () -> u32 { return x ^ y; }
    command tiny = 4 : R (a: s8, b: bool) -> s16 { if (b) { x = x +% a.ext(32).unsigned(); } return y[15:0].signed() -% a.ext(16); }
    command flag = 5 : R (a: u16) -> bool { y = y ^ a.ext(32); return x[3:0] < y[3:0]; }
    command wide = 6 : R (a: word, b: s16) -> s<XLEN> { x = x ^ a.wrap(32); return a.signed() -% b.ext(XLEN) *% SALT; }
    command near = 7 : I (a: u32, k: imm s12) -> u8 { y = y +% a; return (x +% k.ext(32).unsigned()).trunc(8); }
    command fail = 8 : R (a: u32) -> u32 { x = a; if (a[1:0] == 3) { raise odd; } if (a[1:0] == 2) { raise op -> a; } return x ^ y; }
    command keep = 9 : R (a: s32) -> s13 { y = a.unsigned(); if (a < 0) { raise late @commit -> a.trunc(13); } return SALT; }
    command put = 10 : R (a: u8, b: s32) { x = a.ext(32); y = b.unsigned(); return; }
}
"#;

/// What lies behind `depth` is not live: nothing reads it that was not 0 all the time.
const CUSTOM: &str = r#"interface NAME BASE {
    uuid auto; short SHORT;
    error odd = 7;
    error late = 9;
    state MODEL { depth: u32 = 0; cells: u32[3] = 0; }
    command set = 0 : R (a: u32, b: u32) -> u32 { depth = 3; cells = [a, b, a ^ b]; return a; }
    command add = 1 : R (a: u32) -> u32 { if (depth == 0) { depth = 2; } cells[0] = cells[0] +% a; return cells[0]; }
    command part = 2 : R (a: u32) -> u32 { if (depth != 0) { cells[1] = a; } return cells[0]; }
    command get = 3 : R () -> u32 { return cells[0] ^ cells[1] ^ depth; }
    command tiny = 4 : R (a: s8, b: bool) -> s16 { if (b && depth > 0) { cells[0] = a.ext(32).unsigned(); } return cells[1][15:0].signed(); }
    command flag = 5 : R (a: u16) -> bool { if (depth > 2) { cells[2] = a.ext(32); } return cells[0][3:0] < cells[2][3:0]; }
    command wide = 6 : R (a: word, b: s16) -> s<XLEN> { if (depth > 0) { cells[0] = a.wrap(32); } return a.signed() *% b.ext(XLEN); }
    command near = 7 : I (a: u32, k: imm s12) -> u8 { if (depth > 1) { cells[1] = a; } return k.trunc(8).unsigned(); }
    command fail = 8 : R (a: u32) -> u32 { if (depth == 0) { depth = 2; } cells[0] = a; if (a[1:0] == 3) { raise odd; } if (a[1:0] == 2) { raise op -> a; } return a; }
    command keep = 9 : R (a: s32) -> s13 { depth = 3; cells = a.unsigned(); if (a < 0) { raise late @commit -> a.trunc(13); } return 9; }
    command put = 10 : R (a: u8, b: s32) { if (depth == 0) { depth = 2; } cells[0] = a.ext(32); cells[1] = b.unsigned(); return; }
}
"#;

/// The text of all.
pub fn text() -> String {
    let mut text = "cxspec 1;\npackage org.example.random;\nuse cx.std:IStateContext;\n\
                    fn is_live(index: u10, depth: u32) -> bool { return index == 0 || index - 1 < depth.trunc(10); }\n"
        .to_owned();
    for (at, one) in INTERFACES.iter().enumerate() {
        let body = match one.model {
            "" => PURE,
            model if model.contains("custom") => CUSTOM,
            _ => STATE,
        };
        let base = if one.is_standard { ": IStateContext" } else { "" };
        // The commands of no two do the same.
        let salt = (at + 3).to_string();
        let body = body.replace("NAME", one.name).replace("BASE", base).replace("SHORT", one.short);
        text += &body.replace("MODEL", one.model).replace("SALT", &salt);
    }
    text
}
