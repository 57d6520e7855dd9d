typedef struct {
    int x, y;
} p_point;
union p_any {
    int number;
    double real;
    p_point *point;
};
typedef struct {
    int kind;
    union p_any any;
    int count, used, last[256];
} p_value;

int p_next(p_value *value, p_point *point);
int p_check(p_value *value);
