typedef int (*p_add)(int number, void *user);
int p_call(p_add add, void *user);
void *p_last(void);
char *p_base(char *path);
int p_next(char **text);
