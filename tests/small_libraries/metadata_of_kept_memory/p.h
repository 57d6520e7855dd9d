#include <stddef.h>
typedef struct {
    int n;
} p_s;
int p_begin(p_s *s);
int p_note(p_s *s, size_t n);
int p_size(p_s *s);
int p_end(p_s *s);
