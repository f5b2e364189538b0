/*
 * Resource score: the node whose reports look best, as one weighted sum.
 *
 *     score = 0.4 gpu + 0.3 cpu + 0.2 memory + 0.1 queue        smallest wins
 *
 * What many gateways build first, and the textbook case of trusting old news:
 * between two reports every request goes to the same node. local_inflight
 * counts what this balancer has sent since, net of what was answered; p2c
 * compares two nodes drawn at random. Either lets reports be older.
 *
 * resource_rating.h says how a node is rated, also one whose reports are old or
 * missing. Draws: with p2c, R(n) and R(n - 1); then, if ties are drawn,
 * R(number of ties). A pick rates every eligible node, or two.
 */
#include "policies/explain.h"
#include "policies/lbp.h"
#include "policies/members.h"
#include "policies/picks.h"
#include "policies/resource_rating.h"
#include "policies/ties.h"

#define WEIGHT_MAX 1e6
#define PERIODS_MAX 1000000 /* of the parameters about age */

struct resource_score {
    const struct lbp_host *host;
    struct rating_rule rule;
    struct lbp_members members; /* only with p2c */
    struct lbp_picks picks;     /* only with `ties: rotate` */
};

#define WEIGHT_PARAM(word, resource, text)                            \
    {                                                                 \
        .name = word,                                                 \
        .help = "weight of " text "; giving any weight replaces the " \
                "formula, where those not given are 0",               \
        .kind = LBP_REAL,                                             \
        .offset = offsetof(struct rating_config, weights) +           \
                  (resource) * sizeof(double),                        \
        .min = 0, .max = WEIGHT_MAX, .like = "the formula",           \
    }

static const struct lbp_param resource_score_params[] = {
    {
        .name = "formula",
        .help = "weights: 0.4, 0.3, 0.2, 0.1 for gpu, cpu, memory, queue; or "
                "0.7, 0.2, 0.1 without memory",
        .kind = LBP_CHOICE,
        .offset = offsetof(struct rating_config, formula),
        .preset = "gpu_cpu_memory_queue",
        .choices = "gpu_cpu_memory_queue|gpu_cpu_queue",
    },
    WEIGHT_PARAM("gpu", GPU, "gpu use"),
    WEIGHT_PARAM("cpu", CPU, "cpu use"),
    WEIGHT_PARAM("memory", MEMORY, "memory use"),
    WEIGHT_PARAM("queue", QUEUE, "the queue"),
    {
        .name = "queue_norm",
        .help = "whether the queue counts as a share of queue_cap, at most 1, "
                "or else as the number of requests that wait",
        .kind = LBP_SWITCH,
        .offset = offsetof(struct rating_config, queue_norm),
        .preset = "true",
    },
    {
        .name = "queue_cap",
        .help = "requests in a queue that counts as full",
        .kind = LBP_COUNT,
        .offset = offsetof(struct rating_config, queue_cap),
        .min = 1,
        .max = 1e9,
        .preset = "10",
    },
    {
        .name = "in_service",
        .help = "whether the queue also counts requests that are being served",
        .kind = LBP_SWITCH,
        .offset = offsetof(struct rating_config, in_service),
        .preset = "false",
    },
    {
        .name = "local_inflight",
        .help = "whether the queue also counts what this balancer has sent "
                "since the report and is still unanswered",
        .kind = LBP_SWITCH,
        .offset = offsetof(struct rating_config, local_inflight),
        .preset = "false",
    },
    {
        .name = "p2c",
        .help = "whether to compare two nodes drawn at random, not all",
        .kind = LBP_SWITCH,
        .offset = offsetof(struct rating_config, p2c),
        .preset = "false",
    },
    {
        .name = "stale_after",
        .help = "report periods after which a report is old",
        .kind = LBP_REAL,
        .offset = offsetof(struct rating_config, stale_after),
        .min = 0,
        .max = PERIODS_MAX,
        .preset = "3",
    },
    {
        .name = "stale_penalty",
        .help = "added to the score for each further whole period",
        .kind = LBP_REAL,
        .offset = offsetof(struct rating_config, stale_penalty),
        .min = 0,
        .max = WEIGHT_MAX,
        .preset = "0.1",
    },
    {
        .name = "exclude_after",
        .help = "further periods after which a node is taken only when all "
                "others are as silent; 0: never",
        .kind = LBP_COUNT,
        .offset = offsetof(struct rating_config, exclude_after),
        .min = 0,
        .max = PERIODS_MAX,
        .preset = "10",
    },
    LBP_TIES_PARAM(struct rating_config),
    {.name = NULL},
};

static const char *resource_score_check(const void *config)
{
    return rating_check(config);
}

static void *resource_score_create(const void *config,
                                   const struct lbp_host *host)
{
    struct resource_score *score = host->allocate(host->context, sizeof *score);

    if (!score)
        return NULL;
    *score = (struct resource_score){.host = host};
    rating_rule_init(&score->rule, config ? config : &rating_presets);
    return score;
}

static void resource_score_destroy(void *state)
{
    struct resource_score *score = state;

    if (!score)
        return;
    lbp_members_done(&score->members, score->host);
    lbp_picks_done(&score->picks, score->host);
    score->host->release(score->host->context, score);
}

static bool resource_score_on_members(void *state, const struct lbp_view *view)
{
    struct resource_score *score = state;

    if (score->rule.config.ties == LBP_TIES_ROTATE &&
        !lbp_picks_update(&score->picks, view->slot_count, score->host))
        return false;
    return !score->rule.config.p2c ||
           lbp_members_update(&score->members, view, score->host);
}

struct choice {
    struct rating best;
    uint32_t tied; /* nodes as good as the best, itself counted */
    uint32_t draws;
};

/* Another node as good as the best so far, which was looked at before. */
static __attribute__((noinline)) void
consider_equal(const struct resource_score *score, const struct rating *next,
               struct choice *choice)
{
    uint32_t ties = score->rule.config.ties;

    choice->tied++;
    if ((ties == LBP_TIES_ROTATE &&
         lbp_picks_older(&score->picks, next->slot, choice->best.slot)) ||
        (ties == LBP_TIES_FIRST && next->slot < choice->best.slot))
        choice->best = *next;
}

/* Another node, in the order in which `own` prefers them. */
static inline void consider(const struct resource_score *score,
                            const struct rating *next, struct choice *choice)
{
    int order = choice->tied > 0 ? rating_compare(next, &choice->best) : -1;

    if (order > 0)
        return;
    if (order == 0) {
        consider_equal(score, next, choice);
        return;
    }
    choice->best = *next;
    choice->tied = 1;
}

static uint32_t draw_below(const struct resource_score *score, uint32_t bound)
{
    return (uint32_t)score->host->random_below(score->host->context, bound);
}

/* Rates the eligible nodes in the order of slots. */
static void consider_all(const struct resource_score *score,
                         const struct lbp_view *view,
                         const struct lbp_request *request,
                         struct choice *choice)
{
    int64_t fresh_ns = rating_fresh_ns(&score->rule, view);

    for (uint32_t word = 0; word * 64 < view->slot_count; word++)
        for (uint64_t bits = request->eligible[word]; bits; bits &= bits - 1) {
            uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
            double limit =
                choice->tied > 0 && choice->best.standing == STANDING_KNOWN
                    ? choice->best.score
                    : RATING_NO_LIMIT;
            struct rating next =
                rating_of(&score->rule, view, fresh_ns, slot, limit);

            consider(score, &next, choice);
        }
}

/* One of those that tie with the best, in the order of slots. */
static void draw_among_all(const struct resource_score *score,
                           const struct lbp_view *view,
                           const struct lbp_request *request,
                           struct choice *choice)
{
    int64_t fresh_ns = rating_fresh_ns(&score->rule, view);
    uint32_t left = draw_below(score, choice->tied);

    choice->draws++;
    for (uint32_t slot = choice->best.slot; slot < view->slot_count; slot++) {
        struct rating next;

        if (!lbp_eligible(request, slot))
            continue;
        next = rating_of(&score->rule, view, fresh_ns, slot, RATING_NO_LIMIT);
        if (rating_compare(&next, &choice->best) != 0 || left-- > 0)
            continue;
        choice->best = next;
        return;
    }
}

static void choose_among_all(const struct resource_score *score,
                             const struct lbp_view *view,
                             const struct lbp_request *request,
                             struct choice *choice)
{
    consider_all(score, view, request, choice);
    if (choice->tied > 1 && score->rule.config.ties == LBP_TIES_RANDOM)
        draw_among_all(score, view, request, choice);
}

static void choose_of_pair(const struct resource_score *score,
                           const struct lbp_view *view, const uint32_t *pair,
                           struct choice *choice)
{
    int64_t fresh_ns = rating_fresh_ns(&score->rule, view);
    struct rating ratings[] = {
        rating_of(&score->rule, view, fresh_ns, pair[0], RATING_NO_LIMIT),
        rating_of(&score->rule, view, fresh_ns, pair[1], RATING_NO_LIMIT)};
    uint32_t lower = pair[1] < pair[0];

    choice->draws = 2;
    consider(score, &ratings[0], choice);
    consider(score, &ratings[1], choice);
    if (choice->tied < 2 || score->rule.config.ties != LBP_TIES_RANDOM)
        return;
    choice->draws++; /* ties count up from the lowest slot */
    choice->best = ratings[draw_below(score, 2) ^ lower];
}

static void explain(const struct resource_score *score,
                    const struct lbp_view *view,
                    const struct lbp_request *request, const uint32_t *pair,
                    const struct choice *choice,
                    struct lbp_explanation *explanation)
{
    static const char *const reasons[] = {"lowest score", "all are silent",
                                          "no reports"};

    lbp_explain_reason(explanation,
                       choice->tied > 1 &&
                               choice->best.standing == STANDING_KNOWN
                           ? "tie"
                           : reasons[choice->best.standing],
                       choice->draws);
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        double terms[RATING_TERMS];

        if (!lbp_eligible(request, slot) ||
            (pair && slot != pair[0] && slot != pair[1]))
            continue;
        rating_terms(&score->rule, view, slot, terms);
        lbp_explain_terms(explanation, slot, terms, RATING_TERMS);
    }
}

static enum lbp_status resource_score_pick(void *state,
                                           const struct lbp_view *view,
                                           const struct lbp_request *request,
                                           uint32_t *ret_slot,
                                           struct lbp_explanation *explanation)
{
    struct resource_score *score = state;
    bool sampled = score->rule.config.p2c && request->eligible_count > 1;
    struct choice choice = {.tied = 0};
    uint32_t pair[2];

    lbp_explain_start(explanation);
    if (request->eligible_count == 0)
        return LBP_NO_NODE;
    if (sampled) {
        lbp_members_draw_two(&score->members, request, score->host, pair);
        choose_of_pair(score, view, pair, &choice);
    } else {
        choose_among_all(score, view, request, &choice);
    }
    if (explanation)
        explain(score, view, request, sampled ? pair : NULL, &choice,
                explanation);
    lbp_picks_note(&score->picks, choice.best.slot);
    *ret_slot = choice.best.slot;
    return LBP_PICKED;
}

static const char *const resource_score_terms[] = {"gpu",   "cpu", "memory",
                                                   "queue", "age", NULL};

const struct lbp_ops policy_resource_score = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "resource_score",
    .summary = "smallest weighted sum of reported gpu, cpu, memory and queue",
    .tie_rule = "own: the lowest slot; of two samples the first draw",
    .params = resource_score_params,
    .term_names = resource_score_terms,
    .config_size = sizeof(struct rating_config),
    .needs = LBP_NEEDS_REPORTS,
    .check = resource_score_check,
    .create = resource_score_create,
    .destroy = resource_score_destroy,
    .on_members = resource_score_on_members,
    .pick = resource_score_pick,
};
LBP_ENTRY(policy_resource_score)
