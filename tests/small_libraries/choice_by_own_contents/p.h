typedef struct {
    int kind;
    int value;
} p_number;
typedef struct {
    int kind;
    double factor;
    char text[8];
} p_text;
typedef struct {
    int kind;
    const void *next;
} p_chain;
double p_size(const void *of);
double p_total(const p_chain *of);
