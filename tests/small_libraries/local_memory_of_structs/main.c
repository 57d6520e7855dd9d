#include "p.h"
#include <stdio.h>

int main(void)
{
    static p_pair pairs[3];
    static p_note notes[3];
    printf("keep_pairs %d\n", p_keep_pairs(pairs, 3));
    pairs[0].a = 4;
    pairs[2].b = 6;
    printf("use_pairs %d\n", p_use_pairs(pairs, 3));
    p_end(pairs);
    printf("keep_notes %d\n", p_keep_notes(notes, 3));
    notes[0].c = 'a';
    notes[1].text = "xy";
    notes[2].n = 8;
    printf("use_notes %d\n", p_use_notes(notes, 3));
    p_end(notes);
    for (int kind = 0; kind < 4; kind++) {
        char data[4] = "abc";
        p_choice choice = { kind, 1 << 30, data };
        int out[2] = { 0, 0 };
        printf("choose %d", p_choose(&choice, 1234, (int[2]){ 21, 22 }, out));
        printf(" %d %d\n", out[0], out[1]);
    }
    int x[2], *rows[2] = { x, x };
    printf("rows %d", p_rows(rows, x));
    printf(" %d %d\n", x[0], x[1]);
    p_box *const box = p_open();
    char room[8], note[8];
    printf("box %d", p_use(box));
    box->room = room;
    box->note = note;
    printf(" %d", p_use(box));
    printf(" %d %d %d\n", box->x, box->room == room, box->note == note);
    p_close(box);
    return 0;
}
