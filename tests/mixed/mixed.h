#ifndef MIXED_H
#define MIXED_H
#include <stdint.h>
int mixed_process(void);
int32_t mixed_step(int32_t x);
int mixed_steps(void);
int32_t mixed_dot(const int32_t *a, const int32_t *b, unsigned n);
int32_t mixed_walk(const int32_t *a, unsigned n);
int32_t mixed_both(const int32_t *a, unsigned n);
int32_t mixed_text(int32_t x);
#endif
