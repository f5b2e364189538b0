/*
 * In what two effective scenarios differ, setting by setting: for whoever has
 * to say why they do not go together, or what a comparison of results compares.
 *
 * Read as text, line by line, in the form that scenario_effective() writes, and
 * not loaded: what a scenario needs (traces, shared objects) may be gone. Where
 * a value comes from, behind '#', is no difference.
 */
#ifndef SIM_SCENARIO_DIFFERENCE_H
#define SIM_SCENARIO_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

/* A setting with its values; NULL: it is not said there. One of them is. */
struct difference {
    const char *path; /* "nodes[1].engine.speed" */
    const char *one, *other;
};

struct differences {
    struct difference *items; /* [count]: those that one has, in its order, then
                                 those that only the other has */
    size_t count;
    void *owned;
};

/* false: no memory. *ret is to be released by differences_done either way. The
   texts are not kept. */
bool differences_find(const char *one, const char *other,
                      struct differences *ret);
void differences_done(struct differences *list);

#endif
