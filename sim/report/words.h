/*
 * Values with units, intervals and verdicts as text for people: what tables,
 * comparisons, checks, plans and advice have in common.
 */
#ifndef SIM_REPORT_WORDS_H
#define SIM_REPORT_WORDS_H

#include "sim/experiment/verdict.h"
#include "sim/measure/measures.h"

#include <stddef.h>

#define WORDS_SIZE 160 /* enough for any of these texts, which are returned */

/* As it stands behind a number: " s", "/s"; "" for shares and counts. */
const char *words_unit(enum measure_unit unit);

/* "4.65 s", "12.1/s", "34.3 %" of any ratio; "-" for NaN, "infinite". */
const char *words_value(char text[WORDS_SIZE], double value,
                        enum measure_unit unit);

/* "4.65 s +-0.60", where lo is NaN "4.65 s", and "-" or "infinite" where the
   value is; a ratio is no percentage here. */
const char *words_interval(char text[WORDS_SIZE], double value, double lo,
                           double hi, enum measure_unit unit);

/* The same of a difference, with its sign also when it is above 0. */
const char *words_difference(char text[WORDS_SIZE],
                             const struct verdict *verdict,
                             enum measure_unit unit);

/* "better in 9 of 10 pairs", of a clear verdict by a sign test. */
const char *words_by_sign(char text[WORDS_SIZE], const struct verdict *verdict);

/* What a verdict that cannot be told lacks: "about 252 replications would",
   "one replication"; "" where these words do not say it. */
const char *words_lack(char text[WORDS_SIZE], const struct verdict *verdict);

#endif
