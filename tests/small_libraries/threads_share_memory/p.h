typedef struct p_row {
    int value;
    const char *text;
} p_row;
const char *p_text(int i);
p_row *p_box(int i);
void p_keep(int thread, int i, const char *b);
int p_differ(void);
p_row *p_counter(void);
int p_increment(p_row *row);
int p_increment_box(p_row *box);
