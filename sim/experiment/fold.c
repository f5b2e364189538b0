#include "sim/experiment/fold.h"

#include "sim/experiment/fold_parts.h"
#include "sim/measure/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The digits after "_p" as a number, and ten to their count: 999 and 1000 for
   "latency_p999_s". false: no percentile. */
static bool percentile_digits(enum measure_id id, uint64_t *ret_digits,
                              uint64_t *ret_scale)
{
    const char *at = strstr(measures[id].name, "_p");

    *ret_digits = 0;
    *ret_scale = 1;
    if (!at)
        return false;
    for (at += 2; *at >= '0' && *at <= '9'; at++) {
        *ret_digits = *ret_digits * 10 + (uint64_t)(*at - '0');
        *ret_scale *= 10;
    }
    return *ret_scale > 1;
}

uint64_t measure_values_needed(enum measure_id id)
{
    uint64_t digits;
    uint64_t scale;

    if (!percentile_digits(id, &digits, &scale))
        return 0;
    return (scale + scale - digits - 1) / (scale - digits); /* rounded up */
}

double measure_quantile(enum measure_id id)
{
    uint64_t digits;
    uint64_t scale;

    if (!percentile_digits(id, &digits, &scale))
        return NAN;
    return (double)digits / (double)scale;
}

bool measure_counts_unanswered(enum measure_id id)
{
    return strncmp(measures[id].name, "latency_all_", 12) == 0;
}

static bool is_latency_of_answered(enum measure_id id)
{
    return strncmp(measures[id].name, "latency_", 8) == 0 &&
           !measure_counts_unanswered(id);
}

/* ---- one measure ---- */

/* One replication: the order-statistic interval of a percentile of latency. */
static void set_rank_interval(struct measure_fold *fold, enum measure_id id,
                              const struct run_result *run)
{
    if (!isfinite(run->rank_lo[id]) || !isfinite(run->rank_hi[id]))
        return;
    fold->lo = fmin(run->rank_lo[id], fold->mean);
    fold->hi = fmax(run->rank_hi[id], fold->mean);
    fold->assumes_independence = true;
}

static void fold_measure(struct policy_fold *fold, enum measure_id id,
                         const struct run_result *runs, double confidence,
                         double *finite)
{
    struct measure_fold *to = &fold->measures[id];

    *to = (struct measure_fold){.mean = NAN, .lo = NAN, .hi = NAN};
    for (uint32_t i = 0; i < fold->replications; i++) {
        double value = runs[i].values[id];

        fold->values[id][i] = value;
        if (isinf(value))
            to->infinite++;
        else if (!isnan(value))
            finite[to->n++] = value;
    }
    uint64_t behind = measure_counts_unanswered(id) ? fold->least_measured
                                                    : fold->least_answered;
    to->weak = behind < measure_values_needed(id);
    if (to->infinite > 0 || to->n == 0)
        return;

    struct stats_interval interval =
        stats_t_interval(finite, to->n, confidence);
    to->mean = stats_mean(finite, to->n);
    if (to->n > 1) {
        to->lo = interval.lo;
        to->hi = interval.hi;
    } else if (fold->replications == 1 && measure_values_needed(id) > 0 &&
               (measure_counts_unanswered(id) || is_latency_of_answered(id))) {
        set_rank_interval(to, id, &runs[0]);
    }
}

static bool fold_measures(struct policy_fold *fold,
                          const struct run_result *runs, double confidence)
{
    size_t count = fold->replications;
    double *finite = calloc(count, sizeof *finite);

    fold->owned_values = calloc(count * MEASURE_COUNT, sizeof(double));
    if (!finite || !fold->owned_values) {
        free(finite);
        return false;
    }
    for (uint32_t id = 0; id < MEASURE_COUNT; id++) {
        fold->values[id] = fold->owned_values + count * id;
        fold_measure(fold, (enum measure_id)id, runs, confidence, finite);
    }
    free(finite);
    return true;
}

/* ---- counts ---- */

static void add_books(struct books *sum, const struct books *books)
{
    sum->arrived += books->arrived;
    sum->completed += books->completed;
    sum->degraded += books->degraded;
    sum->refused += books->refused;
    sum->failed += books->failed;
    sum->timed_out += books->timed_out;
    sum->unfinished += books->unfinished;
}

static void fold_counts(struct policy_fold *fold, const struct run_result *runs)
{
    fold->least_measured = UINT64_MAX;
    fold->least_answered = UINT64_MAX;
    for (uint32_t i = 0; i < fold->replications; i++) {
        const struct run_result *run = &runs[i];

        add_books(&fold->books, &run->books);
        for (uint32_t j = 0; j < RUN_SOURCES_MAX; j++)
            fold->source_requests[j] += run->source_requests[j];
        fold->measured += run->measured;
        fold->measured_answered += run->measured_answered;
        fold->excluded += run->excluded;
        fold->unstable += run->unstable;
        fold->backlog_growth_per_s +=
            run->backlog_growth_per_s / fold->replications;
        fold->draws += run->draws;
        fold->events += run->events;
        fold->cpu_s += run->cpu_s;
        fold->timed_picks += run->timed_picks;
        fold->timed_picks_s += run->timed_picks_s;
        if (run->measured < fold->least_measured)
            fold->least_measured = run->measured;
        if (run->measured_answered < fold->least_answered)
            fold->least_answered = run->measured_answered;
    }
}

/* ---- nodes, buckets, curve ---- */

/* The mean of an expression over i, the replications. */
#define FOLD_MEAN(to, value)                              \
    {                                                     \
        struct mean mean = {0};                           \
        for (uint32_t i = 0; i < fold->replications; i++) \
            mean_add(&mean, (double)(value));             \
        (to) = mean_value(&mean);                         \
    }

/* The same over those that reach the bucket. */
#define FOLD_IF_THERE(to, value) \
    FOLD_MEAN(to, bucket < runs[i].bucket_count ? (double)(value) : (double)NAN)

#define NODE_FIELDS(X) \
    SERVING_FIELDS(X)  \
    X(latency_p50_s)   \
    X(latency_p99_s)   \
    X(ejected_ratio)

static void fold_node(struct policy_fold *fold, uint32_t node,
                      const struct run_result *runs)
{
#define FOLD(field) \
    FOLD_MEAN(fold->nodes[node].field, runs[i].nodes[node].field)
    NODE_FIELDS(FOLD)
#undef FOLD
}

#define BUCKET_FIELDS(X)        \
    X(start_s)                  \
    X(end_s)                    \
    X(arrived)                  \
    X(completed)                \
    X(lost)                     \
    X(latency_mean_s)           \
    X(latency_p99_s)            \
    X(in_flight_mean_requests)  \
    X(result_hit_ratio)         \
    X(tier_hit_ratio)           \
    X(tier_out_ratio)           \
    X(door_queue_mean_requests) \
    X(limit_mean_requests)      \
    X(nodes_mean)               \
    X(nodes_ready_mean)

/* A run that lasted longer than another has buckets that the other lacks. */
static void fold_bucket(struct policy_fold *fold, uint32_t bucket,
                        const struct run_result *runs)
{
#define FOLD(field) \
    FOLD_IF_THERE(fold->buckets[bucket].field, runs[i].buckets[bucket].field)
    BUCKET_FIELDS(FOLD)
    for (uint32_t id = 0; id < SERIES_COUNT; id++)
        FOLD(series[id])
#undef FOLD
}

#define NODE_BUCKET_FIELDS(X)  \
    X(use_ratio)               \
    X(in_flight_mean_requests) \
    X(down_ratio)              \
    X(ejected_ratio)           \
    X(absent_ratio)            \
    X(weight_mean)

static void fold_node_bucket(struct policy_fold *fold, uint32_t bucket,
                             uint32_t node, const struct run_result *runs)
{
    size_t at = (size_t)bucket * fold->node_count + node;

#define FOLD(field) \
    FOLD_IF_THERE(fold->node_buckets[at].field, runs[i].node_buckets[at].field)
    NODE_BUCKET_FIELDS(FOLD)
#undef FOLD
}

#define CLASS_BUCKET_FIELDS(X) \
    X(completed)               \
    X(lost)                    \
    X(latency_mean_s)          \
    X(latency_p99_s)

static void fold_class_bucket(struct policy_fold *fold, uint32_t bucket,
                              uint32_t class, const struct run_result *runs)
{
    size_t at = (size_t)bucket * fold->class_count + class;

#define FOLD(field)                              \
    FOLD_IF_THERE(fold->class_buckets[at].field, \
                  runs[i].class_buckets[at].field)
    CLASS_BUCKET_FIELDS(FOLD)
#undef FOLD
}

static bool fold_cards(struct policy_fold *fold, const struct run_result *runs)
{
    fold->card_count = runs[0].card_count;
    fold->card_use_ratios =
        calloc((size_t)fold->card_count + 1, sizeof *fold->card_use_ratios);
    if (!fold->card_use_ratios)
        return false;
    for (uint32_t c = 0; c < fold->card_count; c++) {
        struct mean mean = {0};

        for (uint32_t i = 0; i < fold->replications; i++)
            if (c < runs[i].card_count)
                mean_add(&mean, runs[i].card_use_ratios[c]);
        fold->card_use_ratios[c] = mean_value(&mean);
    }
    return true;
}

static bool fold_places(struct policy_fold *fold, const struct run_result *runs)
{
    size_t cells;

    fold->node_count = runs[0].node_count;
    for (uint32_t i = 0; i < fold->replications; i++)
        if (runs[i].bucket_count > fold->bucket_count)
            fold->bucket_count = runs[i].bucket_count;

    /* One more than needed: calloc(0) may yield NULL. */
    cells = (size_t)fold->node_count * fold->bucket_count;
    fold->nodes = calloc((size_t)fold->node_count + 1, sizeof *fold->nodes);
    fold->buckets =
        calloc((size_t)fold->bucket_count + 1, sizeof *fold->buckets);
    fold->node_buckets = calloc(cells + 1, sizeof *fold->node_buckets);
    fold->class_buckets =
        calloc((size_t)fold->class_count * fold->bucket_count + 1,
               sizeof *fold->class_buckets);
    if (!fold->nodes || !fold->buckets || !fold->node_buckets ||
        !fold->class_buckets)
        return false;

    for (uint32_t node = 0; node < fold->node_count; node++)
        fold_node(fold, node, runs);
    for (uint32_t bucket = 0; bucket < fold->bucket_count; bucket++) {
        fold_bucket(fold, bucket, runs);
        for (uint32_t node = 0; node < fold->node_count; node++)
            fold_node_bucket(fold, bucket, node, runs);
        for (uint32_t class = 0; class < fold->class_count; class ++)
            fold_class_bucket(fold, bucket, class, runs);
    }
    return true;
}

/* values is room for one value a replication. */
static void fold_curve_point(struct policy_fold *fold, uint32_t point,
                             const struct run_result *runs, double confidence,
                             double *values)
{
    struct curve_fold *to = &fold->curve[point];
    struct mean all = {0};
    uint32_t n = 0;

    *to = (struct curve_fold){.latency_s = NAN, .lo_s = NAN, .hi_s = NAN};
    for (uint32_t i = 0; i < fold->replications; i++) {
        if (isfinite(runs[i].curve_s[point]))
            values[n++] = runs[i].curve_s[point];
        mean_add(&all, runs[i].curve_all_s[point]);
    }
    if (n > 0) {
        to->latency_s = stats_mean(values, n);
        if (n > 1) {
            struct stats_interval interval =
                stats_t_interval(values, n, confidence);

            to->lo_s = interval.lo;
            to->hi_s = interval.hi;
        }
    }
    /* Infinite in one replication is infinite on average. */
    to->all_s = all.n == fold->replications ? mean_value(&all) : NAN;
}

static bool fold_curve(struct policy_fold *fold, const struct run_result *runs,
                       double confidence)
{
    double *values = calloc(fold->replications, sizeof *values);

    if (!values)
        return false;
    for (uint32_t point = 0; point < CURVE_POINTS; point++)
        fold_curve_point(fold, point, runs, confidence, values);
    free(values);
    return true;
}

/* ---- the whole ---- */

bool policy_fold_init(struct policy_fold *ret, const struct run_result *runs,
                      uint32_t count, double confidence)
{
    *ret = (struct policy_fold){.replications = count};
    fold_counts(ret, runs);
    ret->class_count = runs[0].class_count;
    ret->source_count = runs[0].source_count;
    if (class_fold_make(runs, count, confidence, &ret->classes) &&
        source_fold_make(runs, count, confidence, &ret->sources) &&
        strike_fold_make(runs, count, &ret->strikes, &ret->strike_count,
                         &ret->strikes_left_out) &&
        fold_measures(ret, runs, confidence) && fold_places(ret, runs) &&
        fold_cards(ret, runs) && fold_curve(ret, runs, confidence))
        return true;
    policy_fold_done(ret);
    return false;
}

void policy_fold_done(struct policy_fold *fold)
{
    free(fold->owned_values);
    free(fold->nodes);
    free(fold->buckets);
    free(fold->node_buckets);
    free(fold->class_buckets);
    free(fold->card_use_ratios);
    free(fold->classes);
    free(fold->sources);
    free(fold->strikes);
    *fold = (struct policy_fold){0};
}

static const char *why_infinite(const struct policy_fold *fold,
                                enum measure_id id, char *text, size_t size)
{
    double quantile = measure_quantile(id);

    if (isnan(quantile))
        snprintf(text, size, "infinite in %u of %u replications",
                 fold->measures[id].infinite, fold->replications);
    else
        snprintf(text, size,
                 "infinite in %u of %u replications: more than %.9g %% of "
                 "requests had no answer",
                 fold->measures[id].infinite, fold->replications,
                 100 * (1 - quantile));
    return text;
}

const char *policy_fold_reason(const struct policy_fold *fold,
                               enum measure_id id, char *text, size_t size)
{
    const struct measure_fold *measure = &fold->measures[id];

    if (measure->infinite > 0)
        return why_infinite(fold, id, text, size);
    if (measure->n == 0) {
        if (fold->measured == 0)
            return "no request was measured";
        if (is_latency_of_answered(id) && fold->measured_answered == 0)
            return "no request was answered";
        return "does not apply here";
    }
    if (isnan(measure->lo) && fold->replications > 1)
        return "only one replication has a value";
    if (isnan(measure->lo) && measure_values_needed(id) > 0)
        return "one replication, and too few requests for an interval";
    if (isnan(measure->lo))
        return "one replication gives no interval";
    return NULL;
}
