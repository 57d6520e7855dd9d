/* The CX API from C11 and from C++17. Prints the line of each check that fails. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cx.h"
#include "mulacc.h"

static int failures;
#define CHECK(x) ((x) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #x)))
/* The last call failed, with this error and errno. */
#define SAYS(word) (strstr(cx_last_error_string(), word) != NULL)
#define FAILED(error, number) (cx_last_error() == (error) && errno == (number) && cx_last_error_string()[0] != 0)

static const uuid_t mulacc_uuid = {MULACC_HIGH, MULACC_LOW};
static const uuid_t shared_uuid = {MULACC_HIGH, 2};
static const uuid_t adder_uuid = {MULACC_HIGH, 3};
static const uuid_t absent_uuid = {1, 1};

static cx_sel_t sel_of(int value) { return (cx_sel_t)value; }

static void registration(void) {
    struct cx_soft_cxu bad;
    CHECK(cx_open(&mulacc_uuid, cx_open_exclusive) == cx_sel_invalid && FAILED(CX_ERROR_NO_DEVICE, ENODEV));
    CHECK(cx_soft_register(&mulacc_soft) == CX_ERROR_NONE);
    CHECK(cx_soft_register(&mulacc_soft) == CX_ERROR_NONE && cx_last_error() == CX_ERROR_NONE);
    CHECK(cx_soft_register(&mulacc_soft_twin) == CX_ERROR_BUSY && FAILED(CX_ERROR_BUSY, EBUSY));
    CHECK(SAYS("another CXU has this UUID"));
    CHECK(cx_soft_register(&shared_soft) == CX_ERROR_NONE);
    CHECK(cx_soft_register(&adder_soft) == CX_ERROR_NONE);
    CHECK(cx_soft_register(NULL) == CX_ERROR_FAULT && FAILED(CX_ERROR_FAULT, EFAULT));
#define REFUSED(field, value, word) \
    (bad = mulacc_soft, bad.field = (value), cx_soft_register(&bad) == CX_ERROR_INVALID \
     && FAILED(CX_ERROR_INVALID, EINVAL) && SAYS(word))
    CHECK(REFUSED(abi_version, 1, "version"));
    CHECK(REFUSED(struct_size, 8, "size"));
    CHECK(REFUSED(xlen, 128, "XLEN"));
    CHECK(REFUSED(sharing, 9, "sharing"));
    CHECK(REFUSED(issue, NULL, "function"));
    CHECK(REFUSED(save, NULL, "function"));
    CHECK(REFUSED(state_size, 0, "state_size"));
}

static void csrs(void) {
    cx_sel_t mac = cx_open(&mulacc_uuid, cx_open_exclusive), add = cx_open(&adder_uuid, cx_open_shared);
    cx_select(mac);
    CHECK(mulacc_mul(3, 4) == 12);
    CHECK(cx_csr(CX_CSR_READ, 0x810, 99) == 12 && cx_csr(CX_CSR_WRITE, 0x810, 5) == 12);
    CHECK(cx_csr(CX_CSR_SET, 0x810, 10) == 5 && cx_csr(CX_CSR_CLEAR, 0x810, 6) == 15);
    CHECK(mulacc_mulacc(0, 0) == 9 && cx_csr(CX_CSR_READ, 0xCC0, 0) == 1);
    CHECK(cx_status_read() == 0);
    CHECK(cx_csr(CX_CSR_WRITE, 0xCC0, 1) == 0 && cx_status_clear(CX_STATUS_IF) == CX_STATUS_IF);
    CHECK(cx_csr(4, 0x810, 1) == 0 && cx_status_clear(CX_STATUS_IF) == CX_STATUS_IF);
    mulacc_write_status(0);
    CHECK(cx_csr(CX_CSR_READ, 0x810, 0) == 0 && cx_status_clear(CX_STATUS_OF) == CX_STATUS_OF);
    cx_select(add); /* without CSRs */
    CHECK(cx_csr(CX_CSR_READ, 0x810, 0) == 0 && cx_status_clear(CX_STATUS_IF) == CX_STATUS_IF);
    cx_select(cx_sel_builtin);
    CHECK(cx_csr(CX_CSR_READ, 0x810, 0) == 0 && cx_status_clear(CX_STATUS_IF) == CX_STATUS_IF);
    cx_select(cx_sel_invalid);
    CHECK(cx_csr(CX_CSR_READ, 0x810, 0) == 0 && cx_status_clear(CX_STATUS_IC) == CX_STATUS_IC);
    cx_select(cx_sel_builtin);
    CHECK(cx_status_read() == 0);
    cx_close(mac);
    cx_close(add);
}

static void selection(void) {
    cx_sel_t one, two;
    CHECK(cx_get_sel() == cx_sel_builtin);
    one = cx_open(&mulacc_uuid, cx_open_exclusive | cx_open_ucontext);
    two = cx_open(&mulacc_uuid, cx_open_exclusive);
    CHECK(one >= cx_sel_first_cx && two >= cx_sel_first_cx && one != two);
    CHECK(cx_sel_is_cx(one) && cx_sel_is_cx(two));
    CHECK(!cx_sel_is_cx(cx_sel_builtin) && !cx_sel_is_cx(cx_sel_invalid) && !cx_sel_is_cx(sel_of(1023)));
    CHECK(cx_select(one) == cx_sel_builtin && cx_get_sel() == one);
    CHECK(mulacc_mul(3, 4) == 12);
    CHECK(cx_select(two) == one);
    CHECK(mulacc_mulacc(1, 1) == 1);
    CHECK(cx_select(one) == two);
    CHECK(mulacc_mulacc(5, 6) == 42);
    CHECK(mulacc_mul((cx_word_t)-1, 2) == (cx_word_t)-2);
    CHECK(cx_status_read() == 0);
    cx_close(two);
    CHECK(cx_last_error() == CX_ERROR_NONE && !cx_sel_is_cx(two) && mulacc_read_status() == (3u | 1u << 2));
    cx_close(two);
    CHECK(FAILED(CX_ERROR_BAD_SELECTOR, EBADF));
    cx_close(one); /* while it is selected */
    CHECK(cx_get_sel() == one && !cx_sel_is_cx(one));
    CHECK(mulacc_mul(3, 4) == 0 && cx_status_read() == CX_STATUS_IC);
    one = cx_open(&mulacc_uuid, cx_open_exclusive);
    CHECK(cx_select(one) != one);
    CHECK(mulacc_mulacc(0, 0) == 0 && mulacc_read_status() == (3u | 1u << 2)); /* a fresh state */
    cx_close(one);
    cx_close(cx_sel_builtin);
    CHECK(FAILED(CX_ERROR_BAD_SELECTOR, EBADF));
    cx_close(cx_sel_invalid);
    CHECK(FAILED(CX_ERROR_BAD_SELECTOR, EBADF));
    CHECK(cx_status_clear(CX_STATUS_IC) == CX_STATUS_IC && cx_status_read() == 0);
    cx_select(cx_sel_builtin);
    CHECK(cx_open(NULL, cx_open_shared) == cx_sel_invalid && FAILED(CX_ERROR_FAULT, EFAULT));
    CHECK(cx_open(&mulacc_uuid, (cx_open_flags)64) == cx_sel_invalid && FAILED(CX_ERROR_INVALID, EINVAL));
    CHECK(cx_open(&mulacc_uuid, cx_open_shared) == cx_sel_invalid && FAILED(CX_ERROR_PERMISSION, EACCES));
    CHECK(cx_open(&shared_uuid, cx_open_exclusive) == cx_sel_invalid && FAILED(CX_ERROR_PERMISSION, EACCES));
    CHECK(cx_open(&absent_uuid, cx_open_shared) == cx_sel_invalid && FAILED(CX_ERROR_NO_DEVICE, ENODEV));
}

static void sharing(void) {
    cx_sel_t one = cx_open(&shared_uuid, cx_open_shared), two = cx_open(&shared_uuid, cx_open_shared), old;
    CHECK(cx_sel_is_cx(one) && one == two);
    cx_select(one);
    CHECK(mulacc_mul(2, 3) == 6);
    cx_close(one);
    CHECK(cx_sel_is_cx(two) && mulacc_mulacc(1, 1) == 7);
    cx_close(two);
    CHECK(!cx_sel_is_cx(two));
    CHECK(cx_select(cx_sel_builtin) == two);
    old = two;
    one = cx_open(&shared_uuid, cx_open_shared);
    CHECK(one != old && cx_select(old) == cx_sel_builtin); /* selecting never fails */
    CHECK(cx_get_sel() == old && mulacc_mul(1, 1) == 0 && cx_status_write(0) == CX_STATUS_IC);
    cx_select(cx_sel_builtin);
    cx_close(one);
    one = cx_open(&adder_uuid, cx_open_shared);
    two = cx_open(&adder_uuid, cx_open_exclusive);
    CHECK(cx_sel_is_cx(one) && cx_sel_is_cx(two) && one != two && cx_open(&adder_uuid, cx_open_shared) == one);
    cx_close(one);
    cx_close(one);
    old = cx_open(&adder_uuid, cx_open_shared); /* the exclusive one, which is older, is not given out */
    CHECK(cx_sel_is_cx(old) && old != two);
    cx_close(old);
    cx_close(two);
}

static void status(void) {
    cx_sel_t sel = cx_open(&adder_uuid, cx_open_shared), mac;
    cx_select(sel);
    CHECK(cx_issue(0, 20, 22) == 42 && cx_status_read() == 0);
    CHECK(cx_issue(5, 0, 0) == 55 && cx_status_read() == CX_STATUS_OP); /* a value with an error */
    CHECK(cx_issue(9, 0, 0) == 0 && cx_status_read() == (CX_STATUS_OP | CX_STATUS_IF));
    CHECK(cx_issue(0, 1, 1) == 2 && cx_status_read() == (CX_STATUS_OP | CX_STATUS_IF));
    CHECK(cx_status_clear(CX_STATUS_OP) == (CX_STATUS_OP | CX_STATUS_IF));
    CHECK(cx_status_write(0xFFFFFFFFu) == CX_STATUS_IF && cx_status_write(0) == 0x7F);
    CHECK(cx_issue(6, 0, 0) == 0 && cx_status_write(0) == CX_STATUS_IC);
    cx_close(sel);
    cx_select(cx_sel_builtin);
    CHECK(cx_issue(0, 1, 1) == 0 && cx_status_write(0) == CX_STATUS_IF);
    cx_select(cx_sel_invalid);
    CHECK(cx_get_sel() == cx_sel_invalid && cx_issue(0, 1, 1) == 0 && cx_status_write(0) == CX_STATUS_IC);
    cx_select(sel_of(1023));
    CHECK(cx_issue(0, 1, 1) == 0 && cx_status_write(0) == CX_STATUS_IC);
    mac = cx_open(&mulacc_uuid, cx_open_exclusive);
    cx_select(mac);
    mulacc_write_status(0);
    CHECK(mulacc_mul(2, 2) == 0 && cx_status_write(0) == CX_STATUS_OF);
    cx_select(cx_sel_builtin);
    cx_close(mac);
}

static void images(void) {
    cx_word_t image[4] = {0, 0, 0, 0};
    unsigned char bytes[4 * sizeof(cx_word_t)];
    const size_t size = 2 * sizeof(cx_word_t);
    cx_sel_t sel = cx_open(&mulacc_uuid, cx_open_exclusive);
    CHECK(cx_save(NULL, 0) == 0 && cx_last_error() == CX_ERROR_NONE); /* built-in */
    CHECK(cx_save(image, sizeof image) == 0 && cx_last_error() == CX_ERROR_NONE);
    cx_restore(image, sizeof image);
    CHECK(cx_last_error() == CX_ERROR_NONE);
    cx_select(sel);
    CHECK(cx_save(NULL, 0) == size);
    CHECK(mulacc_mul(6, 7) == 42);
    CHECK(cx_save(image, size - 1) == 0 && FAILED(CX_ERROR_INVALID, EINVAL) && image[0] == 0 && image[1] == 0);
    CHECK(SAYS("the memory is smaller"));
    CHECK(cx_save(image, sizeof image) == size && image[0] == (3u | 1u << 2) && image[1] == 42 && image[2] == 0);
    CHECK(mulacc_mul(1, 1) == 1);
    cx_restore(image, size - 1);
    CHECK(FAILED(CX_ERROR_INVALID, EINVAL) && SAYS("the image is smaller") && mulacc_mulacc(0, 0) == 1);
    image[0] ^= 2u << 2; /* another state size */
    cx_restore(image, size);
    CHECK(FAILED(CX_ERROR_INVALID, EINVAL) && SAYS("state words") && mulacc_mulacc(0, 0) == 1);
    image[0] ^= 2u << 2;
    cx_restore(NULL, size);
    CHECK(cx_last_error() == CX_ERROR_NONE && mulacc_mulacc(0, 0) == 1);
    cx_restore(image, size);
    CHECK(cx_last_error() == CX_ERROR_NONE && mulacc_mulacc(0, 0) == 42);
    CHECK(cx_save(bytes + 1, size) == size); /* not aligned */
    CHECK(memcmp(bytes + 1, image, size) == 0);
    mulacc_mul(0, 0);
    cx_restore(bytes + 1, size);
    CHECK(mulacc_mulacc(0, 0) == 42);
    cx_close(sel);
    CHECK(cx_save(NULL, 0) == 0 && FAILED(CX_ERROR_BAD_SELECTOR, EBADF)); /* a stale selection */
    CHECK(cx_save(image, sizeof image) == 0 && FAILED(CX_ERROR_BAD_SELECTOR, EBADF));
    errno = 0;
    cx_restore(image, sizeof image);
    CHECK(FAILED(CX_ERROR_BAD_SELECTOR, EBADF));
    sel = cx_open(&adder_uuid, cx_open_shared);
    cx_select(sel);
    CHECK(cx_save(NULL, 0) == 0 && cx_last_error() == CX_ERROR_NONE);
    cx_select(cx_sel_builtin);
    cx_close(sel);
}

static void table(void) {
    static cx_sel_t all[1022];
    cx_sel_t again;
    int i, sum = 0;
    for (i = 0; i < 1022; i++) {
        all[i] = cx_open(&mulacc_uuid, cx_open_exclusive);
        sum += cx_sel_is_cx(all[i]) ? 1 : 0;
    }
    CHECK(sum == 1022);
    CHECK(cx_open(&mulacc_uuid, cx_open_exclusive) == cx_sel_invalid && FAILED(CX_ERROR_TABLE_FULL, EMFILE));
    cx_close(all[7]);
    cx_close(all[5]);
    again = cx_open(&mulacc_uuid, cx_open_exclusive); /* first in, first out */
    CHECK((again & 1023) == (all[7] & 1023) && again != all[7] && !cx_sel_is_cx(all[7]) && cx_sel_is_cx(again));
    cx_close(again);
    for (i = 0; i < 1022; i++) cx_close(all[i]);
    for (i = 0; i < 1022; i++) sum -= cx_sel_is_cx(all[i]) ? 0 : 1;
    CHECK(sum == 0);
}

static void *other_thread(void *result) {
    cx_sel_t sel;
    cx_word_t i, total = 0;
    int *good = (int *)result;
    *good = cx_get_sel() == cx_sel_builtin && cx_status_read() == 0;
    sel = cx_open(&mulacc_uuid, cx_open_exclusive);
    *good = *good && sel == cx_sel_first_cx; /* selectors are the thread's own */
    cx_select(sel);
    for (i = 0; i < 1000; i++) total = mulacc_mulacc(i, 2);
    *good = *good && total == 999000;
    return NULL; /* the thread's end closes it */
}

/* A number that is selected before it is open leads to the CX from then on. */
static void *early_thread(void *result) {
    int *good = (int *)result;
    cx_select(cx_sel_first_cx);
    *good = mulacc_mul(3, 4) == 0 && cx_status_write(0) == CX_STATUS_IC;
    *good = *good && cx_open(&mulacc_uuid, cx_open_exclusive) == cx_sel_first_cx && cx_get_sel() == cx_sel_first_cx;
    *good = *good && mulacc_mul(3, 4) == 12 && cx_status_read() == 0;
    return NULL;
}

static void threads(void) {
    pthread_t ids[4];
    int good[4], i;
    cx_sel_t sel = cx_open(&mulacc_uuid, cx_open_exclusive);
    cx_select(sel);
    mulacc_mul(5, 5);
    cx_issue(77, 0, 0);
    for (i = 0; i < 4; i++) CHECK(pthread_create(&ids[i], NULL, other_thread, &good[i]) == 0);
    for (i = 0; i < 4; i++) CHECK(pthread_join(ids[i], NULL) == 0 && good[i]);
    CHECK(pthread_create(&ids[0], NULL, early_thread, &good[0]) == 0 && pthread_join(ids[0], NULL) == 0 && good[0]);
    CHECK(mulacc_mulacc(0, 0) == 25 && cx_status_write(0) == CX_STATUS_IF);
    cx_select(cx_sel_builtin);
    cx_close(sel);
}

int main(void) {
    int error;
    registration();
    csrs();
    selection();
    sharing();
    status();
    images();
    table();
    threads();
    for (error = -1; error < 12; error++) CHECK(cx_error_string(error)[0] != 0);
    CHECK(strstr(cx_error_string(CX_ERROR_TABLE_FULL), "table full") != NULL);
    printf("%d failures\n", failures);
    return failures != 0;
}
