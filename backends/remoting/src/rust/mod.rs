//! The Rust module: a typed client, and a trait that a service implements in place of a library. It contains the same plan as the C.
//!
//! A file is a module, for `mod` or `include!`. It depends on `lapis_cx_remote::abi1` only.

mod callee;
mod caller;
mod left_out;
mod shape;
mod types;
mod words;

use lapis_cx::contract::library::clause::Clause;
use lapis_cx::contract::library::text::Scope;
use lapis_cx::contract::library::{CallbackId, Function};
use lapis_cx_backend_rust::naming::{self, Scope as Names};
use lapis_cx_backend_rust::print::Writer;
use lapis_cx_backend_rust::tokens::{ident, literal};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::{Unit, shared, variables};
use shape::{Shape, Signature, signature};
use types::Types;

/// How many callbacks of one type without userdata may be registered at once, unless `slots` says otherwise.
const SLOTS: u32 = crate::worker::SLOTS;

/// Prints the module of a library.
pub fn print(unit: &Unit<'_>) -> Result<String, String> {
    let library = unit.library;
    let types = Types::new(library);
    let mut scope = Names::default();
    ["new", "clone", "fmt"].into_iter().for_each(|name| scope.reserve(name));
    let methods = library.functions.iter().map(|one| ident(&scope.fresh(&naming::snake(&one.name))));
    let functions = library.functions.iter().zip(methods).enumerate().map(|(at, (function, method))| Called {
        at,
        function,
        method,
        arguments: types.calls.get(at).cloned().unwrap_or_else(|| ident("Call")),
        signature: signature(&types, function),
        left_out: left_out::why(library, &unit.plan, at),
    });
    let callbacks = library.callbacks.iter().enumerate().map(|(at, function)| Called {
        at,
        function,
        method: ident("call"),
        arguments: types.callback_calls.get(at).cloned().unwrap_or_else(|| ident("Call")),
        signature: signature(&types, function),
        left_out: None,
    });
    let file = Module { unit, functions: functions.collect(), callbacks: callbacks.collect(), types };
    let mut out = Writer::default();
    file.print(&mut out);
    out.finish()
}

struct Called<'l> {
    at: usize,
    function: &'l Function,
    method: Ident,
    arguments: Ident,
    signature: Signature<'l>,
    left_out: Option<&'static str>,
}

struct Module<'l> {
    unit: &'l Unit<'l>,
    types: Types<'l>,
    functions: Vec<Called<'l>>,
    callbacks: Vec<Called<'l>>,
}

impl Module<'_> {
    fn print(&self, out: &mut Writer) {
        let unit = self.unit;
        out.begin(&self.head());
        let file = unit.names.file("remote.rs");
        let version = env!("CARGO_PKG_VERSION");
        out.items(quote!(::lapis_cx_remote::check_remote_abi!(#file, 1, #version);));
        out.items(quote! {
            #[allow(unused_imports)]
            pub use remote::*;
        });
        // A module has code for both sides, so some of it is unused; other lints are for code that people maintain.
        out.open(quote! {
            #[allow(dead_code, unused_imports, clippy::all)]
            mod remote
        });
        out.items(quote! {
            use core::ffi::{CStr, c_void};
            use core::mem::{offset_of, size_of};
            use core::option::Option::{self, None, Some};
            use core::result::Result::{self, Ok};
            use lapis_cx_remote::abi1 as cxr;
            pub use lapis_cx_remote::abi1::{Error, Failed, Reach};
        });
        self.types_of(out);
        self.callbacks(out);
        self.client(out);
        self.service(out);
        for called in self.functions.iter().chain(&self.callbacks) {
            self.arguments(out, called);
        }
        self.library(out);
        out.close();
    }

    fn head(&self) -> String {
        let (unit, library) = (self.unit, self.unit.library);
        let mut head = format!(
            "// {}\n// Generated from {} by cxc; do not edit.\n//\n// A typed client, and a trait for a service.\n",
            unit.names.file_name("remote.rs"),
            crate::words::full_name(library),
        );
        let left_out: Vec<_> =
            self.functions.iter().filter_map(|one| Some((&one.function.name, one.left_out?))).collect();
        if !left_out.is_empty() {
            head += "//\n// Left out, as Rust cannot do it:\n";
            for (name, why) in left_out {
                head += &format!("//   {name}: {why}\n");
            }
        }
        if !library.hooks.is_empty() {
            head += "//\n// Text of C that the specification runs at events is left out.\n";
        }
        head + "\n"
    }

    fn types_of(&self, out: &mut Writer) {
        let (types, library) = (&self.types, self.unit.library);
        let enums = library.sections.first().into_iter().flat_map(|section| &section.enums);
        for (at, (def, name)) in (0..).zip(enums.zip(types.enums())) {
            let base = types::scalar(types.base(lapis_cx::contract::EnumId(at)));
            out.docs(&def.docs, format_args!("The enum `{}`: one of its numbers, or any other.", def.name));
            out.items(quote! {
                #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
                #[repr(transparent)]
                pub struct #name(pub #base);
            });
            out.open(quote!(impl #name));
            let mut scope = Names::default();
            for case in &def.cases {
                let value = case.pattern.wrap(def.width, def.signed);
                let (case_name, value) = (ident(&scope.fresh(&naming::screaming(&case.name))), value.to_string());
                let number = match value.strip_prefix('-') {
                    Some(digits) => {
                        let digits = literal(digits);
                        quote!(-#digits)
                    }
                    None => {
                        let digits = literal(&value);
                        quote!(#digits)
                    }
                };
                out.docs(&case.docs, format_args!("`{}`", case.name));
                out.items(quote!(pub const #case_name: #name = #name(#number);));
            }
            out.close();
        }
        for (def, name) in library.handles.iter().zip(types.handles()) {
            let what = "A number that is an object on the side that made it. 0 is null, and the only value that a program can make up.";
            out.docs(&def.docs, format_args!("{what}"));
            out.items(quote! {
                #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
                #[repr(transparent)]
                pub struct #name(pub usize);
            });
            out.open(quote!(impl #name));
            out.docs("", "No object.");
            out.items(quote!(pub const NULL: #name = #name(0);));
            out.docs("", "Whether it is no object.");
            out.items(quote! {
                pub const fn is_null(self) -> bool {
                    self.0 == 0
                }
            });
            out.close();
        }
        for (at, def) in library.structs.iter().enumerate() {
            let id = lapis_cx::contract::library::StructId(at as u32);
            let Some(name) = types.struct_name(id).filter(|_| def.view_of.is_none()) else { continue };
            let members = types.members(def).into_iter().zip(&def.members);
            let members = members.map(|((name, ty), member)| {
                let docs = lines(&member.docs, &format!("`{}`", member.name));
                // The formatter prints a union on one line, where a comment would hide the rest.
                let docs = (!def.is_union).then_some(docs);
                quote!(#docs pub #name: #ty)
            });
            let keyword = if def.is_union { quote!(union) } else { quote!(struct) };
            let derives = match (types.is_plain_struct(def, 8), types.has_union(def, 8)) {
                (true, _) => quote!(Clone, Copy, Debug, PartialEq),
                (false, false) => quote!(Clone, Copy, Debug),
                (false, true) => quote!(Clone, Copy),
            };
            out.docs(&def.docs, format_args!("The {keyword} `{}`.", def.name));
            out.items(quote! {
                #[derive(#derives)]
                #[repr(C)]
                pub #keyword #name { #(#members),* }
            });
        }
    }

    /// Prints the stand-ins for callbacks in the service, and the functions that call them in the program.
    fn callbacks(&self, out: &mut Writer) {
        let types = &self.types;
        for called in &self.callbacks {
            let Some(name) = types.callback(CallbackId(called.at as u32)) else { continue };
            let (function, signature, arguments) = (called.function, &called.signature, &called.arguments);
            let number = literal(&called.at.to_string());
            out.docs(&function.docs, format_args!("A function of the program, of the type `{}`.", function.name));
            out.items(quote! {
                #[derive(Clone, Copy, Debug)]
                pub struct #name { slot: u32, user: *mut c_void }
            });
            out.items(quote! {
                #[comment = "SAFETY: the fields are a number and a tag, which only the engine uses."]
                unsafe impl Send for #name {}
                #[comment = "SAFETY: as above."]
                unsafe impl Sync for #name {}
            });
            out.open(quote!(impl #name));
            let params = signature.arguments.iter().filter_map(|one| {
                let (name, ty) = (&one.name, caller::parameter(types, one)?);
                Some(quote!(#name: #ty))
            });
            let params: Vec<_> = params.collect();
            let result = caller::result(signature).unwrap_or_else(|| quote!(()));
            let made = quote!(WORKER.callback(checked, #number, self.slot, &mut call));
            let tag = signature.arguments.iter().find(|one| matches!(one.shape, Shape::Tag { .. }));
            let tag = tag.map(|one| {
                let member = &one.member;
                quote!(call.#member = self.user;)
            });
            let body = caller::body(signature, arguments, &made, tag);
            self.documented(out, called, "Calls it: the program runs it, and its result comes back.", true);
            let is_unsafe = is_unsafe(signature).then(|| quote!(unsafe));
            out.items(quote! {
                pub #is_unsafe fn call(&self, #(#params),*) -> Result<#result, Failed<#result>> { #body }
            });
            out.close();
            self.trampoline(out, called);
            self.invoke(out, called);
        }
    }

    fn trampoline(&self, out: &mut Writer, called: &Called<'_>) {
        let (types, function, arguments) = (&self.types, called.function, &called.arguments);
        let number = literal(&called.at.to_string());
        let name = quote::format_ident!("trampoline_{}", called.at);
        let params = called.signature.arguments.iter().map(|one| {
            let (name, ty) = (&one.member, types.raw(one.place));
            quote!(#name: #ty)
        });
        let stores = called.signature.arguments.iter().map(|one| {
            let name = &one.member;
            quote!(call.#name = #name;)
        });
        let result = types.result(function);
        let back = result.as_ref().map(|_| quote!(call.result));
        let returns = types::returns(result);
        out.items(quote! {
            #[comment = "A C function that calls a function of the program."]
            unsafe extern "C" fn #name<const SLOT: u32>(#(#params),*) #returns {
                let mut call = #arguments::new();
                #(#stores)*
                #[comment = "SAFETY: the arguments are those of this callback; the caller guarantees their memory."]
                let _ = unsafe { WORKER.callback(Ok(()), #number, SLOT, &mut call) };
                #back
            }
        });
        let plan = self.unit.plan.callbacks.get(called.at);
        let has_tag = shape::has_tag(function)
            || function
                .implicits
                .iter()
                .any(|one| matches!(one.place.ty, lapis_cx::contract::library::place::Type::Userdata(_)));
        let slots = if has_tag {
            1 + lapis_cx_plan::TRAMPOLINES
        } else {
            plan.and_then(|plan| plan.slots).unwrap_or(SLOTS).max(1)
        };
        let list = (0..slots).map(|slot| {
            let slot = literal(&slot.to_string());
            quote!(#name::<#slot> as *const ())
        });
        let (slots_name, count) = (quote::format_ident!("slots_{}", called.at), literal(&slots.to_string()));
        out.items(quote! {
            fn #slots_name() -> [cxr::Trampoline; #count] {
                [#(#list),*]
            }
        });
    }

    fn invoke(&self, out: &mut Writer, called: &Called<'_>) {
        let (types, function, arguments) = (&self.types, called.function, &called.arguments);
        let (number, name) = (literal(&called.at.to_string()), quote::format_ident!("invoke_{}", called.at));
        let closure = caller::closure(types, function);
        let (statements, list) = callee::arguments(types, &called.signature);
        let run = callee::called(&called.signature, &quote!(closure), &list);
        let raw: Vec<_> = called
            .signature
            .arguments
            .iter()
            .map(|one| {
                let member = &one.member;
                quote!(call.#member)
            })
            .collect();
        let of_c = types.function(function);
        let run_c = match types.result(function) {
            Some(_) => quote!(call.result = unsafe { function(#(#raw),*) };),
            None => quote!(unsafe { function(#(#raw),*) };),
        };
        out.items(quote! {
            unsafe extern "C-unwind" fn #name(function: *mut c_void, arguments: *mut c_void) {
                cxr::guarded(|| {
                    #[comment = "SAFETY: the engine passes the argument struct of this callback."]
                    let call = unsafe { &mut *arguments.cast::<#arguments>() };
                    if cxr::is_closure(function) {
                        return cxr::with_closure(function, #number, |closure| {
                            #statements
                            #[comment = "SAFETY: the closure is registered for this callback, and is not running."]
                            let closure = unsafe { &mut *closure.cast::<#closure>() };
                            #run
                            Some(())
                        });
                    }
                    #[comment = "SAFETY: the program passed a function of this type and guarantees that it can be called."]
                    let function = unsafe { core::mem::transmute::<*mut c_void, #of_c>(function) }?;
                    #[comment = "SAFETY: as above."]
                    #run_c
                    Some(())
                });
            }
        });
    }

    fn client(&self, out: &mut Writer) {
        let (types, library) = (&self.types, self.unit.library);
        let worker = format!("{}_worker", self.unit.names.library);
        out.docs(&library.docs, format_args!("The library `{}` in another process.", library.name));
        out.items(quote! {
            #[derive(Debug)]
            pub struct Client(cxr::Client);
        });
        out.open(quote!(impl Client));
        out.docs("Connects to a worker.\n\n# Errors\n\nThere is none, or it was made from another specification.", "");
        let invokes = self.callbacks.iter().map(|one| quote::format_ident!("invoke_{}", one.at));
        let invokes: Vec<_> = invokes.collect();
        out.items(quote! {
            pub fn new(reach: &Reach) -> Result<Client, Error> {
                cxr::Client::new(&LIBRARY, &[#(#invokes),*], #worker, reach).map(Client)
            }
        });
        for called in self.functions.iter().filter(|one| one.left_out.is_none()) {
            let signature = &called.signature;
            let params = signature.arguments.iter().filter_map(|one| {
                let (name, ty) = (&one.name, caller::parameter(types, one)?);
                Some(quote!(#name: #ty))
            });
            let params: Vec<_> = params.collect();
            let result = caller::result(signature).unwrap_or_else(|| quote!(()));
            let number = literal(&called.at.to_string());
            let made = quote!(self.0.call(checked, #number, &mut call));
            let body = caller::body(signature, &called.arguments, &made, None);
            self.documented(out, called, &format!("Calls `{}`.", called.function.name), true);
            let (name, is_unsafe) = (&called.method, is_unsafe(signature).then(|| quote!(unsafe)));
            out.items(quote! {
                pub #is_unsafe fn #name(&self, #(#params),*) -> Result<#result, Failed<#result>> { #body }
            });
        }
        out.close();
    }

    /// Prints the service: its trait, `serve`, and the functions that the engine calls.
    fn service(&self, out: &mut Writer) {
        let service = &self.types.service;
        let there: Vec<_> = self.functions.iter().filter(|one| one.left_out.is_none()).collect();
        self.service_trait(out, &there);
        out.docs("", "Serves: what the main function of a worker calls, with `std::env::args()`. Without arguments behind the name of the \
                  program it serves the client that started it, with `--listen PATH` all of this user that connect there. A process has \
                  one service of this library.");
        let thunks = self.functions.iter().map(|one| match one.left_out {
            None => {
                let thunk = quote::format_ident!("thunk_{}", one.at);
                quote!(Some(#thunk as cxr::Thunk))
            }
            Some(_) => quote!(None),
        });
        let thunks: Vec<_> = thunks.collect();
        let slots = self.callbacks.iter().map(|one| quote::format_ident!("slots_{}", one.at));
        let slots: Vec<_> = slots.collect();
        out.items(quote! {
            pub fn serve(
                service: impl #service,
                arguments: impl IntoIterator<Item = std::string::String>,
            ) -> std::process::ExitCode {
                #[comment = "`serve` rejects a second service, with a message."]
                let _ = SERVICE.set(std::boxed::Box::new(service));
                WORKER.serve(&LIBRARY, &[#(#thunks),*], &[#(&#slots()),*], arguments)
            }
        });
        out.items(quote! {
            static SERVICE: std::sync::OnceLock<std::boxed::Box<dyn #service>> = std::sync::OnceLock::new();
            static WORKER: cxr::Service = cxr::Service::new();
        });
        there.into_iter().for_each(|called| self.thunk(out, called));
    }

    /// Prints the trait of a service, with a method for each function.
    fn service_trait(&self, out: &mut Writer, there: &[&Called<'_>]) {
        let (types, library) = (&self.types, self.unit.library);
        let service = &types.service;
        // The engine dereferences the pointers that a service returns.
        let has_pointers = |one: &&Called<'_>| {
            let all = one.signature.arguments.iter().map(|one| &one.shape);
            all.chain([&one.signature.result]).any(|shape| matches!(shape, Shape::Pointer(_)))
        };
        let followed: Vec<_> =
            there.iter().filter(|one| has_pointers(one)).map(|one| format!("`{}`", one.method)).collect();
        let is_unsafe = (!followed.is_empty()).then(|| quote!(unsafe));
        let mut docs = format!(
            "{}\n\nA method for each function, which threads of several clients call at once. ",
            if library.docs.trim().is_empty() {
                format!("A service in place of the library `{}`.", library.name)
            } else {
                library.docs.trim().to_owned()
            }
        );
        docs += "If one panics, the call of its caller fails.";
        if !followed.is_empty() {
            docs += &format!(
                "\n\n# Safety\n\nPointers that these methods return, or leave behind pointers, are to memory as the specification says, for as \
                 long as it says: {}. A block that it gives away is one of `malloc`.",
                followed.join(", ")
            );
        }
        out.docs(&docs, "");
        out.open(quote!(pub #is_unsafe trait #service: Send + Sync + 'static));
        for called in there {
            let params = called.signature.arguments.iter().filter_map(|one| {
                let (name, ty) = (&one.name, callee::parameter(types, one)?);
                Some(quote!(#name: #ty))
            });
            let returns = types::returns(caller::result(&called.signature));
            self.documented(out, called, &format!("`{}`", called.function.name), false);
            let name = &called.method;
            out.items(quote!(fn #name(&self, #(#params),*) #returns;));
        }
        out.close();
    }

    /// Prints the function that the engine calls for a method of the service.
    fn thunk(&self, out: &mut Writer, called: &Called<'_>) {
        let (types, service) = (&self.types, &self.types.service);
        let (thunk, arguments) = (quote::format_ident!("thunk_{}", called.at), &called.arguments);
        let (statements, mut list) = callee::arguments(types, &called.signature);
        // Calls the method by the trait's name, because another trait may have a method with that name.
        list.insert(0, quote!(service));
        let method = &called.method;
        let run = callee::called(&called.signature, &quote!(#service::#method), &list);
        let is_used = list.len() > 1 || !matches!(called.signature.result, Shape::Nothing);
        let call = is_used.then(|| {
            quote! {
                #[comment = "SAFETY: the engine passes the argument struct of this function."]
                let call = unsafe { &mut *arguments.cast::<#arguments>() };
            }
        });
        let parameter = if is_used { quote!(arguments) } else { quote!(_) };
        out.items(quote! {
            unsafe extern "C" fn #thunk(#parameter: *mut c_void) {
                cxr::guarded(|| {
                    let service = &**SERVICE.get()?;
                    #call
                    #statements
                    #run
                    Some(())
                });
            }
        });
    }

    /// Prints the struct with the arguments of a call.
    fn arguments(&self, out: &mut Writer, called: &Called<'_>) {
        let (types, function, name) = (&self.types, called.function, &called.arguments);
        let mut members: Vec<(Ident, TokenStream)> =
            called.signature.arguments.iter().map(|one| (one.member.clone(), types.raw(one.place))).collect();
        for (case, params) in variables::params(function).into_iter().enumerate() {
            members.extend(params.iter().enumerate().map(|(n, one)| (shape::variable(case, n), types.raw(&one.place))));
        }
        let implicits = function.implicits.iter().enumerate();
        members.extend(implicits.map(|(n, one)| (shape::implicit(n), types.raw(&one.place))));
        members.extend(types.result(function).map(|ty| (ident("result"), ty)));
        if members.is_empty() {
            members.push((ident("nothing"), quote!(u8)));
        }
        let members = members.iter().map(|(name, ty)| quote!(#name: #ty));
        out.items(quote! {
            #[derive(Clone, Copy)]
            #[repr(C)]
            struct #name { #(#members),* }
        });
        out.items(quote! {
            impl #name {
                fn new() -> Self {
                    #[comment = "SAFETY: the members are numbers and pointers, for which zero is valid."]
                    unsafe { core::mem::zeroed() }
                }
            }
        });
    }

    /// Prints the description of the library that client and service share.
    fn library(&self, out: &mut Writer) {
        let unit = self.unit;
        let words = unit.table.words.iter().map(|word| words::word(&self.types, word));
        let words: Vec<_> = words.collect();
        let texts = &unit.table.texts;
        let counts = [words.len(), texts.len(), unit.table.natives.len(), self.functions.len(), self.callbacks.len()];
        let [count, text_count, natives, functions, callbacks] = counts.map(|count| literal(&count.to_string()));
        let contract = shared::contract(unit);
        let contract = contract.iter().map(|byte| literal(&byte.to_string()));
        let (name, soname) = (crate::words::full_name(unit.library), shared::soname(unit));
        // Most items are numbers, which are readable in rows only.
        let rows = crate::words::in_rows(words.iter().map(|word| crate::words::tight(&word.to_string())));
        out.begin(&table(&format!("WORDS: [u32; {count}]"), &rows));
        let rows = crate::words::in_rows(texts.iter().map(|text| format!("{text:?}")));
        out.begin(&table(&format!("TEXTS: [&str; {text_count}]"), &rows));
        out.items(quote! {
            static LIBRARY: cxr::Library = cxr::Library {
                name: #name,
                soname: #soname,
                contract: [#(#contract),*],
                words: &WORDS,
                texts: &TEXTS,
                natives: #natives,
                functions: #functions,
                callbacks: #callbacks,
            };
        });
    }

    /// Documents a method. The documentation of an unsafe method quotes what the specification says about its pointers.
    fn documented(&self, out: &mut Writer, called: &Called<'_>, first: &str, is_call: bool) {
        let (function, signature) = (called.function, &called.signature);
        let mut docs = if function.docs.trim().is_empty() { first.to_owned() } else { function.docs.trim().to_owned() };
        let params = signature.arguments.iter().filter(|one| !one.docs.trim().is_empty());
        let params: String = params.map(|one| format!("\n- `{}`: {}", one.name, one.docs.trim())).collect();
        if !params.is_empty() {
            docs += &format!("\n{params}");
        }
        if is_call {
            docs += "\n\n# Errors\n\nThe call was not made.";
        }
        let names: Vec<String> = function.params.iter().map(|param| param.name.clone()).collect();
        let text = Scope::function(self.unit.library, function, &names);
        let pointers = signature
            .arguments
            .iter()
            .filter(|one| one.shape.is_unsafe_to_send() || !is_call && matches!(one.shape, Shape::Pointer(_)));
        let mut quoted: Vec<String> =
            pointers.map(|one| format!("{}: {}", one.source, text.place(one.place))).collect();
        if matches!(signature.result, Shape::Pointer(_)) {
            quoted.push(format!("-> {}", text.place(&function.result)));
        }
        if !quoted.is_empty() {
            let is_unsafe = is_call && is_unsafe(signature);
            let clauses = function.clauses.iter().filter(|clause| {
                matches!(
                    clause,
                    Clause::Refine { .. } | Clause::Timing { .. } | Clause::When { .. } | Clause::Pass { .. }
                )
            });
            quoted.extend(clauses.map(|clause| text.clause(clause)));
            let head = if is_unsafe {
                "# Safety\n\nPointers are as the specification says"
            } else {
                "Pointers are as the specification says"
            };
            docs += &format!("\n\n{head}:\n\n```text\n{}\n```", quoted.join("\n"));
        }
        out.docs(&docs, "");
    }
}

/// Prints a table as text, because `rustfmt` would put each item on a separate line.
fn table(head: &str, rows: &str) -> String {
    let rows: String = rows.lines().map(|row| format!("    {row}\n")).collect();
    format!("\n    #[rustfmt::skip]\n    static {head} = [\n{rows}    ];\n")
}

/// Whether the caller must uphold a safety condition.
fn is_unsafe(signature: &Signature<'_>) -> bool {
    signature.arguments.iter().any(|one| one.shape.is_unsafe_to_send())
}

/// Returns the documentation of a member.
fn lines(text: &str, first: &str) -> TokenStream {
    let text = if text.trim().is_empty() { first } else { text.trim() };
    let lines = text.lines().map(|line| format!(" {}", line.trim()));
    quote!(#(#[doc = #lines])*)
}
