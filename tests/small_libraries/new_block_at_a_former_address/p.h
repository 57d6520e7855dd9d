typedef struct p_box p_box;
typedef struct p_row {
    int n;
    const char *text;
} p_row;
p_box *p_open(void);
void p_close(p_box *box);
char *p_lent(p_box *box);
p_row *p_row_new(int n);
void p_row_free(p_row *row);
