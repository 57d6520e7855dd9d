typedef struct p_queue p_queue;
typedef void (*p_done)(int id, void *user);
typedef void (*p_once)(int id, void *user);

p_queue *p_open(void);
int p_submit(p_queue *q, int id, p_done done, void *user);
int p_submit_async(p_queue *q, int id, p_done done, void *user);
int p_submit_static(p_queue *q, int id, p_done done, void *user);
int p_submit_manual(p_queue *q, int id, p_done done, void *user);
int p_submit_with_result(p_queue *q, int id, p_done done, void *user, int *count);
int p_submit_now(p_queue *q, int id, p_done done, void *user);
int p_submit_once(p_queue *q, int id, p_once done, p_once failed, void *user);
int p_poll(p_queue *q);
int p_close(p_queue *q);
