/*
 * Diagnoses on paper: which nodes fare badly under which policy, when, and what
 * each cause that was tried explains of it.
 */
#ifndef SIM_REPORT_DIAGNOSIS_REPORT_H
#define SIM_REPORT_DIAGNOSIS_REPORT_H

#include "sim/advice/diagnosis.h"
#include "sim/report/report.h"

#include <stdbool.h>
#include <stdio.h>

#define DIAGNOSIS_SCHEMA "lbsim.diagnosis/1"
#define DIAGNOSIS_TEXT_SIZE 500

/* All borrowed. scenario: as loaded, with all policies. */
struct diagnosis_report {
    const struct scenario *scenario;
    const struct symptom_bounds *bounds;
    const struct diagnosis *diagnoses; /* [count] by policy */
    uint32_t count, asked;             /* fewer than asked: it was stopped */
};

void diagnosis_write_text(const struct diagnosis_report *report, FILE *out);
void diagnosis_write_markdown(const struct diagnosis_report *report, FILE *out);
/* false: no memory. */
bool diagnosis_write_json(const struct diagnosis_report *report, FILE *out);

/* "A-0 hot from 303 s to 501 s: use 98.2 %, the pool 61.0 %". */
void diagnosis_finding_text(const struct diagnosis_report *report,
                            const struct finding *finding, char *text,
                            size_t size);

/* "95 % [91, 98]", "no share". */
void diagnosis_share_text(const struct explained *explained, char *text,
                          size_t size);

#endif
