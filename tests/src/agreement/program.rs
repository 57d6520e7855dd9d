//! The C program that issues vectors: once through the dispatcher, once through the typed functions, which must give
//! the same.

use std::io::Write;
use std::path::Path;
use std::process::{self, Stdio};

use lapis_cx::contract::core::Type;
use lapis_cx::contract::csr::Access;
use lapis_cx::contract::{Command, Interface, Section, Semantics, Slot};
use lapis_cx_backend_c::naming::Names;

use super::vectors::ACCESS;

/// The text of a program for some interfaces, each at one XLEN. It reads what [`input`] gives.
pub fn text(parts: &[(&Interface, &Section)]) -> String {
    let mut text = String::from("/* Reads vectors, issues them, writes answers. */\n");
    for (interface, _) in parts {
        text += &format!("#include \"{}.h\"\n", Names::new(interface).stem);
    }
    text += "#include <stdio.h>\n#include <string.h>\n";
    let mut cases = String::new();
    for (i, (interface, section)) in parts.iter().enumerate() {
        text += &answers(interface, section, i);
        cases += &format!("        case {i}: good = answer_{i}(head[1]); break;\n");
    }
    text + &format!(
        r#"
int main(void) {{
    uint64_t head[2];
    while (fread(head, sizeof head, 1, stdin) == 1) {{
        int good = 0;
        switch (head[0]) {{
{cases}        default: break;
        }}
        if (!good) {{ return 1; }}
    }}
    return 0;
}}
"#
    )
}

/// What a program reads: for each interface its number, how many vectors follow, and the vectors.
pub fn input(parts: &[Vec<Vec<u64>>]) -> Vec<u8> {
    let mut words = Vec::new();
    for (i, vectors) in parts.iter().enumerate() {
        words.extend([i as u64, vectors.len() as u64]);
        words.extend(vectors.iter().flatten());
    }
    bytes(&words)
}

/// Words as a program reads them.
pub fn bytes(words: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 * words.len());
    words.iter().for_each(|word| bytes.extend_from_slice(&word.to_ne_bytes()));
    bytes
}

/// The functions that answer the vectors of one interface.
fn answers(interface: &Interface, section: &Section, number: usize) -> String {
    let names = Names::new(interface);
    let [issue, save, restore] = ["sw_issue", "state_save", "state_restore"].map(|n| names.member(n));
    let words = section.state.as_ref().map_or(0, |_| 1 + lapis_cx::contract::layout::Layout::new(section).words);
    let state = names.member("state");
    let (before, has_state) = match section.state {
        Some(_) => (format!("    {state} typed = context;\n"), true),
        None => (String::new(), false),
    };
    let (mut cases, mut bodies) = (String::new(), String::new());
    for command in &section.commands {
        if matches!(command.semantics, Semantics::Opaque) {
            bodies += &supplied(&names, command, has_state);
        }
        if !matches!(command.semantics, Semantics::Body(_)) {
            continue;
        }
        let mut args: Vec<String> = Vec::new();
        if has_state {
            args.push("&typed".to_owned());
        }
        for operand in &command.operands {
            let place = match operand.slot {
                Slot::Rs1 => "rs1",
                Slot::Imm if command.operands.iter().any(|o| o.slot == Slot::Rs2) => "(function >> 16)",
                Slot::Rs2 | Slot::Imm => "rs2",
            };
            args.push(match operand.ty {
                // Bit 0 counts, as in a register.
                Type::Bool => format!("({place} & 1u) != 0"),
                _ => format!("({}){place}", c_type(&operand.ty)),
            });
        }
        let software = names.software(&command.name);
        let raises = section.can_raise(command);
        let call = |name: &str, args: &[String], status: &str| {
            let call = format!("{name}({})", args.join(", "));
            match command.result {
                Some(_) => format!("{status}value = (cx_reg_t)(cx_word_t){call};"),
                None => format!("{status}{call};"),
            }
        };
        cases.push_str(&format!("    case {}:\n", command.id));
        cases.push_str(&format!("        {}\n", call(&software, &args, "")));
        if raises {
            if has_state {
                cases.push_str("        typed = context;\n");
            }
            let mut args = args.clone();
            args.push("&status".to_owned());
            cases.push_str(&format!("        {}\n", call(&format!("{software}_st"), &args, "status = 99u; ")));
        } else {
            cases.push_str("        status = response;\n");
        }
        cases.push_str("        break;\n");
    }
    let accesses = accesses(&names, section, has_state);
    let issued = match section.csrs.is_empty() {
        true => {
            format!("{issue}({pointer}, function, rs1, rs2, &rd)", pointer = if has_state { "&after" } else { "NULL" })
        }
        false => {
            let pointer = if has_state { "&after" } else { "NULL" };
            let access = names.member("sw_access");
            format!(
                "function >= {ACCESS}u ? {access}({pointer}, (function >> 12) & 3u, function & 0xFFFu, rs1, &rd) : \
                 {issue}({pointer}, function, rs1, rs2, &rd)"
            )
        }
    };
    let image = if has_state {
        format!(
            "        for (i = 0; i < {words}; i++) {{ image[i] = (cx_word_t)in[3 + i]; }}\n        \
             {restore}(&context, image);\n"
        )
    } else {
        String::new()
    };
    let after = if has_state {
        format!(
            "        {save}(&after, image);\n        \
             for (i = 0; i < {words}; i++) {{ out[2 + i] = image[i]; }}\n"
        )
    } else {
        String::new()
    };
    let compare = if has_state {
        format!(
            "    {{\n        cx_word_t a[{words}], b[{words}];\n        {save}(&typed, a);\n        \
             {save}(after, b);\n        if (memcmp(a, b, sizeof a) != 0) {{ return 0; }}\n    }}\n"
        )
    } else {
        String::new()
    };
    let context = if has_state { format!("{state} context, ") } else { String::new() };
    let after_parameter = if has_state { format!(", const {state} *after") } else { String::new() };
    format!(
        r#"{bodies}
/* Whether the typed function of a command answers as `issue` did. */
static int same_{number}({context}uint32_t function, cx_reg_t rs1, cx_reg_t rs2, uint32_t response, cx_reg_t rd{after_parameter}) {{
    cx_reg_t value = 0;
    uint32_t status = 0;
{before}    (void)rs1;
    (void)rs2;
{accesses}    switch (function & 0xFFFFu) {{
{cases}    {nothing}default:
        return 1;
    }}
{compare}    return value == rd && status == response;
}}

static int answer_{number}(uint64_t count) {{
    uint64_t in[3 + {words}], out[2 + {words}];
    size_t i;
    (void)i;
    for (; count > 0; count--) {{
        if (fread(in, sizeof in, 1, stdin) != 1) {{ return 0; }}
{declare}        uint32_t function = (uint32_t)in[0];
        cx_reg_t rs1 = (cx_reg_t)in[1], rs2 = (cx_reg_t)in[2], rd = 0;
        uint32_t response;
{image}{copy}        response = {issued};
        out[0] = rd;
        out[1] = response;
{after}        if (!same_{number}({context_argument}function, rs1, rs2, response, rd{after_argument})) {{
            fprintf(stderr, "function %u: the typed function answers otherwise\n", (unsigned)function);
            return 0;
        }}
        fwrite(out, sizeof out, 1, stdout);
    }}
    return 1;
}}
"#,
        // After the typed functions of a CSR ran.
        nothing = if section.csrs.is_empty() { "" } else { "case 0xFFFF:\n        break;\n    " },
        declare = if has_state {
            format!("        cx_word_t image[{words}];\n        {state} context, after;\n")
        } else {
            String::new()
        },
        copy = if has_state { "        after = context;\n" } else { "" },
        context_argument = if has_state { "context, " } else { "" },
        after_argument = if has_state { ", &after" } else { "" },
    )
}

/// The typed functions of the CSRs. They do not report how an access went.
fn accesses(names: &Names, section: &Section, has_state: bool) -> String {
    let mut text = String::new();
    let typed = if has_state { "&typed" } else { "" };
    for csr in &section.csrs {
        let (read, write) = (names.software_csr(&csr.name, "read"), names.software_csr(&csr.name, "write"));
        let name = names.csr_address(&csr.name);
        let [allowed, written] = match csr.access {
            Access::Ro => ["op == CX_CSR_READ".to_owned(), String::new()],
            Access::Rw => [
                "1".to_owned(),
                format!(
                    "        if (op != CX_CSR_READ) {{ {write}({typed}, (cx_word_t)CX_CSR_WRITTEN(op, value, rs1)); }}\n"
                ),
            ],
        };
        text.push_str(&format!(
            "    if (function >= {ACCESS}u && (function & 0xFFFu) == {name}) {{\n        uint32_t op = (function >> 12) & 3u;\n        \
             if (!({allowed})) {{ return response == CX_RESPONSE_FUNC || response == CX_RESPONSE_OFF; }}\n        value = \
             {read}({typed});\n{written}        function = 0xFFFFu;\n        status = response;\n    }}\n"
        ));
    }
    text
}

/// What a program must define for a command without a body; it is not asked for.
pub(super) fn supplied(names: &Names, command: &Command, has_state: bool) -> String {
    let mut params = Vec::new();
    if has_state {
        params.push(format!("{} *st", names.member("state")));
    }
    params.extend(command.operands.iter().enumerate().map(|(i, o)| format!("{} a{i}", c_type(&o.ty))));
    params.push("uint32_t *status".to_owned());
    let unused: Vec<String> = params.iter().filter_map(|p| Some(p.rsplit([' ', '*']).next()?.to_owned())).collect();
    let unused: String = unused.iter().map(|name| format!("    (void){name};\n")).collect();
    let (result, value) = match &command.result {
        Some(ty) => (c_type(ty), "    return 0;\n"),
        None => ("void".to_owned(), ""),
    };
    format!("\n{result} {}({})\n{{\n{unused}{value}}}\n", names.body(&command.name), params.join(", "))
}

/// The C type of an operand, as the header declares it.
pub(super) fn c_type(ty: &Type) -> String {
    let width = match ty.width() {
        0..=8 => 8,
        9..=16 => 16,
        17..=32 => 32,
        _ => 64,
    };
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::S(_) => format!("int{width}_t"),
        _ => format!("uint{width}_t"),
    }
}

/// Feeds a program and gives the words that it wrote.
///
/// # Errors
///
/// What it said, if it failed.
pub fn run(program: &Path, arguments: &[&str], input: &[u8]) -> Result<Vec<u64>, String> {
    feed(process::Command::new(program).args(arguments), input)
}

/// The same of a command.
///
/// # Errors
///
/// As [`run`].
pub fn feed(command: &mut process::Command, input: &[u8]) -> Result<Vec<u64>, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("{}: {e}", command.get_program().display()))?;
    let mut stdin = child.stdin.take();
    // Written from another thread: the program answers while it reads, and pipes are short.
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.as_mut().map(|stdin| stdin.write_all(&input)));
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    // A program that stops early does not read everything; it says why itself.
    drop(writer.join());
    if !output.status.success() {
        return Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    Ok(output.stdout.chunks_exact(8).map(|c| u64::from_ne_bytes(c.try_into().unwrap_or_default())).collect())
}
