/*
 * Peak EWMA: the smaller product of smoothed latency and requests in flight.
 *
 * Finagle (loadbalancer/PeakEwma.scala, util/Ema.scala), and after it Linkerd
 * and Tower. A node's latency rises at once to a slower answer and falls
 * slowly: the newest observation weighs 1 - e^(-t / decay), t after the one
 * before, and while nothing is observed it decays to nothing, so that a node
 * that was slow is tried again. Its load is latency x (in flight + 1), and the
 * better of two nodes drawn at random serves.
 *
 * Three questions have several answers in the products, and each decides who
 * is flooded:
 *
 * - What is a node worth of which nothing is known? Finagle gives it one
 *   request and shuts it until the answer (`newcomer: penalty`), Linkerd
 *   assumes 30 ms (`default`), ingress-nginx took 0 and later the mean of the
 *   others (`zero`, `mean`).
 * - Is a worse observation believed at once (`peak`)? Envoy averages.
 * - Does an error count as the time it took? Then failing fast looks like
 *   being fast (`failure_latency`).
 */
#include "policies/explain.h"
#include "policies/latencies.h"
#include "policies/lbp.h"
#include "policies/members.h"
#include "policies/picks.h"
#include "policies/ties.h"

/* Finagle's, 2^63 - 1 >> 16: a load in ns that nobody has, 39 hours. */
#define PENALTY 140737488355327.0
#define DECAY_NS INT64_C(10000000000)

enum measured { MEASURED_FIRST_TOKEN, MEASURED_ANSWER };

struct peak_ewma_config {
    struct latency_rule rule;
    int64_t failure_latency_ns; /* 0: as measured */
    uint32_t measured, ties;
    bool p2c;
};

/* A node as it stands in one pick. */
struct candidate {
    double load; /* ns x requests */
    uint32_t slot;
    uint8_t health;
};

struct peak_ewma {
    struct peak_ewma_config config;
    const struct lbp_host *host;
    struct lbp_members members;
    struct lbp_picks picks; /* only with `ties: rotate` */
    struct latencies latencies;
    struct candidate *candidates; /* [capacity] scratch of a pick */
    uint32_t capacity;
};

static const struct lbp_param peak_ewma_params[] = {
    {
        .name = "decay",
        .help = "time constant: after it an observation weighs e times less",
        .kind = LBP_DURATION,
        .offset = offsetof(struct peak_ewma_config, rule.decay_ns),
        .min = 1e-3,
        .max = 86400,
        .preset = "10 s",
        .like = "finagle, linkerd",
    },
    {
        .name = "newcomer",
        .help = "a node of which nothing is known: shut until its first "
                "answer, the mean of the others, nothing, or "
                "default_latency",
        .kind = LBP_CHOICE,
        .offset = offsetof(struct peak_ewma_config, rule.newcomer),
        .preset = "penalty",
        .like = "finagle",
        .choices = "penalty|mean|zero|default",
    },
    {
        .name = "default_latency",
        .help = "what newcomers start with under `newcomer: default`",
        .kind = LBP_DURATION,
        .offset = offsetof(struct peak_ewma_config, rule.default_ns),
        .min = 1e-6,
        .max = 3600,
        .preset = "30 ms",
        .like = "linkerd",
    },
    {
        .name = "peak",
        .help = "whether a slower observation counts at once; else it is "
                "averaged like the others",
        .kind = LBP_SWITCH,
        .offset = offsetof(struct peak_ewma_config, rule.peak),
        .preset = "true",
        .like = "finagle, linkerd",
    },
    {
        .name = "latency",
        .help = "what is observed: the time to the first token, where there "
                "is one, or to the whole answer",
        .kind = LBP_CHOICE,
        .offset = offsetof(struct peak_ewma_config, measured),
        .preset = "first_token",
        .choices = "first_token|answer",
    },
    {
        .name = "failure_latency",
        .help = "what a failed attempt counts for at least; 0: the time it "
                "took",
        .kind = LBP_DURATION,
        .offset = offsetof(struct peak_ewma_config, failure_latency_ns),
        .max = 86400,
        .preset = "0 s",
        .like = "finagle",
    },
    {
        .name = "history",
        .help = "whether what is known of all nodes is kept when nodes join "
                "or leave",
        .kind = LBP_CHOICE,
        .offset = offsetof(struct peak_ewma_config, rule.history),
        .preset = "keep",
        .choices = "keep|drop",
    },
    {
        .name = "p2c",
        .help = "the better of two nodes drawn at random instead of the best "
                "of all",
        .kind = LBP_SWITCH,
        .offset = offsetof(struct peak_ewma_config, p2c),
        .preset = "true",
        .like = "finagle, linkerd",
    },
    LBP_TIES_PARAM(struct peak_ewma_config),
    {.name = NULL},
};

static void *peak_ewma_create(const void *config, const struct lbp_host *host)
{
    struct peak_ewma *ewma = host->allocate(host->context, sizeof *ewma);

    if (!ewma)
        return NULL;
    *ewma = (struct peak_ewma){
        .config = {.rule = {.decay_ns = DECAY_NS, .peak = true}, .p2c = true},
        .host = host};
    if (config)
        ewma->config = *(const struct peak_ewma_config *)config;
    ewma->latencies.rule = ewma->config.rule;
    return ewma;
}

static void peak_ewma_destroy(void *state)
{
    struct peak_ewma *ewma = state;

    if (!ewma)
        return;
    lbp_members_done(&ewma->members, ewma->host);
    lbp_picks_done(&ewma->picks, ewma->host);
    latencies_done(&ewma->latencies, ewma->host);
    ewma->host->release(ewma->host->context, ewma->candidates);
    ewma->host->release(ewma->host->context, ewma);
}

/* --- members ---------------------------------------------------------------
 */

/* Room for the scratch list. */
static bool reserve(struct peak_ewma *ewma, uint32_t slot_count)
{
    const struct lbp_host *host = ewma->host;
    struct candidate *candidates;

    if (slot_count <= ewma->capacity)
        return true;
    candidates = host->allocate(host->context, slot_count * sizeof *candidates);
    if (!candidates)
        return false;
    host->release(host->context, ewma->candidates);
    ewma->candidates = candidates;
    ewma->capacity = slot_count;
    return true;
}

static bool peak_ewma_on_members(void *state, const struct lbp_view *view)
{
    struct peak_ewma *ewma = state;

    return reserve(ewma, view->slot_count) &&
           (ewma->config.ties != LBP_TIES_ROTATE ||
            lbp_picks_update(&ewma->picks, view->slot_count, ewma->host)) &&
           lbp_members_update(&ewma->members, view, ewma->host) &&
           latencies_update(&ewma->latencies, view, ewma->host);
}

/* --- picks -----------------------------------------------------------------
 */

/* A node of which nothing is known takes one request, and then none until it
   has answered, unless it is to be worth nothing. */
static double load_of(const struct peak_ewma *ewma, const struct lbp_view *view,
                      uint32_t slot)
{
    double in_flight = view->in_flight[slot];
    double level_ns = latencies_level(&ewma->latencies, slot, view->now_ns);

    if (!(level_ns > 0) && in_flight > 0 &&
        ewma->config.rule.newcomer != NEWCOMER_ZERO)
        return PENALTY + in_flight;
    return level_ns * (in_flight + 1);
}

static struct candidate candidate_of(const struct peak_ewma *ewma,
                                     const struct lbp_view *view, uint32_t slot)
{
    return (struct candidate){.load = load_of(ewma, view, slot),
                              .slot = slot,
                              .health = lbp_node_at(view, slot)->health};
}

static uint32_t draw_below(const struct peak_ewma *ewma, uint32_t bound)
{
    return (uint32_t)ewma->host->random_below(ewma->host->context, bound);
}

/* In the order of slots. */
static uint32_t list_all(const struct peak_ewma *ewma,
                         const struct lbp_view *view,
                         const struct lbp_request *request,
                         struct candidate *ret_list)
{
    uint32_t count = 0;

    for (uint32_t word = 0; word * 64 < view->slot_count; word++)
        for (uint64_t bits = request->eligible[word]; bits; bits &= bits - 1)
            ret_list[count++] = candidate_of(
                ewma, view, word * 64 + (uint32_t)__builtin_ctzll(bits));
    return count;
}

/* Below 0 if a is better than b, 0 if they tie. */
static int compare(const struct candidate *a, const struct candidate *b)
{
    if (a->health != b->health)
        return a->health < b->health ? -1 : 1;
    return (a->load > b->load) - (a->load < b->load);
}

/* Whether the later one of two equal ones is to be preferred. */
static bool prefers(const struct peak_ewma *ewma, uint32_t later,
                    uint32_t earlier)
{
    switch ((enum lbp_ties)ewma->config.ties) {
    case LBP_TIES_FIRST:
        return later < earlier;
    case LBP_TIES_ROTATE:
        return lbp_picks_older(&ewma->picks, later, earlier);
    default:
        return false;
    }
}

/* The best of the list, and how many are as good. */
static const struct candidate *best_of(const struct peak_ewma *ewma,
                                       const struct candidate *list,
                                       uint32_t count, uint32_t *ret_tied)
{
    const struct candidate *best = list;

    *ret_tied = 1;
    for (uint32_t i = 1; i < count; i++) {
        int order = compare(&list[i], best);

        if (order < 0)
            *ret_tied = 1;
        else if (order == 0)
            ++*ret_tied;
        if (order < 0 ||
            (order == 0 && prefers(ewma, list[i].slot, best->slot)))
            best = &list[i];
    }
    return best;
}

/* One of those that tie with the best; ties count up from the lowest slot. */
static const struct candidate *
draw_tied(const struct peak_ewma *ewma, const struct candidate *list,
          uint32_t count, const struct candidate *best, uint32_t tied)
{
    uint32_t left = draw_below(ewma, tied);
    bool falling = count == 2 && list[1].slot < list[0].slot;

    for (uint32_t i = 0; i < count; i++) {
        const struct candidate *next = &list[falling ? count - 1 - i : i];

        if (compare(next, best) == 0 && left-- == 0)
            return next;
    }
    return best;
}

static void explain_list(struct lbp_explanation *explanation,
                         const struct candidate *list, uint32_t count,
                         bool tied, uint32_t draws)
{
    lbp_explain_reason(explanation, tied ? "tie" : "lower load", draws);
    for (uint32_t i = 0; i < count; i++)
        lbp_explain_score(explanation, list[i].slot, list[i].load / 1e9);
}

/* The best of the list; of several such by the rule for ties. */
static uint32_t choose(const struct peak_ewma *ewma,
                       const struct candidate *list, uint32_t count,
                       uint32_t draws, struct lbp_explanation *explanation)
{
    uint32_t tied;
    const struct candidate *best = best_of(ewma, list, count, &tied);

    if (tied > 1 && ewma->config.ties == LBP_TIES_RANDOM) {
        best = draw_tied(ewma, list, count, best, tied);
        draws++;
    }
    explain_list(explanation, list, count, tied > 1, draws);
    return best->slot;
}

/* 2 or more are eligible. */
static uint32_t choose_of_two(const struct peak_ewma *ewma,
                              const struct lbp_view *view,
                              const struct lbp_request *request,
                              struct lbp_explanation *explanation)
{
    struct candidate pair[2];
    uint32_t slots[2];

    lbp_members_draw_two(&ewma->members, request, ewma->host, slots);
    for (int i = 0; i < 2; i++)
        pair[i] = candidate_of(ewma, view, slots[i]);
    return choose(ewma, pair, 2, 2, explanation);
}

static uint32_t choose_of_all(const struct peak_ewma *ewma,
                              const struct lbp_view *view,
                              const struct lbp_request *request,
                              struct lbp_explanation *explanation)
{
    uint32_t count = list_all(ewma, view, request, ewma->candidates);

    return choose(ewma, ewma->candidates, count, 0, explanation);
}

static enum lbp_status peak_ewma_pick(void *state, const struct lbp_view *view,
                                      const struct lbp_request *request,
                                      uint32_t *ret_slot,
                                      struct lbp_explanation *explanation)
{
    struct peak_ewma *ewma = state;

    lbp_explain_start(explanation);
    if (request->eligible_count == 0)
        return LBP_NO_NODE;
    *ret_slot = ewma->config.p2c && request->eligible_count > 1
                    ? choose_of_two(ewma, view, request, explanation)
                    : choose_of_all(ewma, view, request, explanation);
    lbp_picks_note(&ewma->picks, *ret_slot);
    return LBP_PICKED;
}

/* --- observations ----------------------------------------------------------
 */

/* The first word of an attempt's note: when it was sent, + 1; 0 once it has
   been observed. */
static void peak_ewma_on_sent(void *state, const struct lbp_view *view,
                              const struct lbp_request *request, uint32_t slot)
{
    (void)state;
    (void)slot;
    request->note[0] = (uint64_t)view->now_ns + 1;
}

static void peak_ewma_on_first_token(void *state, const struct lbp_view *view,
                                     const struct lbp_request *request,
                                     uint32_t slot)
{
    struct peak_ewma *ewma = state;
    int64_t sent_at_ns = (int64_t)(request->note[0] - 1);

    if (ewma->config.measured != MEASURED_FIRST_TOKEN || request->note[0] == 0)
        return;
    latencies_observe(&ewma->latencies, slot,
                      (double)(view->now_ns - sent_at_ns), view->now_ns);
    request->note[0] = 0;
}

static bool has_failed(const struct lbp_result *result)
{
    return result->outcome != LBP_OK;
}

/* A host that tells of no first token when it comes may tell in the end. */
static int64_t seen_ns(const struct peak_ewma *ewma,
                       const struct lbp_result *result)
{
    bool to_token = ewma->config.measured == MEASURED_FIRST_TOKEN &&
                    result->first_token_at_ns != LBP_NO_TIME &&
                    !has_failed(result);
    int64_t passed_ns =
        (to_token ? result->first_token_at_ns : result->done_at_ns) -
        result->sent_at_ns;

    if (has_failed(result) && passed_ns < ewma->config.failure_latency_ns)
        return ewma->config.failure_latency_ns;
    return passed_ns;
}

/* An attempt that was given up says nothing. A failure after the first token
   is one all the same, if failures have a price. */
static void peak_ewma_on_done(void *state, const struct lbp_view *view,
                              const struct lbp_request *request, uint32_t slot,
                              const struct lbp_result *result)
{
    struct peak_ewma *ewma = state;
    bool is_observed = request->note[0] == 0;

    if (result->outcome == LBP_CANCELLED ||
        (is_observed &&
         !(has_failed(result) && ewma->config.failure_latency_ns > 0)))
        return;
    latencies_observe(&ewma->latencies, slot, (double)seen_ns(ewma, result),
                      view->now_ns);
    request->note[0] = 0;
}

static const char *const peak_ewma_terms[] = {"load_s", NULL};

const struct lbp_ops policy_peak_ewma = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "peak_ewma",
    .summary = "the smaller smoothed latency x requests in flight, of two "
               "drawn",
    .tie_rule = "own: the first draw; of all the lowest slot",
    .params = peak_ewma_params,
    .term_names = peak_ewma_terms,
    .config_size = sizeof(struct peak_ewma_config),
    .create = peak_ewma_create,
    .destroy = peak_ewma_destroy,
    .on_members = peak_ewma_on_members,
    .pick = peak_ewma_pick,
    .on_sent = peak_ewma_on_sent,
    .on_first_token = peak_ewma_on_first_token,
    .on_done = peak_ewma_on_done,
};
LBP_ENTRY(policy_peak_ewma)
