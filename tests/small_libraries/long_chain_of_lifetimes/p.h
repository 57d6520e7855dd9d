void p_first(const char *a);
void p_link(const char *a, const char *b);
void p_drop(const char *a);
int p_links(void);
