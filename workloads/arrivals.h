/*
 * When requests arrive.
 *
 * poisson: exponential gaps. deterministic: equal gaps, the k-th arrival at
 * k / rate, rounded to the ns once, the first one gap after the start. gamma:
 * gaps of a given coefficient of variation cv (cv 1 is poisson, more is
 * bursty). These three may have spikes, which play a part of them faster: a
 * factor on the pace, so that their gaps keep their law.
 *
 * mmpp: a Poisson process whose rate is that of a hidden state, left at random
 * (Fischer and Meier-Hellstern 1993); it starts in a state of its stationary
 * law. diurnal: a Poisson process whose rate follows a sine, or straight lines
 * between points in time.
 *
 * closed: so many clients, each of which thinks, asks, waits for its answer and
 * thinks again; see clients.h.
 *
 * Rates that change are not approximated. Straight ones, states and spikes are
 * played by inverting the integral of the rate, which takes a square root, and
 * the sine by thinning, with a sine of our own. All draws come from the
 * stream of arrivals, those of states from a second one.
 */
#ifndef WORKLOADS_ARRIVALS_H
#define WORKLOADS_ARRIVALS_H

#include "workloads/dist.h"
#include "workloads/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum arrivals_process {
    ARRIVALS_POISSON,
    ARRIVALS_DETERMINISTIC,
    ARRIVALS_GAMMA,
    ARRIVALS_MMPP,
    ARRIVALS_DIURNAL,
    ARRIVALS_CLOSED,
    ARRIVALS_PROCESS_COUNT
};

extern const char *const arrivals_process_names[ARRIVALS_PROCESS_COUNT];

#define ARRIVALS_STATES_MAX 64
#define ARRIVALS_TIME_MAX_NS INT64_C(315360000000000000) /* 10 years */

/* Of an mmpp. */
struct arrivals_state {
    double rate_per_s; /* 0 or more */
    double stay_s;     /* mean time in it; then all others are equally likely */
    const double *moves_per_s; /* [state_count] rates of leaving for each, own
                                  one ignored; NULL: by stay_s */
};

/* Of diurnal: the rate at a time; between two points it is a straight line. Two
   points at one time are a step. */
struct arrivals_point {
    int64_t at_ns;
    double rate_per_s;
};

/* Climbs from 1 to factor in ramp_ns, and falls back in the last ramp_ns of
   duration_ns. Where spikes overlap, what they add to 1 adds up; below 0 is
   0. */
struct arrivals_spike {
    int64_t at_ns;
    int64_t duration_ns; /* more than 0 */
    int64_t ramp_ns;     /* at most half of the duration */
    int64_t every_ns;    /* at least the duration; 0: it comes once */
    double factor;       /* 0 or more */
};

/* Arrays are borrowed. */
struct arrivals_spec {
    enum arrivals_process process;
    double rate_per_s; /* more than 0, at most 1e15; of the first three, and of
                          diurnal without points */
    double cv;         /* gamma only; more than 0 */

    uint32_t spike_count; /* of the first three */
    const struct arrivals_spike *spikes;

    uint32_t state_count; /* mmpp: 2 to ARRIVALS_STATES_MAX */
    const struct arrivals_state *states;

    uint32_t point_count; /* diurnal: 0, the sine, or points in order of time */
    const struct arrivals_point *points;
    int64_t period_ns; /* diurnal: after which it repeats; 0: points hold once,
                          and the last rate for ever */
    int64_t phase_ns;  /* the sine's: rate (1 + amplitude sin(2 pi (t + phase)
                          / period)) */
    double amplitude;  /* 0 to 1 */

    uint32_t clients;  /* closed */
    struct dist think; /* closed: seconds; DIST_NONE: no time */
};

struct arrivals {
    struct arrivals_spec spec;
    bool plain; /* poisson without spikes */
    struct rng rng;
    uint64_t count; /* arrivals so far */
    int64_t now_ns; /* of the last arrival */
    double mean_gap_ns;
    double shape; /* gamma: 1 / cv^2 */

    /* deterministic: a gap is gap_whole_ns + gap_rest / divisor */
    int64_t gap_whole_ns;
    uint64_t gap_rest, divisor;
    uint64_t rest; /* numerator of what the arrivals so far were cut by */

    /* of rates that change */
    double fraction_ns;   /* 0 to 1: what now_ns was cut by */
    int64_t horizon_ns;   /* nobody asks for what lies behind; INT64_MAX */
    struct rng state_rng; /* mmpp */
    uint32_t state;
    int64_t switch_ns; /* when the state is left */
};

/* Any process but closed. */
void arrivals_init(struct arrivals *arrivals, const struct arrivals_spec *spec,
                   uint64_t seed, uint64_t replication);

/* The same for traffic laid over another: entity 0 is arrivals_init. */
void arrivals_init_entity(struct arrivals *arrivals,
                          const struct arrivals_spec *spec, uint64_t seed,
                          uint64_t replication, uint64_t entity);

/* The next arrival in ns from the start; never goes back. INT64_MAX: beyond
   what 64 bits hold (at least 146 years) or beyond the horizon, and so are all
   later ones. */
int64_t arrivals_next(struct arrivals *arrivals);

/* For estimates: mean and greatest rate over a run of that length (INT64_MAX:
   in the long run). NaN: closed, whose rate depends on the answers. */
struct arrivals_rates {
    double mean_per_s, peak_per_s;
};
struct arrivals_rates arrivals_rates(const struct arrivals_spec *spec,
                                     int64_t duration_ns);

/* Share of the time in each state in the long run: ret_shares[state_count].
   false: the states do not all lead to one another. */
bool arrivals_state_shares(const struct arrivals_spec *spec,
                           double *ret_shares);

/* Whether two runs of different seeds may differ. */
bool arrivals_are_random(const struct arrivals_spec *spec);

#endif
