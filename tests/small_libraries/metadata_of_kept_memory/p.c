#include "p.h"

int p_begin(p_s *s) {
    s[0].n = s[1].n = 0;
    return 0;
}
int p_note(p_s *s, size_t n) { return s->n = (int)n; }
int p_size(p_s *s) { return s->n; }
int p_end(p_s *s) { return s[0].n + s[1].n; }
