/* small_guest.c
 * Generated from test.small:Small by cxc; do not edit.
 *
 * The guest library: each function sends its arguments to the worker and returns the result that the worker sends back.
 */
#include "small_remote.h"

/* The header may also define these functions as macros. */
#undef small_add
#undef small_sum
#undef small_old
#undef small_move
#undef small_open
#undef small_close
#undef small_each
#undef small_watch
#undef small_format
#undef small_control
#undef small_request
#undef small_secret
#undef small_find
#undef small_mix
#undef small_nothing

#define SMALL_CXR_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

extern cxr_guest small_cxr_guest;

/* The header may declare parameters as arrays. */
#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 11
#pragma GCC diagnostic ignored "-Warray-parameter"
#pragma GCC diagnostic ignored "-Wvla-parameter"
#endif

/* The parameters of `replace` have the names of the specification, which may hide others. */
#pragma GCC diagnostic ignored "-Wshadow"

SMALL_CXR_API int small_add(int arg_a, int arg_b)
{
    struct small_cxr_call_add cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_a = arg_a; cxr.arg_b = arg_b;
    cxr_call(&small_cxr_guest, 0, &cxr);
    return cxr.result;
}

SMALL_CXR_API int small_sum(const int arg_values[4])
{
    struct small_cxr_call_sum cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_values = arg_values;
    cxr_call(&small_cxr_guest, 1, &cxr);
    return cxr.result;
}

SMALL_CXR_API int small_old(int arg_n)
{
    struct small_cxr_call_knr cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_n = arg_n;
    cxr_call(&small_cxr_guest, 2, &cxr);
    return cxr.result;
}

SMALL_CXR_API small_point small_move(small_point arg_p, int arg_by)
{
    struct small_cxr_call_move cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_p = arg_p; cxr.arg_by = arg_by;
    cxr_call(&small_cxr_guest, 3, &cxr);
    return cxr.result;
}

SMALL_CXR_API small_handle small_open(const char *arg_name)
{
    struct small_cxr_call_open cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_name = arg_name;
    cxr_call(&small_cxr_guest, 4, &cxr);
    return cxr.result;
}

SMALL_CXR_API void small_close(small_handle arg_thing)
{
    struct small_cxr_call_close cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_thing = arg_thing;
    cxr_call(&small_cxr_guest, 5, &cxr);
}

SMALL_CXR_API int small_each(const int *arg_values, int arg_n, small_visit arg_visit)
{
    struct small_cxr_call_each cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_values = arg_values; cxr.arg_n = arg_n; cxr.arg_visit = arg_visit;
    cxr_call(&small_cxr_guest, 6, &cxr);
    return cxr.result;
}

SMALL_CXR_API void small_watch(small_note arg_note, void *arg_user)
{
    struct small_cxr_call_watch cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_note = arg_note; cxr.arg_user = arg_user;
    cxr_call(&small_cxr_guest, 7, &cxr);
}

SMALL_CXR_API int small_format(char *text, const char *format, ...)
{
    (void)text; (void)format;
    va_list list; int n;
    va_start(list, format); n = vsnprintf(text, 64, format, list); va_end(list);
    return n;
}

SMALL_CXR_API int small_control(int arg_operation, ...)
{
    struct small_cxr_call_control cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_operation = arg_operation;
    va_list cxr_list;
    va_start(cxr_list, arg_operation);
    const long long cxr_case = (long long)arg_operation;
    if (cxr_case == 1ll) {
        cxr.arg_0_x = va_arg(cxr_list, int);
    } else if ((cxr_case >= -9ll && cxr_case <= -2ll) || cxr_case == 4ll) {
        cxr.arg_1_f = (float)va_arg(cxr_list, double);
        cxr.arg_1_c = (uint8_t)va_arg(cxr_list, int);
        cxr.arg_1_p = va_arg(cxr_list, const char *);
    } else if (cxr_case == 0ll || (cxr_case >= 2ll && cxr_case <= 3ll)) {
    } else {
    }
    va_end(cxr_list);
    cxr_call(&small_cxr_guest, 9, &cxr);
    return cxr.result;
}

SMALL_CXR_API int small_request(unsigned long long arg_number, ...)
{
    struct small_cxr_call_request cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_number = arg_number;
    va_list cxr_list;
    va_start(cxr_list, arg_number);
    const long long cxr_case = (long long)arg_number;
    if ((cxr_case >= 9223372036854775807ll || cxr_case <= (-9223372036854775807ll - 1))) {
        cxr.arg_0_f = va_arg(cxr_list, double);
    } else if (0) {
    } else if (cxr_case == -1ll) {
        cxr.arg_2_x = va_arg(cxr_list, int);
    } else {
    }
    va_end(cxr_list);
    cxr_call(&small_cxr_guest, 10, &cxr);
    return cxr.result;
}

int small_secret(int arg_n)
{
    struct small_cxr_call_secret cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_n = arg_n;
    cxr_call(&small_cxr_guest, 11, &cxr);
    return cxr.result;
}

SMALL_CXR_API void *small_find(const char *arg_name)
{
    struct small_cxr_call_find cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_name = arg_name;
    cxr_call(&small_cxr_guest, 12, &cxr);
    return cxr.result;
}

SMALL_CXR_API unsigned long long small_mix(unsigned long long arg_big, int arg_negative, const void *arg_at, uint8_t arg_byte)
{
    struct small_cxr_call_mix cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_big = arg_big; cxr.arg_negative = arg_negative; cxr.arg_at = arg_at; cxr.arg_byte = arg_byte;
    cxr_call(&small_cxr_guest, 13, &cxr);
    return cxr.result;
}

SMALL_CXR_API void small_nothing(void)
{
    struct small_cxr_call_nothing cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr_call(&small_cxr_guest, 14, &cxr);
}

static void small_cxr_invoke_Visit(void *function, void *arguments)
{
    struct small_cxr_callback_Visit *const cxr = (struct small_cxr_callback_Visit *)arguments;
    small_visit target;
    memcpy(&target, &function, sizeof target);
    cxr->result = target(cxr->arg_value);
}

static void small_cxr_invoke_Note(void *function, void *arguments)
{
    struct small_cxr_callback_Note *const cxr = (struct small_cxr_callback_Note *)arguments;
    small_note target;
    memcpy(&target, &function, sizeof target);
    target(cxr->arg_user, cxr->arg_text);
}

static const cxr_invoke small_cxr_callbacks[] = {
    small_cxr_invoke_Visit, small_cxr_invoke_Note,
};

/* The header may declare some functions deprecated. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static const cxr_function small_cxr_functions[] = {
    (cxr_function)small_add, (cxr_function)small_sum, (cxr_function)small_old, (cxr_function)small_move,
    (cxr_function)small_open, (cxr_function)small_close, (cxr_function)small_each, (cxr_function)small_watch,
    (cxr_function)small_format, (cxr_function)small_control, (cxr_function)small_request, (cxr_function)small_secret,
    (cxr_function)small_find, (cxr_function)small_mix, (cxr_function)small_nothing,
};
#pragma GCC diagnostic pop

cxr_guest small_cxr_guest = {
    &small_cxr_library, small_cxr_callbacks, small_cxr_functions, "small_worker", NULL,
};

/* The loader's path of this library may be relative: it is resolved before the program changes its working directory. */
__attribute__((constructor)) static void small_cxr_loaded(void)
{
    cxr_loaded(&small_cxr_guest);
}

#ifdef __cplusplus
}
#endif
