typedef struct {
    const char **names;
    int count;
} p_names_t;
const char **p_names(void);
int p_is_read(const char **names);
int p_is_changed(const char **names);
int p_rename(const char **names, int at);
const char *p_name(int at);
int p_fill(p_names_t *to);
int p_read_all(const p_names_t *all);
int p_change_all(p_names_t *all);
