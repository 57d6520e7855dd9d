typedef struct p_transfer p_transfer;
typedef void (*p_done)(p_transfer *transfer);
struct p_transfer {
    int length;
    p_done done;
    void *user;
};
int p_run(p_transfer *transfer);

typedef struct p_source p_source;
typedef int (*p_event)(int n, void *user);
typedef struct {
    int id;
    void *user;
} p_info;
typedef int (*p_list)(const p_info *all, int n, void *user);
p_source *p_open(p_event event, void *user);
int p_each(p_source **all, int n, p_list list, void *user);
int p_close(p_source *source);
