typedef struct p_list p_list;
typedef int (*p_Event)(int n, void *user);
p_list *p_add(p_list *list, const char *text);
p_list *p_watch(p_list *list, p_Event event, void *user);
int p_grow(p_list *list, p_list **grown);
int p_show(p_list *list, char *text, int size);
int p_fire(p_list *list, int n);
void p_remove(p_list *list);
