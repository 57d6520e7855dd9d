int p_open(const char *path);
void p_note(const char *text);
