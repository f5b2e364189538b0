/*
 * Advice on paper: the facts, what to compare and why, what will not matter,
 * what to leave out; and after a run whether it was so.
 */
#ifndef SIM_REPORT_ADVICE_REPORT_H
#define SIM_REPORT_ADVICE_REPORT_H

#include "sim/advice/advice.h"
#include "sim/report/report.h"

#include <stdbool.h>
#include <stdio.h>

#define ADVICE_SCHEMA "lbsim.advice/1"

/* All borrowed. result and judged are NULL when nothing was run. scenario is
   that of the result, with the policies of the advice, or else as loaded. */
struct advice_report {
    const struct scenario *scenario;
    const struct facts *facts;
    const struct advice *advice;
    const struct experiment_result *result;
    const struct judged *judged; /* [advice->prediction_count] */
};

void advice_write_text(const struct advice_report *report, FILE *out);
void advice_write_markdown(const struct advice_report *report, FILE *out);
/* false: no memory. */
bool advice_write_json(const struct advice_report *report, FILE *out);

#define ADVICE_TEXT_SIZE 240

/* "load 0.45 at most 0.6", the conditions of a rule with what they found. */
void advice_reason_text(const struct rule *rule, const struct facts *facts,
                        char *text, size_t size);

/* "-43 % (-2.1 s +-0.3)"; a sign test in words. */
void advice_effect_text(const struct verdict *verdict, enum measure_id measure,
                        char *text, size_t size);

/* "least_conn better than round_robin by latency_all_p99_s". */
void advice_claim_text(const struct advice_report *report,
                       const struct prediction *prediction, char *text,
                       size_t size);

/* How many predictions ended so. */
uint32_t advice_count(const struct advice_report *report,
                      enum judgement judgement);

/* The policy that did best by the objective, and whether another one cannot be
   told from it; UINT32_MAX: none has a value in every replication. */
uint32_t advice_best(const struct advice_report *report);

#endif
