/* A header for specs/tinycl.cxspec: the declarations are those that the C backend derives, which the test puts in. */
#ifndef TINYCL_H
#define TINYCL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef struct { uint32_t x, y, w, h; } tcl_Region;
typedef struct tcl_context_s *tcl_Context;
typedef struct tcl_queue_s *tcl_Queue;
typedef struct tcl_buffer_s *tcl_Buffer;
typedef struct tcl_event_s *tcl_Event;
#ifdef __cplusplus
extern "C" {
#endif
#include "tinycl_prototypes.h"
#ifdef __cplusplus
}
#endif
#endif
