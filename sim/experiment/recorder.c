#include "sim/experiment/recorder.h"

#include "sim/core/event_tree.h"
#include "sim/measure/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 120u
#define BUCKET_CELLS 16384u /* of nodes times buckets: bounds their memory */

static uint32_t choose_bucket_count(uint32_t node_count)
{
    uint32_t fit = BUCKET_CELLS / node_count;

    return fit > BUCKETS ? BUCKETS : fit < 4 ? 4 : fit;
}

static bool make_node_records(struct recorder *recorder, bool percentiles)
{
    recorder->nodes = calloc(recorder->node_count, sizeof *recorder->nodes);
    recorder->counts = calloc(recorder->node_count, sizeof *recorder->counts);
    if (!recorder->nodes || !recorder->counts)
        return false;
    for (uint32_t i = 0; percentiles && i < recorder->node_count; i++) {
        struct node_counts *counts = &recorder->counts[i];

        counts->latency = calloc(1, sizeof *counts->latency);
        if (!counts->latency)
            return false;
    }
    return true;
}

bool recorder_init(struct recorder *recorder,
                   const struct recorder_setup *setup)
{
    double bound_ns = setup->goodput_bound_s * 1e9;

    *recorder = (struct recorder){
        .end_ns = setup->end_ns,
        .node_count = setup->node_count,
        .bucket_count = choose_bucket_count(setup->node_count),
        .keep_latencies = setup->keep_latencies,
        .has_extras = setup->keep_latencies || setup->class_count > 0,
        .with_keys = setup->with_keys,
        .with_caches = setup->with_caches,
        .goodput_bound_ns = bound_ns < 9e18 ? (int64_t)bound_ns : INT64_MAX,
    };
    recorder->buckets =
        calloc(recorder->bucket_count, sizeof *recorder->buckets);
    recorder->node_buckets =
        calloc((size_t)recorder->bucket_count * setup->node_count,
               sizeof *recorder->node_buckets);
    return recorder->buckets && recorder->node_buckets &&
           make_node_records(recorder, setup->node_percentiles) &&
           sample_init(&recorder->latency) && sample_init(&recorder->wait) &&
           sample_init(&recorder->ttft) && sample_init(&recorder->tpot) &&
           class_records_init(&recorder->classes, setup->classes,
                              setup->class_count);
}

void recorder_done(struct recorder *recorder)
{
    for (uint32_t i = 0; recorder->counts && i < recorder->node_count; i++)
        free(recorder->counts[i].latency);
    free(recorder->counts);
    free(recorder->nodes);
    free(recorder->buckets);
    free(recorder->node_buckets);
    free(recorder->latencies);
    sample_done(&recorder->latency);
    sample_done(&recorder->wait);
    sample_done(&recorder->ttft);
    sample_done(&recorder->tpot);
    class_records_done(&recorder->classes);
    *recorder = (struct recorder){0};
}

void recorder_open(struct recorder *recorder, const struct node *nodes,
                   int64_t now_ns)
{
    recorder->open = true;
    recorder->start_ns = now_ns;
    recorder->bucket_start_ns = now_ns;
    recorder->bucket = recorder->buckets;
    recorder->buckets_per_ns =
        (double)recorder->bucket_count / (double)(recorder->end_ns - now_ns);
    for (uint32_t i = 0; i < recorder->node_count; i++) {
        struct node_record *record = &recorder->nodes[i];

        node_read(&nodes[i], now_ns, &record->at_open);
        record->at_edge = record->at_open;
        if (nodes[i].cache)
            record->evictions_at_open = nodes[i].cache->evictions;
    }
}

static int64_t edge_ns(const struct recorder *recorder, uint32_t bucket)
{
    double length = (double)(recorder->end_ns - recorder->start_ns);

    if (bucket >= recorder->bucket_count)
        return recorder->end_ns;
    return recorder->start_ns +
           (int64_t)(length * bucket / recorder->bucket_count);
}

uint32_t recorder_find_bucket(const struct recorder *recorder,
                              int64_t arrived_at_ns)
{
    double place =
        (double)(arrived_at_ns - recorder->start_ns) * recorder->buckets_per_ns;
    uint32_t last = recorder->bucket_count - 1;
    uint32_t i = place < last ? (uint32_t)place : last;

    if (i > 0 && arrived_at_ns < edge_ns(recorder, i))
        return i - 1; /* rounding put it beyond the edge */
    if (i < last && arrived_at_ns >= edge_ns(recorder, i + 1))
        return i + 1;
    return i;
}

int64_t recorder_next_edge_ns(const struct recorder *recorder)
{
    if (!recorder->open || recorder->closed)
        return EVENT_NEVER;
    return edge_ns(recorder, recorder->buckets_read + 1);
}

static double mean_of(uint64_t before, uint64_t now, double span)
{
    return span > 0 ? (double)(now - before) / span : 0;
}

void recorder_edge(struct recorder *recorder, const struct node *nodes,
                   int64_t now_ns)
{
    struct node_bucket *row =
        &recorder->node_buckets[(size_t)recorder->buckets_read *
                                recorder->node_count];

    for (uint32_t i = 0; i < recorder->node_count; i++) {
        struct node_record *record = &recorder->nodes[i];
        const struct node_reading *last = &record->at_edge;
        double span = (double)(now_ns - last->at_ns);
        struct node_reading read;

        node_read(&nodes[i], now_ns, &read);
        row[i].use_ratio =
            mean_of(last->busy, read.busy, span) / nodes[i].slots;
        row[i].in_flight_mean_requests =
            mean_of(last->in_flight, read.in_flight, span);
        row[i].down_ratio = mean_of(last->down_ns, read.down_ns, span);
        record->at_edge = read;
    }
    recorder->buckets_read++;
    recorder->bucket++;
    recorder->bucket_start_ns = now_ns;
    if (recorder->buckets_read < recorder->bucket_count)
        return;
    recorder->closed = true;
    recorder->bucket_start_ns = INT64_MAX;
    for (uint32_t i = 0; i < recorder->node_count; i++) {
        recorder->nodes[i].at_close = recorder->nodes[i].at_edge;
        if (nodes[i].cache)
            recorder->nodes[i].evictions_at_close = nodes[i].cache->evictions;
    }
}

bool recorder_arrived(struct recorder *recorder, int64_t at_ns, bool repeats,
                      bool ideal_hit)
{
    recorder->arrived++;
    if (!recorder->open || at_ns < recorder->start_ns)
        return false;
    recorder->measured++;
    recorder->repeats += repeats;
    recorder->ideal_hits += ideal_hit;
    recorder_bucket(recorder, at_ns)->arrived++;
    return true;
}

/* By request number, NaN until an answer comes. */
static void keep_latency(struct recorder *recorder, uint64_t number,
                         double latency_s)
{
    if (number >= recorder->latency_capacity) {
        uint64_t capacity = 2 * number + 1024;
        double *latencies =
            realloc(recorder->latencies, capacity * sizeof *latencies);

        if (!latencies) {
            recorder->out_of_memory = true;
            return;
        }
        recorder->latencies = latencies;
        for (uint64_t i = recorder->latency_capacity; i < capacity; i++)
            latencies[i] = NAN;
        recorder->latency_capacity = capacity;
    }
    recorder->latencies[number] = latency_s;
}

/* Apart from what every run does. latency_ns negative: no answer. */
__attribute__((noinline)) static void note_extras(struct recorder *recorder,
                                                  const struct request *request,
                                                  int64_t latency_ns)
{
    if (recorder->keep_latencies)
        keep_latency(recorder, request->number,
                     latency_ns < 0 ? NAN : (double)latency_ns * 1e-9);
    if (recorder->classes.count == 0 || !(request->flags & REQUEST_MEASURED))
        return;
    if (latency_ns < 0)
        class_records_lost(&recorder->classes, request->request_class);
    else
        class_records_answered(&recorder->classes, request->request_class,
                               latency_ns);
}

__attribute__((noinline)) static void note_tokens(struct recorder *recorder,
                                                  const struct request *request,
                                                  int64_t latency_ns,
                                                  int64_t first_token_ns)
{
    sample_add(&recorder->ttft, first_token_ns);
    if (request->output_tokens > 1 && !(request->flags & REQUEST_CACHED))
        sample_add(&recorder->tpot, (latency_ns - first_token_ns) /
                                        (request->output_tokens - 1));
}

void recorder_answered(struct recorder *recorder, const struct request *request,
                       int64_t latency_ns, int64_t wait_ns,
                       int64_t first_token_ns)
{
    struct node_counts *node = &recorder->counts[request->node];
    struct bucket_record *bucket;

    recorder->ended[END_COMPLETED]++;
    if (recorder->has_extras)
        note_extras(recorder, request, latency_ns);
    if (!(request->flags & REQUEST_MEASURED))
        return;
    recorder->measured_ended[END_COMPLETED]++;
    recorder->good += latency_ns <= recorder->goodput_bound_ns;
    sample_add(&recorder->latency, latency_ns);
    sample_add(&recorder->wait, wait_ns);
    if (first_token_ns >= 0)
        note_tokens(recorder, request, latency_ns, first_token_ns);
    bucket = recorder_bucket(recorder, request->arrived_at_ns);
    bucket->completed++;
    coarse_add(&bucket->latency, latency_ns);
    node->completed++;
    if (request->flags & REQUEST_CACHED) {
        node->hits++;
        recorder->hits++;
    }
    if (node->latency)
        coarse_add(node->latency, latency_ns);
}

void recorder_lost(struct recorder *recorder, const struct request *request,
                   enum ending ending)
{
    recorder->ended[ending]++;
    if (recorder->has_extras)
        note_extras(recorder, request, -1);
    if (!(request->flags & REQUEST_MEASURED))
        return;
    recorder->measured_ended[ending]++;
    recorder_bucket(recorder, request->arrived_at_ns)->lost++;
}

/* --- the sums at the end ------------------------------------------------ */

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

static double ratio(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

static void finish_counts(const struct recorder *recorder, double *values)
{
    const uint64_t *ended = recorder->measured_ended;

    values[M_ARRIVED] = (double)recorder->measured;
    values[M_COMPLETED] = (double)ended[END_COMPLETED];
    values[M_DEGRADED] = 0;
    values[M_REFUSED] = (double)ended[END_REFUSED];
    values[M_FAILED] = (double)ended[END_FAILED];
    values[M_TIMED_OUT] = (double)ended[END_TIMED_OUT];
    values[M_UNFINISHED] = (double)ended[END_UNFINISHED];
    values[M_RETRIES] = ratio(recorder->retries, recorder->measured);
    values[M_ERRORS_REFUSED] = (double)recorder->errors[ERROR_REFUSED];
    values[M_ERRORS_RESET] = (double)recorder->errors[ERROR_RESET];
    values[M_ERRORS_CONNECT] = (double)recorder->errors[ERROR_CONNECT];
    values[M_ERRORS_NO_NODE] = (double)recorder->no_node;
    values[M_LOST_IN_WINDOW] = (double)recorder->lost_attempts;
    if (recorder->detections > 0)
        values[M_DETECTION] =
            recorder->detection_sum_s / (double)recorder->detections;
}

static void finish_rates(const struct recorder *recorder, double *values)
{
    double window = window_s(recorder);
    uint64_t completed = recorder->measured_ended[END_COMPLETED];

    if (window > 0) {
        values[M_OFFERED] = (double)recorder->measured / window;
        values[M_THROUGHPUT] = (double)completed / window;
        if (recorder->goodput_bound_ns < INT64_MAX)
            values[M_GOODPUT] = (double)recorder->good / window;
    }
    values[M_SUCCESS] = ratio(completed, recorder->measured);
    if (recorder->with_keys) {
        values[M_IDEAL_HIT] = ratio(recorder->ideal_hits, recorder->measured);
        values[M_REPEAT] = ratio(recorder->repeats, recorder->measured);
        if (recorder->with_caches)
            values[M_RESULT_HIT] = ratio(recorder->hits, completed);
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
    double span = (double)(to->at_ns - from->at_ns);

    *ret = (struct node_result){
        .attempts = counts->attempts,
        .completed = counts->completed,
        .share_ratio = ratio(counts->attempts, attempts),
        .use_ratio = (double)(to->busy - from->busy) / span / node->slots,
        .in_flight_mean_requests =
            (double)(to->in_flight - from->in_flight) / span,
        .queue_mean_requests = (double)(to->queued - from->queued) / span,
        .down_ratio = (double)(to->down_ns - from->down_ns) / span,
        .evictions = record->evictions_at_close - record->evictions_at_open,
        .gpu_ratio = NAN,
        .cpu_ratio = NAN,
        .memory_ratio = NAN,
        .hit_ratio = NAN,
        .latency_p50_s = NAN,
        .latency_p99_s = NAN,
    };
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

/* Mean of one field over the nodes that state it; NaN: none does. */
static double mean_stated(const double *values, uint32_t count)
{
    double sum = 0;
    uint32_t stated = 0;

    for (uint32_t i = 0; i < count; i++)
        if (!isnan(values[i])) {
            sum += values[i];
            stated++;
        }
    return stated > 0 ? sum / stated : NAN;
}

static void finish_window_balance(const struct run_result *result,
                                  double *scratch, double *values)
{
    double sum = 0;
    uint32_t counted = 0;

    for (uint32_t b = 0; b < result->bucket_count; b++) {
        double cv;

        for (uint32_t i = 0; i < result->node_count; i++)
            scratch[i] =
                result->node_buckets[(size_t)b * result->node_count + i]
                    .use_ratio;
        cv = stats_cv_population(scratch, result->node_count);
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

static double column_mean(const struct run_result *result, double *scratch,
                          enum node_column column)
{
    for (uint32_t i = 0; i < result->node_count; i++)
        scratch[i] = node_value(&result->nodes[i], column);
    return mean_stated(scratch, result->node_count);
}

static void finish_balance(const struct run_result *result, double *scratch,
                           double *values)
{
    uint32_t n = result->node_count;
    double in_flight = 0, fullest = 0, evictions = 0;

    values[M_GPU_USE] = column_mean(result, scratch, COLUMN_GPU);
    values[M_CPU_USE] = column_mean(result, scratch, COLUMN_CPU);
    values[M_MEMORY_USE] = column_mean(result, scratch, COLUMN_MEMORY);
    for (uint32_t i = 0; i < n; i++)
        scratch[i] = result->nodes[i].share_ratio;
    values[M_BALANCE_SHARE] = stats_max_over_mean(scratch, n);
    for (uint32_t i = 0; i < n; i++) {
        scratch[i] = result->nodes[i].use_ratio;
        fullest = scratch[i] > fullest ? scratch[i] : fullest;
        in_flight += result->nodes[i].in_flight_mean_requests;
        evictions += (double)result->nodes[i].evictions;
    }
    values[M_FULLEST_USE] = fullest;
    values[M_IN_FLIGHT] = in_flight;
    values[M_EVICTIONS] = evictions;
    values[M_BALANCE_CV] = stats_cv_population(scratch, n);
    values[M_BALANCE_JAIN] = stats_jain(scratch, n);
    values[M_BALANCE_GINI] = stats_gini(scratch, n);
    finish_window_balance(result, scratch, values);
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
            .start_s = (double)edge_ns(recorder, b) * 1e-9,
            .end_s = (double)edge_ns(recorder, b + 1) * 1e-9,
            .arrived = from->arrived,
            .completed = from->completed,
            .lost = from->lost,
            .latency_mean_s = coarse_mean(&from->latency) * 1e-9,
            .latency_p99_s = coarse_quantile(&from->latency, 0.99) * 1e-9,
            .in_flight_mean_requests = in_flight,
        };
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
 * A node's queue that grew from quarter to quarter, doubled since the second
 * and holds ten rounds of service at the end is not a fluctuation: an M/M/1
 * queue at load 0.9 is that long, and rising so, in few of a thousand runs.
 */
static bool grows(const struct recorder *recorder, const struct node *nodes)
{
    for (uint32_t i = 0; i < recorder->node_count; i++) {
        double second = quarter_backlog(recorder, &nodes[i], i, 1);
        double third = quarter_backlog(recorder, &nodes[i], i, 2);
        double last = quarter_backlog(recorder, &nodes[i], i, 3);

        if (last > third && third > second && last > 2 * second &&
            last > 10.0 * nodes[i].slots)
            return true;
    }
    return false;
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
    if (isnan(ret->values[M_BALANCE_GINI]) &&
        !isnan(ret->values[M_BALANCE_JAIN])) /* it sorts a copy */
        recorder->out_of_memory = true;
    finish_buckets(recorder, ret);
    ret->unstable = grows(recorder, nodes);
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
        .refused = recorder->ended[END_REFUSED],
        .failed = recorder->ended[END_FAILED],
        .timed_out = recorder->ended[END_TIMED_OUT],
        .unfinished = recorder->ended[END_UNFINISHED],
    };
    ret->measured = recorder->measured;
    ret->measured_answered = recorder->measured_ended[END_COMPLETED];
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
    finish_parts(recorder, ret->values);
    finish_counts(recorder, ret->values);
    finish_rates(recorder, ret->values);
    finish_curves(recorder, ret);
    finish_books(recorder, ret);
    if (!class_records_finish(&recorder->classes, ret))
        return false;
    if (!recorder->closed)
        return !recorder->out_of_memory; /* the window never opened */
    return finish_nodes(recorder, nodes, ret) && !recorder->out_of_memory;
}
