use lapis_cx::source::SourceMap;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut s = SourceMap::new();
        let f = s.add("t", text);
        let (tree, d) = lapis_cx::syntax::parse(&s, f);
        assert!(d.is_empty(), "{d:?}");
        print!("{}", lapis_cx::format::format(&tree).unwrap());
    }
}
