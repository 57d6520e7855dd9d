#include <stddef.h>
#include <stdint.h>
#include <string.h>

void hand_ror(uint64_t *dst, const uint64_t *x, const uint8_t *n, size_t count);
void hand_ror_by(uint64_t *dst, const uint64_t *x, uint8_t n, size_t count);
void hand_ror_strided(char *dst, intptr_t to, const char *x, intptr_t from, const char *n, intptr_t by, size_t count);
void hand_crc32_b(uint32_t *dst, const uint32_t *crc, const uint8_t *data, size_t count);
size_t hand_divchk(uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t count);
void hand_mulacc(uint64_t *acc, uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t count);

extern uint32_t hand_table[256];
