/*
 * What a scenario yields now against its baseline: one row for each measure of
 * each policy, and what they come to.
 */
#ifndef SIM_EXPERIMENT_BASELINE_CHECK_H
#define SIM_EXPERIMENT_BASELINE_CHECK_H

#include "sim/experiment/baseline.h"
#include "sim/experiment/regression.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum check_state {
    CHECK_JUDGED,
    CHECK_NEW,   /* the baseline does not have it */
    CHECK_GONE,  /* the baseline has it, and nothing yields it now */
    CHECK_UNLIKE /* both have it, of other settings: no verdict */
};

/* In order of gravity: the gravest row decides about the check. */
enum check_verdict {
    CHECK_PASS,
    CHECK_INCONCLUSIVE,
    CHECK_REGRESSION,
    CHECK_REMADE, /* nothing to compare with: the baseline is written anew */
    CHECK_VERDICT_COUNT
};

/* "pass", "inconclusive", "regression", "new". */
extern const char *const check_verdict_names[CHECK_VERDICT_COUNT];

struct check_row {
    const char *policy;  /* its label; borrowed */
    const char *measure; /* its name; borrowed */
    enum measure_unit unit;
    enum check_state state;
    enum check_verdict verdict;
    uint64_t line; /* of the baseline; of the policy if it has no such measure;
                      0: neither stands there */
    struct regression finding; /* CHECK_JUDGED; CHECK_UNLIKE: values, change */
    bool weak;                 /* a percentile of too few values */
    bool unstable; /* queues still grew at the end: hangs on the duration */
};

struct check_result {
    enum check_verdict verdict;
    bool identical; /* every value, of the same policies and measures */
    size_t row_count;
    struct check_row *rows; /* [row_count] by policy, then measure */
    uint32_t kinds[REGRESSION_KIND_COUNT]; /* judged rows of each */
    uint32_t missing;                      /* rows new or gone */
    bool some_policies;           /* others of the baseline are not missed */
    uint32_t fewest_replications; /* for an alarm about all rows at once */
};

/*
 * now: of the same scenario, baseline_differs() says that they can be compared.
 * outcome: what now was made of. some_policies: others of the baseline are not
 * missed. false: no memory; *ret is to be released either way, before the
 * baselines.
 */
bool baseline_check(const struct scenario *scenario,
                    const struct baseline *then, const struct baseline *now,
                    const struct experiment_result *outcome, bool some_policies,
                    struct check_result *ret);

/*
 * What is no check, as the baseline is written anew: then is of other settings,
 * and what both have is listed without a verdict, or NULL, and nothing is.
 * false as above.
 */
bool baseline_remake(const struct scenario *scenario,
                     const struct baseline *then, const struct baseline *now,
                     struct check_result *ret);
void check_result_done(struct check_result *check);

#endif
