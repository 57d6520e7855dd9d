typedef struct p_device p_device;
typedef struct p_transfer p_transfer;
typedef void (*p_done)(p_transfer *t, int status, unsigned char *buffer, int length, void *user);
p_device *p_open(void);
void p_close(p_device *d);
p_transfer *p_new(p_device *d);
void p_free(p_transfer *t);
int p_submit(p_transfer *t, int is_read, unsigned char *buffer, int length, p_done done, void *user);
int p_wait(p_device *d);
