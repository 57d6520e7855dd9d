//! A library, and edits of it.

use super::{Edit, Group};

/// The library that the cases have, with something of each kind.
pub const BASE: &str = include_str!("../cases/ok/library.cxspec");

pub const EDITS: &[Edit] = &[
    ("\"2.1\"", "\"2.2\"", &["version-changed: "]),
    ("    group rows {", "    group lines {", &[]),
    ("/// A small store of records.", "/// A store.", &["docs-changed: "]),
    // The C side.
    ("c header \"store.h\"", "c header \"store.h\", \"more.h\"", &["binding-changed: source"]),
    ("libstore.so.2", "libstore.so.3", &["soname-changed: abi"]),
    ("kinds.c", "kind.c", &["binding-changed: source"]),
    ("c header", "c export \"API\"; c header", &["binding-changed: source"]),
    ("c header", "c number 3; c header", &["api-id-changed: wire"]),
    ("\"st_db *\"", "\"struct st_db *\"", &["c-name-changed: abi source"]),
    ("print(db", "show(db", &["function-added: ", "function-removed: wire abi source"]),
    // Parameters and results.
    ("each: Each, user", "each: Each, other: int, user", &["parameter-count-changed: wire abi source"]),
    ("format: in cstr, ...) -> int", "format: in cstr) -> int", &["parameter-count-changed: wire abi source"]),
    ("got: out [size; 1]?", "got: out [u32; 1]?", &["c-type-changed: wire abi source"]),
    ("got: out [size; 1]?", "got: out [size; 1]", &["travel-changed: behaviour wire"]),
    ("got: out [size; 1]?", "got: out [size; 2]?", &["travel-changed: behaviour wire"]),
    ("n: size, records", "records: Records(n)?, n: size, other", &["parameter-count-changed: wire abi source"]),
    ("(on: bool", "(on: int", &["travel-changed: behaviour wire"]),
    ("@lifetime(ret)", "@lifetime(manual)", &["travel-changed: behaviour wire"]),
    ("-> new Db?", "-> new Db", &["travel-changed: behaviour wire"]),
    (
        "walk(db: Db, each: Each, user: userdata(each)) -> int",
        "walk(db: Db, each: Each, user: userdata(each)) -> s64",
        &["c-type-changed: wire abi source"],
    ),
    ("@valid(min(pair[0].n, 16))", "@valid(min(pair[0].n, 8))", &["travel-changed: behaviour wire"]),
    // Clauses.
    (
        "consumes(time: elapsed); async returns ok;",
        "consumes(time: elapsed); async returns full;",
        &["clauses-changed: behaviour", "clauses-changed: behaviour"],
    ),
    ("requires n < 1 << 20 else full;", "requires n < 1 << 21 else full;", &["clauses-changed: behaviour"]),
    ("requires n < 1 << 20 else full;", "", &["clauses-changed: behaviour"]),
    ("set db.used = db.used + n;", "set db.used = n;", &["clauses-changed: behaviour"]),
    ("acquires(room", "consumes(time: 1); acquires(room", &["clauses-changed: behaviour"]),
    ("releases(room: db.used)", "releases(room: 1)", &["clauses-changed: behaviour"]),
    ("{ ends(db.era); }", "{ }", &["clauses-changed: behaviour"]),
    ("replace c\"\"\"return 0;\"\"\"", "replace c\"\"\"return 1;\"\"\"", &["clauses-changed: behaviour"]),
    ("{ once; }", "{ }", &["clauses-changed: behaviour"]),
    ("when (kind == 0) { sync; }", "when (kind == 1) { sync; }", &["clauses-changed: behaviour"]),
    ("snapshot(extract, restore)", "record", &["clauses-changed: behaviour", "clauses-changed: behaviour"]),
    ("set db.used", "implicit twice: u64 = n * 2; set db.used", &["implicits-changed: wire"]),
    // Types.
    ("struct Pair { n: u32;", "struct Pair { n: u32; m: u32;", &["members-changed: wire abi source"]),
    ("struct Pair { n: u32;", "struct Pair { n: u16;", &["c-type-changed: wire abi source"]),
    (
        "key: in [char; n]",
        "key: in [char; n + 1]",
        &["travel-changed: behaviour wire", "travel-changed: behaviour wire"],
    ),
    ("struct Pair", "struct More { a: int; } struct Pair", &["struct-added: "]),
    ("handle Row with Db", "handle Row", &["handle-changed: behaviour wire"]),
    ("handle Row", "handle Other; handle Row", &["handle-added: "]),
    ("used: u64;", "used: u32;", &["metadata-changed: wire"]),
    ("resource rate time;", "resource rate time; resource store more;", &["resources-changed: behaviour"]),
    ("callback Each", "callback More(a: int) -> void; callback Each", &["callback-added: "]),
    ("/// Puts a pair.", "/// Puts it.", &["docs-changed: "]),
    ("full = -1", "full = -1, odd = 3", &["case-added: "]),
    ("(n * each).trunc(64)", "(n * each + 1).trunc(64)", &["body-changed: behaviour"]),
    ("setup();", "set_up();", &["code-changed: behaviour"]),
    ("    on guest_init", "    utility c\"\"\"int a;\"\"\"\n    on guest_init", &["code-changed: behaviour"]),
];

/// Edits in several places.
pub const GROUPS: &[Group] = &[
    (&[("pair: inout", "one: inout"), ("pair[", "one[")], &["parameter-renamed: "]),
    (&[("op: int, ...", "what: int, ..."), ("(op)", "(what)")], &["parameter-renamed: "]),
    (&[("got", "taken")], &["parameter-renamed: "]),
    (
        &[("c prefix \"st_\"", "c prefix \"store_\""), ("\"st_db *\"", "\"store_db *\"")],
        &["c-name-changed: abi source"; 11],
    ),
    (
        &[("pair: inout [Pair; 1], n: size", "n: size, pair: inout [Pair; 1]")],
        &["parameters-reordered: behaviour wire abi source"],
    ),
    // A handle is known by its name only.
    (
        &[("Row", "Line")],
        &[
            "c-type-changed: wire abi source",
            "c-type-changed: wire abi source",
            "handle-added: ",
            "handle-removed: source",
        ],
    ),
    (
        &[
            ("library Store {", "library Store for org.example.store:X {"),
            ("library Store", "draft interface X { uuid auto; command c = 0 : R () { } }\nlibrary Store"),
        ],
        &["interface-added: ", "about-changed: behaviour", "docs-changed: "],
    ),
    (&[("(path: in file @lifetime(ret))", "(a: int, b: int)")], &["parameter-count-changed: wire abi source"]),
];
