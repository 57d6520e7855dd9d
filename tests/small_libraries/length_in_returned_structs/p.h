typedef struct {
    char *data;
} p_in;
typedef struct {
    int n;
    p_in *in;
} p_out;
p_out *p_get(void);
