typedef struct {
    int x, y;
} p_point;
typedef struct {
    const char *text;
    int size;
} p_label;
typedef struct {
    const char *name;
    p_point origin, corners[2];
    int area;
    p_label label;
} p_shape;
p_shape *p_borrow(void);
void p_keep(p_shape *shape);
int p_move(p_point *point, int by);
int p_raise(int *number);
int p_rename(p_label *label);
p_point *p_corner(int at);
int p_sum(void);
