#include "sim/experiment/recorder.h"

#include "sim/core/event_tree.h"

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
    recorder->counts =
        calloc((size_t)recorder->node_count + 1, sizeof *recorder->counts);
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
        .has_extras = setup->keep_latencies || setup->class_count > 0 ||
                      setup->source_count > 0,
        .slab = setup->slab,
        .origins = setup->origins,
        .with_keys = setup->with_keys,
        .with_caches = setup->with_caches,
        .with_routing = setup->with_routing,
        .with_classifier = setup->with_classifier,
        .with_models = setup->with_models,
        .with_queue_limits = setup->with_queue_limits,
        .with_members = setup->with_members,
        .with_raw_keys = setup->with_raw_keys,
        .tier = setup->tier,
        .confidence = setup->confidence,
        .goodput_bound_ns = bound_ns < 9e18 ? (int64_t)bound_ns : INT64_MAX,
    };
    recorder->buckets =
        calloc(recorder->bucket_count, sizeof *recorder->buckets);
    recorder->node_buckets =
        calloc((size_t)recorder->bucket_count * setup->node_count,
               sizeof *recorder->node_buckets);
    recorder->series = calloc((size_t)recorder->bucket_count * SERIES_COUNT,
                              sizeof *recorder->series);
    return recorder->buckets && recorder->node_buckets && recorder->series &&
           make_node_records(recorder, setup->node_percentiles) &&
           sample_init(&recorder->latency) && sample_init(&recorder->wait) &&
           sample_init(&recorder->ttft) && sample_init(&recorder->tpot) &&
           card_records_init(&recorder->cards, setup->card_count) &&
           class_records_init(&recorder->classes, setup->classes,
                              setup->class_count, recorder->bucket_count) &&
           class_records_init(&recorder->sources, NULL, setup->source_count, 0);
}

void recorder_done(struct recorder *recorder)
{
    for (uint32_t i = 0; recorder->counts && i < recorder->node_count; i++)
        free(recorder->counts[i].latency);
    free(recorder->counts);
    free(recorder->nodes);
    free(recorder->buckets);
    free(recorder->node_buckets);
    free(recorder->series);
    free(recorder->latencies);
    sample_done(&recorder->latency);
    sample_done(&recorder->wait);
    sample_done(&recorder->ttft);
    sample_done(&recorder->tpot);
    card_records_done(&recorder->cards);
    class_records_done(&recorder->classes);
    class_records_done(&recorder->sources);
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
    card_records_open(&recorder->cards, nodes, recorder->node_count, now_ns);
    for (uint32_t i = 0; i < recorder->node_count; i++) {
        struct node_record *record = &recorder->nodes[i];

        node_read(&nodes[i], now_ns, &record->at_open);
        record->at_edge = record->at_open;
        record->deaths_at_open = nodes[i].deaths;
        if (nodes[i].cache)
            record->evictions_at_open = nodes[i].cache->evictions;
        record->coalesced_at_open = nodes[i].coalesced_count;
    }
}

int64_t recorder_edge_ns(const struct recorder *recorder, uint32_t bucket)
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

    if (i > 0 && arrived_at_ns < recorder_edge_ns(recorder, i))
        return i - 1; /* rounding put it beyond the edge */
    if (i < last && arrived_at_ns >= recorder_edge_ns(recorder, i + 1))
        return i + 1;
    return i;
}

int64_t recorder_next_edge_ns(const struct recorder *recorder)
{
    if (!recorder->open || recorder->closed)
        return EVENT_NEVER;
    return recorder_edge_ns(recorder, recorder->buckets_read + 1);
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
        row[i].absent_ratio = mean_of(last->absent_ns, read.absent_ns, span);
        row[i].use_ratio =
            mean_of(last->busy, read.busy,
                    span - (double)(read.absent_ns - last->absent_ns)) /
            nodes[i].slots;
        row[i].in_flight_mean_requests =
            mean_of(last->in_flight, read.in_flight, span);
        row[i].down_ratio = mean_of(last->down_ns, read.down_ns, span);
        recorder->bucket->nodes += 1 - row[i].absent_ratio;
        recorder->bucket->nodes_ready +=
            1 - row[i].absent_ratio -
            mean_of(last->starting_ns, read.starting_ns, span);
        record->at_edge = read;
    }
    recorder->buckets_read++;
    recorder->bucket++;
    recorder->bucket_start_ns = now_ns;
    if (recorder->buckets_read < recorder->bucket_count)
        return;
    recorder->closed = true;
    recorder->bucket_start_ns = INT64_MAX;
    card_records_close(&recorder->cards, nodes, recorder->node_count, now_ns);
    for (uint32_t i = 0; i < recorder->node_count; i++) {
        recorder->nodes[i].at_close = recorder->nodes[i].at_edge;
        recorder->nodes[i].deaths_at_close = nodes[i].deaths;
        if (nodes[i].cache)
            recorder->nodes[i].evictions_at_close = nodes[i].cache->evictions;
        recorder->nodes[i].coalesced_at_close = nodes[i].coalesced_count;
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

static void note_kind(struct class_records *kinds, uint32_t kind,
                      int64_t latency_ns)
{
    if (latency_ns < 0)
        class_records_lost(kinds, kind);
    else
        class_records_answered(kinds, kind, latency_ns);
}

static void note_class(struct recorder *recorder, const struct request *request,
                       int64_t latency_ns)
{
    recorder->misclassified += request->taken_for != request->request_class;
    note_kind(&recorder->classes, request->request_class, latency_ns);
    class_records_over_time(
        &recorder->classes, request->request_class,
        recorder_find_bucket(recorder, request->arrived_at_ns), latency_ns);
}

static uint32_t source_of(const struct recorder *recorder,
                          const struct request *request)
{
    return (*recorder->origins)[request_index(recorder->slab, request)].source;
}

/* Apart from what every run does. latency_ns negative: no answer. */
__attribute__((noinline)) static void note_extras(struct recorder *recorder,
                                                  const struct request *request,
                                                  int64_t latency_ns)
{
    if (recorder->keep_latencies)
        keep_latency(recorder, request->number,
                     latency_ns < 0 ? NAN : (double)latency_ns * 1e-9);
    if (!(request->flags & REQUEST_MEASURED))
        return;
    if (recorder->classes.count > 0)
        note_class(recorder, request, latency_ns);
    if (recorder->sources.count > 0)
        note_kind(&recorder->sources, source_of(recorder, request), latency_ns);
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

__attribute__((noinline)) static void note_hit(struct recorder *recorder,
                                               struct node_counts *node,
                                               struct bucket_record *bucket)
{
    node->hits++;
    if (node == &recorder->counts[recorder->node_count]) {
        bucket->tier_hits++;
        return;
    }
    recorder->hits++;
    bucket->hits++;
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
        note_hit(recorder, node, bucket);
    }
    if (node->latency)
        coarse_add(node->latency, latency_ns);
}

void recorder_degrades(struct recorder *recorder, const struct request *request)
{
    recorder->ended[END_COMPLETED]--;
    recorder->ended[END_DEGRADED]++;
    if (!(request->flags & REQUEST_MEASURED))
        return;
    recorder->measured_ended[END_COMPLETED]--;
    recorder->measured_ended[END_DEGRADED]++;
}

void recorder_answered_at_door(struct recorder *recorder,
                               const struct request *request,
                               int64_t latency_ns, int64_t wait_ns)
{
    struct bucket_record *bucket;

    recorder->ended[END_DEGRADED]++;
    if (recorder->has_extras)
        note_extras(recorder, request, latency_ns);
    if (!(request->flags & REQUEST_MEASURED))
        return;
    recorder->measured_ended[END_DEGRADED]++;
    recorder->good += latency_ns <= recorder->goodput_bound_ns;
    sample_add(&recorder->latency, latency_ns);
    sample_add(&recorder->wait, wait_ns);
    if (request->flags & REQUEST_TOKENS)
        sample_add(&recorder->ttft, latency_ns);
    bucket = recorder_bucket(recorder, request->arrived_at_ns);
    bucket->completed++;
    coarse_add(&bucket->latency, latency_ns);
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

void recorder_has_series(struct recorder *recorder, enum series_id id)
{
    recorder->with_series[id] = true;
}

void recorder_count(struct recorder *recorder, enum series_id id,
                    int64_t arrived_at_ns)
{
    uint32_t bucket = recorder_find_bucket(recorder, arrived_at_ns);

    recorder->series[(size_t)bucket * SERIES_COUNT + id]++;
}
