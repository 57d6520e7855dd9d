/* What the program for firmware says, on a board and on a computer. */
#ifndef START_H
#define START_H
void say_byte(char byte);
void run(void);
#endif
