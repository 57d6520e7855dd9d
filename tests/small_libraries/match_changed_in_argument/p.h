int p_get(int *kind, void *data, int n);
