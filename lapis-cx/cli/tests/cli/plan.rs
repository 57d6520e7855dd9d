//! `cxc plan`.

use crate::support::Folder;

const SPEC: &str = "cxspec 1;
package org.example.t;
library Sums {
    c header \"sums.h\";
    func sum(a: in [u32; n], n: size) -> u32;
    func here(x: u32) -> u32 { replace c\"\"\"return x;\"\"\" }
}
";

#[test]
fn functions_are_shown_by_name() {
    let folder = Folder::new();
    folder.write("sums.cxspec", SPEC);
    let all = folder.cxc("plan sums.cxspec");
    assert_eq!((all.code, all.stderr.as_str()), (0, ""));
    let sum = folder.cxc("plan sums.cxspec sum").stdout;
    assert_eq!(
        sum,
        "sum(a, n)
  how
    the caller waits
    starts in the order of the caller's calls: of all
    never runs at the same time as calls: of all
  entry: guest to worker
    n  8 bytes
    a  n × 4 bytes
  exit: worker to guest
    ret  4 bytes
"
    );
    assert_eq!(all.stdout, format!("{sum}\nhere\n  runs in the caller\n"));
    assert_eq!(folder.cxc("plan sums.cxspec here sum").stdout, all.stdout);

    let unknown = folder.cxc("plan sums.cxspec here thare");
    let message = "no library of sums.cxspec has a function or callback `thare`\n";
    assert_eq!((unknown.code, unknown.stderr.as_str()), (2, message));
    folder.write("sums.cxspec", SPEC.replace("[u32; n]", "[u32; m]"));
    let broken = folder.cxc("plan sums.cxspec");
    assert_eq!((broken.code, broken.stdout.as_str()), (1, ""));
    assert!(broken.stderr.contains("CX0101"), "{}", broken.stderr);
}
