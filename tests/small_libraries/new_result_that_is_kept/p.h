typedef struct p_box p_box;
p_box *p_open(void);
void p_keep(p_box *box, char *text);
char *p_take(p_box *box);
void p_close(p_box *box);
