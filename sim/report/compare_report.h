/*
 * A comparison as text: a table for people, JSON (schema lbsim.compare/1), CSV,
 * and Markdown for a pull request. All say the same, and nothing here decides.
 */
#ifndef SIM_REPORT_COMPARE_REPORT_H
#define SIM_REPORT_COMPARE_REPORT_H

#include "sim/experiment/compare.h"
#include "sim/measure/power.h"
#include "sim/report/notes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define COMPARE_SCHEMA "lbsim.compare/1"

struct compare_report {
    const struct compare_result *result;
    const char *title; /* one line: what is compared, how often it was run */
    uint32_t replications;
    double until;        /* share asked for; NaN: looked at once */
    bool runs_once;      /* nothing is random: more replications tell no more */
    const char *partial; /* why some are missing; NULL: none is */
    const struct notes *before; /* what the caller has to say; may be NULL */
};

/* What must be said beside the numbers. false: no memory; *ret is to be
   released by notes_done either way. */
bool compare_notes(const struct compare_report *report, struct notes *ret);

/* false: no memory. Errors of writing are left to ferror(out). */
bool compare_write_table(const struct compare_report *report, FILE *out);
bool compare_write_markdown(const struct compare_report *report, FILE *out);
bool compare_write_json(const struct compare_report *report, FILE *out);

/* One row a pair and a measure. */
void compare_write_csv(const struct compare_report *report, FILE *out);

/*
 * The power curve instead: the smallest difference of the objective that so
 * many replications would find with 90 % probability, for each pair. The CSV
 * form is what 'lbsim plot --power' draws. JSON has the schema lbsim.power/1.
 */
#define POWER_SCHEMA "lbsim.power/1"
bool power_write_table(const struct compare_report *report, bool markdown,
                       FILE *out);
bool power_write_json(const struct compare_report *report, FILE *out);
void power_write_csv(const struct compare_report *report, FILE *out);

/* ---- words that the forms share ---- */

/* A cell of Markdown: what would end it, or be taken for markup, escaped. */
void compare_write_escaped(const char *text, FILE *out);

#define COMPARE_CELL 240

/* "4.49 s +-0.54"; "99.963 % +-0.012"; "infinite"; "-" where there is no
   value. */
void compare_value_text(const struct compare_mean *mean, enum measure_id id,
                        char *text, size_t size);
/* "-1.57 s +-0.71", "+0.52 points +-0.14" of shares, also where the verdict
   cannot tell. */
void compare_difference_text(const struct verdict *verdict, enum measure_id id,
                             char *text, size_t size);
/* Whether the effect is one of the failures: of success above one half. */
bool compare_goes_by_failures(const struct verdict *verdict);
/* "-34.9 %" of the reference; "+1300.0 % failures" by failures, where the
   reference has fewer of them than successes. */
void compare_effect_text(const struct verdict *verdict, char *text,
                         size_t size);
/* "better", "cannot tell: about 252 replications would". */
void compare_verdict_text(const struct verdict *verdict, char *text,
                          size_t size);
/*
 * As CSV and JSON have it: that of verdict_names, but for what more
 * replications would not change: "equal" in every pair, "alike", with no
 * difference that matters. So "cannot_tell" is what more replications might
 * tell.
 */
const char *compare_verdict_name(const struct verdict *verdict);
/* "a > b ~ c", best first. */
char *compare_order_text(const struct compare_result *result);
/* "b; c cannot be told from it". Both are released with free(); NULL:
   no memory. */
char *compare_best_text(const struct compare_result *result);

#endif
