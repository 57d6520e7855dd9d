#include <stddef.h>
typedef struct {
    int n;
} p_s;
int p_note(const p_s *s, size_t n);
p_s *p_made(size_t n);
int p_sum(const p_s *s, const unsigned char *bytes);
