//! The published schemas are those of the types, and what the command prints fits them.

use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use lapis_cx::contract::Contract;
use lapis_cx::diagnostic::json;
use lapis_cx::diff::document::Document;
use lapis_cx::emit;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::support::Folder;

/// The published schema `name`, which must be that of `T` as it is written. With `BLESS=1` it is written anew.
fn published<T: JsonSchema>(name: &str) -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let text = serde_json::to_string_pretty(&generator.into_root_schema_for::<T>()).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(format!("{name}.schema.json"));
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let file = fs::read_to_string(&path).unwrap_or_default();
    assert!(file == text, "the schema `{name}` is not that of its types; run with BLESS=1 and read the difference");
    if std::env::var_os("BLESS").is_none() {
        // The command has the text built in.
        assert_eq!(Folder::new().cxc(&format!("schema {name}")).stdout, text);
    }
    serde_json::from_str(&text).unwrap()
}

pub fn validator(schema: &Value) -> Validator {
    jsonschema::options().should_validate_formats(true).build(schema).unwrap()
}

/// Panics with every violation.
pub fn validate(validator: &Validator, value: &Value) {
    let problems: Vec<_> = validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(problems.is_empty(), "{}\n{value:#}", problems.join("\n"));
}

/// Files that show findings of each kind: with several files and labels, with no place, as warning and as note.
pub fn findings() -> (Folder, &'static str) {
    let folder = Folder::new();
    let unknown = "cxspec 1;\npackage a.b;\n/* é😀 */ fn f(x: u8) -> u8 { return y; }\nfn f() -> u8 { return 300; }\n";
    folder.write("a b.cxspec", unknown);
    let same = "cxspec 1;\npackage a.PKG;\ndraft interface I { uuid \"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\"; \
                command c = 0 : R (x: u8) -> u8 { return BODY; } }\nlibrary L for I { version \"1.0.0\"; }\n";
    folder.write("sub/one.cxspec", same.replace("PKG", "c").replace("BODY", "x"));
    folder.write("sub/two.cxspec", same.replace("PKG", "d").replace("BODY", "x ^ 1"));
    (folder, "build . none.cxspec --out-dir out")
}

#[test]
fn findings_fit_their_schema() {
    let validator = validator(&published::<json::Line>("diagnostics"));
    let (folder, command) = findings();
    let found = folder.cxc(&format!("{command} --message-format json")).findings();
    let labels = |finding: &Value| finding["labels"].as_array().unwrap().len();
    assert!(found.len() > 3 && found.iter().any(|f| labels(f) == 0) && found.iter().any(|f| labels(f) > 1));
    found.iter().for_each(|finding| validate(&validator, finding));
    assert!(!validator.is_valid(&serde_json::json!({ "code": "CX1", "severity": "bad" })));
}

#[test]
fn differences_fit_their_schema() {
    let validator = validator(&published::<Document>("diff"));
    let folder = crate::diff::versions();
    for (old, new) in [("old", "other"), ("old", "same"), ("other", "old"), ("frozen", "thawed")] {
        let run = folder.cxc(&format!("diff {old}.cxspec {new}.cxspec --format json"));
        validate(&validator, &serde_json::from_str(&run.stdout).unwrap());
    }
}

/// The shipped specs, and the good cases of the compiler's tests with the folders they import from.
fn specs() -> Vec<PathBuf> {
    let base = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [base.join("../../specs"), base.join("../compiler/tests/cases/ok")];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let mut specs: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "cxspec")).collect();
    specs.sort();
    assert!(specs.len() > 15);
    specs
}

/// What `cxc emit` prints of a stage, for each of [`specs`], once it fits the schema of its types.
fn emitted<T: JsonSchema>(stage: &str) -> Vec<(PathBuf, Value)> {
    let validator = validator(&published::<T>(stage));
    let emitted = |spec: PathBuf| {
        let folder = Folder::new();
        let mut command = folder.command(&format!("emit {stage}"));
        let imports = Some(spec.with_extension("")).filter(|folder| folder.is_dir());
        let output =
            command.args(imports.iter().flat_map(|i| ["-I".as_ref(), i.as_os_str()])).arg(&spec).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", spec.display());
        let value = serde_json::from_slice(&output.stdout).unwrap();
        validate(&validator, &value);
        assert_eq!((&value["stage"], &value["version"]), (&stage.into(), &1.into()));
        (spec, value)
    };
    specs().into_iter().map(emitted).collect()
}

#[test]
fn trees_fit_their_schema_and_lose_nothing() {
    fn collect(node: &Value, text: &mut String) {
        assert_eq!(node["start"].as_u64().unwrap() as usize, text.len());
        match node["text"].as_str() {
            Some(leaf) => text.push_str(leaf),
            None => node["children"].as_array().unwrap().iter().for_each(|child| collect(child, text)),
        }
        assert_eq!(node["end"].as_u64().unwrap() as usize, text.len());
    }
    for (spec, value) in emitted::<emit::AstDocument>("ast") {
        let mut text = String::new();
        collect(&value["root"], &mut text);
        assert_eq!(text, fs::read_to_string(&spec).unwrap(), "{}", spec.display());
    }
}

#[test]
fn contracts_fit_their_schema_and_can_be_read_back() {
    for (spec, value) in emitted::<emit::ContractDocument>("contract") {
        let contract: Contract = serde_json::from_value(value["contract"].clone()).unwrap();
        assert_eq!(serde_json::to_value(&contract).unwrap(), value["contract"], "{}", spec.display());
    }
}

#[test]
fn cores_fit_their_schema() {
    for (spec, value) in emitted::<emit::CoreDocument>("core") {
        let text = fs::read_to_string(&spec).unwrap();
        for interface in value["interfaces"].as_array().unwrap() {
            assert!(text.contains(&format!("interface {}", interface["name"].as_str().unwrap())), "{}", spec.display());
        }
    }
}
