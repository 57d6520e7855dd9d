/* The runtime of generated fuzzers: random numbers, memory, objects, and sequences of calls.
 *
 * The program of LIBRARY_fuzz.c calls the functions of an API in random order, mostly with arguments that its specification allows. All
 * memory that it passes is at least as large as the specification requires. Each seed is one sequence of calls in a separate process,
 * with a hash of all results. With --honest the program passes only arguments that the library itself accepts, so it also runs with the
 * real library, and both runs must print the same.
 */
#ifndef CX_REMOTE_FUZZ_H
#define CX_REMOTE_FUZZ_H

#include "cx_remote_fuzz_values.h"

/* ---- Values attached to objects and pointers ------------------------------------------------------------------------ */

static inline cxf_number cxf_attached_to(uint32_t of, cxf_number key, uint32_t member)
{
    if (!key.is) return key;
    for (size_t i = cxf.attached_count; i > 0; i--) {
        const struct cxf_attached *const one = &cxf.attached[i - 1];
        if (one->of == of && one->member == member && one->key == (uint64_t)key.value) return one->value;
    }
    return cxf_int(0);
}

static inline void cxf_attach(uint32_t of, cxf_number key, uint32_t member, cxf_number value)
{
    if (!key.is || key.value == 0 || !value.is) return;
    for (size_t i = 0; i < cxf.attached_count; i++) {
        struct cxf_attached *const one = &cxf.attached[i];
        if (one->of == of && one->member == member && one->key == (uint64_t)key.value) {
            one->value = value;
            return;
        }
    }
    if (cxf.attached_count == CXF_ATTACHED) return;
    const struct cxf_attached one = { of, member, (uint64_t)key.value, value };
    cxf.attached[cxf.attached_count++] = one;
}

static inline void cxf_detach(uint32_t of, uint64_t key)
{
    size_t left = 0;
    for (size_t i = 0; i < cxf.attached_count; i++)
        if (cxf.attached[i].of != of || cxf.attached[i].key != key) cxf.attached[left++] = cxf.attached[i];
    cxf.attached_count = left;
}

/* ---- Objects -------------------------------------------------------------------------------------------------------- */

static inline void cxf_add(cxf_call *c, cxf_things *things, uint32_t kind, uint64_t bits, uint64_t size)
{
    if (things->count == CXF_FEW) {
        c->has_failed = true;
        return;
    }
    const cxf_thing thing = { kind, bits, size };
    things->all[things->count++] = thing;
}

static inline bool cxf_has(const cxf_things *things, uint32_t kind, uint64_t bits)
{
    for (unsigned i = 0; i < things->count; i++)
        if (things->all[i].kind == kind && things->all[i].bits == bits) return true;
    return false;
}

static inline struct cxf_object *cxf_object_of(uint32_t kind, uint64_t bits)
{
    for (size_t i = 0; i < cxf.object_count; i++) {
        struct cxf_object *const object = &cxf.objects[i];
        if (object->kind == kind && object->bits == bits && object->is_live) return object;
    }
    return NULL;
}

/* The metadata table of a kind of objects, and the kind of its parent, or -1. The generated code provides the table. */
typedef struct cxf_kind { int64_t metadata; int64_t parent; } cxf_kind;
static const cxf_kind *cxf_kinds;

static inline void cxf_end_object(size_t at)
{
    struct cxf_object *const object = &cxf.objects[at];
    object->is_live = false;
    if (cxf_kinds[object->kind].metadata >= 0) cxf_detach((uint32_t)cxf_kinds[object->kind].metadata, object->bits);
    for (size_t i = 0; i < cxf.object_count; i++)
        if (cxf.objects[i].is_live && cxf.objects[i].parent == at + 1) cxf_end_object(i);
}

/* Stores a handle of a live object; without --honest sometimes an invalid one. */
static inline void cxf_put_handle(cxf_call *c, uintptr_t at, uint32_t kind, size_t bytes, bool is_optional, bool is_own)
{
    if (is_optional && cxf_once_in(c, 8)) {
        cxf_store(at, 0, bytes);
        return;
    }
    const uint64_t way = cxf.is_honest ? 16 : cxf_below(c, 24);
    if (way == 0) {
        cxf_store(at, 0, bytes);
        return;
    }
    if (way == 1) {
        cxf_store(at, cxf_random(c), bytes);
        return;
    }
    /* An object that ended, of any kind, or one that this call already takes. */
    if (way <= 4 && cxf.object_count > 0) {
        cxf_store(at, cxf.objects[cxf_below(c, cxf.object_count)].bits + (way == 4), bytes);
        return;
    }
    size_t count = 0;
    struct cxf_object *found = NULL;
    for (size_t i = 0; i < cxf.object_count && !c->is_callback; i++) {
        struct cxf_object *const object = &cxf.objects[i];
        if (!object->is_live || object->kind != kind || cxf_has(&c->taken, kind, object->bits)) continue;
        if (is_own && (object->references == 0 || cxf_has(&c->passed, kind, object->bits))) continue;
        if (cxf_once_in(c, ++count)) found = object;
    }
    if (found == NULL) {
        if (!is_optional && cxf.is_honest) c->has_failed = true;
        cxf_store(at, 0, bytes);
        return;
    }
    cxf_add(c, is_own ? &c->taken : &c->passed, kind, found->bits, 0);
    cxf_store(at, found->bits, bytes);
}

/* Hashes a received handle: the number of the object, not its bits. Adds a new object to the table. */
static inline void cxf_see_handle(cxf_call *c, uintptr_t at, uint32_t kind, size_t bytes, bool is_new)
{
    const uint64_t bits = cxf_bits(at, bytes);
    if (c->is_callback || bits == 0) {
        cxf_say_number(c, bits != 0);
        return;
    }
    struct cxf_object *object = cxf_object_of(kind, bits);
    /* An asynchronous call may fail later, so its objects are not used. */
    if (c->is_async && cxf.is_honest) return;
    if (object == NULL && is_new && cxf.object_count < CXF_OBJECTS) {
        if (cxf_kinds[kind].metadata >= 0) cxf_detach((uint32_t)cxf_kinds[kind].metadata, bits);
        object = &cxf.objects[cxf.object_count++];
        const struct cxf_object one = { kind, bits, ++cxf.object_names, 0, true, 0 };
        *object = one;
        for (unsigned i = 0; i < c->passed.count; i++) {
            const struct cxf_object *const other = cxf_object_of(c->passed.all[i].kind, c->passed.all[i].bits);
            if (other != NULL && cxf_kinds[kind].parent == (int64_t)other->kind) object->parent = (size_t)(other - cxf.objects) + 1;
        }
    }
    if (object != NULL && is_new) object->references++;
    cxf_say_number(c, object != NULL ? object->name : 0);
}

/* ---- Pointers ------------------------------------------------------------------------------------------------------- */

/* Returns memory of a kind that the library keeps or identifies by its address, or NULL. */
static inline const cxf_thing *cxf_some_kept(cxf_call *c, uint32_t kind)
{
    size_t count = 0;
    const cxf_thing *found = NULL;
    for (size_t i = 0; i < cxf.kept_count && !c->is_callback; i++) {
        const struct cxf_kept *const one = &cxf.kept[i];
        if (one->is_live && one->thing.kind == kind && !cxf_has(&c->ended, kind, one->thing.bits) && cxf_once_in(c, ++count)) found = &one->thing;
    }
    return found;
}

static inline void cxf_remember(uint32_t kind, uint64_t bits, uint64_t size)
{
    for (size_t i = 0; i < cxf.kept_count; i++) {
        struct cxf_kept *const one = &cxf.kept[i];
        if (one->thing.kind == kind && one->thing.bits == bits) {
            one->thing.size = size;
            one->is_live = true;
            return;
        }
    }
    if (cxf.kept_count == CXF_OBJECTS) return;
    const struct cxf_kept one = { { kind, bits, size }, true };
    cxf.kept[cxf.kept_count++] = one;
}

/* Stores a pointer to memory that is not sent. The library gets null when it is remoted, so --honest passes null too. */
static inline void cxf_put_local(cxf_call *c, uintptr_t at)
{
    const uintptr_t memory = cxf.is_honest ? 0 : cxf_memory(c, cxf_int(64), 1, CXF_BLANK);
    cxf_store(at, memory, sizeof(void *));
}

/* Stores a pointer to memory that the call ends. */
static inline void cxf_put_own(cxf_call *c, uintptr_t at, uint32_t kind, bool is_optional, bool has_contents)
{
    if (is_optional && cxf_once_in(c, 8)) {
        cxf_store(at, 0, sizeof(void *));
        return;
    }
    const cxf_thing *const thing = cxf_some_kept(c, kind);
    if (thing != NULL) {
        cxf_add(c, &c->ended, kind, thing->bits, 0);
        cxf_store(at, thing->bits, sizeof(void *));
        return;
    }
    if (cxf.is_honest && !is_optional) c->has_failed = true;
    if (cxf.is_honest || is_optional) cxf_store(at, 0, sizeof(void *));
    /* Contents are read, so the memory must exist. */
    else if (has_contents) cxf_store(at, cxf_memory(c, cxf_int(0), 1, CXF_ROOMY | CXF_BLANK), sizeof(void *));
    else cxf_store(at, cxf_random(c), sizeof(void *));
}

/* Stores an address that is not dereferenced. */
static inline void cxf_put_address(cxf_call *c, uintptr_t at)
{
    const uint64_t number = cxf_some_number(c, NULL, 0);
    cxf_store(at, number, sizeof(void *));
}

/* Stores a pointer into a region. */
static inline void cxf_put_within(cxf_call *c, uintptr_t at, cxf_number region, bool is_optional)
{
    const uint64_t left = region.is ? cxf_left((uintptr_t)region.value) : 0;
    if (left == 0 && cxf.is_honest && !is_optional) c->has_failed = true;
    if (left == 0 || (is_optional && cxf_once_in(c, 8))) {
        cxf_store(at, 0, sizeof(void *));
        return;
    }
    cxf_store(at, (uint64_t)region.value + cxf_below(c, left), sizeof(void *));
}

/* Hashes a received pointer: the block of the program's memory and the offset in it, or the offset in the region. */
static inline void cxf_see_pointer(cxf_call *c, uintptr_t at, cxf_number region)
{
    const uint64_t bits = cxf_bits(at, sizeof(void *));
    if (c->is_callback || bits == 0) {
        cxf_say_number(c, bits != 0);
        return;
    }
    if (region.is && region.value != 0) {
        cxf_say_number(c, bits - (uint64_t)region.value);
        return;
    }
    for (size_t i = cxf.block_count; i > 0; i--) {
        const struct cxf_block *const block = &cxf.blocks[i - 1];
        if (bits >= block->at && bits - block->at < block->size) {
            cxf_say_number(c, i);
            cxf_say_number(c, bits - block->at);
            return;
        }
    }
    cxf_say_number(c, 1);
}

/* Stores a tag of callbacks. */
static inline void cxf_put_tag(cxf_call *c, uintptr_t at)
{
    if (cxf.registrations + 1 < sizeof cxf.is_quiet) cxf.registrations++;
    if (c->registration == 0) c->registration = cxf.registrations;
    cxf_store(at, cxf.registrations, sizeof(void *));
}

/* Hashes a received tag. */
static inline void cxf_see_tag(cxf_call *c, uintptr_t at)
{
    const uint64_t bits = cxf_bits(at, sizeof(void *));
    if (bits < sizeof cxf.is_quiet) c->is_quiet |= cxf.is_quiet[bits];
    cxf_say_number(c, bits);
}

/* ---- Calls and sequences -------------------------------------------------------------------------------------------- */

/* Registers the memory of the arguments of a call. */
static inline void cxf_begin(cxf_call *c, const void *arguments, size_t size)
{
    cxf_know(c, (uintptr_t)arguments, size);
}

/* Prepares for a call that is about to be made. */
static inline void cxf_make(cxf_call *c)
{
    for (uint32_t i = c->registration; i != 0 && i <= cxf.registrations; i++) cxf.is_quiet[i] = c->is_async;
    errno = 0;
}

/* Ends the objects and memory that a call took, at once if the call is asynchronous. */
static inline void cxf_end(cxf_call *c)
{
    const bool is_done = c->has_succeeded || c->is_async;
    if (c->is_async) c->said = 0;
    for (unsigned i = 0; is_done && i < c->taken.count; i++) {
        struct cxf_object *const object = cxf_object_of(c->taken.all[i].kind, c->taken.all[i].bits);
        if (object != NULL && object->references > 0 && --object->references == 0) cxf_end_object((size_t)(object - cxf.objects));
    }
    for (unsigned i = 0; is_done && i < c->ended.count; i++)
        for (size_t n = 0; n < cxf.kept_count; n++)
            if (cxf.kept[n].thing.kind == c->ended.all[i].kind && cxf.kept[n].thing.bits == c->ended.all[i].bits) cxf.kept[n].is_live = false;
    for (unsigned i = 0; is_done && i < c->lent.count; i++)
        cxf_remember(c->lent.all[i].kind, c->lent.all[i].bits, c->lent.all[i].size);
}

/* The guest library calls this for each call that is not made. The real library never does. */
__attribute__((visibility("default"))) void cx_remote_not_made(const char *library, const char *function);
__attribute__((visibility("default"))) void cx_remote_not_made(const char *library, const char *function)
{
    (void)library;
    (void)function;
    if (pthread_equal(pthread_self(), cxf.thread) && cxf.running != NULL) cxf.running->is_refused = true;
}

/* Makes a call, with smaller numbers if the first ones were too large. Returns false if no arguments fit. */
static inline bool cxf_try(const cxf_function *function)
{
    for (unsigned tame = 0; tame < 3; tame++) {
        cxf_call c;
        memset(&c, 0, sizeof c);
        c.tame = tame;
        c.said = 0xCBF29CE484222325u;
        if (cxf.is_verbose) fprintf(stderr, "%*s%s...\n", (int)(4 * cxf.depth), "", function->name);
        cxf_call *const around = cxf.running;
        const cxf_function *const outer = *cxf.within;
        cxf.running = &c;
        *cxf.within = function;
        const bool has_arguments = function->call(&c);
        cxf.running = around;
        *cxf.within = outer;
        const char *const how = !has_arguments ? "left out" : c.is_refused ? "not made" : c.is_async ? "made" : c.has_succeeded ? "succeeded" : "failed";
        if (cxf.is_verbose) fprintf(stderr, "%*s%s: %s, %016llx\n", (int)(4 * cxf.depth), "", function->name, how, (unsigned long long)c.said);
        if (!has_arguments) continue;
        if (c.is_refused) cxf.refused++;
        else cxf.calls++;
        cxf.said = cxf_mixed(cxf.said * 3 + c.said + (uint64_t)(function - cxf.functions));
        return true;
    }
    return false;
}

/* Calls a random function for which arguments exist. */
static inline void cxf_some_call(void)
{
    cxf_call c;
    memset(&c, 0, sizeof c);
    for (unsigned tries = 0; tries < 8; tries++) {
        size_t count = 0;
        const cxf_function *function = NULL;
        for (size_t i = 0; i < cxf.function_count; i++) {
            const bool is_out = cxf.depth > 0 && cxf.is_honest && (cxf.functions[i].flags & CXF_ENDS) != 0;
            if (cxf.is_on[i] && !is_out && cxf_once_in(&c, ++count)) function = &cxf.functions[i];
        }
        if (function == NULL || cxf_try(function)) return;
    }
    cxf.left_out++;
}

/* Begins a callback. */
static inline void cxf_called(cxf_call *c)
{
    memset(c, 0, sizeof *c);
    c->is_callback = true;
    c->said = cxf.seed * 0x100000001B3u ^ 0xCBF29CE484222325u;
    c->is_quiet = !pthread_equal(pthread_self(), cxf.thread);
}

/* Called after the arguments of a callback were hashed. The callback may make a call. Its result depends on the hash only. */
static inline void cxf_answer(cxf_call *c)
{
    c->random = c->said;
    c->tame = 1;
    if (c->is_quiet) return;
    cxf.said = cxf_mixed(cxf.said * 3 + c->said);
    if (cxf.depth == 2 || cxf.nested == 0 || !cxf_once_in(c, 4)) return;
    cxf.nested--;
    cxf.depth++;
    cxf_some_call();
    cxf.depth--;
}

/* Runs the sequence of a seed in a separate process. Returns 0 if the process succeeded. */
static inline int cxf_sequence(uint64_t seed, unsigned calls)
{
    fflush(stdout);
    *cxf.within = NULL;
    const pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(2);
    }
    if (child == 0) {
        /* With invalid arguments a function may never return. */
        alarm(60);
        cxf.seed = cxf_mixed(seed + 1);
        cxf.random = cxf.seed;
        cxf.thread = pthread_self();
        cxf.nested = calls;
        for (unsigned i = 0; i < calls; i++) cxf_some_call();
        printf("seed %llu: %u calls, %u not made, %u left out, %016llx\n", (unsigned long long)seed, cxf.calls, cxf.refused, cxf.left_out,
               (unsigned long long)cxf.said);
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (status == 0) return 0;
    const bool is_signal = WIFSIGNALED(status);
    printf("seed %llu: ended %s %d in %s\n", (unsigned long long)seed, is_signal ? "by signal" : "with status",
           is_signal ? WTERMSIG(status) : WEXITSTATUS(status), *cxf.within != NULL ? (*cxf.within)->name : "no call");
    return 1;
}

/* Returns whether a comma-separated list contains a name. */
static inline bool cxf_lists(const char *list, const char *name)
{
    const size_t size = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ','), at = at != NULL ? at + 1 : NULL)
        if (strncmp(at, name, size) == 0 && (at[size] == ',' || at[size] == 0)) return true;
    return false;
}

/* Returns whether each name of a comma-separated list, or NULL, is that of a function. Logs the first other name. */
static inline bool cxf_knows(const cxf_function *functions, size_t count, const char *list)
{
    for (const char *name = list; name != NULL; name = strchr(name, ',') != NULL ? strchr(name, ',') + 1 : NULL) {
        const int size = (int)strcspn(name, ",");
        size_t n = 0;
        while (n < count && (strncmp(functions[n].name, name, (size_t)size) != 0 || functions[n].name[size] != 0)) n++;
        if (n < count || size == 0) continue;
        fprintf(stderr, "unknown function `%.*s`; `--list` prints the functions that can be called\n", size, name);
        return false;
    }
    return true;
}

/* Selects the functions to call. `only` and `without` are comma-separated names or NULL; `only` leaves out all other functions. */
static inline bool cxf_choose(const cxf_function *functions, size_t count, const char *only, const char *without)
{
    if (!cxf_knows(functions, count, only) || !cxf_knows(functions, count, without)) return false;
    bool *const is_on = (bool *)calloc(count + 1, sizeof *is_on);
    if (is_on == NULL) return false;
    for (size_t n = 0; n < count; n++) {
        const bool is_named = only == NULL || cxf_lists(only, functions[n].name);
        const bool is_unlike = cxf.is_honest && (functions[n].flags & CXF_UNLIKE) != 0;
        is_on[n] = is_named && !(without != NULL && cxf_lists(without, functions[n].name)) && !is_unlike;
    }
    cxf.functions = functions;
    cxf.is_on = is_on;
    cxf.function_count = count;
    return true;
}

/* Makes the calls that an input describes, in this process, with arguments that the library itself accepts. Objects and memory of earlier
 * inputs are not used. */
static inline void cxf_input(const uint8_t *input, size_t size)
{
    static const cxf_function *within;
    cxf.within = &within;
    cxf.object_count = cxf.kept_count = cxf.block_count = cxf.attached_count = 0;
    cxf.registrations = 0;
    cxf.thread = pthread_self();
    cxf.nested = 40;
    cxf.input = input;
    cxf.input_left = size;
    for (unsigned i = 0; i < 400 && cxf.input_left > 0; i++) cxf_some_call();
}

/* The entry of libFuzzer and AFL++. The environment variables CX_FUZZ_FUNCTIONS and CX_FUZZ_WITHOUT select functions. */
static inline int cxf_one_input(const uint8_t *input, size_t size, const cxf_function *functions, size_t count, const cxf_kind *kinds)
{
    cxf.is_honest = true;
    cxf_kinds = kinds;
    if (cxf.functions == NULL && !cxf_choose(functions, count, getenv("CX_FUZZ_FUNCTIONS"), getenv("CX_FUZZ_WITHOUT"))) exit(2);
    if (size > 0) cxf_input(input, size);
    return 0;
}

/* Reads a file and makes the calls that it describes. Returns 2 if it cannot be read. */
static inline int cxf_input_file(const char *path)
{
    static uint8_t bytes[1 << 16];
    FILE *const from = fopen(path, "rb");
    if (from == NULL) {
        perror(path);
        return 2;
    }
    const size_t size = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    if (size > 0) cxf_input(bytes, size);
    printf("input: %u calls, %u not made, %u left out, %016llx\n", cxf.calls, cxf.refused, cxf.left_out, (unsigned long long)cxf.said);
    return 0;
}

static inline int cxf_usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [--seed N] [--count N | --seconds N] [--calls N] [--functions A,B] [--without A,B] [--honest] [--verbose]\n"
            "       [--input FILE]\n"
            "\n"
            "Calls functions of the library in random order. Each seed is one sequence of calls in a separate process.\n"
            "--calls: calls in a sequence, default 40. --count: number of seeds, default 100. --seconds: run new seeds for this time.\n"
            "--honest: pass only arguments that the library itself accepts. --verbose: log each call to standard error. --list: print\n"
            "the functions that can be called. --input: let the bytes of a file choose the calls, in this process, as for AFL++.\n",
            program);
    return 2;
}

/* The main function of the fuzzer. */
static inline int cxf_main(int argc, char **argv, const cxf_function *functions, size_t count, const cxf_kind *kinds)
{
    uint64_t seed = 1, seeds = 100, seconds = 0, calls = 40;
    const char *only = NULL, *without = NULL, *input = NULL;
    int failures = 0;
    for (int i = 1; i < argc; i++) {
        const char *const option = argv[i];
        if (strcmp(option, "--honest") == 0) { cxf.is_honest = true; continue; }
        if (strcmp(option, "--verbose") == 0) { cxf.is_verbose = true; continue; }
        if (strcmp(option, "--list") == 0) {
            for (size_t n = 0; n < count; n++) puts(functions[n].name);
            return 0;
        }
        if (++i == argc) return cxf_usage(argv[0]);
        char *end = argv[i];
        const uint64_t number = strtoull(argv[i], &end, 0);
        const bool is_number = *argv[i] != 0 && *end == 0;
        if (strcmp(option, "--functions") == 0) only = argv[i];
        else if (strcmp(option, "--without") == 0) without = argv[i];
        else if (strcmp(option, "--input") == 0) input = argv[i];
        else if (strcmp(option, "--seed") == 0 && is_number) seed = number;
        else if (strcmp(option, "--count") == 0 && is_number) seeds = number;
        else if (strcmp(option, "--seconds") == 0 && is_number) seconds = number;
        else if (strcmp(option, "--calls") == 0 && is_number) calls = number;
        else return cxf_usage(argv[0]);
    }
    void *const within = mmap(NULL, sizeof *cxf.within, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cxf.is_honest |= input != NULL;
    if (within == MAP_FAILED || !cxf_choose(functions, count, only, without)) return 2;
    cxf.within = (const cxf_function **)within;
    cxf_kinds = kinds;
    if (input != NULL) return cxf_input_file(input);
    const time_t first = time(NULL);
    for (uint64_t n = 0; seconds > 0 ? (uint64_t)(time(NULL) - first) < seconds : n < seeds; n++)
        failures += cxf_sequence(seed + n, (unsigned)calls);
    return failures > 0;
}

#endif
