typedef unsigned char TX_Bool;
typedef struct text_box text_const_box;
typedef struct { TX_Bool is_on; int my_const_value; } text_Flags;
typedef TX_Bool (*text_const_check)(TX_Bool on, void *user);

text_const_box *text_open(int n);
void text_close(text_const_box *b);
TX_Bool text_is_even(const int n);
int text_flip(text_Flags *flags, TX_Bool *on);
int text_each(text_const_check check, void *user);
int text_sum(const int values[3]);
int text_see(text_const_box *b);
int text_seen(text_const_box *b, const int *of);
int text_plus(int n);
int text_shared(int n);
int text_failing(int n);
int text_own_name(int n);

/* The specification does not describe these. */
int text_peek(text_const_box *b);
int text_hidden(int n);
int text_missing(int n);
