/* dot.h
 * Generated from org.example.dsp:Dot by cxc; do not edit.
 */
#ifndef CX_GENERATED_org_example_dsp__Dot_H
#define CX_GENERATED_org_example_dsp__Dot_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Wrapping 32-bit dot product; hardware when MulAcc opens, else the generated fallback. */
uint32_t dot_dotp(const uint32_t *a, const uint32_t *b, size_t n);

/** Closes what these functions have opened on the calling thread; they open it again when they want it. Not for what they call. */
void dot_cx_close(void);

#ifdef __cplusplus
}
#endif
#endif
