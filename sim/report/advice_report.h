/*
 * Advice on paper: the facts, what to compare and why, what will not matter,
 * what to leave out; and after a run whether it was so.
 */
#ifndef SIM_REPORT_ADVICE_REPORT_H
#define SIM_REPORT_ADVICE_REPORT_H

#include "sim/advice/advice.h"
#include "sim/report/number.h"
#include "sim/report/report.h"

#include <stdbool.h>
#include <stdio.h>

#define ADVICE_SCHEMA "lbsim.advice/1"

/* All borrowed. scenario has the policies of the advice, in its order. result,
   judged and best are NULL when nothing was run. */
struct advice_report {
    const struct scenario *scenario;
    const struct facts *facts;
    const struct advice *advice;
    const struct experiment_result *result;
    const struct judged *judged; /* [advice->prediction_count] */
    const struct advice_best *best;
    bool all_facts; /* for people: all facts, and how each rule came to fire */
};

/* What to compare and why, and what will not matter: all that is known before
   anything has run. */
void advice_write_expected(const struct advice_report *report, FILE *out);
/* Whether it was so, which nothing is to be said of without a result. */
void advice_write_found(const struct advice_report *report, FILE *out);
/* Both. */
void advice_write_markdown(const struct advice_report *report, FILE *out);
/* false: no memory. */
bool advice_write_json(const struct advice_report *report, FILE *out);

#define ADVICE_TEXT_SIZE 240

/* "needs_vary: need_scv 1.09 (at least 0.5), ...": the conditions of a rule
   with what they found. */
void advice_conditions_text(const struct rule *rule, const struct facts *facts,
                            char *text, size_t size);

/* What of this scenario makes the rule speak: rule->here with its values. */
void advice_here_text(const struct rule *rule, const struct facts *facts,
                      char *text, size_t size);

/* A fact as people read it. Returns text. */
const char *advice_fact_text(const struct facts *facts, enum fact_id id,
                             char text[NUMBER_SIZE]);

/* "-43 % (-2.1 s +-0.3)"; a sign test in words. */
void advice_effect_text(const struct verdict *verdict, enum measure_id measure,
                        char *text, size_t size);

/* "held: least_conn against round_robin: -43 % (-2.1 s +-0.3)". */
void advice_outcome_text(const struct advice_report *report,
                         uint32_t prediction, char *text, size_t size);

/* "least_conn better than round_robin", with "by result_hit_ratio" where that
   is not the measure that most of the advice is about. */
void advice_claim_text(const struct advice_report *report,
                       const struct prediction *prediction, char *text,
                       size_t size);

/* The measure of all predictions that name none of their own. */
enum measure_id advice_main_measure(const struct advice_report *report);

/* Predictions in the order of reading: differences first, then what will not
   matter. ret: [advice->prediction_count]. */
void advice_order(const struct advice *advice, uint32_t *ret);

/* How many predictions held, whether the result is partial, and what did best:
   lines that each begin with bullet. Needs a result. */
void advice_write_score(const struct advice_report *report, const char *bullet,
                        FILE *out);

/* How many predictions ended so. */
uint32_t advice_count(const struct advice_report *report,
                      enum judgement judgement);

#endif
