typedef struct p_h p_h;
typedef struct {
    const char *data;
} p_in;
typedef struct {
    int x;
    const p_in *in;
    p_h *h;
} p_out;
p_h *p_open(void);
void p_close(p_h *h);
int p_set(const p_out *o, int k);
int p_get(p_h *h);
