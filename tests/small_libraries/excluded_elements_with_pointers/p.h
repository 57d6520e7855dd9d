typedef struct {
    int number;
    const char *name;
} p_item;
typedef struct {
    int count;
    p_item all[4];
} p_list;
typedef struct {
    char *title;
    char **lines;
    int count;
} p_page_of_text;
typedef struct {
    unsigned char count;
    short all[4];
} p_small;
typedef union {
    int number;
    p_small small;
} p_value;
typedef struct {
    int kind;
    p_value value;
} p_tagged_value;
typedef void (*p_see)(void *context, p_tagged_value *tagged, p_list *list);
int p_push(p_list *list);
int p_push_to(p_item *all, int room, int *count);
void p_keep_text(char *text);
void p_keep(p_page_of_text *page);
p_page_of_text *p_page(void);
void p_line(p_page_of_text *page, int text, int count);
void p_title(p_page_of_text *page, int text);
p_tagged_value *p_tagged(void);
int p_run(p_tagged_value *tagged, p_see see, void *context);
