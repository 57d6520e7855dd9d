typedef struct {
    int kind;
    union p_any {
        long number;
        const char *text;
    } any;
} p_value;
typedef union p_any p_any;
int p_flip(p_value *values, int count);
long p_sum(const p_value *values, int count);
p_value *p_values(void);
int p_set(p_value *value, int kind, long number);
