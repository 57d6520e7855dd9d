typedef struct p_h p_h;
typedef struct {
    char *data;
} p_in;
typedef struct {
    p_h *h;
    p_in *in;
} p_out;
p_h *p_open(void);
void p_close(p_h *h);
p_out *p_get(p_h *a, p_h *b);
