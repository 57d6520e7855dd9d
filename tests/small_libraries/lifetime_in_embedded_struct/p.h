typedef struct p_h p_h;
typedef struct {
    const char *data;
} p_in;
typedef struct {
    p_in in;
    p_h *h;
    int x;
} p_out;
p_h *p_open(void);
void p_close(p_h *h);
int p_set(int z, const p_out *o);
int p_get(void);
