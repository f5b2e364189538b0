/*
 * How far an experiment is, and how long the rest will take.
 *
 * Policies need different amounts of time for the same simulated time, so each
 * has a meter of its own: the rest is reckoned policy by policy, by what its
 * ended jobs took. Results that were there already (of a first pass that
 * serves, or kept from before) are progress, but say nothing about speed.
 */
#ifndef SIM_EXPERIMENT_METER_H
#define SIM_EXPERIMENT_METER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Of one policy. Threads add to the atomic members at any time. */
struct meter {
    uint64_t jobs; /* simulations, those of both passes of warm_up: auto */
    _Atomic uint64_t known;        /* of them: without simulating */
    _Atomic uint64_t ended;        /* of them: simulated */
    _Atomic uint64_t spent_ns;     /* on the clock, by those that ended */
    _Atomic uint64_t simulated_ns; /* by those that ended or are under way */
};

struct experiment_progress {
    double share;             /* of the simulated time to come, 0 to 1 */
    uint64_t jobs_done, jobs; /* simulations */
    uint64_t jobs_known;      /* of jobs_done: without simulating */
    double elapsed_s;         /* of the clock on the wall */
    double left_s;            /* of it; negative: too early to say */
    double overdue_s; /* of it, since simulations were told to end, which they
                         do within a few thousand events; 0: they were not */
    bool of_points;   /* jobs are the points of a sweep */
};

void meter_job_known(struct meter *meter);
void meter_job_ended(struct meter *meter, int64_t spent_ns);

/*
 * span_ns: what a job simulates, its drain apart; INT64_MAX or so when that is
 * open, then only ended jobs count. threads: that share the rest. elapsed_s is
 * copied to *ret.
 */
void meter_read(const struct meter *meters, uint32_t count, int64_t span_ns,
                uint32_t threads, double elapsed_s,
                struct experiment_progress *ret);

#endif
