//! `--message-format`: each format shows the same findings.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::schemas::{findings, validate, validator};
use crate::support::Folder;

/// The SARIF document that a command prints, which must fit the schema that OASIS publishes.
fn sarif(folder: &Folder, arguments: &str) -> (i32, Value) {
    let run = folder.cxc(&format!("{arguments} --message-format sarif"));
    assert_eq!(run.stderr, "");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/sarif/sarif-schema-2.1.0.json");
    // A bracket that is closed twice: not every engine takes that pattern.
    let text = fs::read_to_string(path).unwrap().replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema = serde_json::from_str(&text).unwrap();
    let document = serde_json::from_str(&run.stdout).unwrap();
    validate(&validator(&schema), &document);
    (run.code, document["runs"][0].clone())
}

fn texts(values: &Value, member: &str) -> Vec<String> {
    values.as_array().unwrap().iter().map(|value| value[member].as_str().unwrap().to_owned()).collect()
}

#[test]
fn sarif_is_one_valid_document_for_all_roots() {
    let (folder, command) = findings();
    let (code, run) = sarif(&folder, command);
    assert_eq!((code, &run["invocations"][0]["executionSuccessful"]), (2, &Value::Bool(false)));
    let json = folder.cxc(&format!("{command} --message-format json"));
    assert_eq!(texts(&run["results"], "ruleId"), json.codes());
    let rules = &run["tool"]["driver"]["rules"];
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(!rule["help"]["text"].as_str().unwrap().is_empty() && !rule["fullDescription"]["text"].is_null());
    }
    let unknown = run["results"].as_array().unwrap().iter().find(|r| r["ruleId"] == "CX0101").unwrap();
    let place = &unknown["locations"][0]["physicalLocation"];
    // `é😀` before it are three UTF-16 code units.
    let line = "/* é😀 */ fn f(x: u8) -> u8 { return ";
    assert_eq!(place["artifactLocation"]["uri"], "a%20b.cxspec");
    assert_eq!(place["region"]["startColumn"], line.encode_utf16().count() as u64 + 1);
    let clash = run["results"].as_array().unwrap().iter().find(|r| r["ruleId"] == "CX0914").unwrap();
    let related = &clash["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(related, "sub/one.cxspec");
}

#[test]
fn sarif_of_a_clean_run_has_no_results() {
    let folder = Folder::new();
    folder.write("inc.cxspec", crate::pipeline::good("inc"));
    let (code, run) = sarif(&folder, "check inc.cxspec");
    assert_eq!((code, &run["results"]), (0, &serde_json::json!([])));
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn github_gets_a_command_for_each_finding() {
    let (folder, command) = findings();
    let run = folder.cxc(&format!("{command} --message-format github"));
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    let codes = folder.cxc(&format!("{command} --message-format json")).codes();
    let lines: Vec<_> = run.stdout.lines().collect();
    assert_eq!(lines.len(), codes.len());
    for (line, code) in lines.iter().zip(&codes) {
        assert!(line.starts_with("::") && line.contains(&format!("title={code}::")), "{line}");
    }
    assert!(lines.iter().any(|line| line.starts_with("::error file=a b.cxspec,line=3,col=37,")), "{}", run.stdout);
    assert!(lines.iter().any(|line| line.starts_with("::notice file=sub/one.cxspec,line=4,")), "{}", run.stdout);
}
