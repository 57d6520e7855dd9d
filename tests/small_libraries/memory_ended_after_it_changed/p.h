typedef struct p_stream p_stream;
typedef struct {
    int values[10];
} p_node;
typedef void (*p_step)(p_stream *stream, int n, void *user);

p_stream *p_open(p_step step, void *user);
void p_read(p_stream *stream, char *text, int size);
int p_cancel(p_stream *stream);
int p_close(p_stream *stream);
int p_pump(p_stream *stream, int n);
void p_pump_async(p_stream *stream, int n);
int p_flush(p_stream *stream);
int p_attach(p_node *node);
int p_work(p_stream *stream, p_node *node);
int p_detach(p_node *node);
