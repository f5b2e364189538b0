/*
 * Traffic for the tests of workload.
 */
#ifndef TESTS_UNIT_WORKLOADS_WORKLOAD_WORLD_H
#define TESTS_UNIT_WORKLOADS_WORKLOAD_WORLD_H

#include "workloads/workload.h"

#include "tests/check.h"
#include "tests/unit/workloads/ks.h"

#include <stdlib.h>

enum { SECOND = 1000000000 };

static inline struct dist dist_of(enum dist_kind kind, double mean, double scv)
{
    struct dist_params params = DIST_PARAMS_NONE;
    struct dist dist;

    params.kind = kind;
    params.mean = mean;
    params.scv = scv;
    CHECK(dist_init(&dist, &params, NULL, 0));
    return dist;
}

static inline struct dist constant(double value)
{
    struct dist_params params = DIST_PARAMS_NONE;
    struct dist dist;

    params.kind = DIST_CONSTANT;
    params.value = value;
    CHECK(dist_init(&dist, &params, NULL, 0));
    return dist;
}

static inline struct keys zipf(double exponent, uint64_t distinct, double share)
{
    struct keys_spec spec = {KEYS_ZIPF, exponent, distinct, share};
    struct keys keys;

    CHECK(keys_init(&keys, &spec));
    return keys;
}

static inline struct workload_spec poisson(double rate_per_s)
{
    return (struct workload_spec){
        .arrivals = {.process = ARRIVALS_POISSON, .rate_per_s = rate_per_s},
    };
}

/* All that can be drawn. */
static inline struct workload_spec everything(void)
{
    struct workload_spec spec = poisson(60);

    spec.input_tokens = dist_of(DIST_LOGNORMAL, 1222, 0.44);
    spec.output_tokens = dist_of(DIST_LOGNORMAL, 174, 0.9);
    spec.work = dist_of(DIST_EXPONENTIAL, 0.5, NAN);
    spec.noise = dist_of(DIST_LOGNORMAL, 1, 0.43);
    spec.keys = zipf(0.9, 500, 0.35);
    return spec;
}

/* The requests of a minute; the caller frees them. */
static inline struct workload_request *
requests_of(const struct workload_spec *spec, uint64_t seed,
            uint64_t replication, size_t *ret_count)
{
    struct workload *workload =
        workload_create(spec, 60LL * SECOND, seed, replication);
    struct workload_request *requests = NULL;
    size_t count = 0, room = 0;
    struct workload_request request;

    while (workload_next(workload, &request)) {
        if (count == room) {
            room = 2 * room + 1000;
            requests = realloc(requests, room * sizeof *requests);
        }
        requests[count++] = request;
    }
    CHECK(!workload_failed(workload));
    CHECK(!workload_next(workload, &request)); /* the end is the end */
    CHECK_UINT(workload_books(workload)->requests, count);
    workload_destroy(workload);
    *ret_count = count;
    return requests;
}

static inline bool same(const struct workload_request *a,
                        const struct workload_request *b)
{
    return a->number == b->number && a->at_ns == b->at_ns &&
           a->work_s == b->work_s && a->noise == b->noise &&
           a->input_tokens == b->input_tokens &&
           a->output_tokens == b->output_tokens && a->key_hash == b->key_hash &&
           a->key == b->key;
}

#endif
