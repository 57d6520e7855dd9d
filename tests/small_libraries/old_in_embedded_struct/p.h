typedef struct {
    int wide;
    int *cells;
} p_in;
typedef struct {
    p_in in;
    int k;
    int *more;
} p_out;
int p_run(p_out *o);
