/*
 * The words that all reports of a check share.
 */
#ifndef SIM_REPORT_CHECK_WORDS_H
#define SIM_REPORT_CHECK_WORDS_H

#include "sim/report/check_report.h"

#include <stddef.h>

#define CHECK_WORDS_SIZE 600 /* enough for any of these texts */

/* "12.3 s", "99.1 %", "unbounded in 3 of 20", "none". */
void check_value_words(const struct check_row *row, bool now,
                       char text[CHECK_WORDS_SIZE]);

/* "+22.8 % [17.2, 29.0]", "-0.42 points [-0.6, -0.3]"; "-" when there is no
   such number, "none" when nothing changed. */
void check_change_words(const struct check_row *row,
                        char text[CHECK_WORDS_SIZE]);

/* "5.0 % (0.615 s)", "0.5 points"; "-" for rows that are not judged. */
void check_allowed_words(const struct check_row *row,
                         char text[CHECK_WORDS_SIZE]);

/* "regression", "identical", "better", "inconclusive: too few replications,
   15 would tell". */
void check_verdict_words(const struct check_row *row,
                         char text[CHECK_WORDS_SIZE]);

/* All of it as a sentence about the policy and its measure. */
void check_row_words(const struct check_row *row, char text[CHECK_WORDS_SIZE]);

/* For machines, the same in all formats: "same", "worse", ...; of rows that are
   not judged "new", "gone" or "unlike". */
const char *check_kind_word(const struct check_row *row);

/* Whether there are an old and a new value. */
bool check_row_has_values(const struct check_row *row);

/* What the whole comes to: "regression: 2 of 28 measures are worse". */
void check_summary_words(const struct check_report *report,
                         char text[CHECK_WORDS_SIZE]);

/* What is to be known beside it, one at a time from 0; false: no more. */
bool check_note_words(const struct check_report *report, unsigned index,
                      char text[CHECK_WORDS_SIZE]);

/* Whether nothing that the baseline holds is passed over. */
bool check_watches_all(const struct check_report *report);

/* Whether a row fails the check. */
bool check_row_fails(const struct check_report *report,
                     const struct check_row *row);

/* How much a row asks to be looked at: identical ones least, regressions most.
   Reports show them from the top down. */
enum { CHECK_GRAVITIES = 4 };
unsigned check_row_gravity(const struct check_row *row);

#endif
