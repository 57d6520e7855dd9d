#include <stddef.h>
unsigned char *p_buffer(void);
size_t p_fill(unsigned char *b, size_t cap);
int p_sum(const unsigned char *b, size_t n);
int p_own_sum(void);
