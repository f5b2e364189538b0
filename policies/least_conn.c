/*
 * Least connections: the node with the fewest requests in flight per weight.
 *
 * As in nginx (src/http/modules/ngx_http_upstream_least_conn_module.c). Counts
 * are this balancer's own and exact. Among equals one turn of smooth weighted
 * round robin decides, taken over the equals only. Neither way of doing that
 * looks at every node: conn_rows.h is for small pools of equal weight,
 * conn_table.h for others.
 */
#include "policies/conn_rows.h"
#include "policies/conn_table.h"
#include "policies/explain.h"
#include "policies/lbp.h"
#include "policies/ties.h"

struct least_conn_config {
    uint32_t ties;
    bool ignore_weights;
};

struct least_conn {
    struct least_conn_config config;
    const struct lbp_host *host;
    /* One of these, neither before the first on_members. */
    struct conn_rows *rows;
    struct conn_table *table;
    uint32_t *generations; /* [slot_count] whose credits these are */
    uint32_t slot_count;
};

static const struct lbp_param least_conn_params[] = {
    LBP_TIES_PARAM(struct least_conn_config),
    {
        .name = "ignore_weights",
        .help = "whether to compare plain counts, as if all weights were 1",
        .kind = LBP_SWITCH,
        .offset = offsetof(struct least_conn_config, ignore_weights),
        .preset = "false",
    },
    {.name = NULL},
};

static void *least_conn_create(const void *config, const struct lbp_host *host)
{
    struct least_conn *least = host->allocate(host->context, sizeof *least);

    if (!least)
        return NULL;
    *least = (struct least_conn){.host = host};
    if (config)
        least->config = *(const struct least_conn_config *)config;
    return least;
}

/* Gives back what on_members made. */
static void forget_members(struct least_conn *least)
{
    conn_rows_destroy(least->rows, least->host);
    conn_table_destroy(least->table, least->host);
    least->host->release(least->host->context, least->generations);
}

static void least_conn_destroy(void *state)
{
    struct least_conn *least = state;

    if (!least)
        return;
    forget_members(least);
    least->host->release(least->host->context, least);
}

/* What the node that is now in a slot has earned there so far. */
static int64_t credit_so_far(const struct least_conn *least, uint32_t slot,
                             const struct lbp_node *node)
{
    if (slot >= least->slot_count || node->key_length == 0 ||
        node->generation != least->generations[slot])
        return 0;
    return least->rows ? conn_rows_credit(least->rows, slot)
                       : conn_table_credit(least->table, slot);
}

static int64_t turn_so_far(const struct least_conn *least)
{
    if (least->rows)
        return conn_rows_turn(least->rows);
    return least->table ? conn_table_turn(least->table) : 0;
}

/* Makes *next of the view with the credits of least; false: no memory. */
static bool meet_members(const struct least_conn *least,
                         const struct lbp_view *view, int64_t *credits,
                         struct least_conn *next)
{
    struct conn_setup setup = {
        .host = least->host,
        .view = view,
        .credits = credits,
        .turn = turn_so_far(least),
        .ties = (enum lbp_ties)least->config.ties,
        .ignore_weights = least->config.ignore_weights,
    };

    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        const struct lbp_node *node = lbp_node_at(view, slot);

        credits[slot] = credit_so_far(least, slot, node);
        next->generations[slot] = node->generation;
    }
    if (conn_rows_suit(&setup))
        next->rows = conn_rows_create(&setup);
    else
        next->table = conn_table_create(&setup);
    return next->rows || next->table;
}

static bool least_conn_on_members(void *state, const struct lbp_view *view)
{
    struct least_conn *least = state, next;
    const struct lbp_host *host = least->host;
    size_t count = (size_t)view->slot_count + 1; /* none is not no memory */
    int64_t *credits = host->allocate(host->context, count * sizeof *credits);
    bool done;

    next = (struct least_conn){
        .config = least->config,
        .host = host,
        .generations =
            host->allocate(host->context, count * sizeof *next.generations),
        .slot_count = view->slot_count,
    };
    done = credits && next.generations &&
           meet_members(least, view, credits, &next);
    host->release(host->context, credits);
    forget_members(done ? least : &next);
    if (done)
        *least = next;
    return done;
}

static uint32_t weight_of(const struct least_conn *least, uint32_t slot)
{
    return least->rows ? conn_rows_weight(least->rows, slot)
                       : conn_table_weight(least->table, slot);
}

/* Requests in flight per unit of weight, for every eligible node. */
static void explain_quotients(const struct least_conn *least,
                              const struct lbp_view *view,
                              const struct lbp_request *request,
                              struct lbp_explanation *explanation)
{
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        uint32_t weight = weight_of(least, slot);

        if (weight > 0 && lbp_eligible(request, slot))
            lbp_explain_score(explanation, slot,
                              view->in_flight[slot] * 100.0 / weight);
    }
}

static void choose(struct least_conn *least, const struct lbp_view *view,
                   const struct lbp_request *request,
                   struct conn_choice *ret_choice)
{
    if (least->rows)
        conn_rows_pick(least->rows, view, request, least->host, ret_choice);
    else if (least->table)
        conn_table_pick(least->table, view, request, least->host, ret_choice);
    else
        *ret_choice = (struct conn_choice){.slot = LBP_NO_SLOT};
}

/* Apart, so that a pick that nobody wants explained saves no registers. */
static __attribute__((noinline, cold)) void
choose_and_explain(struct least_conn *least, const struct lbp_view *view,
                   const struct lbp_request *request,
                   struct conn_choice *ret_choice,
                   struct lbp_explanation *explanation)
{
    lbp_explain_start(explanation);
    choose(least, view, request, ret_choice);
    if (ret_choice->slot == LBP_NO_SLOT)
        return;
    lbp_explain_reason(explanation, ret_choice->tied ? "tie" : "least busy",
                       ret_choice->draws);
    explain_quotients(least, view, request, explanation);
}

static enum lbp_status least_conn_pick(void *state, const struct lbp_view *view,
                                       const struct lbp_request *request,
                                       uint32_t *ret_slot,
                                       struct lbp_explanation *explanation)
{
    struct conn_choice choice;

    if (explanation)
        choose_and_explain(state, view, request, &choice, explanation);
    else
        choose(state, view, request, &choice);
    if (choice.slot == LBP_NO_SLOT)
        return LBP_NO_NODE;
    *ret_slot = choice.slot;
    return LBP_PICKED;
}

/* Apart, so that where rows do no registers are saved for it. */
static __attribute__((noinline)) void
count_in_table(struct conn_table *table, uint32_t slot, uint32_t in_flight)
{
    conn_table_count(table, slot, in_flight);
}

static void least_conn_on_sent(void *state, const struct lbp_view *view,
                               const struct lbp_request *request, uint32_t slot)
{
    struct least_conn *least = state;

    (void)request;
    if (least->rows)
        conn_rows_count(least->rows, slot, view->in_flight[slot]);
    else
        count_in_table(least->table, slot, view->in_flight[slot]);
}

static void least_conn_on_done(void *state, const struct lbp_view *view,
                               const struct lbp_request *request, uint32_t slot,
                               const struct lbp_result *result)
{
    (void)result; /* an answer and a failure free the node alike */
    least_conn_on_sent(state, view, request, slot);
}

static const char *const least_conn_terms[] = {"in_flight_per_weight", NULL};

const struct lbp_ops policy_least_conn = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "least_conn",
    .summary = "fewest requests in flight per weight",
    .tie_rule = "own: one turn of smooth weighted round robin among the tied",
    .params = least_conn_params,
    .term_names = least_conn_terms,
    .config_size = sizeof(struct least_conn_config),
    .create = least_conn_create,
    .destroy = least_conn_destroy,
    .on_members = least_conn_on_members,
    .pick = least_conn_pick,
    .on_sent = least_conn_on_sent,
    .on_done = least_conn_on_done,
};
LBP_ENTRY(policy_least_conn)
