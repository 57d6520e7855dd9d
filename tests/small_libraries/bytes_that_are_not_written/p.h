#include <stddef.h>
typedef struct p_Pair { char kind; int value; } p_Pair;
typedef struct p_Info {
    short version;
    p_Pair pairs[2];
    float matrix[2][3];
    char name[40];
    const char *note;
    double rate;
} p_Info;
typedef int (*p_Get)(unsigned char *to, size_t n, p_Info *info);
int p_fill(unsigned char to[8], size_t n, size_t step);
int p_about(p_Info *infos, size_t n, int which);
int p_ask(p_Get get, size_t n);
