/*
 * What a run yields, out of what its recorder wrote down: the sums at the end.
 */
#include "sim/experiment/recorder.h"

#include "sim/experiment/fold.h"
#include "sim/measure/stats.h"

#include <math.h>
#include <stdlib.h>

static double window_s(const struct recorder *recorder)
{
    return (double)(recorder->end_ns - recorder->start_ns) * 1e-9;
}

static double quantile_s(struct sample *sample, double q, uint64_t total)
{
    return sample_quantile(sample, q, total) * 1e-9;
}

static void finish_latency(struct recorder *recorder, double *values)
{
    struct sample *sample = &recorder->latency;
    uint64_t answered = sample->count;
    uint64_t all = recorder->measured;

    values[M_LATENCY_MEAN] = sample_mean(sample) * 1e-9;
    values[M_LATENCY_P50] = quantile_s(sample, 0.5, answered);
    values[M_LATENCY_P90] = quantile_s(sample, 0.9, answered);
    values[M_LATENCY_P95] = quantile_s(sample, 0.95, answered);
    values[M_LATENCY_P99] = quantile_s(sample, 0.99, answered);
    values[M_LATENCY_P999] = quantile_s(sample, 0.999, answered);
    values[M_LATENCY_MAX] = quantile_s(sample, 1, answered);
    values[M_LATENCY_ALL_P50] = quantile_s(sample, 0.5, all);
    values[M_LATENCY_ALL_P90] = quantile_s(sample, 0.9, all);
    values[M_LATENCY_ALL_P95] = quantile_s(sample, 0.95, all);
    values[M_LATENCY_ALL_P99] = quantile_s(sample, 0.99, all);
    values[M_LATENCY_ALL_P999] = quantile_s(sample, 0.999, all);
}

/* The value at a rank from 1; a rank beyond the answers is infinite. */
static double at_rank_s(struct sample *sample, uint64_t rank, uint64_t total)
{
    return quantile_s(sample, ((double)rank - 0.5) / (double)total, total);
}

/* NaN on both sides: too few values for that confidence. */
static void finish_rank(struct recorder *recorder, enum measure_id id,
                        uint64_t total, struct run_result *ret)
{
    uint64_t lo, hi;

    if (total == 0 || !(recorder->confidence > 0))
        return;
    stats_quantile_ci_ranks(measure_quantile(id), total, recorder->confidence,
                            &lo, &hi);
    if (lo == 0 || hi == 0)
        return;
    ret->rank_lo[id] = at_rank_s(&recorder->latency, lo, total);
    ret->rank_hi[id] = at_rank_s(&recorder->latency, hi, total);
}

static void finish_ranks(struct recorder *recorder, struct run_result *ret)
{
    /* Of answers, and of all: the same where all were answered. */
    static const enum measure_id percentiles[][2] = {
        {M_LATENCY_P50, M_LATENCY_ALL_P50},
        {M_LATENCY_P90, M_LATENCY_ALL_P90},
        {M_LATENCY_P95, M_LATENCY_ALL_P95},
        {M_LATENCY_P99, M_LATENCY_ALL_P99},
        {M_LATENCY_P999, M_LATENCY_ALL_P999}};
    uint64_t answered = recorder->latency.count, all = recorder->measured;

    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        ret->rank_lo[id] = ret->rank_hi[id] = NAN;
    for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++) {
        enum measure_id of_answers = percentiles[i][0];
        enum measure_id of_all = percentiles[i][1];

        finish_rank(recorder, of_answers, answered, ret);
        if (all != answered) {
            finish_rank(recorder, of_all, all, ret);
            continue;
        }
        ret->rank_lo[of_all] = ret->rank_lo[of_answers];
        ret->rank_hi[of_all] = ret->rank_hi[of_answers];
    }
}

static void finish_parts(struct recorder *recorder, double *values)
{
    struct sample *wait = &recorder->wait;
    struct sample *ttft = &recorder->ttft;
    struct sample *tpot = &recorder->tpot;

    values[M_WAIT_MEAN] = sample_mean(wait) * 1e-9;
    values[M_WAIT_P50] = quantile_s(wait, 0.5, wait->count);
    values[M_WAIT_P90] = quantile_s(wait, 0.9, wait->count);
    values[M_WAIT_P99] = quantile_s(wait, 0.99, wait->count);
    values[M_TTFT_MEAN] = sample_mean(ttft) * 1e-9;
    values[M_TTFT_P50] = quantile_s(ttft, 0.5, ttft->count);
    values[M_TTFT_P99] = quantile_s(ttft, 0.99, ttft->count);
    values[M_TPOT_MEAN] = sample_mean(tpot) * 1e-9;
    values[M_TPOT_P50] = quantile_s(tpot, 0.5, tpot->count);
    values[M_TPOT_P99] = quantile_s(tpot, 0.99, tpot->count);
}

/* Of measured requests, by whatever means. */
static uint64_t count_answered(const struct recorder *recorder)
{
    return recorder->measured_ended[END_COMPLETED] +
           recorder->measured_ended[END_DEGRADED];
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

static void finish_counts(const struct recorder *recorder, double *values)
{
    const uint64_t *ended = recorder->measured_ended;

    values[M_ARRIVED] = (double)recorder->measured;
    values[M_COMPLETED] = (double)ended[END_COMPLETED];
    values[M_DEGRADED] = (double)ended[END_DEGRADED];
    values[M_REFUSED] = (double)ended[END_REFUSED];
    values[M_FAILED] = (double)ended[END_FAILED];
    values[M_TIMED_OUT] = (double)ended[END_TIMED_OUT];
    values[M_UNFINISHED] = (double)ended[END_UNFINISHED];
    values[M_RETRIES] = ratio(recorder->retries, recorder->measured);
    values[M_ERRORS_REFUSED] = (double)recorder->errors[ERROR_REFUSED];
    values[M_ERRORS_RESET] = (double)recorder->errors[ERROR_RESET];
    values[M_ERRORS_CONNECT] = (double)recorder->errors[ERROR_CONNECT];
    if (recorder->with_queue_limits)
        values[M_ERRORS_FULL] = (double)recorder->errors[ERROR_FULL];
    values[M_ERRORS_NO_NODE] = (double)recorder->no_node;
    if (recorder->with_routing)
        values[M_ERRORS_NO_MODEL] = (double)recorder->no_model;
    if (recorder->with_models) {
        values[M_ERRORS_MODEL] = (double)recorder->errors[ERROR_NO_MODEL];
        values[M_MODEL_LOADS] = (double)recorder->model_loads;
    }
    if (recorder->with_classifier)
        values[M_MISCLASSIFIED] = (double)recorder->misclassified;
    values[M_LOST_IN_WINDOW] = (double)recorder->lost_attempts;
}

static void finish_tier(const struct recorder *recorder, double *values)
{
    if (!recorder->tier)
        return;
    values[M_TIER_HIT] = ratio(recorder->counts[recorder->node_count].completed,
                               count_answered(recorder));
    values[M_TIER_FAILED] = (double)recorder->tier_failures;
}

static void finish_rates(const struct recorder *recorder, double *values)
{
    double window = window_s(recorder);
    uint64_t answered = count_answered(recorder);

    if (window > 0) {
        values[M_OFFERED] = (double)recorder->measured / window;
        values[M_THROUGHPUT] = (double)answered / window;
        if (recorder->goodput_bound_ns < INT64_MAX)
            values[M_GOODPUT] = (double)recorder->good / window;
    }
    values[M_SUCCESS] = ratio(answered, recorder->measured);
    if (recorder->with_keys) {
        values[M_IDEAL_HIT] = ratio(recorder->ideal_hits, recorder->measured);
        if (recorder->with_raw_keys)
            values[M_RAW_IDEAL_HIT] =
                ratio(recorder->raw_ideal_hits, recorder->measured);
        values[M_REPEAT] = ratio(recorder->repeats, recorder->measured);
        if (recorder->with_caches)
            values[M_RESULT_HIT] = ratio(recorder->hits, answered);
        finish_tier(recorder, values);
    }
}

static void finish_node(const struct recorder *recorder, uint32_t i,
                        const struct node *node, uint64_t attempts,
                        struct node_result *ret)
{
    const struct node_record *record = &recorder->nodes[i];
    const struct node_counts *counts = &recorder->counts[i];
    const struct node_reading *from = &record->at_open;
    const struct node_reading *to = &record->at_close;
    double whole = (double)(to->at_ns - from->at_ns);
    double span = whole - (double)(to->absent_ns - from->absent_ns);

    *ret = (struct node_result){
        .attempts = counts->attempts,
        .completed = counts->completed,
        .share_ratio = ratio(counts->attempts, attempts),
        .use_ratio = (double)(to->busy - from->busy) / span / node->slots,
        .in_flight_mean_requests =
            (double)(to->in_flight - from->in_flight) / whole,
        .queue_mean_requests = (double)(to->queued - from->queued) / whole,
        .down_ratio = (double)(to->down_ns - from->down_ns) / whole,
        .absent_ratio = (whole - span) / whole,
        .deaths = record->deaths_at_close - record->deaths_at_open,
        .evictions = record->evictions_at_close - record->evictions_at_open,
        .gpu_ratio = NAN,
        .cpu_ratio = NAN,
        .memory_ratio = NAN,
        .hit_ratio = NAN,
        .latency_p50_s = NAN,
        .latency_p99_s = NAN,
    };
    if (!(span > 0)) /* it never existed */
        ret->use_ratio = NAN;
    if (node->kind == NODE_GPU)
        ret->gpu_ratio = ret->use_ratio;
    if (node->states_cpu)
        ret->cpu_ratio = (to->cpu_ns - from->cpu_ns) / span;
    if (node->states_memory)
        ret->memory_ratio = (to->memory_ns - from->memory_ns) / span;
    if (node->cache)
        ret->hit_ratio = ratio(counts->hits, counts->completed);
    if (counts->latency) {
        ret->latency_p50_s = coarse_quantile(counts->latency, 0.5) * 1e-9;
        ret->latency_p99_s = coarse_quantile(counts->latency, 0.99) * 1e-9;
    }
}

static void finish_window_balance(const struct run_result *result,
                                  double *scratch, double *values)
{
    double sum = 0;
    uint32_t counted = 0;

    for (uint32_t b = 0; b < result->bucket_count; b++) {
        double cv;

        uint32_t n = 0;

        for (uint32_t i = 0; i < result->node_count; i++) {
            const struct node_bucket *cell =
                &result->node_buckets[(size_t)b * result->node_count + i];

            if (cell->absent_ratio < 1)
                scratch[n++] = cell->use_ratio;
        }
        cv = stats_cv_population(scratch, n);
        if (isfinite(cv)) {
            sum += cv;
            counted++;
        }
    }
    values[M_BALANCE_WINDOW_CV] = counted > 0 ? sum / counted : NAN;
}

enum node_column { COLUMN_GPU, COLUMN_CPU, COLUMN_MEMORY };

static double node_value(const struct node_result *node,
                         enum node_column column)
{
    switch (column) {
    case COLUMN_GPU:
        return node->gpu_ratio;
    case COLUMN_CPU:
        return node->cpu_ratio;
    default:
        return node->memory_ratio;
    }
}

/* Mean over the nodes that state it, for as long as they existed; NaN: none
   does. */
static double column_mean(const struct run_result *result,
                          enum node_column column)
{
    double sum = 0, existed = 0;

    for (uint32_t i = 0; i < result->node_count; i++) {
        double value = node_value(&result->nodes[i], column);
        double share = 1 - result->nodes[i].absent_ratio;

        if (!isnan(value)) {
            sum += value * share;
            existed += share;
        }
    }
    return existed > 0 ? sum / existed : NAN;
}

static void finish_balance(const struct run_result *result, double *scratch,
                           double *values)
{
    double in_flight = 0, fullest = 0, evictions = 0;
    uint32_t n = 0; /* that existed at all */

    values[M_GPU_USE] = column_mean(result, COLUMN_GPU);
    values[M_CPU_USE] = column_mean(result, COLUMN_CPU);
    values[M_MEMORY_USE] = column_mean(result, COLUMN_MEMORY);
    for (uint32_t i = 0; i < result->node_count; i++)
        if (result->nodes[i].absent_ratio < 1)
            scratch[n++] = result->nodes[i].share_ratio;
    values[M_BALANCE_SHARE] = stats_max_over_mean(scratch, n);
    n = 0;
    for (uint32_t i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->nodes[i];

        if (node->absent_ratio < 1) {
            scratch[n++] = node->use_ratio;
            fullest = node->use_ratio > fullest ? node->use_ratio : fullest;
        }
        in_flight += node->in_flight_mean_requests;
        evictions += (double)node->evictions;
    }
    values[M_FULLEST_USE] = fullest;
    values[M_IN_FLIGHT] = in_flight;
    values[M_EVICTIONS] = evictions;
    values[M_BALANCE_CV] = stats_cv_population(scratch, n);
    values[M_BALANCE_JAIN] = stats_jain(scratch, n);
    values[M_BALANCE_GINI] = stats_gini(scratch, n);
    finish_window_balance(result, scratch, values);
}

/* Absent where no node lets requests wait for each other. */
static void finish_coalesced(const struct recorder *recorder,
                             const struct node *nodes, double *values)
{
    double sum = 0;
    bool any = false;

    for (uint32_t i = 0; i < recorder->node_count; i++) {
        any = any || nodes[i].coalesces;
        sum += (double)(recorder->nodes[i].coalesced_at_close -
                        recorder->nodes[i].coalesced_at_open);
    }
    if (any)
        values[M_COALESCED] = sum;
}

static void finish_buckets(const struct recorder *recorder,
                           struct run_result *ret)
{
    for (uint32_t b = 0; b < recorder->bucket_count; b++) {
        const struct bucket_record *from = &recorder->buckets[b];
        double in_flight = 0;

        for (uint32_t i = 0; i < recorder->node_count; i++)
            in_flight +=
                (double)recorder
                    ->node_buckets[(size_t)b * recorder->node_count + i]
                    .in_flight_mean_requests;
        ret->buckets[b] = (struct bucket){
            .start_s = (double)recorder_edge_ns(recorder, b) * 1e-9,
            .end_s = (double)recorder_edge_ns(recorder, b + 1) * 1e-9,
            .arrived = from->arrived,
            .completed = from->completed,
            .lost = from->lost,
            .latency_mean_s = coarse_mean(&from->latency) * 1e-9,
            .latency_p99_s = coarse_quantile(&from->latency, 0.99) * 1e-9,
            .in_flight_mean_requests = in_flight,
            .result_hit_ratio = recorder->with_caches
                                    ? ratio(from->hits, from->completed)
                                    : NAN,
            .tier_hit_ratio =
                recorder->tier ? ratio(from->tier_hits, from->completed) : NAN,
            .tier_out_ratio =
                recorder->tier
                    ? tier_out_share(recorder->tier,
                                     recorder_edge_ns(recorder, b),
                                     recorder_edge_ns(recorder, b + 1))
                    : NAN,
            .nodes_mean = recorder->with_members ? from->nodes : NAN,
            .nodes_ready_mean =
                recorder->with_members ? from->nodes_ready : NAN,
        };
        for (uint32_t id = 0; id < SERIES_COUNT; id++)
            ret->buckets[b].series[id] =
                recorder->with_series[id]
                    ? recorder->series[(size_t)b * SERIES_COUNT + id]
                    : NAN;
    }
}

/* Requests waiting at node i, averaged over one quarter of the buckets. */
static double quarter_backlog(const struct recorder *recorder,
                              const struct node *node, uint32_t i,
                              uint32_t quarter)
{
    uint32_t from = quarter * recorder->bucket_count / 4;
    uint32_t to = (quarter + 1) * recorder->bucket_count / 4;
    double sum = 0;

    for (uint32_t b = from; b < to; b++) {
        const struct node_bucket *cell =
            &recorder->node_buckets[(size_t)b * recorder->node_count + i];

        sum += (double)cell->in_flight_mean_requests -
               (double)cell->use_ratio * node->slots;
    }
    return sum / (to - from);
}

/*
 * How many times as long a queue is in the last quarter as in the second, if it
 * does three quarters of what one does that grows evenly from the start of the
 * run: twice without a warm-up, less after one, in which it has grown already.
 */
double recorder_suspect_growth(const struct recorder *recorder)
{
    double start = (double)recorder->start_ns;
    double window = (double)recorder->end_ns - start;
    double second = start + window * 3 / 8, last = start + window * 7 / 8;

    return 1 + 0.75 * (last / second - 1);
}

/*
 * A node's queue that grew from quarter to quarter, about doubled since the
 * second and holds ten rounds of service at the end is not a fluctuation: an
 * M/M/1 queue at load 0.9 is that long, and rising so, in few of a thousand
 * runs.
 */
static bool grows(const struct recorder *recorder, const struct node *nodes)
{
    double factor = recorder_suspect_growth(recorder);

    for (uint32_t i = 0; i < recorder->node_count; i++) {
        double second = quarter_backlog(recorder, &nodes[i], i, 1);
        double third = quarter_backlog(recorder, &nodes[i], i, 2);
        double last = quarter_backlog(recorder, &nodes[i], i, 3);

        if (last > third && third > second && last > factor * second &&
            last > 10.0 * nodes[i].slots)
            return true;
    }
    return false;
}

static uint64_t count_misrouted(const struct node *nodes, uint32_t count)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += nodes[i].misrouted;
    return sum;
}

static void finish_memory(const struct recorder *recorder,
                          const struct node *nodes, double *values)
{
    double sum = 0;
    bool any = false;

    for (uint32_t i = 0; i < recorder->node_count; i++) {
        any |= nodes[i].when_memory_full != MEMORY_FULL_SERVE;
        sum += (double)nodes[i].memory_short;
    }
    if (any)
        values[M_MEMORY_SHORT] = sum;
}

/* Between the middles of the second and of the last quarter lies half of the
   window. */
static double growth_per_s(const struct recorder *recorder,
                           const struct node *nodes)
{
    double seconds = (double)(recorder->end_ns - recorder->start_ns) * 1e-9;
    double grown = 0;

    if (recorder->bucket_count < 4 || !(seconds > 0))
        return 0;
    for (uint32_t i = 0; i < recorder->node_count; i++)
        grown += quarter_backlog(recorder, &nodes[i], i, 3) -
                 quarter_backlog(recorder, &nodes[i], i, 1);
    return grown / (seconds / 2);
}

static bool finish_nodes(struct recorder *recorder, const struct node *nodes,
                         struct run_result *ret)
{
    uint32_t n = recorder->node_count;
    double *scratch = calloc(n, sizeof *scratch);
    uint64_t attempts = 0;

    ret->nodes = calloc(n, sizeof *ret->nodes);
    ret->buckets = calloc(recorder->bucket_count, sizeof *ret->buckets);
    if (!scratch || !ret->nodes || !ret->buckets) {
        free(scratch);
        return false;
    }
    ret->node_count = n;
    ret->bucket_count = recorder->bucket_count;
    ret->node_buckets = recorder->node_buckets;
    for (uint32_t i = 0; i < n; i++)
        attempts += recorder->counts[i].attempts;
    for (uint32_t i = 0; i < n; i++)
        finish_node(recorder, i, &nodes[i], attempts, &ret->nodes[i]);
    finish_balance(ret, scratch, ret->values);
    if (recorder->with_models)
        ret->values[M_MISROUTED] = (double)count_misrouted(nodes, n);
    finish_memory(recorder, nodes, ret->values);
    finish_coalesced(recorder, nodes, ret->values);
    if (isnan(ret->values[M_BALANCE_GINI]) &&
        !isnan(ret->values[M_BALANCE_JAIN])) /* it sorts a copy */
        recorder->out_of_memory = true;
    finish_buckets(recorder, ret);
    ret->unstable = grows(recorder, nodes);
    ret->backlog_growth_per_s = growth_per_s(recorder, nodes);
    recorder->node_buckets = NULL; /* now the result's */
    free(scratch);
    return true;
}

static void finish_curves(struct recorder *recorder, struct run_result *ret)
{
    for (uint32_t i = 0; i < CURVE_POINTS; i++) {
        double q = curve_quantile(i);

        ret->curve_s[i] =
            quantile_s(&recorder->latency, q, recorder->latency.count);
        ret->curve_all_s[i] =
            quantile_s(&recorder->latency, q, recorder->measured);
    }
}

static void finish_books(struct recorder *recorder, struct run_result *ret)
{
    ret->books = (struct books){
        .arrived = recorder->arrived,
        .completed = recorder->ended[END_COMPLETED],
        .degraded = recorder->ended[END_DEGRADED],
        .refused = recorder->ended[END_REFUSED],
        .failed = recorder->ended[END_FAILED],
        .timed_out = recorder->ended[END_TIMED_OUT],
        .unfinished = recorder->ended[END_UNFINISHED],
    };
    ret->measured = recorder->measured;
    ret->measured_answered = count_answered(recorder);
    ret->excluded = recorder->arrived - recorder->measured;
    ret->window_start_s = (double)recorder->start_ns * 1e-9;
    ret->window_end_s = (double)recorder->end_ns * 1e-9;
    ret->latencies = recorder->latencies;
    ret->latency_count = recorder->latencies ? recorder->arrived : 0;
    if (ret->latency_count > recorder->latency_capacity)
        ret->latency_count = recorder->latency_capacity;
    recorder->latencies = NULL;
}

bool recorder_finish(struct recorder *recorder, const struct node *nodes,
                     struct run_result *ret)
{
    for (int i = 0; i < MEASURE_COUNT; i++)
        ret->values[i] = NAN;
    finish_latency(recorder, ret->values);
    finish_ranks(recorder, ret);
    finish_parts(recorder, ret->values);
    finish_counts(recorder, ret->values);
    finish_rates(recorder, ret->values);
    finish_curves(recorder, ret);
    finish_books(recorder, ret);
    if (!class_records_finish(&recorder->classes, &ret->classes,
                              &ret->class_count) ||
        !class_records_finish(&recorder->sources, &ret->sources,
                              &ret->source_count))
        return false;
    if (!recorder->closed)
        return !recorder->out_of_memory; /* the window never opened */
    ret->class_buckets = class_records_finish_buckets(&recorder->classes);
    return ret->class_buckets && finish_nodes(recorder, nodes, ret) &&
           card_records_finish(&recorder->cards, nodes, recorder->node_count,
                               window_s(recorder) * 1e9, ret) &&
           !recorder->out_of_memory;
}
