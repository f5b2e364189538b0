/*
 * How notes are written, for the files that write them. Not for others.
 */
#ifndef SIM_REPORT_NOTES_LINES_H
#define SIM_REPORT_NOTES_LINES_H

#include "sim/report/notes.h"

#define LINE_SIZE 2000 /* longer notes are cut, which only long lists reach */

/* One note under way; zero it to begin. */
struct line {
    char text[LINE_SIZE];
    size_t length;
};

__attribute__((format(printf, 2, 3))) void line_add(struct line *line,
                                                    const char *format, ...);

/* Copies the line as the next note. */
void notes_add(struct notes *notes, const struct line *line);

/* notes_doubts.c: measures with few samples or no value; queues that grew. */
void note_doubts(const struct report_input *input, struct notes *notes);
void note_unstable(const struct report_input *input, struct notes *notes);

/* notes_errors.c: causes of errors. */
void note_errors(const struct report_input *input, struct notes *notes);

/* notes_counts.c: how evenly keys spread; prompts that were normalised; the
   books. */
void note_key_shares(const struct report_input *input, struct notes *notes);
void note_prompts(const struct report_input *input, struct notes *notes);
void note_books(const struct report_input *input, struct notes *notes);

/* notes_policies.c: policies from shared objects, and those that were told what
   no balancer knows. */
void note_shared_objects(const struct report_input *input, struct notes *notes);
void note_oracles(const struct report_input *input, struct notes *notes);

/* notes_classes.c: a line for each class of requests, and each source. */
void note_classes(const struct report_input *input, struct notes *notes);

/* notes_sources.c: books of traces, requests of each source; a closed loop
   does not hold its rate. */
void note_traces(const struct report_input *input, struct notes *notes);
void note_sources(const struct report_input *input, struct notes *notes);
void note_closed_loop(const struct report_input *input, struct notes *notes);

/* notes_hits.c: the hits of an endless cache. */
void note_ideal_hits(const struct report_input *input, struct notes *notes);

/* notes_retries.c: what ran out of time, was sent again, or twice. */
void note_retries(const struct report_input *input, struct notes *notes);

/* notes_passive.c: whom balancers left out because of traffic, and why. */
void note_passive(const struct report_input *input, struct notes *notes);
/* notes_beliefs.c: false ejections, panics, slow starts, changes of weight;
   what agents changed; connections. */
void note_beliefs(const struct report_input *input, struct notes *notes);

/* notes_capacity.c: a load that nobody can tell from too much. */
/* The same of next to no load. */
void note_idle(const struct report_input *input, struct notes *notes);
void note_capacity(const struct report_input *input, struct notes *notes);
/* notes_admission.c: who was turned away at the door, and who waited there. */
void note_admission(const struct report_input *input, struct notes *notes);

/* notes_tier.c: when the shared result tier was out. */
void note_tier(const struct report_input *input, struct notes *notes);

/* notes_scaling.c: what autoscalers did. */
void note_scaling(const struct report_input *input, struct notes *notes);
/* notes_degrade.c: by which means requests were answered. */
void note_degraded(const struct report_input *input, struct notes *notes);
/* notes_faults.c: what struck, beyond crashes by the clock, and who saw. */
void note_faults(const struct report_input *input, struct notes *notes);

/* notes_batching.c: batches of the front door. */
void note_batching(const struct report_input *input, struct notes *notes);

#endif
