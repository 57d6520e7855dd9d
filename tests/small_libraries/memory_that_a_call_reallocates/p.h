typedef struct {
    int room;
    int size;
    unsigned long *digits;
} p_number;
void p_init(p_number *z, int room);
void p_push(p_number *z, unsigned long digit);
unsigned long p_sum(const p_number *z);
void p_clear(p_number *z);
typedef struct {
    int n;
    char **all;
} p_names;
int p_find(p_names *names, int n);
void p_release(p_names *names);
typedef struct {
    char *bytes;
    int size;
    int room;
} p_text;
p_text *p_open(void);
p_text *p_append(p_text *text, const char *more);
