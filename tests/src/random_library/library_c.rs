//! Prints the C source of a random library.

use super::emit::{Emitter, Scope, indent, random};
use super::model::{
    Callback, Effect, From, Function, Kept, Library, Place, Returns, Slot, Timing, Type, find, is_read_at_exit,
};
use super::names;

/// What stands before the functions: objects have numbers, and each call is a line of the file `R_TRACE`.
const HEAD: &str = r#"#include "common.h"
#include "r.h"
#define SHOW_OBJECT(l, h) say(l, " #%d", (h) ? (h)->id : 0)
#define SHOW_USER(l, u) say(l, (u) ? " user" : " nobody")
#define COUNT(h) ((h) ? (h)->count : 0)
#define SHOW_PASSED(l, at, bytes) say(l, (at) ? " passed %llx" : " null", (unsigned long long)((at) ? mix(7, at, bytes) : 0))
#define PICK(l, at) NULL
static const char *const TEXTS[] = { "", "one", "a text of some length, which is static", "x" };
static int ids, made, running, ran;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int trace = -1;
static void open_trace(void)
{
    const char *path = getenv("R_TRACE");
    trace = open(path ? path : "/dev/null", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}
static void finish(struct log *l)
{
    close_rooms(l);
    say(l, "\n");
    fflush(l->to);
    pthread_once(&once, open_trace);
    if (write(trace, l->text, l->length) < 0) abort();
    fclose(l->to);
    free(l->text);
    free(l);
}
int r_made(void) { return __atomic_load_n(&made, __ATOMIC_SEQ_CST); }
int r_running(void) { return __atomic_load_n(&running, __ATOMIC_SEQ_CST); }
int r_ran(void) { return __atomic_load_n(&ran, __ATOMIC_SEQ_CST); }
"#;

/// The source of a library.
pub fn source(library: &Library) -> String {
    let mut to = Emitter::default();
    to.line(HEAD);
    for (at, slot) in library.slots.iter().enumerate().filter(|(_, slot)| slot.owner.is_none()) {
        slot_variables(&mut to, at, slot, "static ");
    }
    for at in (0..library.handles.len()).filter(|at| library.handles.get(*at).is_some_and(|h| h.public.is_empty())) {
        to.line(format!("struct r_h{at} {{\nint id;\nsize_t count;"));
        for (slot_at, slot) in library.slots.iter().enumerate().filter(|(_, slot)| slot.owner == Some(at)) {
            slot_variables(&mut to, slot_at, slot, "");
        }
        to.line("};");
    }
    to.structs(library);
    for (at, item) in library.callbacks.iter().enumerate() {
        caller(&mut to, at, item);
    }
    for function in &library.functions {
        one(&mut to, library, function);
    }
    indent(&to.text)
}

fn slot_variables(to: &mut Emitter, at: usize, slot: &Slot, storage: &str) {
    match &slot.kept {
        Kept::Buffer(buffer) => {
            to.line(format!("{storage}{}g{at};\n{storage}size_t g{at}_n;", names::typed(buffer)));
        }
        Kept::Callback(callback) => {
            to.line(format!("{storage}r_c{callback} g{at};\n{storage}void *g{at}_user;"));
        }
    }
}

/// A function that calls a callback with arguments by chance, and one that does it on a thread.
fn caller(to: &mut Emitter, at: usize, callback: &Callback) {
    to.line(format!("static void call_c{at}(struct log *l, r_c{at} f, void *user)\n{{\nint depth = 0; (void)depth;"));
    to.line("l->user = user;");
    let scope = Scope { places: &callback.params, base: "a" };
    to.make_all(scope, true);
    to.save_old(scope);
    let arguments: Vec<String> = callback.params.iter().map(|place| scope.name(place.id)).collect();
    let call = format!("f({})", arguments.join(", "));
    to.line(if callback.errno { "errno = 0;" } else { "" });
    to.line(if callback.result { format!("int result = {call};") } else { format!("{call};") });
    to.line(if callback.errno { "int error = errno;" } else { "" });
    to.line(format!("say(l, \" (c{at}\");"));
    if !callback.asynchronous {
        to.line("bool entry = l->entry;\nl->entry = false;");
        to.line(if callback.result { "say(l, \" = %d\", result);" } else { "" });
        to.line(if callback.errno { "say(l, \" errno %d\", error);" } else { "" });
        for place in callback.params.iter().filter(|place| !matches!(place.ty, Type::User(_))) {
            to.show(place, &scope.name(place.id), scope, "0");
        }
        to.line("l->entry = entry;");
    }
    to.line("say(l, \")\");\n}");
    to.line(format!("struct job_c{at} {{ struct log *l; r_c{at} f; void *user; bool late; }};"));
    to.line(format!("static void *run_c{at}(void *at)\n{{\nstruct job_c{at} *job = at;"));
    to.line(format!("call_c{at}(job->l, job->f, job->user);"));
    to.line("if (job->late) { finish(job->l); __atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST); }");
    to.line("free(job);\nreturn NULL;\n}");
    to.line(format!("static pthread_t start_c{at}(struct log *l, r_c{at} f, void *user, bool late)\n{{"));
    to.line(format!("struct job_c{at} *job = malloc(sizeof *job);"));
    to.line(format!("*job = (struct job_c{at}){{ l, f, user, late }};\npthread_t thread;"));
    to.line("if (late) __atomic_add_fetch(&running, 1, __ATOMIC_SEQ_CST);");
    to.line(format!("if (late) job->l = begin(\"late c{at}\", rnd(l));"));
    to.line(format!("if (pthread_create(&thread, NULL, run_c{at}, job)) abort();"));
    to.line("return thread;\n}");
}

fn one(to: &mut Emitter, library: &Library, function: &Function) {
    let scope = Scope { places: &function.params, base: "p" };
    to.line(format!("{}\n{{", names::prototype(function)));
    to.line(format!("struct log *l = begin(\"f{}\", 0);\nl->entry = true;\nint valid = 0; (void)valid;", function.id));
    if let Returns::New(at) = function.result {
        to.line(format!("r_h{at} *made = calloc(1, sizeof *made);\nmade->id = ++ids;"));
    }
    to.save_old(scope);
    for place in &function.params {
        let name = scope.name(place.id);
        to.show(place, &name, scope, "0");
        // Memory in place of a null pointer has the alignment of its elements.
        let is_made = place.optional && is_read_at_exit(&function.params, place.id);
        if library.aligned && matches!(place.ty, Type::Buffer(_)) && !is_made {
            to.line(format!("if ((uintptr_t){name} % 64) say(l, \" off the line\");"));
        }
    }
    for (name, public) in names::public_objects(library, function) {
        for place in public {
            to.show(place, &format!("{name}->p{}", place.id), scope, "0");
        }
    }
    to.line("l->state = hash(l);");
    for place in &function.params {
        if let Type::Handle(at, super::model::Gives::Use) = place.ty {
            to.line(format!("l->object[{at}] = p{};", place.id));
        }
    }
    // Callbacks of the call see this.
    change_public(to, library, function, "true");
    for effect in &function.effects {
        self::effect(to, library, function, effect);
    }
    to.line("l->state = hash(l);\nint mode = 0; (void)mode;");
    to.line(match function.fails {
        Some(id) => format!("bool go = p{id} != 13; (void)go;"),
        None => "bool go = true; (void)go;".to_owned(),
    });
    for place in &function.params {
        exit(to, place, scope);
    }
    change_public(to, library, function, "go");
    result(to, function);
    to.line("}");
}

/// Writes members of the structs behind handles.
fn change_public(to: &mut Emitter, library: &Library, function: &Function, condition: &str) {
    for (name, public) in names::public_objects(library, function) {
        to.line(format!("if ({condition}) {{\nint mode = 2;"));
        for place in public {
            let scope = Scope { places: public, base: &format!("{name}->p") };
            to.write(place, &format!("{name}->p{}", place.id), scope, "0", "1");
        }
        to.line("}");
    }
}

fn exit(to: &mut Emitter, place: &Place, scope: Scope<'_>) {
    let name = scope.name(place.id);
    if let Type::Buffer(buffer) = &place.ty
        && let Type::Handle(at, super::model::Gives::New) = buffer.element.ty
    {
        let (i, n) = (to.variable("i"), Emitter::extent(buffer, &name, scope, "0"));
        to.line(format!("for (size_t {i} = 0; go && {name} && {i} < {n}; {i}++) {{"));
        to.line(format!("{name}[{i}] = calloc(1, sizeof(struct r_h{at}));\n{name}[{i}]->id = ++ids;\n}}"));
        return;
    }
    if let Type::Passed(..) = place.ty {
        to.line(format!("if (go) free({name});"));
    }
    to.write_parameter(place, &name, scope);
}

fn slot(of: Option<u32>, library: &Library, at: usize) -> String {
    let owned = library.slots.get(at).is_some_and(|slot| slot.owner.is_some());
    match (owned, of) {
        (false, _) => format!("g{at}"),
        (true, Some(of)) => format!("p{of}->g{at}"),
        (true, None) => format!("made->g{at}"),
    }
}

fn effect(to: &mut Emitter, library: &Library, function: &Function, effect: &Effect) {
    match effect {
        Effect::Keep { place, slot: at, of } => {
            let name = slot(*of, library, *at);
            if let Returns::Callback(callback, None) = function.result {
                to.line(format!("r_c{callback} previous = {name};"));
            }
            to.line(format!("{name} = (void *)p{place};"));
            let scope = Scope { places: &function.params, base: "p" };
            match find(&function.params, *place).map(|place| &place.ty) {
                Some(Type::Buffer(buffer)) => {
                    let n = Emitter::extent(buffer, &format!("p{place}"), scope, "0");
                    to.line(format!("{name}_n = p{place} ? {n} : 0;"));
                }
                _ => {
                    let user = function.params.iter().find_map(|other| match &other.ty {
                        Type::User(of) if of.contains(place) => Some(other.id),
                        _ => None,
                    });
                    to.line(user.map_or(String::new(), |user| format!("{name}_user = p{user};")));
                }
            }
        }
        Effect::Show { slot: at, of } => {
            let name = slot(*of, library, *at);
            let Some(Slot { kept: Kept::Buffer(buffer), .. }) = library.slots.get(*at) else { return };
            to.line(format!("say(l, \" kept\");\nif ({name} == NULL) say(l, \" none\");\nelse {{"));
            to.elements(buffer, &name, &format!("{name}_n"), Scope { places: &[], base: "p" });
            to.line("}");
        }
        Effect::Drop { slot: at, of } => {
            let name = slot(*of, library, *at);
            to.line(format!("{name} = NULL;"));
        }
        Effect::Call { from, times, thread } => call(to, library, function, (from, *times, *thread)),
        Effect::Set { value, of } => {
            let of = of.map_or("made".to_owned(), |of| format!("p{of}"));
            to.line(format!("{of}->count = p{value};"));
        }
        Effect::Close(id) => to.line(format!("free(p{id});")),
    }
}

fn call(
    to: &mut Emitter,
    library: &Library,
    function: &Function,
    (from, times, thread): (&From, u32, super::model::Thread),
) {
    use super::model::Thread;
    let Some((at, f, user)) = callback(library, function, from) else { return };
    let Some(item) = library.callbacks.get(at) else { return };
    to.line(format!("{{\npthread_t threads[{times}];\nint started = 0;\n(void)threads;"));
    to.line(format!("for (int i = 0; i < {times} && {f}; i++) {{"));
    to.line(format!("r_c{at} called = {f};"));
    if item.once {
        to.line(if let From::Slot(..) = from { format!("{f} = NULL;") } else { "if (i > 0) break;".to_owned() });
    }
    to.line("__atomic_add_fetch(&made, 1, __ATOMIC_SEQ_CST);");
    to.line(match thread {
        Thread::Caller => format!("call_c{at}(l, called, {user});"),
        Thread::Joined => format!("pthread_join(start_c{at}(l, called, {user}, false), NULL);"),
        Thread::Late => format!("pthread_detach(start_c{at}(l, called, {user}, true));"),
        Thread::Many => format!("threads[started++] = start_c{at}(l, called, {user}, true);"),
    });
    to.line("}\nfor (int i = 0; i < started; i++) pthread_join(threads[i], NULL);\n}");
}

/// The number of a callback, and where it and its userdata are.
fn callback(library: &Library, function: &Function, from: &From) -> Option<(usize, String, String)> {
    match from {
        From::Params(f, user) => {
            let Type::Callback(at) = find(&function.params, *f)?.ty else { return None };
            Some((at, format!("p{f}"), user.map_or("NULL".to_owned(), |user| format!("p{user}"))))
        }
        From::Members(of, f, user) => {
            let Type::Buffer(buffer) = &find(&function.params, *of)?.ty else { return None };
            let Type::Struct(item) = buffer.element.ty else { return None };
            let Type::Callback(at) = find(&library.structs.get(item)?.members, *f)?.ty else { return None };
            Some((at, format!("(p{of} ? p{of}->p{f} : NULL)"), format!("p{of}->p{user}")))
        }
        From::Slot(at, of) => {
            let Kept::Callback(callback) = library.slots.get(*at)?.kept else { return None };
            let name = slot(*of, library, *at);
            Some((callback, name.clone(), format!("{name}_user")))
        }
    }
}

/// What the function returns, which ends it.
fn result(to: &mut Emitter, function: &Function) {
    let is_async = function.timing == Timing::Async;
    let value = match &function.result {
        Returns::Void => None,
        Returns::Status if is_async => Some("0".to_owned()),
        Returns::Status => {
            let is_valid = function.params.iter().any(
                |place| matches!(&place.ty, Type::Buffer(buffer) if buffer.valid == Some(super::model::Valid::Result)),
            );
            let ok = if is_valid { "valid" } else { "(int)(hash(l) % 1000)" };
            let ok = match function.timing {
                Timing::If(id) => format!("p{id} ? {ok} : 0"),
                _ => ok.to_owned(),
            };
            Some(format!("go ? {ok} : -5"))
        }
        Returns::Number(_) if is_async => Some("0".to_owned()),
        Returns::Number(scalar) => Some(random(*scalar)),
        Returns::New(_) => Some("made".to_owned()),
        Returns::Block(scalar, of) => {
            let c = scalar.c();
            to.line(format!(
                "size_t elements = p{of};\n{c} *block = rnd(l) % 5 ? malloc(elements * sizeof({c}) + 1) : NULL;"
            ));
            to.line(format!("for (size_t i = 0; block && i < elements; i++) block[i] = {};", random(*scalar)));
            Some("block".to_owned())
        }
        Returns::Callback(_, of) => Some(of.map_or("previous".to_owned(), |of| format!("p{of}"))),
        Returns::Text => Some("TEXTS[rnd(l) % 4]".to_owned()),
        Returns::Elements(scalar, n) => {
            let values: Vec<String> = (1..=*n).map(|i| (i * 7 % 100).to_string()).collect();
            to.line(format!("static const {} all[] = {{ {} }};", scalar.c(), values.join(", ")));
            Some("all".to_owned())
        }
        Returns::Shared(scalar, n) => {
            let c = scalar.c();
            to.line(format!("static _Alignas(64) {c} all[{n}];\n{c} *one = &all[rnd(l) % {n}];\n*one = *one / 2 + 1;"));
            Some("all".to_owned())
        }
        Returns::Struct(at) => {
            to.line(format!("r_s{at} it;\nmemset(&it, 0, sizeof it);\nwrite_s{at}(l, &it, 2);"));
            Some("it".to_owned())
        }
        Returns::Within(of) => within(function, *of),
    };
    if let Some(value) = &value {
        let c = names::result(&function.result, &function.params);
        to.line(format!("{c} ret = {value};"));
    }
    to.line(if function.errno { "int error = 100 + (int)(hash(l) % 20);" } else { "" });
    to.line("finish(l);");
    to.line(if function.timing == Timing::Sync { "" } else { "__atomic_add_fetch(&ran, 1, __ATOMIC_SEQ_CST);" });
    to.line(if function.errno { "errno = error;" } else { "" });
    to.line(if value.is_some() { "return ret;" } else { "" });
}

/// A pointer to an element of a parameter, or behind the last one.
fn within(function: &Function, of: u32) -> Option<String> {
    let scope = Scope { places: &function.params, base: "p" };
    let place = find(&function.params, of)?;
    let n = match &place.ty {
        Type::Buffer(buffer) => Emitter::extent(buffer, &scope.name(of), scope, "0"),
        _ => format!("strlen(p{of})"),
    };
    let c = names::result(&function.result, &function.params);
    Some(format!("p{of} == NULL ? NULL : ({c})p{of} + rnd(l) % ({n} + 1)"))
}
