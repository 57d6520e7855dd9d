typedef struct p_pair {
    int a, b;
} p_pair;
typedef struct p_note {
    char c;
    int n;
    const char *text;
} p_note;
typedef struct p_choice {
    int kind, n;
    void *data;
} p_choice;
typedef struct p_box {
    int x, n;
    char *room;
    char *note;
} p_box;
int p_keep_pairs(p_pair *pairs, int n);
int p_use_pairs(p_pair *pairs, int n);
int p_keep_notes(p_note *notes, int n);
int p_use_notes(p_note *notes, int n);
int p_choose(p_choice *choice, int after, const int *in, int *out);
int p_rows(int **rows, int *x);
p_box *p_open(void);
int p_use(p_box *box);
void p_close(p_box *box);
void p_end(void *memory);
