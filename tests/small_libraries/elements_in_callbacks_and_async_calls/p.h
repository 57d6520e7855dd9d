typedef struct {
    int count;
    int all[4];
    const char *name;
} p_list;
typedef struct {
    char text[8];
} p_text;
typedef struct {
    int count;
    p_text all[2];
} p_texts;
typedef void (*p_see)(void *context, p_list *list);
p_list *p_borrow(void);
void p_keep(p_list *list, p_texts *texts);
int p_run(p_list *list, p_see see, void *context);
void p_push(p_list *list, int number);
void p_pop(p_list *list);
int p_last_of(p_list *one, p_list *other);
int p_pop_text(p_texts *texts);
int p_first_text(p_texts *texts);
