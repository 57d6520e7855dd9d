#pragma once
void p_seed(int seed);
int p_roll(int sides);
long random(void);
