/*
 * What must be said beside the numbers: goals, doubts, and what was counted.
 *
 * One note is one line of plain words, "subject: what", without a full stop.
 * The table prints them below itself and summary.json holds them as a list.
 */
#ifndef SIM_REPORT_NOTES_H
#define SIM_REPORT_NOTES_H

#include "sim/report/report.h"

#include <stdbool.h>
#include <stddef.h>

struct notes {
    char **lines; /* [count] */
    size_t count, capacity;
    bool out_of_memory; /* a line was lost: the notes are void */
};

/* false: no memory. *ret is to be released by notes_done either way. */
bool notes_collect(const struct report_input *input, struct notes *ret);
/* The same of what puts verdicts in doubt alone: a partial result, queues that
   grow, weak percentiles, policies that know too much. */
bool notes_collect_doubts(const struct report_input *input, struct notes *ret);
void notes_done(struct notes *notes);

#endif
