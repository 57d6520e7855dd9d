typedef union {
    int number;
    char text[4];
} p_any;
typedef struct {
    char kind;
    p_any value;
} p_item;

int p_read(p_item *item);
int p_length(const char *list);
char p_check(int n, int *out);
int p_fractions(const double *list);
