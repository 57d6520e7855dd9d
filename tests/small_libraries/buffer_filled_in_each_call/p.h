char *p_text(int n);
