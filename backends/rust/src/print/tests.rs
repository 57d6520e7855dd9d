//! The printer alone: texts as rustfmt has them come back as they are, and what is too wide or awkward breaks as rustfmt
//! breaks it.

#![allow(clippy::unwrap_used)]

use proc_macro2::{Delimiter, Group, Literal, TokenStream};
use quote::quote;

use super::{Writer, comment};

fn written(tokens: TokenStream) -> String {
    let mut writer = Writer::verified();
    writer.items(tokens);
    writer.finish().unwrap()
}

/// A text that rustfmt leaves alone.
fn stays(text: &str) {
    let printed = written(text.parse().unwrap());
    assert!(printed == text, "printed:\n{printed}\nexpected:\n{text}");
}

/// Statements that rustfmt leaves alone, in a function.
fn stay(statements: &str) {
    let lines: String = statements.lines().map(|line| format!("    {line}\n").replace("    \n", "\n")).collect();
    stays(&format!("fn f() {{\n{lines}}}\n"));
}

#[test]
fn operators_have_blanks_where_they_have_two_operands() {
    stay("let x = a - -b * *c & !d && !e;");
    stay("let y = &a[..n][i..j] == &mut b && x < y && z > w;");
    stay("let z = a as u32 & 3 | b as u64 as u32 ^ 1;");
    stay("*p = a << 2 >> 3;");
    stay("if a {\n    b();\n}\n*p = -1;\n(a, b) = (b, a);");
    stay("a <<= 1;\na |= b || c;");
    stay("let [first, rest @ ..] = &mut words;");
    stay("let limb = |i: usize| u64::from(a.get(i).copied().unwrap_or(0));");
    stay("f(|| 0, move |a, b| a | b, |_| {});");
    stay("let t = (a,);\nlet u = ();\nlet v = (a, b);");
    stay("for (i, limb) in r.iter_mut().enumerate() {\n    g()?;\n}");
}

#[test]
fn generics_are_no_comparisons() {
    stays("fn f<'a, const N: usize, T: Copy + Default>(x: &'a [T], y: Option<Vec<T>>) -> [T; N] {}\n");
    stays("impl<G: cx::Issue> Trait for Selected<G> {}\n");
    stays("impl<B: Bodies> ::core::fmt::Debug for Soft<B> {}\n");
    stays("pub struct Soft<B: Bodies>(u8, ::core::marker::PhantomData<fn() -> B>);\n");
    stay("let x: Vec<Vec<u32>> = copied::<u32, 4>(&a) as Option<u32>;");
    stay("abi1::csr::<G, { a::B }, abi1::U8<N>>(&self.0, a < b, c > d);");
    stays("static A: &'static ::core::ffi::CStr = c\"x\";\n");
    stays("fn f(code: impl FnOnce() -> u8) -> Result<(), Error>;\n");
}

#[test]
fn items_have_blank_lines_between_them() {
    stays(
        "use a::b;\nuse c::{d, e};\n\n/// A.\npub const A: u32 = 1;\n/// B.\npub const B: u32 = 2;\n\n#[derive(Debug)]\n\
         pub struct S<G>(G);\n\npub struct T {\n    /// A.\n    pub a: u32,\n    b: [u8; 4],\n}\n\npub struct U;\n\n\
         impl T {\n    const A: u32 = 1;\n\n    #[must_use]\n    pub fn f(self) {}\n\n    fn g() {}\n}\n\n\
         pub enum E {\n    /// A.\n    A,\n    B(u8),\n}\n\nmod empty {}\n\ncompile_error!(\"no\");\n",
    );
}

#[test]
fn too_wide_lists_break() {
    stays(
        "fn a_function_of_many(\n    the_first_parameter: u32,\n    the_second_parameter: u32,\n    the_third: &mut State,\n\
         ) -> u32 {\n    0\n}\n",
    );
    stay(
        "call_with_arguments_of_more_than_sixty_columns(\n    the_first_argument_is_long,\n    the_second_argument_is_long,\n    \
         3,\n);",
    );
    stay("let s = State {\n    status: st.status,\n    ..State::RESET\n};\nlet s = S { a, b: c };");
    stay(
        "check(value, answer, || {\n    (call_of_something(the_first, second) >> 24) as u8 + call_of_another_one(the_third_one)\n});",
    );
    stay(
        "Some(call_with_arguments_of_more_than_sixty_columns(\n    the_first_argument_is_long,\n    the_second_argument_is_long,\n))",
    );
    stays(
        "#[allow(\n    clippy::cast_possible_truncation,\n    clippy::cast_possible_wrap,\n    clippy::cast_sign_loss\n)]\n\
         mod m {}\n",
    );
}

#[test]
fn too_wide_expressions_break() {
    stay(
        "let x = (some_long_name & another_long_name_of_a_value)\n    | (some_long_name ^ another_long_name_of_a_value)\n    \
         | third;",
    );
    stay("let value =\n    the_function_that_gives_it(some_long_name_of_a_thing).wrapping_add(another_value_of_it);");
    stay(
        "let limb = self\n    .limbs_of_the_number\n    .get(i)\n    .copied()\n    .map(u64::from)\n    .unwrap_or_default_of_it();",
    );
    stay("let x = if a { b } else { c };");
    stay(
        "let x = if condition_that_is_long {\n    value_that_is_long\n} else {\n    another_value\n};\nif a {\n    b\n} else \
         if c {\n    d\n} else {\n    e\n}",
    );
    stay("st.x = ((if t4 == 0 { t4 } else { t1 >> 24 }) << 24) | 4 | t3;");
}

#[test]
fn arms_have_commas_or_braces() {
    stay(
        "match x {\n    0 | 1 => a,\n    2 => {\n        b();\n    }\n    3 => match y {\n        _ => c,\n    },\n    n if n > 4 => d,\n    \
         _ => return,\n}",
    );
    let wide = quote!(
        fn f() {
            match x {
                0 => {
                    some_long_name_of_a_value_in_the_arm + another_long_name_of_a_value_in_it + of_it_too_and_more_of_it
                }
                _ => 0,
            }
        }
    );
    assert!(written(wide).contains("0 => {\n"));
    let values = (100..160).map(Literal::u32_unsuffixed);
    let wide = written(quote!(fn f() { match x { #(#values)|* => { g(); } _ => {} } }));
    assert!(wide.lines().all(|line| line.len() <= 100), "{wide}");
}

#[test]
fn rows_are_as_wide_as_the_line() {
    let values = (0..40).map(|n| format!("0x{n:08X}").parse::<Literal>().unwrap());
    let text = written(quote!(#[rustfmt::skip] static A: [u32; 40] = [#(#values),*];));
    assert_eq!(text.lines().nth(2).unwrap().matches("0x").count(), 8, "{text}");
}

#[test]
fn documentation_is_any_text() {
    for text in
        [" plain", "", " */ /* // \"quoted\" 'x' \\ \\n", " ünïcödé 漢字 \u{1F600}", "   indented", " #[doc = \"x\"]"]
    {
        let printed = written(quote!(#[doc = #text] struct S;));
        assert_eq!(printed, format!("///{text}\nstruct S;\n"));
    }
    // What no comment can hold stays an attribute.
    for text in ["/ four", " two\nlines", " trailing ", " a\rb"] {
        let printed = written(quote!(#[doc = #text] struct S;));
        assert!(printed.starts_with("#[doc = \""), "{printed}");
    }
}

#[test]
fn comments_stand_before_what_they_are_about() {
    let (about, more) = (comment("About f."), comment("About g."));
    assert_eq!(
        written(quote!(#about #[inline] fn f() { #more g(); })),
        "// About f.\n#[inline]\nfn f() {\n    // About g.\n    g();\n}\n"
    );
}

#[test]
fn groups_without_delimiters_are_not_seen() {
    let sum = Group::new(Delimiter::None, quote!(a + b));
    assert_eq!(written(quote!(fn f() { let x = (#sum) * #sum; })), "fn f() {\n    let x = (a + b) * a + b;\n}\n");
}

#[test]
fn names_and_numbers_are_as_they_are() {
    stay("let r#type: u8 = 0xFF_u8 + r#fn.0 + 1_000 as u8;");
    stay("let x = b'a' + b\"\\x00\"[0] + 'ü' as u8;");
}

#[test]
fn time_is_linear_in_the_depth() {
    // What is tried twice at each depth would not end.
    let mut tokens = quote!(x);
    for _ in 0..200 {
        tokens = quote!((if cond_of_it { #tokens } else { y } + f(|a| { let b = 1; c })) as u32);
    }
    let text = written(quote!(fn f() { let value = #tokens; }));
    assert!(text.len() > 200);
}
