/*
 * Where two scenarios part, for whoever has to say why they do not go together.
 *
 * They come as scenario_effective() writes them: every setting on a line of its
 * own, in one order. Where a value comes from, behind '#', is no difference.
 */
#ifndef SIM_SCENARIO_DIFFERENCE_H
#define SIM_SCENARIO_DIFFERENCE_H

#include <stdbool.h>

#define DIFFERENCE_PATH_SIZE 256

/* The first one. Of two values at least one is said. */
struct difference {
    char path[DIFFERENCE_PATH_SIZE];  /* "workload.arrivals.rate" */
    char one[DIFFERENCE_PATH_SIZE];   /* value there; "": it has no such line */
    char other[DIFFERENCE_PATH_SIZE]; /* the same of the other */
};

/* false: there is none. */
bool difference_find(const char *one, const char *other,
                     struct difference *ret);

#endif
