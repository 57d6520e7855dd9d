//! tmp
use lapis_cx_tests::random_spec::*;
fn main() {
    let a: Vec<u64> = std::env::args().skip(1).map(|s| s.parse().unwrap()).collect();
    let (mut bad, mut mutated) = (0, 0);
    let mut kinds = std::collections::BTreeMap::<String, u32>::new();
    let mut all = Vec::new();
    for seed in a[0]..a[0] + a[1] {
        match try_seed(seed) {
            Ok((spec, judged)) => {
                mutated += u32::from(judged.mutated);
                if a.len() > 2 {
                    println!("{}", print::print(&spec, &names::Names::plain(&spec), print::PLAIN));
                }
                all.push((seed, judged));
            }
            Err((_, fault)) => {
                bad += 1;
                *kinds.entry(fault.kind.clone()).or_default() += 1;
                if bad < 8 {
                    println!("seed {seed} {}\n{}", fault.kind, fault.what);
                }
            }
        }
    }
    println!("{bad} bad {kinds:?}, {mutated} mutated");
    for (build, part) in batch::builds().into_iter().cycle().zip(all.chunks(all.len().div_ceil(8))) {
        let t = std::time::Instant::now();
        let outcomes: Vec<_> = part.iter().map(|(_, j)| &j.outcome).collect();
        let r = batch::agree(&outcomes, build);
        println!("{build:?} {} {:?}", part.len(), t.elapsed());
        if r.is_err() {
            for (seed, j) in part {
                if let Err(f) = batch::agree(&[&j.outcome], build) {
                    println!("seed {seed} {}\n{}", f.kind, f.what);
                }
            }
        }
    }
}
