char *p_text(char *buffer, int value);
void p_release(char *text);
