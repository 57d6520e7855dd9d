typedef struct p_object p_object;
p_object *p_open(void);
int p_change(p_object *object, int *memory, int n);
int p_look(p_object *object, const int *memory, int n);
int p_set(p_object *object, int *memory, int n);
int p_read(p_object *object, int *memory, int n);
int p_close(p_object *object);
int p_wait(void);
