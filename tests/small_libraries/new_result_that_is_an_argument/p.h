char *p_trim(char *text);
