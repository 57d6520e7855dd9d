typedef struct { char text[5000]; } p_node;
typedef struct { p_node *node; int count; } p_state;
int p_start(p_state *state, p_node *one, p_node *other);
int p_look(p_state *state);
int p_stop(p_state *state);
