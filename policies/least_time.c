/*
 * Least time: the smallest product of recent answer time and requests in
 * flight, over weight.
 *
 * nginx (src/http/modules/ngx_http_upstream_least_time_module.c). Each answer
 * moves a node's average by a twentieth, in whole milliseconds, and failures do
 * not. A node that nobody was sent to for longer than fail_timeout looks twice
 * as fast for each such time that has passed, so that a slow one is tried
 * again. Averages count up to the next multiple of 20 ms and no more than 5 s:
 * nodes that are nearly alike are taken for alike, and nodes that are all slow
 * are chosen by their requests in flight alone. Among equals one turn of smooth
 * weighted round robin is taken (credits.h).
 */
#include "policies/credits.h"
#include "policies/explain.h"
#include "policies/lbp.h"
#include "policies/weight.h"

#define MS_NS INT64_C(1000000)
#define SECOND_NS INT64_C(1000000000)
#define STEP_MS 20
#define LONGEST_MS 5000
#define SHIFT_MAX 40

enum measured { MEASURED_HEADER, MEASURED_LAST_BYTE };

struct least_time_config {
    int64_t fail_timeout_ns;
    uint32_t measured;
};

struct timing {
    int64_t average_ms; /* 0: no answer yet */
    int64_t checked_ns; /* when it was last tried after a pause */
    uint32_t generation;
    bool present, tried;
};

struct least_time {
    struct least_time_config config;
    const struct lbp_host *host;
    struct credits credits;
    struct timing *timings; /* [slot_count] */
    uint64_t *tied;         /* [words of capacity] scratch of a pick */
    uint32_t slot_count, capacity;
};

static const struct lbp_param least_time_params[] = {
    {
        .name = "latency",
        .help = "what is averaged: the time to the first token, where there "
                "is one, or to the whole answer",
        .kind = LBP_CHOICE,
        .offset = offsetof(struct least_time_config, measured),
        .preset = "header",
        .like = "nginx",
        .choices = "header|last_byte",
    },
    {
        .name = "fail_timeout",
        .help = "a node that was not tried for so long looks twice as fast, "
                "and so on; whole seconds count",
        .kind = LBP_DURATION,
        .offset = offsetof(struct least_time_config, fail_timeout_ns),
        .max = 86400,
        .preset = "10 s",
        .like = "nginx",
    },
    {.name = NULL},
};

static void *least_time_create(const void *config, const struct lbp_host *host)
{
    struct least_time *least = host->allocate(host->context, sizeof *least);

    if (!least)
        return NULL;
    *least = (struct least_time){.config = {.fail_timeout_ns = 10 * SECOND_NS},
                                 .host = host};
    credits_init(&least->credits, host);
    if (config)
        least->config = *(const struct least_time_config *)config;
    return least;
}

static void least_time_destroy(void *state)
{
    struct least_time *least = state;

    if (!least)
        return;
    credits_done(&least->credits);
    least->host->release(least->host->context, least->timings);
    least->host->release(least->host->context, least->tied);
    least->host->release(least->host->context, least);
}

/* --- members ---------------------------------------------------------------
 */

static uint32_t words_of(uint32_t slot_count)
{
    return (slot_count + 63) / 64;
}

static bool reserve(struct least_time *least, uint32_t slot_count)
{
    const struct lbp_host *host = least->host;
    struct timing *timings;
    uint64_t *tied;

    if (slot_count <= least->capacity)
        return true;
    timings = host->allocate(host->context, slot_count * sizeof *timings);
    tied = host->allocate(host->context, words_of(slot_count) * sizeof *tied);
    if (!timings || !tied) {
        host->release(host->context, timings);
        host->release(host->context, tied);
        return false;
    }
    for (uint32_t slot = 0; slot < least->slot_count; slot++)
        timings[slot] = least->timings[slot];
    host->release(host->context, least->timings);
    host->release(host->context, least->tied);
    least->timings = timings;
    least->tied = tied;
    least->capacity = slot_count;
    return true;
}

static bool least_time_on_members(void *state, const struct lbp_view *view)
{
    struct least_time *least = state;

    if (!reserve(least, view->slot_count) ||
        !credits_update(&least->credits, view))
        return false;
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        const struct lbp_node *node = lbp_node_at(view, slot);
        struct timing *timing = &least->timings[slot];
        bool is = node->key_length > 0;

        if (slot >= least->slot_count || !is || !timing->present ||
            timing->generation != node->generation)
            *timing =
                (struct timing){.generation = node->generation, .present = is};
    }
    least->slot_count = view->slot_count;
    return true;
}

/* --- picks -----------------------------------------------------------------
 */

/* In ms, as it counts. */
static uint64_t time_of(const struct least_time *least,
                        const struct timing *timing, int64_t now_ns)
{
    int64_t passed_s = (now_ns - timing->checked_ns) / SECOND_NS;
    int64_t timeout_s = least->config.fail_timeout_ns / SECOND_NS;
    int64_t time_ms = timing->average_ms;

    if (timing->tried && passed_s > timeout_s) {
        int64_t shift = passed_s / (timeout_s + 1);

        time_ms >>= shift < SHIFT_MAX ? shift : SHIFT_MAX;
    }
    if (time_ms > LONGEST_MS)
        return LONGEST_MS;
    return (uint64_t)(time_ms + STEP_MS - time_ms % STEP_MS);
}

/* Its time until an answer, and its weight: eta / weight is compared. */
struct bid {
    uint64_t eta_ms;
    uint32_t weight;
};

static struct bid bid_of(const struct least_time *least,
                         const struct lbp_view *view, uint32_t slot)
{
    return (struct bid){time_of(least, &least->timings[slot], view->now_ns) *
                            (1 + (uint64_t)view->in_flight[slot]),
                        lbp_weight_scaled(lbp_node_at(view, slot))};
}

__extension__ typedef unsigned __int128 product;

/* Below 0 if a is better, 0 if they tie. */
static int compare(const struct bid *a, const struct bid *b)
{
    product of_a = (product)a->eta_ms * b->weight;
    product of_b = (product)b->eta_ms * a->weight;

    return (of_a > of_b) - (of_a < of_b);
}

/* Fills the set of the best and yields how many they are. Without any weight
   among them nobody is. */
static uint32_t find_best(struct least_time *least, const struct lbp_view *view,
                          const struct lbp_request *request, uint32_t *ret_slot)
{
    struct bid best = {0, 0};
    uint32_t tied = 0;

    for (uint32_t word = 0; word < words_of(view->slot_count); word++) {
        least->tied[word] = 0;
        for (uint64_t bits = request->eligible[word]; bits; bits &= bits - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(bits);
            struct bid bid = bid_of(least, view, word * 64 + bit);
            int order = tied > 0 ? compare(&bid, &best) : -1;

            if (bid.weight == 0 || order > 0)
                continue;
            if (order < 0) {
                for (uint32_t i = 0; i <= word; i++)
                    least->tied[i] = 0;
                best = bid;
                tied = 0;
                *ret_slot = word * 64 + bit;
            }
            least->tied[word] |= (uint64_t)1 << bit;
            tied++;
        }
    }
    return tied;
}

static void explain(const struct least_time *least, const struct lbp_view *view,
                    const struct lbp_request *request, uint32_t tied,
                    struct lbp_explanation *explanation)
{
    lbp_explain_reason(explanation, tied > 1 ? "tie" : "shortest time", 0);
    for (uint32_t slot = 0; explanation && slot < view->slot_count; slot++) {
        struct bid bid = bid_of(least, view, slot);

        if (lbp_eligible(request, slot) && bid.weight > 0)
            lbp_explain_score(explanation, slot,
                              (double)bid.eta_ms * LBP_WEIGHT_ONE /
                                  (1000.0 * bid.weight));
    }
}

static enum lbp_status least_time_pick(void *state, const struct lbp_view *view,
                                       const struct lbp_request *request,
                                       uint32_t *ret_slot,
                                       struct lbp_explanation *explanation)
{
    struct least_time *least = state;
    uint32_t tied = find_best(least, view, request, ret_slot);

    lbp_explain_start(explanation);
    if (tied == 0)
        return LBP_NO_NODE;
    explain(least, view, request, tied, explanation);
    if (tied > 1)
        *ret_slot = credits_turn(&least->credits, least->tied);
    return LBP_PICKED;
}

/* --- observations ----------------------------------------------------------
 */

static void least_time_on_sent(void *state, const struct lbp_view *view,
                               const struct lbp_request *request, uint32_t slot)
{
    struct least_time *least = state;
    struct timing *timing = &least->timings[slot];

    (void)request;
    if (!timing->tried ||
        view->now_ns - timing->checked_ns > least->config.fail_timeout_ns)
        timing->checked_ns = view->now_ns;
    timing->tried = true;
}

static void least_time_on_done(void *state, const struct lbp_view *view,
                               const struct lbp_request *request, uint32_t slot,
                               const struct lbp_result *result)
{
    struct least_time *least = state;
    struct timing *timing = &least->timings[slot];
    bool to_token = least->config.measured == MEASURED_HEADER &&
                    result->first_token_at_ns != LBP_NO_TIME;
    int64_t passed_ms =
        ((to_token ? result->first_token_at_ns : result->done_at_ns) -
         result->sent_at_ns) /
        MS_NS;

    (void)view;
    (void)request;
    if (result->outcome != LBP_OK)
        return;
    timing->average_ms = timing->average_ms > 0
                             ? (int64_t)(0.5 + 0.05 * (double)passed_ms +
                                         0.95 * (double)timing->average_ms)
                             : passed_ms;
}

static const char *const least_time_terms[] = {"eta_s", NULL};

const struct lbp_ops policy_least_time = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "least_time",
    .summary = "the smallest answer time x requests in flight per weight",
    .tie_rule = "a turn of smooth weighted round robin over those that tie",
    .params = least_time_params,
    .term_names = least_time_terms,
    .config_size = sizeof(struct least_time_config),
    .create = least_time_create,
    .destroy = least_time_destroy,
    .on_members = least_time_on_members,
    .pick = least_time_pick,
    .on_sent = least_time_on_sent,
    .on_done = least_time_on_done,
};
LBP_ENTRY(policy_least_time)
