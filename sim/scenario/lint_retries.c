/* Time-outs, retries, hedges and deadlines that do nothing. */
#include "sim/scenario/lint_rules.h"

#include "sim/scenario/describe.h"

/* --- what can fail ---------------------------------------------------------
 */

/* 0 and for ever are none. */
static bool has_time(int64_t limit_ns)
{
    return limit_ns > 0 && limit_ns < INT64_MAX;
}

static bool has_tokens(const struct scenario *scenario)
{
    for (uint32_t g = 0; g < scenario->group_count; g++)
        if (scenario->groups[g].engine.service.given)
            return true;
    return false;
}

/* Whether an attempt of this scenario can fail so. */
static bool can_happen(const struct scenario *scenario, uint32_t cause)
{
    const struct timeout_spec *timeout = &scenario->balancer.timeout;

    switch (cause) {
    case CAUSE_FULL:
        return lint_nodes_refuse(scenario);
    case CAUSE_TTFT:
        return has_time(timeout->ttft_ns);
    case CAUSE_INTER_TOKEN:
        return has_time(timeout->inter_token_ns) && has_tokens(scenario);
    case CAUSE_ATTEMPT:
        return has_time(timeout->attempt_ns);
    case CAUSE_QUEUE:
        return has_time(timeout->queue_ns);
    case CAUSE_PATIENCE:
        return workload_has_patience(&scenario->workload);
    case CAUSE_MISROUTE:
        return lint_nodes_lack_models(scenario);
    default:
        return lint_causes_of_faults(scenario) >> cause & 1;
    }
}

static bool can_retry(const struct scenario *scenario)
{
    const struct retry_spec *retry = &scenario->balancer.retry;

    for (uint32_t cause = 0; cause < CAUSE_COUNT; cause++)
        if ((retry->on >> cause & 1) && can_happen(scenario, cause))
            return retry->given;
    return false;
}

/* --- retries ---------------------------------------------------------------
 */

static const char *what_it_takes(const struct scenario *scenario,
                                 uint32_t cause)
{
    switch (cause) {
    case CAUSE_ERROR:
        return "no fault is of kind fail_fast";
    case CAUSE_CONNECT:
        return "no fault is seen as connect_timeout";
    case CAUSE_REFUSED:
        return scenario->fault_count > 0 ? "no fault is seen as refused"
                                         : "there are no 'faults'";
    case CAUSE_FULL:
        return "no node limits its queue";
    case CAUSE_TTFT:
        return "balancer.timeout.ttft is not set";
    case CAUSE_INTER_TOKEN:
        return "balancer.timeout.inter_token is not set, or no node answers "
               "token by token";
    case CAUSE_ATTEMPT:
        return "balancer.timeout.attempt is not set";
    case CAUSE_QUEUE:
        return "balancer.timeout.queue is not set";
    case CAUSE_PATIENCE:
        return "no client has 'patience'";
    case CAUSE_MISROUTE:
        return "every node serves every model";
    default:
        return scenario->fault_count > 0
                   ? "no fault resets what is inside a node"
                   : "there are no 'faults'";
    }
}

/* Only what was written out: the lists of rules are long. */
static void lint_causes(const struct linter *linter, const struct tree *retry)
{
    const struct tree *list = tree_find(retry, "on");

    for (uint32_t i = 0; list && i < list->count; i++)
        for (uint32_t cause = 0; cause < CAUSE_COUNT; cause++)
            if (tree_is_text(list->values[i], retry_cause_words[cause]) &&
                !can_happen(linter->scenario, cause))
                lint_say(linter, list->values[i], NULL,
                         "'%s' never happens: %s", retry_cause_words[cause],
                         what_it_takes(linter->scenario, cause));
}

/* Whoever meets silence waits until all his time is over. */
static void lint_silence(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct timeout_spec *timeout = &scenario->balancer.timeout;

    if (!lint_faults_are_silent(scenario) || !has_time(timeout->total_ns) ||
        has_time(timeout->ttft_ns) || has_time(timeout->attempt_ns) ||
        scenario->balancer.hedge.given)
        return;
    lint_say(linter, tree_key(linter->balancer, "retry"),
             "set balancer.timeout.attempt, or ttft, below the total",
             "'retry' does not help a request that meets a silent node: no "
             "time-out ends its attempt before the total one ends it all");
}

static void no_effect(const struct linter *linter, const struct tree *block,
                      const char *path, const char *key, bool has,
                      const char *why)
{
    if (!has && lint_changed(block, path))
        lint_say(linter, tree_key(block, key), NULL, "'%s' has no effect: %s",
                 key, why);
}

static void lint_budget(const struct linter *linter, const struct tree *block)
{
    const struct budget_spec *budget = &linter->scenario->balancer.retry.budget;
    bool active = budget->kind == BUDGET_ACTIVE;
    bool deposits = budget->kind == BUDGET_DEPOSITS;
    bool throttle = budget->kind == BUDGET_THROTTLE;

    no_effect(linter, block, "balancer.retry.budget.share", "share",
              active || deposits, "it is of the kinds active and deposits");
    no_effect(linter, block, "balancer.retry.budget.at_least", "at_least",
              active || budget->kind == BUDGET_FIXED,
              "it is of the kinds active and fixed");
    no_effect(linter, block, "balancer.retry.budget.reserve", "reserve",
              deposits, "it is of the kind deposits");
    no_effect(linter, block, "balancer.retry.budget.ttl", "ttl", deposits,
              "it is of the kind deposits");
    no_effect(linter, block, "balancer.retry.budget.tokens", "tokens", throttle,
              "it is of the kind throttle");
    no_effect(linter, block, "balancer.retry.budget.refill", "refill", throttle,
              "it is of the kind throttle");
}

static void lint_parts(const struct linter *linter, const struct tree *block)
{
    const struct retry_spec *retry = &linter->scenario->balancer.retry;

    no_effect(linter, block, "balancer.retry.redispatch", "redispatch",
              retry->to == RETRY_TO_SAME, "it is for 'to: same'");
    no_effect(linter, block, "balancer.retry.push_back", "push_back",
              can_happen(linter->scenario, CAUSE_FULL),
              "no node limits its queue");
    no_effect(linter, block, "balancer.retry.partial", "partial",
              has_tokens(linter->scenario), "no node answers token by token");
    no_effect(linter, tree_find(block, "backoff"),
              "balancer.retry.backoff.spread", "spread",
              retry->backoff.jitter == JITTER_AROUND,
              "it is for 'jitter: around'");
    lint_budget(linter, tree_find(block, "budget"));
}

static void lint_nothing_to_retry(const struct linter *linter,
                                  const struct tree *key)
{
    const struct scenario *scenario = linter->scenario;

    if (scenario->fault_count == 0)
        lint_say(linter, key, NULL,
                 "'retry' has no effect: nothing fails without 'faults' or a "
                 "'queue_limit', a time-out of attempts or patience");
    else
        lint_say(linter, key,
                 lint_faults_are_silent(scenario)
                     ? "set balancer.timeout.attempt, or ttft: silence is no "
                       "failure"
                     : "'on' says which failures are tried again",
                 "'retry' has no effect: the faults make no failure that it "
                 "tries again");
}

static void lint_retry(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct retry_spec *retry = &scenario->balancer.retry;
    const struct tree *key = tree_key(linter->balancer, "retry");
    const struct tree *block = tree_find(linter->balancer, "retry");

    if (!retry->given)
        return;
    if (!can_retry(scenario))
        lint_nothing_to_retry(linter, key);
    else if (retry->attempts == 1)
        lint_say(linter, key, "'attempts' counts the first",
                 "'retry' has no effect with one attempt");
    else if (retry->to == RETRY_TO_OTHER && scenario->node_count == 1)
        lint_say(linter, key, "'to: any' lets a retry go to the same node",
                 "'retry' has no effect: there is no other node");
    else {
        lint_causes(linter, block);
        lint_silence(linter);
    }
    lint_parts(linter, block);
}

/* --- the rest --------------------------------------------------------------
 */

static bool gives_up(const struct scenario *scenario)
{
    const struct timeout_spec *timeout = &scenario->balancer.timeout;

    return has_time(timeout->total_ns) || has_time(timeout->ttft_ns) ||
           has_time(timeout->inter_token_ns) || has_time(timeout->attempt_ns) ||
           has_time(timeout->queue_ns) || scenario->balancer.hedge.given ||
           scenario->balancer.deadline.given ||
           workload_has_patience(&scenario->workload);
}

static void lint_timeouts(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct timeout_spec *timeout = &scenario->balancer.timeout;
    const struct tree *block = tree_find(linter->balancer, "timeout");

    no_effect(linter, block, "balancer.timeout.cancel", "cancel",
              gives_up(scenario),
              "nothing is given up without 'total' or "
              "another time-out");
    no_effect(linter, block, "balancer.timeout.inter_token", "inter_token",
              has_tokens(scenario), "no node answers token by token");
    no_effect(linter, block, "balancer.timeout.ttft", "ttft",
              timeout->ttft_ns < timeout->total_ns,
              "'total' is reached before");
    no_effect(linter, block, "balancer.timeout.attempt", "attempt",
              timeout->attempt_ns < timeout->total_ns,
              "'total' is reached before");
}

static bool any_deadline(const struct scenario *scenario)
{
    for (uint32_t c = 0; c < scenario->workload.class_count; c++)
        if (has_time(scenario->workload.classes[c].deadline_ns))
            return true;
    return has_time(scenario->balancer.timeout.total_ns);
}

static void lint_hedge(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct hedge_spec *hedge = &scenario->balancer.hedge;
    const struct tree *key = tree_key(linter->balancer, "hedge");

    if (!hedge->given)
        return;
    if (hedge->attempts == 1)
        lint_say(linter, key, "'attempts' counts the first",
                 "'hedge' has no effect with one attempt");
    else if (scenario->node_count == 1)
        lint_say(linter, key, NULL,
                 "'hedge' has no effect: there is no other node");
    else if (hedge->budget == 0)
        lint_say(linter, key, NULL,
                 "'hedge' has no effect with a budget of 0 %%");
}

void lint_retries(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;

    lint_retry(linter);
    lint_timeouts(linter);
    lint_hedge(linter);
    if (scenario->balancer.deadline.given && !any_deadline(scenario))
        lint_say(linter, tree_key(linter->balancer, "deadline"),
                 "give a class a 'deadline', or set balancer.timeout.total",
                 "'deadline' has no effect: no request has one");
    if (scenario->workload.noise_per == WORKLOAD_NOISE_ATTEMPT &&
        !can_retry(scenario) && !scenario->balancer.hedge.given)
        lint_say(linter, tree_find(tree_find(linter->workload, "noise"), "per"),
                 NULL, "'per: attempt' has no effect: there is one attempt");
}
