typedef struct {
    int id;
    char name[28];
} p_record;
typedef struct {
    int n;
    p_record *records;
    const char **names;
} p_set;
p_set *p_make(int n);
void p_finish(p_set *set);
