//! tmp
use lapis_cx::diagnostic::render;
use lapis_cx::driver::*;
use lapis_cx_tests::random_spec::*;
fn main() {
    let a: Vec<u64> = std::env::args().skip(1).map(|s| s.parse().unwrap()).collect();
    let mut bad = 0;
    let mut codes = std::collections::BTreeMap::<u16, u32>::new();
    for seed in a[0]..a[0] + a[1] {
        let spec = item::generate(dice::Dice::seeded(seed), format!("s{seed}"));
        let names = names::Names::plain(&spec);
        let text = print::print(&spec, &names, print::PLAIN);
        let root = SourceText { name: "t.cxspec".into(), bytes: text.as_bytes().to_vec() };
        let o = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, &[]);
        if a.len() > 2 {
            println!("{text}");
        }
        if !o.diagnostics.is_empty() {
            bad += 1;
            for d in &o.diagnostics {
                *codes.entry(d.code.0).or_default() += 1;
            }
            if bad < 12 || a.len() > 2 {
                println!("seed {seed}\n{}", render::render(&o.diagnostics, &o.sources, render::Style::GOLDEN));
            }
        }
    }
    println!("{bad} bad {codes:?}");
}
