/*
 * The traffic of a scenario, drawn and looked at. Private to facts.
 */
#ifndef SIM_ADVICE_DRAWS_H
#define SIM_ADVICE_DRAWS_H

#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stdint.h>

struct draws {
    uint64_t count;
    int64_t *at_ns;  /* [count] in order of arrival */
    double *needs_s; /* [count] service on a node of the group that is asked
                        about, noise in it */
    uint64_t *keys;  /* [count] hashes; 0: no key */
    double *bytes;   /* [count] of the answer, 1 where nothing is said */
    uint64_t ideal_hits;
    double *group_needs_s;  /* [group_count] means over all requests */
    double *class_needs_s;  /* [class_count][group_count] sums */
    uint64_t *class_counts; /* [class_count]; 1 class at least */
    uint32_t classes;
};

/* group: whose service times needs_s are. false: no memory, or the trace cannot
   be read. draws_done is due either way. */
bool draws_make(const struct scenario *scenario, uint32_t group,
                struct draws *ret);
void draws_done(struct draws *draws);

/* Service of a request on a node of the group. */
double draws_need_s(const struct workload_request *request,
                    const struct group_spec *group);

/* Variance over the square of the mean of gaps between arrivals; variance over
   mean of the counts in equal parts of the time. NaN: too few. */
double draws_gap_scv(const struct draws *draws);
double draws_dispersion(const struct draws *draws);
/* The most arrivals in a tenth of the time over the mean of tenths; NaN: too
   few. */
double draws_peak(const struct draws *draws);

struct draws_needs {
    double mean, scv, p99;
};
/* false: no memory. */
bool draws_needs(const struct draws *draws, struct draws_needs *ret);

/* Shares of all requests; 0 without keys, the hits without caches too. */
struct draws_keys {
    bool keyed;
    double ideal, heaviest; /* repeats; requests for the commonest key */
    double spread, affine;  /* hits of the nodes' caches */
};
bool draws_keys(const struct draws *draws, const struct scenario *scenario,
                struct draws_keys *ret);

#endif
