typedef struct p_config {
    int a, b;
} p_config;
const char *p_name(void);
const int *p_table(void);
char *p_copy(const char *text);
void p_free(char *text);
p_config *p_open(void);
int p_use(p_config *config);
int p_add(int a, int b);
