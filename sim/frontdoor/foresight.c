#include "sim/frontdoor/foresight.h"

#include "sim/frontdoor/balancer.h"

#include <math.h>

/* A policy is shown its balancer's view, so the view tells the balancer. */
static struct balancer *balancer_of(const struct lbp_view *view)
{
    return (struct balancer *)(void *)((char *)(uintptr_t)view -
                                       offsetof(struct balancer, view));
}

/* As node_service_ns() has it at speed 1; 0: not known. */
static int64_t work_ns(const struct foresight *foresight)
{
    const struct request *request = foresight->request;
    const struct foresight_costs *costs = &foresight->costs;
    double ns = request->need * 1e9;

    if (request->flags & REQUEST_TOKENS) {
        if (!costs->known)
            return 0;
        ns = request->need *
             (costs->base_s * 1e9 +
              costs->per_input_token_s * 1e9 * request->input_tokens +
              costs->per_output_token_s * 1e9 * request->output_tokens);
    }
    return ns < 9.2e18 ? (int64_t)(ns + 0.5) : INT64_MAX / 2;
}

static struct hint hint_for(const struct foresight *foresight,
                            const struct lbp_request *ask)
{
    switch (foresight->hints) {
    case POLICY_HINTS_HISTORY:
        return hint_history_expect(foresight->history, ask);
    case POLICY_HINTS_EXACT:
        return (struct hint){foresight->request->output_tokens,
                             work_ns(foresight)};
    case POLICY_HINTS_NONE:
        break;
    }
    return (struct hint){0, 0};
}

static void show(struct balancer *balancer)
{
    const struct request_foresight *words = balancer->foresight.words;

    balancer->ask.output_tokens_hint = words->output_tokens;
    balancer->ask.work_hint_ns = words->work_ns;
}

void foresight_look(struct balancer *balancer, const struct request_slab *slab,
                    uint32_t index)
{
    struct foresight *foresight = &balancer->foresight;

    foresight->request = request_at(slab, index);
    foresight->words = request_foresight_at(slab, index);
    show(balancer);
}

/* Each pick is a new attempt, and may see other hints. */
static enum lbp_status foresight_pick(void *state, const struct lbp_view *view,
                                      const struct lbp_request *request,
                                      uint32_t *ret_slot,
                                      struct lbp_explanation *explanation)
{
    struct balancer *balancer = balancer_of(view);
    struct foresight *foresight = &balancer->foresight;
    struct hint hint = hint_for(foresight, request);
    struct lbp_explanation why = {.size = sizeof why, .expected_ns = -1};
    enum lbp_status status;

    *foresight->words = (struct request_foresight){
        .work_ns = hint.work_ns,
        .expected_ns = -1,
        .output_tokens = hint.output_tokens,
    };
    show(balancer);
    if (!explanation && (foresight->policy->needs & LBP_PREDICTS))
        explanation = &why;
    status =
        foresight->policy->pick(state, view, request, ret_slot, explanation);
    if (explanation)
        foresight->words->expected_ns = explanation->expected_ns;
    return status;
}

/* Tokens in flight count what is expected of the output. */
static void foresight_on_sent(void *state, const struct lbp_view *view,
                              const struct lbp_request *request, uint32_t slot)
{
    struct balancer *balancer = balancer_of(view);
    const struct lbp_ops *policy = balancer->foresight.policy;

    balancer->in_flight_tokens[slot] += request->output_tokens_hint;
    if (policy->on_sent)
        policy->on_sent(state, view, request, slot);
}

static void note_error(struct foresight *foresight,
                       const struct lbp_result *result)
{
    struct foresight_errors *errors = &foresight->errors;
    double expected_s = (double)foresight->words->expected_ns * 1e-9;
    double actual_s = (double)(result->done_at_ns - result->sent_at_ns) * 1e-9;

    if (foresight->words->expected_ns < 0 ||
        !(foresight->request->flags & REQUEST_MEASURED))
        return;
    errors->count++;
    errors->expected_s += expected_s;
    errors->actual_s += actual_s;
    errors->absolute_s += fabs(expected_s - actual_s);
}

static void learn(struct foresight *foresight,
                  const struct lbp_request *request,
                  const struct lbp_result *result)
{
    bool cached = (foresight->request->flags & REQUEST_CACHED) != 0;
    struct hint truth = {result->output_tokens,
                         cached ? 0 : work_ns(foresight)};

    if (foresight->history)
        hint_history_learn(foresight->history, request, &truth);
}

static void foresight_on_done(void *state, const struct lbp_view *view,
                              const struct lbp_request *request, uint32_t slot,
                              const struct lbp_result *result)
{
    struct balancer *balancer = balancer_of(view);
    struct foresight *foresight = &balancer->foresight;

    balancer->in_flight_tokens[slot] -= request->output_tokens_hint;
    if (result->outcome == LBP_OK) {
        note_error(foresight, result);
        learn(foresight, request, result);
    }
    if (foresight->policy->on_done)
        foresight->policy->on_done(state, view, request, slot, result);
}

bool foresight_predicts(const struct policy_spec *policy)
{
    return (policy->ops->needs & LBP_PREDICTS) != 0;
}

static bool is_wanted(const struct policy_spec *policy)
{
    return policy->hints != POLICY_HINTS_NONE || foresight_predicts(policy);
}

void foresight_make_room(struct request_slab *slab,
                         const struct policy_spec *policy)
{
    if (is_wanted(policy))
        slab->with_foresight = slab->has_extras = true;
}

bool foresight_init(struct balancer *balancer, const struct policy_spec *policy,
                    const struct foresight_costs *costs, struct arena *arena)
{
    struct foresight *foresight = &balancer->foresight;

    if (!is_wanted(policy))
        return true;
    *foresight = (struct foresight){
        .hints = policy->hints,
        .costs = *costs,
        .policy = policy->ops,
        .ops = *policy->ops,
    };
    foresight->ops.pick = foresight_pick;
    foresight->ops.on_sent = foresight_on_sent;
    foresight->ops.on_done = foresight_on_done;
    balancer->ops = &foresight->ops;
    balancer->policy_ops = &foresight->ops;
    if (policy->hints != POLICY_HINTS_HISTORY)
        return true;
    foresight->history = arena_allocate(arena, 1, sizeof *foresight->history);
    return foresight->history != NULL;
}
