typedef struct p_object p_object;
p_object *p_open(void);
int *p_data(p_object *object);
int *p_data_for_now(p_object *object);
void p_change(p_object *object, int *data);
void p_drop(p_object *object);
void p_close(p_object *object);
int p_close_now(p_object *object);
int p_wait(void);
