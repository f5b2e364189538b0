/*
 * Predict: the node that is expected to finish the request first.
 *
 *     score = wait x (1 + trend x horizon) + service
 *
 * service is what the node takes for the input and for the output that
 * similar requests had (history.h, service_time.h). wait comes from this
 * balancer's own books of what it sent there and still waits for
 * (outstanding.h), or from the queue that the node reports. trend is the
 * slope of the node's load (trend.h).
 *
 * mode: simulate lets each busy node's queue run forward instead of dividing
 * its work by its slots, after Block (Da et al., "Block: Balancing Load in LLM
 * Serving with Context, Knowledge and Predictive Scheduling", 2025). With
 * oracle: true the host tells length and work of each request as they will
 * be, which no real balancer knows: a bound of what prediction can reach on
 * nodes that serve in slots, and least work left where they serve one at a time
 * (Harchol-Balter, "Performance Modeling and Design of Computer Systems", 2013,
 * ch. 24). A node that shares its power among what it serves looks like one of
 * many slots here: the contract does not tell them apart, so its wait is
 * predicted too short the busier it is.
 *
 * A pick looks at every eligible node: about 0.5 us at 64 and 7 us at 1,024;
 * by simulation it also looks at what each busy node has in flight.
 */
#include "policies/explain.h"
#include "policies/history.h"
#include "policies/lbp.h"
#include "policies/outstanding.h"
#include "policies/picks.h"
#include "policies/predict_config.h"
#include "policies/service_time.h"
#include "policies/ties.h"
#include "policies/trend.h"

#include <math.h>

struct predict {
    struct predict_config config;
    const struct lbp_host *host;
    struct history history;
    struct service_times times;
    struct outstanding books;
    struct trend trend; /* empty without a horizon */
    double *handicaps;  /* [slot_count] 1 / weight_factor; 0: takes nothing */
    uint32_t slot_count;
    struct lbp_picks picks; /* only with `ties: rotate` */
    /* How far services are from their prediction: mean square of taken / said
       - 1, of so many answers. */
    double surprise;
    uint64_t surprises;
};

static void *predict_create(const void *config, const struct lbp_host *host)
{
    struct predict *predict = host->allocate(host->context, sizeof *predict);

    if (!predict)
        return NULL;
    *predict = (struct predict){.host = host};
    if (config)
        predict->config = *(const struct predict_config *)config;
    predict->times.preset_ns = (double)predict->config.service_preset_ns;
    history_init(&predict->history, &predict->config.history);
    return predict;
}

static void predict_destroy(void *state)
{
    struct predict *predict = state;
    const struct lbp_host *host;

    if (!predict)
        return;
    host = predict->host;
    service_done(&predict->times, host);
    outstanding_done(&predict->books, host);
    trend_done(&predict->trend, host);
    lbp_picks_done(&predict->picks, host);
    host->release(host->context, predict->handicaps);
    host->release(host->context, predict);
}

/* Who knows what waits needs no trend. */
static bool follows_trend(const struct predict *predict)
{
    return predict->config.horizon_ns > 0 && !predict->config.oracle;
}

/* --- members -------------------------------------------------------------- */

static bool grow(struct predict *predict, uint32_t slot_count)
{
    const struct lbp_host *host = predict->host;
    double *handicaps;

    if (slot_count <= predict->slot_count)
        return true;
    handicaps = host->allocate(host->context, slot_count * sizeof *handicaps);
    if (!handicaps)
        return false;
    host->release(host->context, predict->handicaps);
    predict->handicaps = handicaps;
    return true;
}

/* A newcomer that warms up looks slower than it is, and so takes less. */
static double handicap_of(const struct lbp_node *node)
{
    if (node->key_length == 0 || node->weight == 0)
        return 0;
    return node->weight_factor > 0 && node->weight_factor < 1
               ? 1 / node->weight_factor
               : 1;
}

/* Balancers that may be assumed to send alike. */
static uint32_t sharers_of(const struct predict *predict,
                           const struct lbp_view *view)
{
    return predict->config.share_slots && view->balancer_count > 1
               ? view->balancer_count
               : 1;
}

static bool predict_on_members(void *state, const struct lbp_view *view)
{
    struct predict *predict = state;
    const struct lbp_host *host = predict->host;

    if (!service_update(&predict->times, view, host) ||
        !outstanding_update(&predict->books, view, sharers_of(predict, view),
                            host))
        return false;
    if (follows_trend(predict) &&
        !trend_update(&predict->trend, view,
                      (uint32_t)predict->config.trend_samples, host))
        return false;
    if (predict->config.ties == LBP_TIES_ROTATE &&
        !lbp_picks_update(&predict->picks, view->slot_count, host))
        return false;
    if (!grow(predict, view->slot_count))
        return false;
    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        predict->handicaps[slot] = handicap_of(lbp_node_at(view, slot));
    predict->slot_count = view->slot_count;
    return true;
}

/* --- the prediction ------------------------------------------------------- */

/* What holds for all nodes while one request is looked at. */
struct question {
    const struct lbp_view *view;
    struct service_ask ask;
    double luck;
};

static struct question start_question(const struct predict *predict,
                                      const struct lbp_view *view,
                                      const struct lbp_request *request)
{
    double output = request->output_tokens_hint;
    double luck = predict->surprise < 1 ? predict->surprise : 1;

    if (request->output_tokens_hint == 0)
        output = history_expect(&predict->history, request);
    return (struct question){
        .view = view,
        .ask = service_ask_for(request, output),
        .luck = predict->config.oracle ? 0 : luck,
    };
}

/* By the node's report: rounds of service before a slot is free, each of the
   usual length there. Negative: it never reported. */
static double reported_wait(const struct predict *predict,
                            const struct question *question, uint32_t slot,
                            double service_ns)
{
    const struct lbp_view *view = question->view;
    const struct lbp_node *node = lbp_node_at(view, slot);
    double slots = node->slots > 0 ? node->slots : 1;
    double usual_ns = predict->times.nodes[slot].usual_ns;
    double inside;

    if (node->queue_depth < 0)
        return -1;
    inside = (double)node->queue_depth +
             (node->running > 0 ? (double)node->running : 0) +
             view->in_flight_since_report[slot];
    if (inside < slots)
        return 0;
    return (inside - slots + 1) / slots *
           (usual_ns > 0 ? usual_ns : service_ns);
}

static double predict_wait(struct predict *predict,
                           const struct question *question, uint32_t slot,
                           double service_ns)
{
    int64_t now_ns = question->view->now_ns;
    double wait_ns = -1;

    if (predict->config.wait == PREDICT_WAIT_REPORTED)
        wait_ns = reported_wait(predict, question, slot, service_ns);
    if (wait_ns < 0 && predict->config.mode == PREDICT_SIMULATE)
        wait_ns = outstanding_wait_by_turns(&predict->books, slot, now_ns);
    else if (wait_ns < 0)
        wait_ns = outstanding_wait(&predict->books.nodes[slot], now_ns,
                                   question->luck);
    if (wait_ns > 0 && predict->trend.slopes) {
        double factor = 1 + predict->trend.slopes[slot] *
                                ((double)predict->config.horizon_ns * 1e-9);

        wait_ns *= factor > 0 ? factor : 0;
    }
    return wait_ns;
}

struct forecast {
    double wait_ns, service_ns; /* the wait with its trend */
};

static struct forecast foresee(struct predict *predict,
                               const struct question *question, uint32_t slot)
{
    double service_ns = service_expect(&predict->times, slot, &question->ask);

    return (struct forecast){
        .wait_ns = predict_wait(predict, question, slot, service_ns),
        .service_ns = service_ns,
    };
}

/* --- pick ----------------------------------------------------------------- */

struct choice {
    uint32_t slot, tied; /* tied: nodes of that score */
    double score;
    struct forecast forecast;
};

/* Whether there is room for the score of one more node. */
static bool wants_scores(const struct lbp_explanation *explanation)
{
    return explanation && explanation->count < explanation->capacity;
}

/* Terms are what counts in the score, the handicap included. */
static void explain(struct lbp_explanation *explanation, uint32_t slot,
                    const struct forecast *forecast, double handicap)
{
    double terms[] = {forecast->wait_ns * 1e-9 * handicap,
                      forecast->service_ns * 1e-9 * handicap};

    lbp_explain_terms(explanation, slot, terms, 2);
}

/* Whether a node that ties with the best so far is the better one. */
static bool goes_before(const struct predict *predict, uint32_t slot,
                        uint32_t best)
{
    return predict->config.ties == LBP_TIES_ROTATE &&
           lbp_picks_older(&predict->picks, slot, best);
}

/* A node whose service alone takes too long is not looked at further: waits are
   not negative. */
static void consider(struct predict *predict, const struct question *question,
                     uint32_t slot, struct choice *choice,
                     struct lbp_explanation *explanation)
{
    double handicap = predict->handicaps[slot];
    struct forecast forecast = {
        .service_ns = service_expect(&predict->times, slot, &question->ask)};
    double score;

    if (forecast.service_ns * handicap > choice->score &&
        !wants_scores(explanation))
        return;
    forecast.wait_ns =
        predict_wait(predict, question, slot, forecast.service_ns);
    score = (forecast.wait_ns + forecast.service_ns) * handicap;
    explain(explanation, slot, &forecast, handicap);
    if (choice->slot != LBP_NO_SLOT && !(score < choice->score)) {
        bool tied = score == choice->score;

        choice->tied += tied;
        if (!tied || !goes_before(predict, slot, choice->slot))
            return;
    } else {
        choice->tied = 1;
    }
    choice->slot = slot;
    choice->score = score;
    choice->forecast = forecast;
}

static void consider_all(struct predict *predict,
                         const struct question *question,
                         const struct lbp_request *request,
                         struct choice *choice,
                         struct lbp_explanation *explanation)
{
    for (uint32_t first = 0; first < predict->slot_count; first += 64) {
        uint64_t bits = request->eligible[first / 64];

        for (; bits; bits &= bits - 1) {
            uint32_t slot = first + (uint32_t)__builtin_ctzll(bits);

            if (slot < predict->slot_count && predict->handicaps[slot] > 0)
                consider(predict, question, slot, choice, explanation);
        }
    }
}

/* The node of that rank among those with the best score. */
static void take_tied(struct predict *predict, const struct question *question,
                      const struct lbp_request *request, uint64_t rank,
                      struct choice *choice)
{
    for (uint32_t slot = 0; slot < predict->slot_count; slot++) {
        struct forecast forecast;

        if (!lbp_eligible(request, slot) || !(predict->handicaps[slot] > 0))
            continue;
        forecast = foresee(predict, question, slot);
        if ((forecast.wait_ns + forecast.service_ns) *
                predict->handicaps[slot] !=
            choice->score)
            continue;
        if (rank-- == 0) {
            choice->slot = slot;
            choice->forecast = forecast;
            return;
        }
    }
}

static enum lbp_status predict_pick(void *state, const struct lbp_view *view,
                                    const struct lbp_request *request,
                                    uint32_t *ret_slot,
                                    struct lbp_explanation *explanation)
{
    struct predict *predict = state;
    struct question question = start_question(predict, view, request);
    struct choice choice = {.slot = LBP_NO_SLOT, .score = INFINITY};
    bool draws;

    lbp_explain_start(explanation);
    consider_all(predict, &question, request, &choice, explanation);
    if (choice.slot == LBP_NO_SLOT)
        return LBP_NO_NODE;
    draws = predict->config.ties == LBP_TIES_RANDOM && choice.tied > 1;
    if (draws)
        take_tied(
            predict, &question, request,
            predict->host->random_below(predict->host->context, choice.tied),
            &choice);
    lbp_picks_note(&predict->picks, choice.slot);
    if (explanation) {
        lbp_explain_reason(explanation, choice.tied > 1 ? "tie" : "first done",
                           draws);
        explanation->expected_ns = (int64_t)(choice.forecast.wait_ns +
                                             choice.forecast.service_ns + 0.5);
    }
    *ret_slot = choice.slot;
    return LBP_PICKED;
}

/* --- what it learns ------------------------------------------------------- */

static void predict_on_sent(void *state, const struct lbp_view *view,
                            const struct lbp_request *request, uint32_t slot)
{
    struct predict *predict = state;
    struct question question = start_question(predict, view, request);
    double ns = service_expect(&predict->times, slot, &question.ask);

    if (ns > OUTSTANDING_LONGEST_NS)
        ns = OUTSTANDING_LONGEST_NS;
    service_sent(&predict->times, slot, ns);
    outstanding_enter(&predict->books, slot, view->now_ns, (int64_t)(ns + 0.5),
                      request->note);
}

/* The first answers weigh alike, later ones little. */
static void learn_surprise(struct predict *predict,
                           const struct outstanding_end *end)
{
    double error = (double)end->taken_ns / (double)(end->service_ns + 1) - 1;
    double share = 1 / (double)++predict->surprises;

    if (share < 1.0 / 64)
        share = 1.0 / 64;
    if (error > 4)
        error = 4; /* one node in trouble is not the rule */
    predict->surprise += share * (error * error - predict->surprise);
}

static void predict_on_done(void *state, const struct lbp_view *view,
                            const struct lbp_request *request, uint32_t slot,
                            const struct lbp_result *result)
{
    struct predict *predict = state;
    struct question question;
    struct outstanding_end end = {0};

    if (!outstanding_leave(&predict->books, slot, view->now_ns, request->note,
                           &end) ||
        result->outcome != LBP_OK)
        return;
    if (end.ran) {
        question = start_question(predict, view, request);
        learn_surprise(predict, &end);
        service_learn(&predict->times, slot, &question.ask, end.taken_ns);
    }
    history_learn(&predict->history, request, result->output_tokens);
}

static int64_t predict_on_timer(void *state, const struct lbp_view *view)
{
    struct predict *predict = state;
    int64_t interval_ns = predict->config.trend_interval_ns;

    if (!follows_trend(predict))
        return LBP_NO_TIME;
    trend_sample(&predict->trend, view, (double)interval_ns * 1e-9);
    return view->now_ns + interval_ns;
}

static const char *const predict_terms[] = {"wait_s", "service_s", NULL};

const struct lbp_ops policy_predict = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "predict",
    .summary = "the node expected to finish first: wait plus service",
    .tie_rule = "own: the lowest slot among equal predictions",
    .params = predict_params,
    .term_names = predict_terms,
    .config_size = sizeof(struct predict_config),
    .needs = LBP_PREDICTS,
    .check = predict_check,
    .create = predict_create,
    .destroy = predict_destroy,
    .on_members = predict_on_members,
    .pick = predict_pick,
    .on_sent = predict_on_sent,
    .on_done = predict_on_done,
    .on_timer = predict_on_timer,
    .also_needs = predict_also_needs,
};
LBP_ENTRY(policy_predict)
