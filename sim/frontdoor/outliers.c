#include "sim/frontdoor/outliers.h"

#include "sim/frontdoor/outlier_stats.h"

/* --- making --------------------------------------------------------------- */

static bool make_latest(struct outliers *outliers, struct arena *arena)
{
    uint32_t volume = outliers->spec->latency.volume;
    size_t all = (size_t)outliers->node_count * volume;
    int64_t *values;

    if (!outliers->spec->latency.given)
        return true;
    values = arena_allocate(arena, all, sizeof *values);
    outliers->pool = arena_allocate(arena, all, sizeof *outliers->pool);
    if (!values || !outliers->pool)
        return false;
    for (uint32_t i = 0; i < outliers->node_count; i++)
        outliers->nodes[i].latest = (struct latest){
            .values = values + (size_t)i * volume, .capacity = volume};
    return true;
}

bool outliers_init(struct outliers *outliers, const struct outlier_spec *spec,
                   uint32_t node_count, struct rng rng, struct arena *arena)
{
    *outliers = (struct outliers){
        .spec = spec,
        .node_count = node_count,
        .member_count = node_count,
        .nodes = arena_allocate(arena, node_count, sizeof *outliers->nodes),
        .rng = rng,
        .rates = arena_allocate(arena, node_count, sizeof *outliers->rates),
        .candidates =
            arena_allocate(arena, node_count, sizeof *outliers->candidates),
    };
    return outliers->nodes && outliers->rates && outliers->candidates &&
           make_latest(outliers, arena);
}

/* --- ejecting and returning ----------------------------------------------- */

static bool is_enforced(struct outliers *outliers, double enforcing)
{
    if (enforcing <= 0 || enforcing >= 1)
        return enforcing >= 1;
    return rng_uniform(&outliers->rng) < enforcing;
}

static void forget_rows(struct outlier_node *node)
{
    for (uint32_t i = 0; i <= OUTLIER_LOCAL; i++)
        node->in_a_row[i] = 0;
}

static int64_t draw_jitter_ns(struct outliers *outliers)
{
    const struct outlier_spec *spec = outliers->spec;

    if (spec->rule == OUTLIER_GRPC || spec->jitter_ns <= 0)
        return 0;
    return (int64_t)rng_below(&outliers->rng, (uint64_t)spec->jitter_ns + 1);
}

static void eject(struct outliers *outliers, uint32_t index,
                  enum outlier_cause cause, double enforcing, int64_t now_ns)
{
    const struct outlier_spec *spec = outliers->spec;
    struct outlier_node *node = &outliers->nodes[index];

    if (!outlier_may_eject(spec, outliers->ejected_count,
                           outliers->member_count)) {
        outliers->over_cap++;
        return;
    }
    if (!is_enforced(outliers, enforcing)) {
        outliers->not_enforced++;
        return;
    }
    node->ejected = true;
    node->ejected_at_ns = now_ns;
    node->multiplier = outlier_next_multiplier(spec, node->multiplier);
    node->jitter_ns = draw_jitter_ns(outliers);
    outliers->ejected_count++;
    if (spec->latency.given)
        latest_clear(&node->latest);
    outliers->on_change(outliers->context, index, true, cause);
}

static void take_back(struct outliers *outliers, uint32_t index, int64_t now_ns)
{
    struct outlier_node *node = &outliers->nodes[index];

    node->ejected = false;
    node->returned_at_ns = now_ns;
    forget_rows(node);
    outliers->ejected_count--;
    outliers->on_change(outliers->context, index, false, OUTLIER_CAUSES);
}

/* --- one attempt ---------------------------------------------------------- */

static void note_row(struct outliers *outliers, uint32_t index,
                     enum outlier_cause cause, bool failed, int64_t now_ns)
{
    const struct outlier_consecutive_spec *spec =
        &outliers->spec->consecutive[cause];
    struct outlier_node *node = &outliers->nodes[index];
    uint32_t *row = &node->in_a_row[cause];

    if (!failed) {
        *row = 0;
        return;
    }
    if (*row < UINT32_MAX)
        ++*row;
    if (node->ejected || *row != spec->errors)
        return;
    eject(outliers, index, cause, spec->enforcing, now_ns);
    *row = 0; /* whatever came of it */
}

static void note_tally(struct outliers *outliers, uint32_t index,
                       enum outlier_side side, bool failed)
{
    struct outlier_tally *tally = &outliers->nodes[index].tallies[side];

    tally->total++;
    tally->good += !failed;
}

/* A failed connection, a broken stream and a time-out: nobody answered. */
static bool is_silence(enum blame blame)
{
    return blame == BLAME_CONNECT || blame == BLAME_BROKEN ||
           blame == BLAME_TIMEOUT;
}

static void note_answer(struct outliers *outliers, uint32_t index,
                        enum blame blame, bool failed, int64_t now_ns)
{
    bool gateway = failed && blame != BLAME_WRONG;

    note_tally(outliers, index, OUTLIER_EXTERNAL, failed);
    if (outliers->spec->rule == OUTLIER_GRPC)
        return;
    note_row(outliers, index, OUTLIER_GATEWAY, gateway, now_ns);
    note_row(outliers, index, OUTLIER_5XX, failed, now_ns);
}

void outliers_over(struct outliers *outliers, uint32_t index, enum blame blame,
                   int64_t now_ns)
{
    const struct outlier_spec *spec = outliers->spec;
    bool silent = is_silence(blame);

    if (blame == BLAME_NOTHING || outliers->nodes[index].absent)
        return;
    if (spec->rule == OUTLIER_ENVOY && spec->split_local) {
        note_tally(outliers, index, OUTLIER_OWN_SIDE, silent);
        note_row(outliers, index, OUTLIER_LOCAL, silent, now_ns);
        if (silent)
            return;
    }
    note_answer(outliers, index, blame,
                blame_is_fault(blame, spec->counts_overload), now_ns);
}

void outliers_latency(struct outliers *outliers, uint32_t index,
                      int64_t latency_ns)
{
    struct outlier_node *node = &outliers->nodes[index];

    if (!node->ejected && !node->absent)
        latest_add(&node->latest, latency_ns);
}

/* --- the tick ------------------------------------------------------------- */

/* Those with enough requests, in candidates and rates; returns how many. */
static uint32_t find_candidates(struct outliers *outliers,
                                enum outlier_side side, uint32_t volume)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < outliers->node_count; i++) {
        const struct outlier_node *node = &outliers->nodes[i];
        const struct outlier_tally *tally = &node->tallies[side];

        if (node->ejected || node->absent || tally->total == 0 ||
            tally->total < volume)
            continue;
        outliers->candidates[count] = i;
        outliers->rates[count++] = 100.0 * tally->good / tally->total;
    }
    return count;
}

static void judge_success_rates(struct outliers *outliers,
                                enum outlier_side side, int64_t now_ns)
{
    const struct outlier_success_spec *spec = &outliers->spec->success_rate;
    uint32_t count = find_candidates(outliers, side, spec->volume);
    double threshold;

    if (count == 0 || count < spec->min_nodes)
        return;
    threshold = outlier_threshold(outliers->rates, count, spec->stdev_factor);
    for (uint32_t i = 0; i < count; i++)
        if (outliers->rates[i] < threshold)
            eject(outliers, outliers->candidates[i], OUTLIER_SUCCESS_RATE,
                  spec->enforcing, now_ns);
}

static bool fails_too_often(const struct outliers *outliers,
                            const struct outlier_tally *tally)
{
    double failed = (double)(tally->total - tally->good) / tally->total;
    double threshold = outliers->spec->failure_percentage.threshold;

    return outliers->spec->rule == OUTLIER_GRPC ? failed > threshold
                                                : failed >= threshold;
}

static void judge_failures(struct outliers *outliers, enum outlier_side side,
                           int64_t now_ns)
{
    const struct outlier_failure_spec *spec =
        &outliers->spec->failure_percentage;
    uint32_t count = find_candidates(outliers, side, spec->volume);

    if (count < spec->min_nodes)
        return;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = outliers->candidates[i];

        if (fails_too_often(outliers, &outliers->nodes[index].tallies[side]))
            eject(outliers, index, OUTLIER_FAILURE_PERCENTAGE, spec->enforcing,
                  now_ns);
    }
}

/* Of the latest answers of all that are inside; 0: there are none. */
static int64_t pool_median_ns(struct outliers *outliers)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < outliers->node_count; i++)
        count +=
            latest_copy(&outliers->nodes[i].latest, outliers->pool + count);
    return count == 0 ? 0 : latest_median(outliers->pool, count);
}

static bool is_slow(struct outliers *outliers, uint32_t index, double bound_ns)
{
    const struct latest *latest = &outliers->nodes[index].latest;
    uint32_t count = latest_copy(latest, outliers->pool);

    return count == latest->capacity &&
           (double)latest_median(outliers->pool, count) > bound_ns;
}

static void judge_latencies(struct outliers *outliers, int64_t now_ns)
{
    const struct outlier_latency_spec *spec = &outliers->spec->latency;
    double bound_ns;

    if (!spec->given)
        return;
    bound_ns = spec->ratio * (double)pool_median_ns(outliers);
    for (uint32_t i = 0; i < outliers->node_count; i++)
        if (is_slow(outliers, i, bound_ns))
            eject(outliers, i, OUTLIER_LATENCY, spec->enforcing, now_ns);
}

static bool is_time_over(const struct outliers *outliers,
                         const struct outlier_node *node, int64_t now_ns)
{
    int64_t lasts_ns =
        outlier_duration_ns(outliers->spec, node->multiplier) + node->jitter_ns;
    int64_t lasted_ns = now_ns - node->ejected_at_ns;

    return outliers->spec->rule == OUTLIER_GRPC ? lasted_ns > lasts_ns
                                                : lasted_ns >= lasts_ns;
}

/* gRPC asks for no whole interval inside. */
static bool is_forgiven(const struct outliers *outliers,
                        const struct outlier_node *node, int64_t now_ns)
{
    return node->multiplier > 0 &&
           (outliers->spec->rule == OUTLIER_GRPC ||
            now_ns - node->returned_at_ns >= outliers->spec->interval_ns);
}

static void see_who_returns(struct outliers *outliers, int64_t now_ns)
{
    for (uint32_t i = 0; i < outliers->node_count; i++) {
        struct outlier_node *node = &outliers->nodes[i];

        if (!node->ejected)
            node->multiplier -= is_forgiven(outliers, node, now_ns);
        else if (is_time_over(outliers, node, now_ns))
            take_back(outliers, i, now_ns);
    }
}

static void judge(struct outliers *outliers, int64_t now_ns)
{
    uint32_t sides = outliers->spec->split_local ? OUTLIER_SIDES : 1;

    for (uint32_t side = 0; side < sides; side++) {
        judge_success_rates(outliers, (enum outlier_side)side, now_ns);
        judge_failures(outliers, (enum outlier_side)side, now_ns);
    }
    judge_latencies(outliers, now_ns);
}

static void clear_tallies(struct outliers *outliers)
{
    for (uint32_t i = 0; i < outliers->node_count; i++)
        for (uint32_t side = 0; side < OUTLIER_SIDES; side++)
            outliers->nodes[i].tallies[side] = (struct outlier_tally){0, 0};
}

void outliers_tick(struct outliers *outliers, int64_t now_ns)
{
    bool grpc = outliers->spec->rule == OUTLIER_GRPC;

    if (!grpc)
        see_who_returns(outliers, now_ns);
    judge(outliers, now_ns);
    clear_tallies(outliers);
    if (grpc)
        see_who_returns(outliers, now_ns);
}

/* --- from outside --------------------------------------------------------- */

void outliers_checked(struct outliers *outliers, uint32_t index, int64_t now_ns)
{
    if (outliers->nodes[index].ejected &&
        outliers->spec->rule == OUTLIER_ENVOY &&
        outliers->spec->returned_by_checks)
        take_back(outliers, index, now_ns);
}

void outliers_member(struct outliers *outliers, uint32_t index, bool is_there)
{
    struct outlier_node *node = &outliers->nodes[index];

    if (node->absent != is_there)
        return;
    outliers->ejected_count -= node->ejected;
    outliers->member_count += is_there ? 1 : UINT32_MAX;
    *node = (struct outlier_node){
        .absent = !is_there,
        .latest = {.values = node->latest.values,
                   .capacity = node->latest.capacity},
    };
}
