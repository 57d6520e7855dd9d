//! Prints the C source of a random library's program: it shows all that it can see after each call.

use super::emit::{Emitter, Scope, indent, show_scalar};
use super::model::{
    Buffer, Callback, Direction, Effect, Extent, Function, Gives, Kept, Library, Lifetime, Place, Returns, Scalar,
    Slot, Step, Timing, Type, find, is_read,
};
use super::names;

/// What stands before the calls. Lines are printed when a step of `main` is over: callbacks may come on any thread.
const HEAD: &str = r#"#include "common.h"
#include "r.h"
struct tag { int id; int nested; };
#define SHOW_OBJECT(l, h) say(l, (h) ? " object" : " null")
#define SHOW_USER(l, u) say(l, " tag %d", (u) ? ((struct tag *)(u))->id : 0)
#define SHOW_PASSED(l, at, bytes) say(l, (at) ? " passed" : " null")
#define COUNT(h) count_of(h)
#define PICK(l, at) (rnd(l) % 2 ? on_c##at##_a : on_c##at##_b)
static const char *const TEXTS[] = { "", "one", "a text of some length, which is static", "x" };
enum { LINES = 100000 };
static char *lines[LINES];
static int used, arrived;
static int sent;                 /* calls of functions that may be asynchronous */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tag plain_tag;
static void *newest[KINDS];
static void *shared;             /* memory of the library, which the program may change */
static size_t shared_bytes;
static bool alone = true;
static _Thread_local int inside;       /* calls of callbacks around this one */
static struct { void *of; size_t count; } counts[1000];
static size_t count_of(void *of)
{
    for (int i = 0; i < 1000; i++)
        if (counts[i].of == of) return counts[i].count;
    return 0;
}
static void set_count(void *of, size_t n)
{
    for (int i = 0; i < 1000; i++)
        if (counts[i].of == of || counts[i].of == NULL) { counts[i].of = of; counts[i].count = n; return; }
}
static void push(struct log *l, bool is_callback)
{
    close_rooms(l);
    fclose(l->to);
    pthread_mutex_lock(&lock);
    if (used == LINES) abort();
    lines[used++] = l->text;
    arrived += is_callback;
    pthread_mutex_unlock(&lock);
    free(l);
}
static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
/* Memory that asynchronous calls change, and its contents when they were shown last. */
enum { PENDING = 3, PENDING_BYTES = 8192 };
static _Alignas(64) unsigned char pending[PENDING][PENDING_BYTES];
static uint64_t pending_hash;
static void show_pending(void)
{
    uint64_t h = mix(0, pending, sizeof pending);
    if (h != pending_hash) printf("pending %016llx\n", (unsigned long long)h);
    pending_hash = h;
}
/* Waits until asynchronous calls are over and all callbacks have come that the library has made, and prints what there is. */
static void settle(bool concurrent)
{
    const struct timespec moment = { 0, 1000000 };
    for (int i = 0; concurrent && i < 3000; i++) {
        int ran = r_ran(), made = r_made();
        pthread_mutex_lock(&lock);
        bool done = arrived == made && sent == ran;
        pthread_mutex_unlock(&lock);
        if (done) break;
        if (i == 2999) { printf("LOST: %d of %d callbacks came\n", arrived, made); arrived = made; sent = ran; }
        nanosleep(&moment, NULL);
    }
    if (concurrent) qsort(lines, used, sizeof *lines, compare);
    for (int i = 0; i < used; i++) { puts(lines[i]); free(lines[i]); }
    used = 0;
    show_pending();
    fflush(stdout);
}
static void nested(int step);
"#;

/// The most calls at a time.
const PARALLEL: usize = 4;

/// The source of a library's program.
pub fn source(library: &Library) -> String {
    let mut to = Emitter::default();
    to.line(HEAD);
    for (at, callback) in library.callbacks.iter().enumerate() {
        for variant in ["a", "b"] {
            let name = format!("on_c{at}_{variant}");
            to.line(format!("static {};", names::callback(&name, callback)));
        }
    }
    to.structs(library);
    for (at, callback) in library.callbacks.iter().enumerate() {
        for variant in ["a", "b"] {
            self::callback(&mut to, library, (at, variant), callback);
        }
    }
    for (at, slot) in library.slots.iter().enumerate() {
        if let (Kept::Buffer(buffer), Lifetime::Manual) = (&slot.kept, slot.lifetime) {
            to.line(format!("static {}kept_{at};", names::typed(buffer)));
        }
    }
    for (at, slot) in library.slots.iter().enumerate() {
        if let Some(buffer) = kept_again(library, slot) {
            kept_memory(&mut to, at, buffer);
        }
    }
    for function in &library.functions {
        caller(&mut to, library, function);
    }
    steps(&mut to, library);
    indent(&to.text)
}

fn callback(to: &mut Emitter, library: &Library, (at, variant): (usize, &str), item: &Callback) {
    let scope = Scope { places: &item.params, base: "p" };
    to.line(format!("static {}\n{{", names::callback(&format!("on_c{at}_{variant}"), item)));
    to.line(format!("struct log *l = begin(\"  c{at}{variant}\", 0);\nl->entry = true;\nint valid = 0; (void)valid;"));
    to.save_old(scope);
    for place in &item.params {
        to.show(place, &scope.name(place.id), scope, "0");
    }
    for place in item.params.iter().filter(|_| !library.is_concurrent()) {
        // The call in which the library makes this callback names the object.
        let Type::Handle(kind, _) = place.ty else { continue };
        for member in library.handles.get(kind).map_or(&[][..], |handle| &handle.public) {
            to.line(format!("if (p{})", place.id));
            to.show(member, &format!("p{}->p{}", place.id, member.id), scope, "0");
        }
    }
    let user = item.params.iter().find(|place| matches!(place.ty, Type::User(_)));
    let tag = user.map_or("&plain_tag".to_owned(), |place| format!("(struct tag *)p{}", place.id));
    to.line(format!("struct tag *tag = {tag};\nif (tag && tag->nested) nested(tag->nested);"));
    to.line("l->state = hash(l);\nbool go = true; (void)go;\nint mode = 0; (void)mode;");
    for place in &item.params {
        to.write_parameter(place, &scope.name(place.id), scope);
    }
    to.line("int result = (int)(hash(l) % 100); (void)result;\npush(l, true);");
    to.line(if item.errno { "errno = 1 + result;" } else { "" });
    to.line(if item.result { "return result;\n}" } else { "}" });
}

/// The variables that say which objects a call takes and makes, as parameters of C.
fn object_params(function: &Function) -> String {
    let mut text = String::new();
    for place in &function.params {
        text += &match &place.ty {
            Type::Handle(at, _) => format!(", r_h{at} *o{}", place.id),
            Type::Buffer(buffer) => match buffer.element.ty {
                Type::Handle(at, Gives::New) => format!(", r_h{at} ***o{}", place.id),
                Type::Handle(at, _) => format!(", r_h{at} **o{}", place.id),
                _ => continue,
            },
            _ => continue,
        };
    }
    if let Returns::New(at) = function.result {
        text += &format!(", r_h{at} **made");
    }
    text
}

fn caller(to: &mut Emitter, library: &Library, function: &Function) {
    let scope = Scope { places: &function.params, base: "p" };
    let objects = object_params(function);
    to.line(format!("static void call_f{}(uint64_t seed, bool plain, struct tag *tag{objects})\n{{", function.id));
    to.line(format!(
        "struct log *l = begin(\"f{}\", seed);\nint depth = 0; (void)depth;\nl->plain = plain;",
        function.id
    ));
    to.line(format!("l->user = chance(l, 6) && {} ? NULL : tag;", library.null_user));
    to.line("memcpy(l->object, newest, sizeof newest);");
    let keeps = |effect: &Effect| matches!(effect, Effect::Keep { .. });
    to.line(if function.effects.iter().any(keeps) { "l->kept = true;" } else { "" });
    to.objects = function.params.iter().map(|place| place.id).collect();
    to.make_all(scope, true);
    to.objects.clear();
    if let Returns::Block(_, of) = function.result {
        to.line(format!("p{of} = count(l, 100);"));
    }
    if let Some(id) = function.fails {
        to.line(format!("p{id} = chance(l, 5) ? 13 : 1;"));
    }
    for effect in &function.effects {
        if let Effect::Set { value, .. } = effect {
            to.line(format!("p{value} = count(l, 5000);"));
        }
    }
    if let Timing::If(id) = function.timing {
        to.line(format!("p{id} = rnd(l) % 2;"));
    }
    for effect in &function.effects {
        if let Effect::Keep { place, slot, .. } = effect {
            keep_again(to, library, function, (*place, *slot));
        }
    }
    alias(to, library, function);
    share(to, library, function);
    wait_for_results(to, library, function);
    for (name, public) in names::public_objects(library, function) {
        to.line("if (rnd(l) % 2) {");
        for place in public {
            super::make::make(to, place, &format!("{name}->p{}", place.id), Scope { places: public, base: "" }, "0");
        }
        to.line("}");
    }
    to.save_old(scope);
    let arguments: Vec<String> = function.params.iter().map(|place| scope.name(place.id)).collect();
    let call = format!("r_f{}({})", function.id, arguments.join(", "));
    to.line(if function.timing == Timing::Sync { "" } else { "__atomic_add_fetch(&sent, 1, __ATOMIC_SEQ_CST);" });
    to.line("errno = 0;");
    let c = names::result(&function.result, &function.params);
    to.line(if function.result == Returns::Void { format!("{call};") } else { format!("{c} ret = {call};") });
    to.line("int error = errno; (void)error;");
    let is_async = function.timing == Timing::Async;
    for place in function.params.iter().filter(|place| !(is_async && place.is_late_output())) {
        to.show(place, &scope.name(place.id), scope, "0");
    }
    for (name, public) in names::public_objects(library, function) {
        for place in public {
            to.show(place, &format!("{name}->p{}", place.id), scope, "0");
        }
    }
    to.line("say(l, \" ->\");");
    returned(to, function, scope);
    to.line(if function.errno { "say(l, \" errno %d\", error);" } else { "" });
    after(to, library, function);
    to.line("push(l, false);\n}");
}

/// Returns the parameters that are buffers of numbers, whose sizes do not depend on their contents.
fn plain_buffers(function: &Function) -> Vec<(u32, Buffer)> {
    let fits = |place: &&Place| match &place.ty {
        Type::Buffer(buffer) => {
            let is_sized = !matches!(
                buffer.extent,
                Extent::Zero | Extent::CountOrZero(_) | Extent::Length | Extent::LengthIfNegative(_) | Extent::Old(_)
            );
            let is_number = matches!(buffer.element.ty, Type::Scalar(scalar) if scalar != Scalar::Bool);
            let is_seen = buffer.direction != Direction::Local;
            is_sized && is_number && is_seen && !place.stated && !is_read(&function.params, place.id)
        }
        _ => false,
    };
    let buffer = |place: &'_ Place| match &place.ty {
        Type::Buffer(buffer) => Some((place.id, buffer.clone())),
        _ => None,
    };
    function.params.iter().filter(fits).filter_map(buffer).collect()
}

/// The size in bytes of a buffer among the arguments, as C.
fn size_in_bytes(function: &Function, (id, buffer): &(u32, Buffer)) -> String {
    let scope = Scope { places: &function.params, base: "p" };
    let n = Emitter::extent(buffer, &scope.name(*id), scope, "0");
    format!("({n}) * sizeof({})", names::c_type(&buffer.element.ty))
}

/// Lets buffers of the arguments be in memory of the library, by chance, where they may overlap.
fn share(to: &mut Emitter, library: &Library, function: &Function) {
    if library.is_concurrent() || function.timing != Timing::Sync {
        return;
    }
    let is_kept = |id: u32| function.effects.iter().any(|it| matches!(it, Effect::Keep { place, .. } if *place == id));
    for buffer in plain_buffers(function).iter().filter(|(id, _)| !is_kept(*id)) {
        let (id, size) = (buffer.0, size_in_bytes(function, buffer));
        to.line(format!("if (p{id} && shared && alone && {size} <= shared_bytes && rnd(l) % 3 == 0) {{"));
        to.line(format!("size_t at = rnd(l) % 2 ? 0 : rnd(l) % ((shared_bytes - {size}) / 8 + 1) * 8;"));
        to.line(format!("memcpy((char *)shared + at, p{id}, {size});\np{id} = (void *)((char *)shared + at);\n}}"));
    }
}

/// Lets buffers of the arguments be, by chance, in memory that asynchronous calls change. Buffers of an asynchronous call outlive the call, because
/// their contents arrive later.
fn wait_for_results(to: &mut Emitter, library: &Library, function: &Function) {
    if !library.late_outputs {
        return;
    }
    let is_kept = |id: u32| function.effects.iter().any(|it| matches!(it, Effect::Keep { place, .. } if *place == id));
    let step = if library.aligned { 64 } else { 8 };
    for (n, buffer) in plain_buffers(function).iter().filter(|(id, _)| !is_kept(*id)).enumerate() {
        let (id, size) = (buffer.0, size_in_bytes(function, buffer));
        let outlives = function.timing == Timing::Async && buffer.1.direction.comes();
        let chance = if outlives { "" } else { " && rnd(l) % 3 == 0" };
        to.line(format!("if (p{id} && alone && !inside && {size} <= PENDING_BYTES{chance}) {{"));
        to.line(format!("size_t at = rnd(l) % 2 ? 0 : rnd(l) % ((PENDING_BYTES - {size}) / {step} + 1) * {step};"));
        to.line(format!("p{id} = (void *)(pending[{n} % PENDING] + at);\n}}"));
        if outlives {
            to.line(format!("else if (p{id}) {{\np{id} = aligned_alloc(64, ({size} + 64) / 64 * 64);"));
            to.line(format!("memset(p{id}, 0, {size});\n}}"));
        }
    }
}

/// Lets two buffers of the arguments share memory, by chance.
fn alias(to: &mut Emitter, library: &Library, function: &Function) {
    let all = plain_buffers(function);
    let [first, second, ..] = all.as_slice() else { return };
    if !library.aliases {
        return;
    }
    let bytes = |of: &(u32, Buffer)| size_in_bytes(function, of);
    let step = if library.aligned { 64 } else { 8 };
    let (a, b) = (first.0, second.0);
    to.line(format!("if (p{a} && p{b} && chance(l, 2)) {{"));
    to.line(format!("size_t first = {}, second = {};", bytes(first), bytes(second)));
    to.line(format!("size_t offset = rnd(l) % 2 ? 0 : rnd(l) % (first / {step} + 1) * {step};"));
    to.line("char *both = room(l, offset + second > first ? offset + second : first);");
    to.line(format!("memcpy(both, p{a}, first);\nmemcpy(both + offset, p{b}, second);"));
    to.line(format!("p{a} = (void *)both;\np{b} = (void *)(both + offset);\n}}"));
}

/// Shows the result.
fn returned(to: &mut Emitter, function: &Function, scope: Scope<'_>) {
    match &function.result {
        Returns::Void => {}
        Returns::Status => to.line("say(l, \" %d\", ret);"),
        Returns::Number(scalar) => to.line(show_scalar(*scalar, "ret")),
        Returns::New(at) => to.line(format!("SHOW_OBJECT(l, ret);\n*made = ret;\nnewest[{at}] = ret;")),
        Returns::Block(scalar, of) => {
            to.line("if (ret == NULL) say(l, \" null\");");
            to.line(format!(
                "for (size_t i = 0; ret && i < p{of}; i++) {}\nfree(ret);",
                show_scalar(*scalar, "ret[i]")
            ));
        }
        Returns::Callback(at, _) => to.line(format!(
            "say(l, ret == NULL ? \" null\" : ret == on_c{at}_a ? \" a\" : ret == on_c{at}_b ? \" b\" : \" other\");"
        )),
        Returns::Text => to.line("show_text(l, ret);"),
        Returns::Elements(scalar, n) | Returns::Shared(scalar, n) => {
            to.line("if (ret == NULL) say(l, \" null\");");
            to.line(format!("for (int i = 0; ret && i < {n}; i++) {}", show_scalar(*scalar, "ret[i]")));
            if matches!(function.result, Returns::Shared(..)) {
                to.line(format!("shared = ret;\nshared_bytes = {n} * sizeof *ret;"));
            }
        }
        Returns::Struct(at) => to.line(format!("show_s{at}(l, &ret);")),
        Returns::Within(of) => {
            let of = scope.name(*of);
            to.line(format!(
                "if (ret == NULL) say(l, \" null\");\nelse say(l, \" +%td\", (char *)ret - (char *){of});"
            ));
        }
    }
}

/// The type of memory that a slot may get again. A slot whose memory ends explicitly is left out: the program frees it then.
fn kept_again<'l>(library: &'l Library, slot: &'l Slot) -> Option<&'l Buffer> {
    match &slot.kept {
        Kept::Buffer(buffer) if library.keeps_again && slot.lifetime != Lifetime::Manual => Some(buffer),
        _ => None,
    }
}

/// The variables and the function that make memory which is kept again and again.
fn kept_memory(to: &mut Emitter, at: usize, buffer: &Buffer) {
    let place = |id, ty| Place { id, ty, optional: false, stated: false };
    let (mut buffer, mut places) = (buffer.clone(), Vec::new());
    if let Extent::Count(count) = &mut buffer.extent {
        *count = 2;
        places.push(place(2, Type::Scalar(Scalar::Size)));
    }
    let (typed, has_count) = (names::typed(&buffer), !places.is_empty());
    places.push(place(1, Type::Buffer(buffer)));
    to.line(format!("static {typed}again_{at};\nstatic size_t again_{at}_n;\nstatic void make_again_{at}(void)\n{{"));
    to.line(format!("struct log *l = begin(\"\", {at});\nint depth = 0; (void)depth;\nl->kept = true;"));
    to.make_all(Scope { places: &places, base: "k" }, true);
    to.line(format!("again_{at} = (void *)k1;"));
    to.line(if has_count { format!("again_{at}_n = k2;") } else { String::new() });
    to.line("fclose(l->to);\nfree(l->text);\nfree(l);\n}");
}

/// Lets a call keep, by chance, memory that other calls keep too.
fn keep_again(to: &mut Emitter, library: &Library, function: &Function, (id, at): (u32, usize)) {
    if library.slots.get(at).and_then(|slot| kept_again(library, slot)).is_none() {
        return;
    }
    let Some(Type::Buffer(buffer)) = find(&function.params, id).map(|place| &place.ty) else { return };
    to.line(format!("if (rnd(l) % 2) {{\np{id} = again_{at};"));
    to.line(if let Extent::Count(count) = buffer.extent { format!("p{count} = again_{at}_n;") } else { String::new() });
    to.line("}");
}

/// What the program remembers of a call.
fn after(to: &mut Emitter, library: &Library, function: &Function) {
    for place in &function.params {
        if let Type::Buffer(Buffer { element, .. }) = &place.ty
            && let Type::Handle(at, Gives::New) = element.ty
        {
            let Type::Buffer(buffer) = &place.ty else { continue };
            let n = Emitter::extent(buffer, "", Scope { places: &function.params, base: "p" }, "0");
            to.line(format!("for (size_t i = 0; i < {n}; i++) *o{0}[i] = p{0}[i];", place.id));
            to.line(format!("newest[{at}] = p{}[0];", place.id));
        }
    }
    for place in &function.params {
        if let (Type::Passed(..), Some(_)) = (&place.ty, function.fails) {
            to.line(format!("if (ret < 0) free(p{});", place.id));
        }
    }
    for effect in &function.effects {
        match effect {
            Effect::Set { value, of } => {
                let of = of.map_or("ret".to_owned(), |of| format!("p{of}"));
                to.line(format!("set_count({of}, p{value});"));
            }
            Effect::Keep { place, slot, .. } if is_manual(library, *slot) => {
                to.line(format!("kept_{slot} = (void *)p{place};"));
            }
            Effect::Drop { slot, .. } if is_manual(library, *slot) => {
                to.line(format!("free(kept_{slot});\nkept_{slot} = NULL;"));
            }
            Effect::Close(id) => {
                if let Some(Type::Handle(at, _)) = find(&function.params, *id).map(|place| &place.ty) {
                    to.line(format!("set_count(p{id}, 0);\nif (newest[{at}] == p{id}) newest[{at}] = NULL;"));
                    let children = library.handles.iter().enumerate().filter(|(_, child)| child.parent == Some(*at));
                    for (child, _) in children {
                        to.line(format!("newest[{child}] = NULL;"));
                    }
                }
            }
            _ => {}
        }
    }
}

fn is_manual(library: &Library, slot: usize) -> bool {
    library
        .slots
        .get(slot)
        .is_some_and(|slot| slot.lifetime == Lifetime::Manual && matches!(slot.kept, Kept::Buffer(_)))
}

fn steps(to: &mut Emitter, library: &Library) {
    let mut parents: Vec<(u32, Option<u32>)> = Vec::new();
    for step in &library.steps {
        let Some(function) = library.function(step.function) else { continue };
        let made = made(function, step);
        for (at, variable) in &made {
            to.line(format!("static r_h{at} *v{variable};"));
        }
        to.line(format!("static struct tag tag_{0} = {{ {0}, {1} }};", step.id, step.nested.unwrap_or(0)));
        to.line(format!("static void step_{}(void)\n{{", step.id));
        let used = step.objects.iter().filter(|(_, used)| !made.iter().any(|(_, v)| v == used));
        let used: Vec<u32> = used.map(|(_, v)| *v).collect();
        // A callback that the library kept may come when an object of this call has ended.
        for variable in used.iter().filter(|_| step.inner) {
            to.line(format!("if (v{variable} == NULL) return;"));
        }
        to.line(call(function, step));
        if function.effects.iter().any(|effect| matches!(effect, Effect::Close(_))) {
            let ends = |(v, of): &&(u32, Option<u32>)| used.contains(v) || of.is_some_and(|of| used.contains(&of));
            for (variable, _) in parents.iter().filter(ends) {
                to.line(format!("v{variable} = NULL;"));
            }
        }
        to.line("}");
        let has_parent = |kind: usize| library.handles.get(kind).is_some_and(|handle| handle.parent.is_some());
        parents.extend(made.iter().map(|(kind, v)| (*v, used.last().copied().filter(|_| has_parent(*kind)))));
    }
    to.line("static void nested(int step)\n{\ninside++;\nswitch (step) {");
    for step in library.steps.iter().filter(|step| step.inner) {
        to.line(format!("case {0}: step_{0}(); break;", step.id));
    }
    to.line("}\ninside--;\n}\nstatic void *run(void *step)\n{\n((void (*)(void))step)();\nreturn NULL;\n}\nint main(void)\n{");
    for (at, slot) in library.slots.iter().enumerate() {
        to.line(kept_again(library, slot).map_or(String::new(), |_| format!("make_again_{at}();")));
    }
    for group in groups(library) {
        let Some((first, rest)) = group.split_first() else { continue };
        to.line(format!("plain_tag = tag_{};\nalone = {};", first.id, rest.is_empty()));
        for step in rest {
            to.line(format!(
                "pthread_t thread_{0};\nif (pthread_create(&thread_{0}, NULL, run, step_{0})) abort();",
                step.id
            ));
        }
        to.line(format!("step_{}();", first.id));
        rest.iter().for_each(|step| to.line(format!("pthread_join(thread_{}, NULL);", step.id)));
        // The next call may use results that have not arrived.
        if !library.function(first.function).is_some_and(Function::has_late_output) {
            to.line(format!("settle({});", library.is_concurrent() || !rest.is_empty()));
        }
    }
    to.line("settle(true);");
    to.line("for (int i = 0; i < 3000 && r_running(); i++) usleep(1000);\nreturn 0;\n}");
}

/// The steps of `main`: those of a group run at the same time.
fn groups(library: &Library) -> Vec<Vec<&Step>> {
    let is_quiet = |step: &Step| {
        let of_function = |one: &Function| one.is_quiet() && names::public_objects(library, one).is_empty();
        step.nested.is_none() && library.function(step.function).is_some_and(of_function)
    };
    let mut groups: Vec<Vec<&Step>> = Vec::new();
    for step in library.steps.iter().filter(|step| !step.inner) {
        match groups.last_mut() {
            Some(group)
                if step.parallel
                    && group.len() < PARALLEL
                    && is_quiet(step)
                    && group.iter().all(|one| is_quiet(one)) =>
            {
                group.push(step);
            }
            _ => groups.push(vec![step]),
        }
    }
    groups
}

/// The objects that a step makes: their kind and variable.
pub fn made(function: &Function, step: &Step) -> Vec<(usize, u32)> {
    let mut made = Vec::new();
    for (id, variable) in &step.objects {
        if let Some(Type::Buffer(buffer)) = find(&function.params, *id).map(|place| &place.ty)
            && let Type::Handle(at, Gives::New) = buffer.element.ty
        {
            made.push((at, *variable));
        }
    }
    if let (Returns::New(at), Some(variable)) = (&function.result, step.result) {
        made.push((*at, variable));
    }
    made
}

fn call(function: &Function, step: &Step) -> String {
    let mut text = format!("call_f{}({}u, {}, &tag_{}", function.id, step.seed, step.plain, step.id);
    for place in &function.params {
        let of = step.objects.iter().filter(|(id, _)| *id == place.id);
        let all = |before: &str| -> Vec<String> { of.map(|(_, variable)| format!("{before}v{variable}")).collect() };
        text += &match &place.ty {
            Type::Handle(..) => format!(", {}", all("").join("")),
            Type::Buffer(buffer) => match buffer.element.ty {
                Type::Handle(at, Gives::New) => format!(", (r_h{at} **[]){{ {} }}", all("&").join(", ")),
                Type::Handle(at, _) => format!(", (r_h{at} *[]){{ {} }}", all("").join(", ")),
                _ => continue,
            },
            _ => continue,
        };
    }
    if let Some(variable) = step.result {
        text += &format!(", &v{variable}");
    }
    text + ");"
}
