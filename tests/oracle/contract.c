#include "tests/oracle/contract.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIED_MAX 8
#define KEY_MAX 32
#define NOTE 0x5AFEC0DE5AFEC0DEu

/* Whether an attempt was sent behind what its node's last report tells of. Of
   what was sent at the very instant of a report that is late nobody can tell
   from outside. */
enum since { SINCE_NO, SINCE_YES, SINCE_UNSURE, SINCE_COUNT };

/* One request as it was shown; the attempts of a request follow each other. */
struct seen {
    bool known, open, waiting, first_token;
    enum since since; /* relative to the last report of its node */
    uint32_t attempt, slot;
    uint32_t tried[TRIED_MAX], tried_count;
    uint32_t input_tokens, key_length;
    uint16_t request_class, model;
    int32_t priority;
    int64_t deadline_ns;
    uint64_t key_hash;
    char key[KEY_MAX];
    int64_t arrived_at_ns, sent_at_ns;
    uint64_t inner_note[2]; /* the wrapped policy's; ours is the host's */
};

/* One instance of the wrapped policy, of one balancer. */
struct checker {
    struct contract *contract;
    const struct lbp_host *host;
    void *inner;
    bool has_members;
    int64_t now_ns;

    struct seen *seen; /* [seen_count] by request id */
    uint64_t seen_count;

    uint32_t slot_count;
    uint32_t *in_flight;            /* [slot_count] */
    uint64_t *tokens;               /* [slot_count] */
    uint32_t (*since)[SINCE_COUNT]; /* [slot_count] how many in flight */

    /* Between a pick and its on_sent. */
    bool picked;
    uint64_t picked_id;
    uint32_t picked_slot;
};

__attribute__((format(printf, 2, 3))) static void
complain(struct contract *contract, const char *format, ...)
{
    va_list arguments;

    if (contract->complaints++ > 0)
        return;
    va_start(arguments, format);
    vsnprintf(contract->complaint, sizeof contract->complaint, format,
              arguments);
    va_end(arguments);
}

/* A complaint is the promise that was broken. */
#define PROMISE(checker, condition)                                        \
    do {                                                                   \
        if (!(condition))                                                  \
            complain((checker)->contract, "%s: %s", __func__, #condition); \
    } while (0)

static void *must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static struct seen *seen_of(struct checker *checker, uint64_t id)
{
    if (id >= checker->seen_count) {
        uint64_t count = 2 * id + 256;

        checker->seen =
            must(realloc(checker->seen, count * sizeof *checker->seen));
        memset(checker->seen + checker->seen_count, 0,
               (count - checker->seen_count) * sizeof *checker->seen);
        checker->seen_count = count;
    }
    return &checker->seen[id];
}

/* --- the view --------------------------------------------------------------
 */

static bool is_share_or_unknown(double value)
{
    return value <= 1; /* not known is below 0; a NaN is not */
}

static void check_node(struct checker *checker, const struct lbp_view *view,
                       uint32_t slot)
{
    const struct lbp_node *node = lbp_node_at(view, slot);

    if (node->key_length == 0) /* an empty slot */
        return;
    PROMISE(checker, node->key != NULL);
    PROMISE(checker, node->weight_factor >= 0 && node->weight_factor <= 1);
    PROMISE(checker, node->speed > 0 && isfinite(node->speed));
    PROMISE(checker, isfinite(node->prefill_per_s) && node->prefill_per_s >= 0);
    PROMISE(checker, isfinite(node->decode_per_s) && node->decode_per_s >= 0);
    PROMISE(checker, is_share_or_unknown(node->gpu_use));
    PROMISE(checker, is_share_or_unknown(node->cpu_use));
    PROMISE(checker, is_share_or_unknown(node->memory_use));
    PROMISE(checker, is_share_or_unknown(node->kv_use));
    PROMISE(checker, !isnan(node->requests_per_s));
    PROMISE(checker, !isnan(node->errors_per_s));
    PROMISE(checker, node->reported_at_ns <= view->now_ns);
    PROMISE(checker, node->up_since_ns <= view->now_ns);
    PROMISE(checker, node->health <= LBP_DRAINING);
    if (!checker->contract->has_reports)
        PROMISE(checker, node->reported_at_ns == LBP_NO_TIME &&
                             node->queue_depth < 0 && node->running < 0);
    else if (node->reported_at_ns != LBP_NO_TIME)
        PROMISE(checker, node->queue_depth >= 0 && node->running >= 0 &&
                             (node->slots == 0 ||
                              node->running <= (int64_t)node->slots));
}

/* With reports at every pick, those sent since the last are as good as none;
   which of them one instant holds is not told apart. */
static void check_since_report(struct checker *checker,
                               const struct lbp_view *view, uint32_t slot)
{
    uint32_t since = view->in_flight_since_report[slot];

    if (view->report_interval_ns == 0)
        PROMISE(checker, since <= checker->in_flight[slot]);
    else
        PROMISE(checker, since >= checker->since[slot][SINCE_YES] &&
                             since <= checker->since[slot][SINCE_YES] +
                                          checker->since[slot][SINCE_UNSURE]);
}

static void check_counts(struct checker *checker, const struct lbp_view *view)
{
    for (uint32_t slot = 0; slot < checker->slot_count; slot++) {
        PROMISE(checker, view->in_flight[slot] == checker->in_flight[slot]);
        PROMISE(checker, view->in_flight_tokens[slot] == checker->tokens[slot]);
        check_since_report(checker, view, slot);
    }
}

/* A node that has drained and left at this very instant tells nothing any more
   of what it was sent before. */
static void check_fresh(struct checker *checker, const struct lbp_view *view)
{
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        const struct lbp_node *node = lbp_node_at(view, slot);

        if (view->report_interval_ns == 0 && node->health != LBP_DRAINING &&
            node->reported_at_ns == view->now_ns)
            PROMISE(checker, view->in_flight_since_report[slot] == 0);
    }
}

static void check_view(struct checker *checker, const struct lbp_view *view)
{
    PROMISE(checker, checker->has_members);
    PROMISE(checker, view->size == sizeof *view);
    PROMISE(checker, view->slot_count == checker->slot_count);
    PROMISE(checker, view->now_ns >= checker->now_ns);
    PROMISE(checker, view->balancer_index < view->balancer_count);
    checker->now_ns = view->now_ns;
    check_counts(checker, view);
    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        check_node(checker, view, slot);
}

/* --- the request ------------------------------------------------------------
 */

static void check_same(struct checker *checker,
                       const struct lbp_request *request,
                       const struct seen *seen)
{
    PROMISE(checker, request->attempt == seen->attempt);
    PROMISE(checker, request->arrived_at_ns == seen->arrived_at_ns);
    PROMISE(checker, request->input_tokens == seen->input_tokens);
    PROMISE(checker, request->key_hash == seen->key_hash);
    PROMISE(checker, request->key_length == seen->key_length);
    PROMISE(checker, request->request_class == seen->request_class);
    PROMISE(checker, request->model == seen->model);
    PROMISE(checker, request->priority == seen->priority);
    PROMISE(checker, request->deadline_ns == seen->deadline_ns);
    if (request->key_length > 0 && request->key_length < KEY_MAX)
        PROMISE(checker,
                memcmp(request->key, seen->key, request->key_length) == 0);
}

static void remember(const struct lbp_request *request, struct seen *seen)
{
    seen->known = true;
    seen->attempt = request->attempt;
    seen->arrived_at_ns = request->arrived_at_ns;
    seen->input_tokens = request->input_tokens;
    seen->request_class = request->request_class;
    seen->model = request->model;
    seen->priority = request->priority;
    seen->deadline_ns = request->deadline_ns;
    seen->key_hash = request->key_hash;
    seen->key_length = request->key_length;
    seen->first_token = false;
    if (request->key_length > 0 && request->key_length < KEY_MAX)
        memcpy(seen->key, request->key, request->key_length);
}

static void check_eligible(struct checker *checker, const struct lbp_view *view,
                           const struct lbp_request *request,
                           const struct seen *seen)
{
    uint32_t count = 0;

    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        const struct lbp_node *node = lbp_node_at(view, slot);
        bool may = node->key_length > 0 && node->health <= LBP_DEGRADED &&
                   node->weight > 0;

        if (checker->contract->spares && !lbp_eligible(request, slot))
            continue;
        for (uint32_t i = 0;
             !checker->contract->degrades && i < seen->tried_count; i++)
            may = may && seen->tried[i] != slot;
        if (checker->contract->degrades)
            PROMISE(checker, !lbp_eligible(request, slot) || may);
        else if (checker->contract->routed)
            PROMISE(checker, !lbp_eligible(request, slot) ||
                                 (may && (node->models >> request->model & 1)));
        else
            PROMISE(checker, lbp_eligible(request, slot) == may);
        count += lbp_eligible(request, slot);
    }
    PROMISE(checker, request->eligible_count == count);
    PROMISE(checker, count > 0);
    for (uint32_t bit = view->slot_count; bit % 64 != 0; bit++)
        PROMISE(checker, !lbp_eligible(request, bit));
}

static void check_asked(struct checker *checker, const struct lbp_view *view,
                        const struct lbp_request *request,
                        const struct seen *seen)
{
    PROMISE(checker, request->size == sizeof *request);
    PROMISE(checker, request->arrived_at_ns <= view->now_ns);
    PROMISE(checker, !seen->open);
    PROMISE(checker, request->attempt == seen->tried_count ||
                         (checker->contract->degrades &&
                          request->attempt < seen->tried_count));
    PROMISE(checker, request->note[0] == 0 && request->note[1] == 0);
    if (seen->known) { /* a retry, or one that waited: the same request */
        PROMISE(checker, request->arrived_at_ns == seen->arrived_at_ns);
        PROMISE(checker, request->input_tokens == seen->input_tokens);
        PROMISE(checker, request->key_hash == seen->key_hash);
    }
    check_eligible(checker, view, request, seen);
}

/* As the wrapped policy is shown it, with a note of its own. */
static struct lbp_request for_inner(const struct lbp_request *request,
                                    struct seen *seen)
{
    struct lbp_request shown = *request;

    shown.note = seen->inner_note;
    return shown;
}

/* --- the calls ---------------------------------------------------------------
 */

static void *checker_create(const void *config, const struct lbp_host *host)
{
    struct contract *contract =
        ((const struct contract_config *)config)->contract;
    struct checker *checker = must(calloc(1, sizeof *checker));

    checker->contract = contract;
    checker->host = host;
    checker->inner = contract->inner->create(contract->inner_config, host);
    PROMISE(checker, host->size == sizeof *host);
    return checker->inner ? checker : NULL;
}

static void checker_destroy(void *state)
{
    struct checker *checker = state;

    if (!checker)
        return;
    for (uint64_t id = 0; id < checker->seen_count; id++) {
        checker->contract->open += checker->seen[id].open;
        checker->contract->waiting += checker->seen[id].waiting;
    }
    checker->contract->inner->destroy(checker->inner);
    free(checker->seen);
    free(checker->in_flight);
    free(checker->since);
    free(checker->tokens);
    free(checker);
}

static bool checker_on_members(void *state, const struct lbp_view *view)
{
    struct checker *checker = state;
    const struct lbp_ops *inner = checker->contract->inner;

    if (!checker->has_members) {
        uint32_t n = view->slot_count;

        checker->slot_count = n;
        checker->in_flight = must(calloc(n, sizeof *checker->in_flight));
        checker->since = must(calloc(n, sizeof *checker->since));
        checker->tokens = must(calloc(n, sizeof *checker->tokens));
        checker->has_members = true;
    }
    check_view(checker, view);
    PROMISE(checker, !checker->picked || checker->contract->is_asked_beside);
    return !inner->on_members || inner->on_members(checker->inner, view);
}

static uint32_t percent_of(uint64_t id, int64_t now_ns)
{
    uint64_t x =
        (id + 1) * 0x9E3779B97F4A7C15u ^ (uint64_t)now_ns * 0xC2B2AE3D27D4EB4Fu;

    return (uint32_t)((x ^ x >> 29) * 0xBF58476D1CE4E5B9u >> 40) % 100;
}

static enum lbp_status checker_pick(void *state, const struct lbp_view *view,
                                    const struct lbp_request *request,
                                    uint32_t *ret_slot,
                                    struct lbp_explanation *explanation)
{
    struct checker *checker = state;
    struct contract *contract = checker->contract;
    struct seen *seen = seen_of(checker, request->id);
    uint32_t percent = percent_of(request->id, view->now_ns);
    struct lbp_request shown;
    enum lbp_status status;

    check_view(checker, view);
    check_fresh(checker, view);
    PROMISE(checker, !checker->picked || checker->contract->is_asked_beside);
    check_asked(checker, view, request, seen);
    remember(request, seen);
    contract->picks++;
    seen->waiting = percent < contract->wait_percent;
    if (seen->waiting) {
        contract->waits++;
        return LBP_WAIT;
    }
    if (percent - contract->wait_percent < contract->refuse_percent) {
        contract->refusals++;
        return LBP_REFUSE;
    }
    seen->inner_note[0] = seen->inner_note[1] = 0;
    shown = for_inner(request, seen);
    status = contract->inner->pick(checker->inner, view, &shown, ret_slot,
                                   explanation);
    PROMISE(checker, status == LBP_PICKED); /* of all built-in policies */
    checker->picked = status == LBP_PICKED;
    checker->picked_id = request->id;
    checker->picked_slot = *ret_slot;
    request->note[0] = NOTE ^ request->id;
    request->note[1] = request->attempt;
    return status;
}

static void checker_on_sent(void *state, const struct lbp_view *view,
                            const struct lbp_request *request, uint32_t slot)
{
    struct checker *checker = state;
    struct contract *contract = checker->contract;
    struct seen *seen = seen_of(checker, request->id);
    struct lbp_request shown = for_inner(request, seen);

    PROMISE(checker, checker->picked);
    PROMISE(checker, checker->picked_id == request->id);
    PROMISE(checker, checker->picked_slot == slot);
    PROMISE(checker, view->now_ns == checker->now_ns);
    PROMISE(checker, request->note[0] == (NOTE ^ request->id));
    check_same(checker, request, seen);
    checker->picked = false;
    contract->sent++;
    seen->open = true;
    seen->slot = slot;
    seen->sent_at_ns = view->now_ns;
    checker->in_flight[slot]++;
    seen->since = SINCE_YES;
    checker->since[slot][SINCE_YES]++;
    checker->tokens[slot] +=
        request->input_tokens + request->output_tokens_hint;
    check_view(checker, view);
    if (contract->inner->on_sent)
        contract->inner->on_sent(checker->inner, view, &shown, slot);
}

static void checker_on_first_token(void *state, const struct lbp_view *view,
                                   const struct lbp_request *request,
                                   uint32_t slot)
{
    struct checker *checker = state;
    struct seen *seen = seen_of(checker, request->id);

    check_view(checker, view);
    PROMISE(checker, seen->open && seen->slot == slot && !seen->first_token);
    PROMISE(checker, request->note[0] == (NOTE ^ request->id));
    check_same(checker, request, seen);
    seen->first_token = true;
    checker->contract->first_tokens++;
}

static void check_result(struct checker *checker, const struct lbp_view *view,
                         const struct lbp_request *request,
                         const struct seen *seen,
                         const struct lbp_result *result)
{
    int64_t first = result->first_token_at_ns;

    PROMISE(checker, result->size == sizeof *result);
    PROMISE(checker, result->sent_at_ns == seen->sent_at_ns);
    PROMISE(checker, result->done_at_ns == view->now_ns);
    PROMISE(checker, result->input_tokens == request->input_tokens);
    PROMISE(checker, result->outcome == LBP_OK ||
                         result->outcome == LBP_RESET ||
                         result->outcome == LBP_ERROR ||
                         result->outcome == LBP_OVERLOAD ||
                         result->outcome == LBP_TIMEOUT);
    if (result->outcome != LBP_OK)
        PROMISE(checker, result->output_tokens == 0);
    if (first != LBP_NO_TIME)
        PROMISE(checker, result->outcome == LBP_OK &&
                             first >= result->sent_at_ns &&
                             first <= result->done_at_ns);
}

static void checker_on_done(void *state, const struct lbp_view *view,
                            const struct lbp_request *request, uint32_t slot,
                            const struct lbp_result *result)
{
    struct checker *checker = state;
    struct contract *contract = checker->contract;
    struct seen *seen = seen_of(checker, request->id);
    struct lbp_request shown = for_inner(request, seen);

    PROMISE(checker, !checker->picked || checker->contract->is_asked_beside);
    PROMISE(checker, seen->open && seen->slot == slot);
    PROMISE(checker, request->note[0] == (NOTE ^ request->id) &&
                         request->note[1] == request->attempt);
    check_same(checker, request, seen);
    seen->open = false;
    if (seen->tried_count < TRIED_MAX)
        seen->tried[seen->tried_count++] = slot;
    contract->done++;
    contract->done_ok += result->outcome == LBP_OK;
    checker->in_flight[slot]--;
    checker->tokens[slot] -=
        request->input_tokens + request->output_tokens_hint;
    checker->since[slot][seen->since]--;
    check_view(checker, view);
    check_result(checker, view, request, seen, result);
    if (contract->inner->on_done)
        contract->inner->on_done(checker->inner, view, &shown, slot, result);
}

/* What is in flight and was sent while the report was under way. */
static void count_since(struct checker *checker, const struct lbp_view *view,
                        uint32_t slot)
{
    int64_t made_at_ns = lbp_node_at(view, slot)->reported_at_ns;
    uint32_t *counts = checker->since[slot];

    memset(counts, 0, sizeof checker->since[slot]);
    for (uint64_t id = 0; id < checker->seen_count; id++) {
        struct seen *seen = &checker->seen[id];

        if (!seen->open || seen->slot != slot)
            continue;
        seen->since = SINCE_NO;
        if (seen->sent_at_ns > made_at_ns)
            seen->since = SINCE_YES;
        else if (seen->sent_at_ns == made_at_ns && made_at_ns < view->now_ns)
            seen->since = SINCE_UNSURE;
        counts[seen->since]++;
    }
}

static void checker_on_report(void *state, const struct lbp_view *view,
                              uint32_t slot)
{
    struct checker *checker = state;

    PROMISE(checker, view->report_interval_ns > 0);
    PROMISE(checker, lbp_node_at(view, slot)->reported_at_ns ==
                         view->now_ns - checker->contract->report_delay_ns);
    count_since(checker, view, slot);
    check_view(checker, view);
    checker->contract->reports++;
    if (checker->contract->inner->on_report)
        checker->contract->inner->on_report(checker->inner, view, slot);
}

/* Now and then, at times of its own. */
static int64_t checker_on_timer(void *state, const struct lbp_view *view)
{
    struct checker *checker = state;

    check_view(checker, view);
    checker->contract->timers++;
    return view->now_ns + 700000000;
}

void contract_init(struct contract *contract, const struct lbp_ops *inner,
                   const void *inner_config)
{
    *contract = (struct contract){
        .ops = {.abi = LBP_ABI,
                .size = sizeof contract->ops,
                .name = "contract",
                .summary = "checks its host",
                .tie_rule = "that of the policy inside",
                .config_size = sizeof contract->config,
                .needs = inner->needs | LBP_NEEDS_KEY | LBP_NEEDS_REPORTS,
                .create = checker_create,
                .destroy = checker_destroy,
                .on_members = checker_on_members,
                .pick = checker_pick,
                .on_sent = checker_on_sent,
                .on_first_token = checker_on_first_token,
                .on_done = checker_on_done,
                .on_report = checker_on_report,
                .on_timer = checker_on_timer},
        .inner = inner,
        .inner_config = inner_config,
    };
    contract->config.contract = contract;
}
