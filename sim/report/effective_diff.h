/*
 * In what two effective scenarios differ, setting by setting: so that a
 * comparison of results says what it compares.
 *
 * Read as text, line by line, in the form that scenario_effective() writes, and
 * not loaded: what a scenario needs (traces, shared objects) may be gone.
 */
#ifndef SIM_REPORT_EFFECTIVE_DIFF_H
#define SIM_REPORT_EFFECTIVE_DIFF_H

#include <stdbool.h>
#include <stddef.h>

/* A setting that both or one of them have; NULL: it does not say it. */
struct effective_change {
    const char *path; /* "nodes[1].engine.speed" */
    const char *old_value, *new_value;
};

struct effective_diff {
    struct effective_change *changes; /* [count] in order of the texts */
    size_t count;
    void *owned;
};

/* false: no memory. *ret is to be released by effective_diff_done either way.
   The texts are not kept. */
bool effective_diff_make(const char *old_text, const char *new_text,
                         struct effective_diff *ret);
void effective_diff_done(struct effective_diff *diff);

/* The text of FOLDER/scenario.yaml, released with free(); NULL: there is none
   that can be read, or no memory. */
char *effective_read(const char *folder);

#endif
