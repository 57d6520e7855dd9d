/* The functions of the library in C; the C backend generates the others. */
#define _GNU_SOURCE
#include <unistd.h>
#include "mixed.h"

static int count, sum;

int mixed_process(void) { return getpid(); }
int32_t mixed_step(int32_t x) { count++; return sum += x; }
int mixed_steps(void) { return count; }
int32_t mixed_text(int32_t x) { return x * x; }
