/*
 * What of a finding a cause explains: paired, replication by replication, with
 * and without the cause.
 *
 * With B the sum over the replications of the finding's excess as it is, and C
 * the same with the cause cured, 1 - C / B is explained. Its interval is that
 * of a ratio of means (Cochran, Sampling Techniques, 3rd ed. 1977, section 6.3)
 * with Student's t. The causes tried on one policy are a family: each interval
 * has the confidence 1 - (1 - confidence) / causes.
 *
 * A cause is named when the whole interval is above DIAGNOSIS_LEAST; with one
 * replication, which gives no interval, when the share is.
 */
#ifndef SIM_ADVICE_DIAGNOSIS_H
#define SIM_ADVICE_DIAGNOSIS_H

#include "sim/advice/causes.h"
#include "sim/advice/symptoms.h"

#define DIAGNOSIS_LEAST 0.1

struct explained {
    double share, lo, hi; /* NaN: no value, no interval */
    bool named;
};

/* No share where the cause cannot explain the symptom. */
struct explained diagnosis_explain(const struct symptoms *symptoms,
                                   const struct finding *finding,
                                   const struct cause *cause,
                                   const struct watch *before,
                                   const struct watch *after,
                                   double confidence);

/* One cause tried on one policy. */
struct trial_of_cause {
    const struct cause *cause;
    char evidence[EVIDENCE_SIZE];
    struct cure treatment;       /* owned; of a user, empty: none is known */
    bool tried;                  /* false: its cure cannot be simulated */
    struct explained *explained; /* [finding_count] */
    double before, after;        /* the objective's mean; NaN: infinite */
};

/* All about one policy. */
struct diagnosis {
    char *label; /* owned, as are the others */
    struct symptoms symptoms;
    struct trial_of_cause trials[CAUSE_COUNT];
    uint32_t trial_count;
    uint32_t replications;
};

void diagnosis_done(struct diagnosis *diagnosis);

/* Whether a cause that is not named might be with more replications. */
bool diagnosis_may_explain(const struct explained *explained);

/* Causes named for a finding, the one that explains most first. ret:
   [CAUSE_COUNT], indices into trials; returns how many. */
uint32_t diagnosis_named(const struct diagnosis *diagnosis, uint32_t finding,
                         uint32_t *ret);

#endif
