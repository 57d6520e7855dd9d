/* Uses interfaces by the CX API, and prints the results. The second argument states where their CXUs are: `local`, or the text
 * that reaches a worker. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cx.h"
#include "cx_remote_cxu.h"

#include "bk.h"
#include "mulacc.h"
#include "own.h"
#include "plain.h"
#include "tile.h"

#define CHECK(condition)                                                                                                        \
    do {                                                                                                                        \
        if (!(condition)) {                                                                                                     \
            fprintf(stderr, "%s:%d: %s (%s; %s)\n", __FILE__, __LINE__, #condition, cx_last_error_string(), cxr_cxu_error()); \
            _exit(1);                                                                                                           \
        }                                                                                                                       \
    } while (0)

typedef unsigned long long number; /* for printf */

static const struct cx_soft_cxu *const LOCAL[] = {
    &mulacc_soft_cxu, &bk_soft_cxu, &tile_soft_cxu, &own_soft_cxu, &plain_soft_cxu,
};
#define CXUS (sizeof LOCAL / sizeof *LOCAL)
static const struct cx_soft_cxu *used[CXUS];

/* Registers all CXUs. The contract of a CXU is the same wherever it is. */
static void begin(const char *where)
{
    cxr_cxus *cxus = NULL;
    if (strcmp(where, "local") != 0) {
        CHECK(cxr_cxu_connect(where, &cxus) == CXR_CXU_OK);
        CHECK(cxr_cxu_count(cxus) == CXUS);
    }
    for (size_t n = 0; n < CXUS; n++) {
        const struct cx_soft_cxu *local = LOCAL[n], *cxu = local, *again = NULL;
        if (cxus != NULL) {
            CHECK(cxr_cxu_find(cxus, &local->uuid, CX_XLEN, local->contract, &cxu) == CXR_CXU_OK && cxu != local);
            CHECK(cxr_cxu_at(cxus, n, &again) == CXR_CXU_OK && again == cxu);
        }
        CHECK(strcmp(cxu->name, local->name) == 0 && cxu->xlen == local->xlen && cxu->sharing == local->sharing);
        CHECK(cxu->flags == local->flags && cxu->state_words == local->state_words);
        CHECK(!cxu->csr == !local->csr && !cxu->flex == !local->flex && !cxu->save == !local->save);
        CHECK(cx_soft_register(cxu) == CX_ERROR_NONE);
        used[n] = cxu;
    }
}

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed * 0x2545F4914F6CDD1Dull;
}

/* Prints a result, and the bits that the operation added to cx_status. */
static void show(const char *what, number value)
{
    uint32_t status = cx_status_clear(~0u);
    printf("%s %llx, %x\n", what, value, status);
}

/* Issues each command by its name in the bindings. */
static void named(void)
{
    cx_sel_t mulacc = cx_open(&mulacc_uuid, cx_open_exclusive), bk = cx_open(&bk_uuid, cx_open_shared);
    cx_sel_t own = cx_open(&own_uuid, cx_open_exclusive), tile = cx_open(&tile_uuid, cx_open_shared);
    cx_sel_t plain = cx_open(&plain_uuid, cx_open_shared);
    CHECK(mulacc > 0 && bk > 0 && own > 0 && tile > 0 && plain > 0);
    cx_select(mulacc);
    show("mul", mulacc_mul(3, 4));
    show("mulacc", mulacc_mulacc(5, (cx_word_t)-6));
    show("status word", mulacc_read_status());
    show("no such command", cx_issue(77, 1, 2));
    show("no such CSR", cx_csr(CX_CSR_READ, 0x840, 0));
    cx_select(bk);
    show("crc", bk_crc32_b(~0u, 0x61));
    show("popcnt", bk_popcnt(0xF0F0));
    show("ror", bk_ror(1, 1));
    show("division by nothing", bk_divchk(1, 0));
    show("bytes of no state", cx_save(NULL, 0));
    cx_select(plain);
    show("odd", plain_odd(3));
    show("odd", plain_odd(4));
    cx_select(own);
    show("own", own_add(7, -1));
    show("fails", own_fail(1));
    show("its error", own_read_status());
    own_third(1, 2, 31);
    own_second(1, -16);
    own_far(0x7FFF);
    show("flex", own_peek());
    show("csr", own_own_mode_swap(2));
    show("csr", own_own_mode_set(1));
    show("csr", own_own_mode_clear(2));
    show("csr", own_own_mode_read());
    cx_select(tile);
    for (unsigned k = 0; k < 256; k += (unsigned)sizeof(cx_word_t)) {
        tile_put((uint16_t)k, (cx_word_t)0x0102030405060708ull * k);
        tile_put((uint16_t)(256 + k), (cx_word_t)0x807F60402010FF01ull + k);
    }
    show("mma", tile_mma(4));
    show("get", (uint32_t)tile_get(17));
    tile_tilemode_write(1);
    show("info", tile_tileinfo_read());
    show("read only", cx_csr(CX_CSR_WRITE, tile_csr_tileinfo, 1));
    tile_put(1, 0);
    show("no such tile", 0);
    show("off", tile_write_status(0));
    show("get", (uint32_t)tile_get(17));
    tile_write_status(1);
    cx_select(cx_sel_builtin);
    cx_close(mulacc);
    cx_close(bk);
    cx_close(own);
    cx_close(tile);
    cx_close(plain);
    /* Calls that a decoder of instructions makes. */
    cx_reg_t rs2 = 9;
    const struct cx_soft_cxu *decoded = used[3];
    printf("decoded %x", decoded->flex(own_id_third, 0x5A5A, &rs2));
    printf(" %llx", (number)rs2);
    printf(" %x", decoded->flex(own_id_second, 0x7C1F, &rs2));
    printf(" %llx\n", (number)rs2);
}

struct instance {
    const struct cx_soft_cxu *cxu;
    cx_open_flags flags;
    cx_sel_t sel;
};

/* Issues random commands, accesses and images, and creates and ends states. Returns a checksum of the results. */
static uint64_t anything(uint64_t seed, unsigned rounds, bool prints)
{
    struct instance all[] = {
        {used[0], cx_open_exclusive, cx_sel_invalid}, {used[0], cx_open_exclusive, cx_sel_invalid},
        {used[0], cx_open_exclusive, cx_sel_invalid}, {used[1], cx_open_shared, cx_sel_invalid},
        {used[2], cx_open_shared, cx_sel_invalid},    {used[3], cx_open_exclusive, cx_sel_invalid},
        {used[3], cx_open_exclusive, cx_sel_invalid}, {used[4], cx_open_shared, cx_sel_invalid},
    };
    size_t count = sizeof all / sizeof *all;
    static const uint32_t FUNCTIONS[] = {0, 1, 2, 3, 4, 5, 6, 14, 15, 17, 1020, 1021, 1023, 0, 1, 1022};
    static const uint32_t CSRS[] = {0x810, 0xCC0, 0x840, 0x811};
    cx_word_t *images[3], sum = 0; /* the last image of each interface with a state */
    size_t sizes[3] = {0, 0, 0};
    for (int n = 0; n < 3; n++) CHECK((images[n] = malloc(8192)) != NULL);
    for (unsigned round = 0; round < rounds; round++) {
        size_t n = next(&seed) % count;
        struct instance *one = &all[n];
        if (one->sel == cx_sel_invalid) CHECK((one->sel = cx_open(&one->cxu->uuid, one->flags)) != cx_sel_invalid);
        cx_select(one->sel);
        cx_reg_t a = (cx_reg_t)(next(&seed) >> next(&seed) % 64), b = (cx_reg_t)(next(&seed) >> next(&seed) % 64);
        int kind = one->cxu == used[0] ? 0 : one->cxu == used[2] ? 1 : one->cxu == used[3] ? 2 : -1;
        cx_word_t got = 0;
        switch (next(&seed) % 32) {
        case 0:
            if (n < 3 || n > 4) {
                cx_close(one->sel);
                one->sel = cx_sel_invalid;
            }
            break;
        case 1:
        case 2:
            if (kind < 0) break;
            CHECK((sizes[kind] = cx_save(images[kind], 8192)) > 0);
            for (size_t k = 0; k < sizes[kind] / sizeof(cx_word_t); k++) got = got * 31 + images[kind][k];
            break;
        case 3:
            if (kind >= 0 && sizes[kind] > 0) cx_restore(images[kind], sizes[kind]);
            got = (cx_word_t)cx_last_error();
            break;
        case 4:
        case 5:
            got = (cx_word_t)cx_csr((uint32_t)(a % 4), CSRS[b % 4], (cx_reg_t)next(&seed));
            break;
        default: {
            uint32_t function = FUNCTIONS[next(&seed) % 16];
            if (function == 1022) a = next(&seed) % 4 ? 1 : a; /* off is rare */
            got = (cx_word_t)cx_issue(function, a, b);
        }
        }
        sum = sum * 31 + got * 7 + cx_status_read();
        if (next(&seed) % 8 == 0) cx_status_clear(~0u);
        if (prints && round % 64 == 0) printf("%u: %llx\n", round, (number)sum);
    }
    cx_select(cx_sel_builtin);
    for (size_t n = 0; n < count; n++) {
        if (all[n].sel != cx_sel_invalid) cx_close(all[n].sel);
    }
    for (int n = 0; n < 3; n++) free(images[n]);
    return sum;
}

static void *thread(void *argument)
{
    return (void *)(uintptr_t)anything((uintptr_t)argument, 3000, false);
}

/* Runs everything, also in four threads. */
static void all(void)
{
    pthread_t threads[4];
    named();
    printf("in all %llx\n", (number)anything(20261123, 4000, true));
    for (uintptr_t n = 0; n < 4; n++) CHECK(pthread_create(&threads[n], NULL, thread, (void *)(n + 5)) == 0);
    for (int n = 0; n < 4; n++) {
        void *sum;
        CHECK(pthread_join(threads[n], &sum) == 0);
        printf("thread %d: %llx\n", n, (number)(uintptr_t)sum);
    }
}

/* Saves the image of a changed state to a file, or continues from such a file. */
static void write_image(const char *path)
{
    cx_word_t image[400];
    FILE *file = fopen(path, "wb");
    cx_sel_t tile = cx_open(&tile_uuid, cx_open_shared);
    cx_select(tile);
    tile_put(8, (cx_word_t)0x1122334455667788ull);
    tile_put(256, (cx_word_t)0x0101010101010101ull);
    tile_mma(4);
    tile_tilemode_write(1);
    size_t size = cx_save(image, sizeof image * 2);
    CHECK(file != NULL && size > 0 && fwrite(image, 1, size, file) == size && fclose(file) == 0);
    tile_mma(4);
    printf("%llx %llx\n", (number)(uint32_t)tile_get(3), (number)tile_read_status());
}

static void read_image(const char *path)
{
    static cx_word_t image[1024];
    FILE *file = fopen(path, "rb");
    cx_sel_t tile = cx_open(&tile_uuid, cx_open_shared);
    CHECK(file != NULL);
    size_t size = fread(image, 1, sizeof image, file);
    fclose(file);
    cx_select(tile);
    cx_restore(image, size);
    CHECK(cx_last_error() == CX_ERROR_NONE);
    tile_mma(4);
    printf("%llx %llx\n", (number)(uint32_t)tile_get(3), (number)tile_read_status());
}

static atomic_uint going, lost;

static void *until_lost(void *argument)
{
    (void)argument;
    cx_sel_t own = cx_open(&own_uuid, cx_open_exclusive), plain = cx_open(&plain_uuid, cx_open_shared);
    cx_word_t sum = 0;
    bool says_so = false;
    for (cx_word_t n = 0;; n++) {
        cx_select(own);
        cx_word_t got = own_add(n, 1);
        if (cx_status_read() != 0) {
            CHECK(got == 0 && cx_status_clear(~0u) == CX_STATUS_IC);
            break;
        }
        sum = sum * 31 + (n ^ 1);
        CHECK(got == sum);
        if (n > 100 && !says_so) {
            says_so = true;
            atomic_fetch_add(&going, 1);
        }
    }
    atomic_fetch_add(&lost, 1);
    /* All later commands return the same, with state and without. */
    CHECK(own_peek() == 0 && cx_status_clear(~0u) == CX_STATUS_IC);
    CHECK(own_own_mode_swap(1) == 0 && cx_status_clear(~0u) == CX_STATUS_IC);
    cx_select(plain);
    CHECK(plain_add(1, 2) == 0 && cx_status_clear(~0u) == CX_STATUS_IC);
    return NULL;
}

/* The worker is killed while threads issue commands. */
static void killed(const char *process)
{
    pthread_t threads[4];
    cx_word_t image[2], before[2];
    cx_sel_t mulacc = cx_open(&mulacc_uuid, cx_open_exclusive), late;
    cx_select(mulacc);
    CHECK(mulacc_mul(3, 4) == 12 && cx_save(before, sizeof before) == sizeof before);
    for (int n = 0; n < 4; n++) CHECK(pthread_create(&threads[n], NULL, until_lost, NULL) == 0);
    while (atomic_load(&going) < 4) sched_yield();
    CHECK(kill((pid_t)atol(process), SIGKILL) == 0);
    for (int n = 0; n < 4; n++) CHECK(pthread_join(threads[n], NULL) == 0);
    CHECK(atomic_load(&lost) == 4);
    CHECK(mulacc_mulacc(1, 1) == 0 && cx_status_clear(~0u) == CX_STATUS_IC);
    /* An image that is saved now is all zero, and is refused. */
    memset(image, 0xAA, sizeof image);
    CHECK(cx_save(image, sizeof image) == sizeof image && image[0] == 0 && image[1] == 0);
    cx_restore(image, sizeof image);
    CHECK(cx_last_error() == CX_ERROR_INVALID);
    /* A valid image has no effect without a worker. */
    cx_restore(before, sizeof before);
    CHECK(mulacc_mulacc(1, 1) == 0 && cx_status_clear(~0u) == CX_STATUS_IC);
    late = cx_open(&mulacc_uuid, cx_open_exclusive);
    CHECK(late != cx_sel_invalid);
    cx_select(late);
    CHECK(mulacc_mul(3, 4) == 0 && cx_status_clear(~0u) == CX_STATUS_IC);
    printf("killed\n");
}

/* The child of a fork has a separate connection and none of the states; images restore them. */
static void forked(void)
{
    int status;
    cx_word_t image[2];
    cx_sel_t mulacc = cx_open(&mulacc_uuid, cx_open_exclusive);
    cx_select(mulacc);
    CHECK(mulacc_mul(3, 4) == 12 && cx_save(image, sizeof image) == sizeof image);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(mulacc_mulacc(1, 1) == 0 && cx_status_clear(~0u) == CX_STATUS_IS);
        cx_sel_t other = cx_open(&mulacc_uuid, cx_open_exclusive);
        cx_select(other);
        CHECK(mulacc_mul(5, 5) == 25 && mulacc_mulacc(1, 1) == 26);
        /* Also if a new state has the id of the parent's state. */
        cx_select(mulacc);
        CHECK(mulacc_mulacc(1, 1) == 0 && cx_status_clear(~0u) == CX_STATUS_IS);
        cx_restore(image, sizeof image);
        CHECK(mulacc_mulacc(5, 6) == 42 && cx_status_read() == 0);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(mulacc_mulacc(5, 6) == 42 && cx_status_read() == 0);
    printf("forked\n");
}

#ifdef KEEPS_MEMORY
/* An allocator that neither overwrites nor reuses freed memory. */
void free(void *memory)
{
    (void)memory;
}
#endif

/* More states than the worker has memory for. */
static void full(void)
{
    cx_sel_t all[400];
    unsigned good = 0;
    for (int n = 0; n < 400; n++) {
        all[n] = cx_open(&mulacc_uuid, cx_open_exclusive);
        cx_select(all[n]);
        if (mulacc_mul((cx_word_t)n, 1) == (cx_word_t)n && cx_status_read() == 0) good++;
        else CHECK(cx_status_clear(~0u) == CX_STATUS_IS);
    }
    CHECK(good > 10 && good < 400);
    /* Existing states are kept. */
    for (unsigned n = 0; n < good; n++) {
        cx_select(all[n]);
        CHECK(mulacc_mulacc(1, 1) == n + 1 && cx_status_read() == 0);
    }
    /* Closed states free memory, at any address. */
    for (unsigned n = 0; n < 400; n++) {
        cx_close(all[n]);
        all[n] = cx_sel_invalid;
    }
    void *between[64] = {NULL};
    for (unsigned n = 0; n < 20000; n++) {
        cx_sel_t one = cx_open(&mulacc_uuid, cx_open_exclusive);
        cx_select(one);
        CHECK(mulacc_mul(n, 2) == 2 * n && cx_status_read() == 0);
        cx_close(one);
        free(between[n % 64]);
        between[n % 64] = calloc(1, 16 + n * 37 % 256);
    }
    printf("full\n");
}

#define CROWD 130
static pthread_barrier_t crowd_has_tried;
static atomic_uint crowd_served;

static void *one_of_many(void *argument)
{
    cx_sel_t plain = cx_open(&plain_uuid, cx_open_shared);
    (void)argument;
    cx_select(plain);
    if (plain_add(1, 2) == 3) atomic_fetch_add(&crowd_served, 1);
    else CHECK(cx_status_read() == CX_STATUS_IC);
    pthread_barrier_wait(&crowd_has_tried);
    return NULL;
}

/* More threads than channels: the excess threads get an error, and can issue commands after others have ended. */
static void crowd(void)
{
    pthread_t threads[CROWD];
    CHECK(pthread_barrier_init(&crowd_has_tried, NULL, CROWD) == 0);
    for (int turn = 0; turn < 2; turn++) {
        atomic_store(&crowd_served, 0);
        for (int n = 0; n < CROWD; n++) CHECK(pthread_create(&threads[n], NULL, one_of_many, NULL) == 0);
        for (int n = 0; n < CROWD; n++) CHECK(pthread_join(threads[n], NULL) == 0);
        printf("%u of %d\n", atomic_load(&crowd_served), CROWD);
    }
}

static void refused(const char *where)
{
    cxr_cxus *cxus;
    const struct cx_soft_cxu *cxu;
    uint8_t other[32];
    cx_uuid_t nobody = {1, 2};
    CHECK(cxr_cxu_connect(where, &cxus) == CXR_CXU_OK && *cxr_cxu_error() == 0);
    memcpy(other, mulacc_contract, sizeof other);
    other[0] ^= 0xFF;
    CHECK(cxr_cxu_find(cxus, &mulacc_uuid, CX_XLEN, other, &cxu) == CXR_CXU_CONTRACT && cxu == NULL);
    printf("%s\n", cxr_cxu_error());
    CHECK(cxr_cxu_find(cxus, &nobody, CX_XLEN, NULL, &cxu) == CXR_CXU_ABSENT && cxu == NULL);
    printf("%s\n", cxr_cxu_error());
    CHECK(cxr_cxu_find(cxus, &mulacc_uuid, 96 - CX_XLEN, NULL, &cxu) == CXR_CXU_ABSENT && cxu == NULL);
    CHECK(cxr_cxu_at(cxus, 5, &cxu) == CXR_CXU_ABSENT && cxu == NULL);
    CHECK(cxr_cxu_find(cxus, NULL, CX_XLEN, NULL, &cxu) == CXR_CXU_FAULT);
    CHECK(cxr_cxu_connect(NULL, &cxus) == CXR_CXU_FAULT && cxr_cxu_count(NULL) == 0);
    CHECK(cxr_cxu_find(cxus, &mulacc_uuid, CX_XLEN, NULL, &cxu) == CXR_CXU_OK && cxu != NULL);
    /* The maximum number of descriptors; each connection has separate ones. */
    int code = CXR_CXU_OK;
    unsigned count = 1;
    while (code == CXR_CXU_OK) {
        CHECK(cxr_cxu_connect(where, &cxus) == CXR_CXU_OK);
        for (size_t n = 0; n < 5 && code == CXR_CXU_OK; n++) {
            code = cxr_cxu_at(cxus, n, &cxu);
            if (code == CXR_CXU_OK) count++;
        }
    }
    CHECK(code == CXR_CXU_FULL && count == CXR_CXU_MOST);
    printf("%s\n", cxr_cxu_error());
}

static int connect_only(const char *where)
{
    cxr_cxus *cxus;
    int code = cxr_cxu_connect(where, &cxus);
    CHECK((cxus == NULL) == (code != CXR_CXU_OK));
    printf("%d: %s\n", code, cxr_cxu_error());
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    const char *what = argv[1], *where = argv[2];
    if (strcmp(what, "refused") == 0) {
        refused(where);
        return 0;
    }
    if (strcmp(what, "connect") == 0) return connect_only(where);
    begin(where);
    if (strcmp(what, "few") == 0) {
        struct cx_platform_cxu few[CXUS];
        for (size_t n = 0; n < CXUS; n++) {
            few[n].uuid = LOCAL[n]->uuid;
            few[n].contexts = LOCAL[n]->state_words > 0;
        }
        CHECK(cx_platform_load(few, CXUS) == CX_ERROR_NONE);
        all();
        struct cx_counters counters;
        anything(1, 200, false);
        cx_read_counters(&counters);
        printf("%d swaps\n", counters.swaps > 50);
    } else if (strcmp(what, "all") == 0) {
        all();
    } else if (strcmp(what, "write") == 0) {
        write_image(argv[3]);
    } else if (strcmp(what, "read") == 0) {
        read_image(argv[3]);
    } else if (strcmp(what, "killed") == 0) {
        killed(argv[3]);
    } else if (strcmp(what, "forked") == 0) {
        forked();
    } else if (strcmp(what, "full") == 0) {
        full();
    } else if (strcmp(what, "crowd") == 0) {
        crowd();
    } else {
        return 2;
    }
    return 0;
}
