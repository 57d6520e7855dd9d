#include <stddef.h>
const char **p_names(void);
int p_swap(void **pair);
int p_sum(const long *numbers);
long p_line(char **line, size_t *size, int length);
