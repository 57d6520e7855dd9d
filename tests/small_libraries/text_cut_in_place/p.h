/* Cuts a text at each separator, and returns the number of parts. */
int p_split(char *text, char separator, char **parts, int capacity);
/* Cuts the blanks at both ends of a text. */
char *p_trim(char *text);
/* Splits a list at 0: stores an end before each 0. */
int p_split_numbers(int *numbers);
/* Cuts a text with a capacity. */
void p_halve(char *text, unsigned long capacity);
/* Keeps a text, and cuts it later. */
void p_keep(char *text);
int p_cut_kept(char *text);
typedef void (*p_cut)(char *text);
/* Lets the program cut a text, and returns the sum of the lengths of its parts. */
int p_sum(p_cut cut);
