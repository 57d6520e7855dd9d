const char *p_text(void);
void p_set(const char *text);
