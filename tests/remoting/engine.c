/* Replaces the engine in tests of generated code: a call runs at once in this process, through the worker's thunk. The real
 * library is the file that CXR_TEST_REAL names; the worker is built as a shared library beside the guest. */
#define _GNU_SOURCE
#include "cx_remote.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cxr_worker *worker;
static unsigned long calls;

static void *need(void *pointer, const char *what)
{
    if (pointer == NULL) {
        fprintf(stderr, "engine: no %s: %s\n", what, dlerror());
        abort();
    }
    return pointer;
}

int cxr_worker_main(cxr_worker *mine, int argc, char **argv)
{
    /* Calls within the library must not reach the guest, which is in this process too. */
    void *const real = need(dlopen(getenv("CXR_TEST_REAL"), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND), "real library");
    (void)argc;
    (void)argv;
    worker = mine;
    for (uint32_t i = 0; i < mine->library->function_count; i++) {
        if (mine->symbols[i] == NULL) {
            fprintf(stderr, "engine: function %u has no symbol\n", i);
            abort();
        }
        if (mine->thunks[i] != NULL) {
            void *const symbol = need(dlsym(real, mine->symbols[i]), mine->symbols[i]);
            memcpy(&mine->reals[i], &symbol, sizeof symbol);
        }
    }
    return 0;
}

/* Called by the guest's copy of this file, in the worker's copy. */
__attribute__((visibility("default"))) cxr_worker *cxr_test_worker(void)
{
    return worker;
}

static void say(void)
{
    if (getenv("CXR_TEST_SAY") != NULL) {
        fprintf(stderr, "engine: %lu calls\n", calls);
    }
}

static void start(cxr_guest *guest)
{
    Dl_info info;
    char path[4096];
    if (dladdr(guest, &info) == 0) {
        abort();
    }
    const char *const slash = strrchr(info.dli_fname, '/');
    snprintf(path, sizeof path, "%.*s/%s.so", slash == NULL ? 1 : (int)(slash - info.dli_fname), slash == NULL ? "." : info.dli_fname,
        guest->worker);
    void *const file = need(dlopen(path, RTLD_NOW | RTLD_LOCAL), "worker");
    int (*run)(int, char **);
    cxr_worker *(*get)(void);
    void *symbol = need(dlsym(file, "cxr_test_main"), "main");
    memcpy(&run, &symbol, sizeof symbol);
    symbol = need(dlsym(file, "cxr_test_worker"), "answer");
    memcpy(&get, &symbol, sizeof symbol);
    run(0, NULL);
    guest->state = get();
    atexit(say);
}

void cxr_call(cxr_guest *guest, uint32_t function, void *arguments)
{
    if (guest->state == NULL) {
        start(guest);
    }
    cxr_worker *const other = (cxr_worker *)guest->state;
    if (memcmp(other->library->contract, guest->library->contract, 32) != 0) {
        abort();
    }
    calls++;
    other->thunks[function](arguments);
}

int cxr_callback(cxr_worker *mine, uint32_t callback, uint32_t slot, void *arguments)
{
    (void)mine;
    (void)callback;
    (void)slot;
    (void)arguments;
    abort();
}

void cxr_missing(cxr_guest *guest, const char *function, int mode)
{
    const char *const then = mode == CXR_MISSING_ABORTS ? "aborts" : "returns 0";
    fprintf(stderr, "%s: %s is missing: %s\n", guest->library->name, function, then);
}

void cxr_loaded(cxr_guest *guest)
{
    (void)guest;
}

int cxr_is_worker(void)
{
    return 0;
}
