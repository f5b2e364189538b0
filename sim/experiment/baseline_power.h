/*
 * What a check against a baseline would find, before there is a change: of each
 * measure of each policy the smallest change for the worse that raises an
 * alarm, by the number of replications, and with which chance which change does
 * with those that the baseline has.
 *
 * How far replication i as it was and as it is will lie apart is not known
 * before the change. What is known is how far two policies lie apart on the
 * same traffic, and the closest one stands for the policy after a change: one
 * that changes less is found the more easily. Where there is no other policy,
 * or none that shares more with it than the seed, two replications of the
 * policy itself stand for it, which is the most that pairs can spread.
 */
#ifndef SIM_EXPERIMENT_BASELINE_POWER_H
#define SIM_EXPERIMENT_BASELINE_POWER_H

#include "sim/experiment/baseline.h"
#include "sim/measure/measures.h"

enum { POWER_COUNTS_MAX = 8, POWER_CHANCES = 13 };

enum power_source {
    POWER_BY_POLICY, /* the closest other policy of the baseline */
    POWER_BY_SEED,   /* other replications of the same policy */
    POWER_EXACT,     /* nothing is random: every change beyond is found */
    POWER_UNKNOWN,   /* values are absent or unbounded, or there is only one */
    POWER_SOURCE_COUNT
};

/* "policy", "seed", "exact", "unknown". */
extern const char *const power_source_names[POWER_SOURCE_COUNT];

struct power_row {
    const char *policy, *measure; /* borrowed from the baseline */
    enum measure_unit unit;
    double mean;    /* of the baseline */
    double allowed; /* 0 or more, in the measure's unit, as all of these */
    enum power_source source;
    const char *other; /* POWER_BY_POLICY: which; else NULL */
    double deviation;  /* of the paired differences; NaN: unknown */
    /* Changes for the worse, allowed or more. INFINITY: so many replications
       cannot raise an alarm; NaN: unknown. */
    double smallest[POWER_COUNTS_MAX]; /* found with POWER_WANTED */
    double sizes[POWER_CHANCES]; /* found with baseline_power_chances[i], by the
                                    baseline's own replications */
};

struct baseline_power {
    uint32_t counts[POWER_COUNTS_MAX]; /* [count_count] replications, ascending,
                                          the baseline's own among them */
    size_t count_count;
    size_t tests; /* that change: all measures of one policy */
    double level; /* of each of them */
    size_t row_count;
    struct power_row *rows; /* [row_count] by policy, then measure */
};

/* Ascending, POWER_WANTED among them. */
extern const double baseline_power_chances[POWER_CHANCES];

/*
 * Of what the scenario watches, by its tolerances and false alarms; of the
 * policies of plan, which is the scenario without results. Measures that the
 * baseline does not have are left out. false: no memory; *ret is to be released
 * either way, before the baseline.
 */
bool baseline_power(const struct scenario *scenario,
                    const struct baseline *baseline,
                    const struct baseline *plan, struct baseline_power *ret);
void baseline_power_done(struct baseline_power *power);

#endif
