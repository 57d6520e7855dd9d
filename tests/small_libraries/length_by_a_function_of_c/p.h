typedef struct {
    const char *name;
    int value;
} p_option;
int p_sum(const p_option *options);
int p_raise(p_option *options, int by);
int p_texts(const char *list);
const p_option *p_defaults(void);
const char *p_list(void);
