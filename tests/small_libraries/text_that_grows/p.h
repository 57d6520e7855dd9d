const char *p_text(void);
const char *p_lent(void);
void p_set(const char *text);
