/*
 * Numbers as text, the same on every machine.
 */
#ifndef SIM_REPORT_NUMBER_H
#define SIM_REPORT_NUMBER_H

#include <stddef.h>

#define NUMBER_SIZE 48 /* enough for any of these texts */

/* "%.9g", the exact form of files; "" when not finite. Returns text. */
const char *number_exact(char text[NUMBER_SIZE], double value);

/* Three significant digits without an exponent where that stays short: "4.65",
   "0.0213", "1230"; "-" for NaN and "infinite". For people. */
const char *number_short(char text[NUMBER_SIZE], double value);

/* half with as many decimals as number_short gives value, rounded away from 0
   so that an interval never looks smaller than it is. */
const char *number_half_width(char text[NUMBER_SIZE], double value,
                              double half);

/* A share as a percentage with one decimal: "34.3 %"; "-" for NaN. Never
   rounded to 100.0 or 0.0 when it is not quite that: above 99.9 % it has two
   decimals or as many more as it takes, "99.93 %", "99.9996 %", because there
   one failure in a thousand and one in a million are worlds apart; and what is
   below 0.05 % is "<0.1 %". */
const char *number_percent(char text[NUMBER_SIZE], double share);

#endif
