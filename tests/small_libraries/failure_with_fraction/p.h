double p_root(int n);
float p_half(int n);
double p_text(int n, double x);
int p_both(int n, double *whole, float *part);
