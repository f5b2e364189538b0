/*
 * Advice: which policies to compare for a scenario, what to expect of them,
 * and, once they have run, whether it was so.
 *
 *   facts_gather   what is known before any policy is tried
 *   advice_make    the rules that fire on it, as predictions about policies
 *   advice_judge   each prediction against what an experiment has found
 *
 * A prediction by BY_OBJECTIVE is about the scenario's objective where that is
 * a time, else about latency_all_p99_s.
 *
 * Judging. All predictions of an advice are one family: each interval has the
 * confidence 1 - (1 - scenario's) / predictions (Bonferroni), so that one false
 * judgement among all of them is as rare as the scenario's confidence says.
 *
 *   better  held: verdict better. failed: worse, or for certain no difference
 *           as large as min_effect
 *   alike   held: the whole interval of the difference within the bound.
 *           failed: the whole of it outside
 *   else    it cannot be told
 */
#ifndef SIM_ADVICE_ADVICE_H
#define SIM_ADVICE_ADVICE_H

#include "sim/advice/rules.h"
#include "sim/experiment/outcome.h"

#include <stdint.h>

#define ADVICE_MOST 64 /* predictions, policies, rules */

struct prediction {
    const struct rule *rule;
    const struct expectation *expects;
    uint32_t policy, than; /* indices into policies */
    enum measure_id measure;
};

/* Everything is borrowed from the table of rules. */
struct advice {
    uint32_t rule_count; /* that fired, in the table's order */
    const struct rule *rules[ADVICE_MOST];
    uint32_t prediction_count;
    struct prediction predictions[ADVICE_MOST];
    uint32_t policy_count; /* to compare, round_robin and least_conn always */
    const char *policies[ADVICE_MOST]; /* entries of `policies`, as YAML */
};

void advice_make(const struct facts *facts, enum measure_id objective,
                 struct advice *ret);

/* What BY_OBJECTIVE stands for; any other measure is itself. */
enum measure_id advice_measure(enum measure_id measure,
                               enum measure_id objective);

/* The list of policies as an override, "policies=[...]". Owned by the caller,
   released with free(). NULL: no memory. */
char *advice_override(const struct advice *advice);

enum judgement { JUDGED_HELD, JUDGED_FAILED, JUDGED_CANNOT_TELL };

extern const char *const judgement_names[]; /* as in JSON */

struct judged {
    enum judgement judgement;
    struct verdict verdict; /* of policy against than */
};

/* result: of the scenario with the policies of the advice, in its order.
   ret: [prediction_count]. false: no memory. */
bool advice_judge(const struct advice *advice, const struct scenario *scenario,
                  const struct experiment_result *result, struct judged *ret);

/* What did best by the objective, and what cannot be told from it. */
struct advice_best {
    uint32_t policy;         /* UINT32_MAX: none has a mean */
    bool close[ADVICE_MOST]; /* [policy_count of the result]; not of itself */
};

/* false: no memory. */
bool advice_find_best(const struct scenario *scenario,
                      const struct experiment_result *result,
                      struct advice_best *ret);

#endif
