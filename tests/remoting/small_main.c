/* Calls the functions of small.h through the generated guest and worker, which are parts of this program. The engine below only
 * passes calls from stubs to thunks. */
#include "small_remote.h"

#include <dlfcn.h>
#include <stdio.h>

static cxr_worker *worker;
static small_visit visits[3];
static small_note noted;
static uint32_t registered;

int worker_main(int argc, char **argv);
extern cxr_guest small_cxr_guest;

int cxr_worker_main(cxr_worker *mine, int argc, char **argv)
{
    void *const real = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    worker = mine;
    for (uint32_t i = 0; i < mine->library->function_count; i++) {
        if (mine->symbols[i] != NULL) {
            void *const symbol = dlsym(real, mine->symbols[i]);
            memcpy(&mine->reals[i], &symbol, sizeof symbol);
        }
    }
    return 0;
}

void cxr_call(cxr_guest *guest, uint32_t function, void *arguments)
{
    printf("call %s", worker->symbols[function]);
    if (guest->functions[function] == (cxr_function)small_each) {
        struct small_cxr_call_each *const call = (struct small_cxr_call_each *)arguments;
        visits[registered] = call->arg_visit;
        call->arg_visit = (small_visit)worker->trampolines[0][registered];
        registered = (registered + 1) % worker->trampoline_counts[0];
    } else if (guest->functions[function] == (cxr_function)small_watch) {
        struct small_cxr_call_watch *const call = (struct small_cxr_call_watch *)arguments;
        noted = call->arg_note;
        call->arg_note = (small_note)worker->trampolines[1][0];
    }
    printf("\n");
    worker->thunks[function](arguments);
}

int cxr_callback(cxr_worker *mine, uint32_t callback, uint32_t slot, void *arguments)
{
    void *function = NULL;
    if (callback == 0) {
        memcpy(&function, &visits[slot], sizeof function);
    } else {
        memcpy(&function, &noted, sizeof function);
    }
    printf("callback %u slot %u of %u\n", callback, slot, mine->trampoline_counts[callback]);
    small_cxr_guest.callbacks[callback](function, arguments);
    return 0;
}

void cxr_missing(cxr_guest *guest, const char *function, int mode)
{
    printf("%s has no %s: mode %d\n", guest->library->name, function, mode);
}

void cxr_loaded(cxr_guest *guest)
{
    printf("%s is loaded\n", guest->library->name);
}

/* Positions of a function and of natives, in the order of the specification. */
enum { SECRET = 11, OPERANDS_OF_KNR = 4, OPERANDS_OF_WEIGHED = 5 };

static int negated(int value) { return -value; }
static int tenfold(int value) { return 10 * value; }
static void note(void *user, const char *text) { printf("note %s: %s\n", (const char *)user, text); }

static void native(const char *side, const cxr_library *library, size_t at, void *arguments, const cxr_int *operands)
{
    if (library->natives[at] == NULL) {
        printf("%s native %zu: none\n", side, at);
        return;
    }
    const cxr_int value = library->natives[at](arguments, operands);
    printf("%s native %zu: %lld %llX\n", side, at, (long long)value.high, (unsigned long long)value.low);
}

int main(int argc, char **argv)
{
    static const int values[] = { 1, 2, 3, 4 };
    static char user[] = "user";
    char text[64];
    small_point point = { 40, 7 };

    worker_main(argc, argv);
    printf("%s %s %s, %u functions, %u callbacks, %zu words, %zu texts, %zu natives\n", worker->library->name, worker->library->version,
        worker->library->soname, worker->library->function_count, worker->library->callback_count,
        (size_t)(worker->library->word_count != 0), (size_t)(worker->library->text_count != 0), worker->library->native_count);
    printf("one contract: %d\n", memcmp(worker->library->contract, small_cxr_guest.library->contract, 32) == 0);
    printf("worker %s\n", small_cxr_guest.worker);

    printf("%d\n", (small_add)(2, 3));
    printf("%d\n", small_sum(values));
    printf("%d\n", small_old(21));
    point = small_move(point, 2);
    printf("%d %d\n", point.x, point.tag);
    small_handle thing = small_open("name");
    printf("%d\n", thing != NULL);
    small_close(thing);
    printf("%d\n", small_each(values, 2, negated));
    printf("%d\n", small_each(values, 3, tenfold));
    small_watch(note, user);
    printf("%d", small_format(text, "%s %d", "formatted", 5));
    printf(" %s\n", text);
    printf("%d %d", small_control(1, 77), small_control(4, 0.5, 200, "four"));
    printf(" %d %d\n", small_control(-9, 1.5, 1, ""), small_control(3));
    printf("%d %d", small_request(3), small_request(18446744073709551615u, 5));
    printf(" %d %d\n", small_request(9223372036854775807u, 7.0), small_request(9223372036854775808u, 8.5));
    printf("%d\n", small_find("small_secret") == NULL);
    printf("%d\n", small_cxr_guest.functions[SECRET] == (cxr_function)small_secret);
    printf("%llu\n", small_mix(18446744073709551615u, -1, text, 3));

    struct small_cxr_call_mix mix;
    memset(&mix, 0, sizeof mix);
    mix.arg_big = 18446744073709551615u;
    mix.arg_negative = -5;
    mix.arg_at = (void *)(uintptr_t)0xFFFFFFFFFFFFF000u;
    mix.arg_byte = 9;
    mix.result = 18446744073709551615u - 9;
    const cxr_int operands[] = { { 0xFFFFFFFFFFFFF000u, 0 }, { 9, 0 }, { 18446744073709551615u, 0 } };
    const cxr_int once[] = { { (uint64_t)-5, -1 } };
    const cxr_int clamped[] = { { 9, 0 }, { 9, 0 } };
    for (size_t i = 0; i < worker->library->native_count; i++) {
        const cxr_int *const given = i == OPERANDS_OF_WEIGHED ? operands : i == OPERANDS_OF_KNR ? once : clamped;
        native("guest", small_cxr_guest.library, i, &mix, given);
        native("worker", worker->library, i, &mix, given);
    }
    printf("%d %llu\n", mix.arg_byte, mix.result);
    for (int i = 0; i < CXR_HOOKS; i++) {
        printf("%d%d ", small_cxr_guest.library->hooks[i] != NULL, worker->library->hooks[i] != NULL);
    }
    printf("\n");
    return 0;
}
