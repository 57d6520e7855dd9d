/* A header for specs/rows.cxspec: the declarations are those that the C backend derives, which the test puts in. */
#ifndef ROWS_H
#define ROWS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if X != 1
#error "the flags of the specification are not there"
#endif
#define ROWS_API __attribute__((used))
typedef struct r_dev_s *r_Dev;
typedef struct r_stream_s *r_Stream;
typedef struct { size_t n; const uint8_t *p; } r_Bytes;
typedef union { int64_t i; const char *s; r_Bytes b; r_Dev h; } r_Val;
typedef struct { uint8_t kind; r_Val v; uint8_t pad[3][2]; uint32_t n; uint32_t tail[1]; } r_Ev;
typedef struct {
    void (*open)(void *user, const r_Ev *ev);
    void (*log)(int level, const char *msg);
    void *user;
    void (*free)(void *p);
} r_Ops;
struct cxs_stream;
#ifdef __cplusplus
extern "C" {
#endif
/* What the texts call. */
#define UNUSED __attribute__((unused))
UNUSED static int trace(long value) { return value > 0; }
UNUSED static void a(void) {}
UNUSED static void b(void) {}
UNUSED static void c(void) {}
UNUSED static void d(void) {}
UNUSED static void e(void) {}
UNUSED static void s(void) {}
UNUSED static void r(void) {}
UNUSED static void q(void) {}
#include "rows_prototypes.h"
#ifdef __cplusplus
}
#endif
#endif
