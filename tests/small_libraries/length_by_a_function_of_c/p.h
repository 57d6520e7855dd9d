typedef struct {
    const char *name;
    int value;
} p_option;
int p_sum(const p_option *options);
int p_raise(p_option *options, int by);
int p_texts(const char *list);
int p_keep(const p_option *options);
int p_keep_texts(const char *list);
int p_kept(void);
const p_option *p_defaults(void);
const char *p_list(void);
