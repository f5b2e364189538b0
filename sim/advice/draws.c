#include "sim/advice/draws.h"

#include "sim/advice/facts.h"
#include "sim/cluster/result_cache.h"
#include "sim/measure/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TENTHS 10
#define BIN_REQUESTS \
    300 /* some hundred, so that a Poisson count varies by 6 % */
#define CACHES_MAX 1024 /* more nodes are played as so many */

double draws_need_s(const struct workload_request *request,
                    const struct group_spec *group)
{
    const struct service_spec *service = &group->engine.service;
    double need = request->work_s;

    if (service->given && need < 0)
        need = service->base_s +
               service->per_input_token_s * (double)request->input_tokens +
               service->per_output_token_s * (double)request->output_tokens;
    return need * request->noise / group->engine.speed;
}

static double answer_bytes(const struct workload_request *request,
                           const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].result_cache.given)
            return fmax(1, scenario->groups[i].result_cache.bytes_per_token *
                               (double)request->output_tokens);
    return 1;
}

static bool make_room(const struct scenario *scenario, struct draws *draws)
{
    size_t groups = scenario->group_count;

    draws->classes =
        scenario->workload.class_count ? scenario->workload.class_count : 1;
    draws->at_ns = calloc(FACTS_REQUESTS, sizeof *draws->at_ns);
    draws->needs_s = calloc(FACTS_REQUESTS, sizeof *draws->needs_s);
    draws->keys = calloc(FACTS_REQUESTS, sizeof *draws->keys);
    draws->bytes = calloc(FACTS_REQUESTS, sizeof *draws->bytes);
    draws->group_needs_s = calloc(groups + 1, sizeof *draws->group_needs_s);
    draws->class_needs_s =
        calloc(groups * draws->classes + 1, sizeof *draws->class_needs_s);
    draws->class_counts = calloc(draws->classes, sizeof *draws->class_counts);
    return draws->at_ns && draws->needs_s && draws->keys && draws->bytes &&
           draws->group_needs_s && draws->class_needs_s && draws->class_counts;
}

static void note(const struct scenario *scenario, uint32_t group,
                 const struct workload_request *request, struct draws *draws)
{
    uint64_t i = draws->count++;
    uint32_t kind =
        request->request_class < draws->classes ? request->request_class : 0;

    draws->at_ns[i] = request->at_ns;
    draws->needs_s[i] = draws_need_s(request, &scenario->groups[group]);
    draws->keys[i] = request->key_hash;
    draws->bytes[i] = answer_bytes(request, scenario);
    draws->class_counts[kind]++;
    for (uint32_t g = 0; g < scenario->group_count; g++) {
        double need = draws_need_s(request, &scenario->groups[g]);

        draws->group_needs_s[g] += need;
        draws->class_needs_s[(size_t)kind * scenario->group_count + g] += need;
    }
}

/* Of a mixed workload each request is taken, and over at once: clients of a
   closed loop then ask as fast as they think. */
static bool step(struct workload *workload, struct workload_request *request)
{
    struct workload_origin origin;

    if (!workload_next(workload, request))
        return false;
    if (!workload_is_mixed(workload))
        return true;
    if (!workload_take(workload, &origin))
        return false;
    workload_release(workload, &origin, request->at_ns);
    return true;
}

bool draws_make(const struct scenario *scenario, uint32_t group,
                struct draws *ret)
{
    struct workload_spec spec = scenario->workload;
    struct workload_request request;

    *ret = (struct draws){0};
    spec.resample = TRACE_RESAMPLE_NONE;
    if (!make_room(scenario, ret))
        return false;

    struct workload *workload =
        workload_create(&spec, scenario->duration_ns, scenario->seed, 1);
    if (!workload)
        return false;
    while (ret->count < FACTS_REQUESTS && step(workload, &request))
        note(scenario, group, &request, ret);
    ret->ideal_hits = workload_books(workload)->ideal_hits;
    for (uint32_t g = 0; ret->count > 0 && g < scenario->group_count; g++)
        ret->group_needs_s[g] /= (double)ret->count;

    bool fine = !workload_failed(workload);
    workload_destroy(workload);
    return fine;
}

void draws_done(struct draws *draws)
{
    free(draws->at_ns);
    free(draws->needs_s);
    free(draws->keys);
    free(draws->bytes);
    free(draws->group_needs_s);
    free(draws->class_needs_s);
    free(draws->class_counts);
    *draws = (struct draws){0};
}

/* ---- arrivals ---- */

double draws_gap_scv(const struct draws *draws)
{
    double sum = 0, squares = 0;
    uint64_t gaps = draws->count > 0 ? draws->count - 1 : 0;

    if (gaps < 10)
        return NAN;
    for (uint64_t i = 0; i < gaps; i++) {
        double gap = (double)(draws->at_ns[i + 1] - draws->at_ns[i]);

        sum += gap;
        squares += gap * gap;
    }

    double mean = sum / (double)gaps;
    return mean > 0 ? squares / (double)gaps / (mean * mean) - 1
                    : (double)INFINITY;
}

double draws_dispersion(const struct draws *draws)
{
    uint64_t bins = draws->count / BIN_REQUESTS;
    double squares = 0;

    if (bins < 10)
        return NAN;

    double first = (double)draws->at_ns[0];
    double width =
        ((double)draws->at_ns[draws->count - 1] - first) / (double)bins;
    double mean = (double)draws->count / (double)bins;
    uint64_t i = 0;

    for (uint64_t bin = 0; bin < bins; bin++) {
        double end = first + width * (double)(bin + 1);
        uint64_t from = i;

        while (i < draws->count &&
               (bin + 1 == bins || (double)draws->at_ns[i] < end))
            i++;
        squares += ((double)(i - from) - mean) * ((double)(i - from) - mean);
    }
    return squares / (double)bins / mean;
}

double draws_peak(const struct draws *draws)
{
    double counts[TENTHS] = {0}, most = 0;

    if (draws->count < (size_t)BIN_REQUESTS * TENTHS)
        return NAN;

    double first = (double)draws->at_ns[0];
    double length = (double)draws->at_ns[draws->count - 1] - first;

    for (uint64_t i = 0; i < draws->count; i++) {
        double at = TENTHS * ((double)draws->at_ns[i] - first) / length;

        counts[at < TENTHS - 1 ? (int)at : TENTHS - 1]++;
    }
    for (int i = 0; i < TENTHS; i++)
        most = fmax(most, counts[i]);
    return most * TENTHS / (double)draws->count;
}

/* ---- needs ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

bool draws_needs(const struct draws *draws, struct draws_needs *ret)
{
    size_t n = draws->count;
    double *sorted = malloc((n + 1) * sizeof *sorted);

    *ret = (struct draws_needs){NAN, NAN, NAN};
    if (!sorted)
        return false;
    memcpy(sorted, draws->needs_s, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    if (n >= 2) {
        ret->mean = stats_mean(sorted, n);
        ret->scv = stats_variance(sorted, n) / (ret->mean * ret->mean);
        ret->p99 = stats_quantile_sorted(sorted, n, 0.99);
    }
    free(sorted);
    return true;
}

/* ---- keys ---- */

static int by_hash(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The most requests of one key; UINT64_MAX: no memory. */
static uint64_t commonest(const struct draws *draws)
{
    uint64_t *sorted = malloc((draws->count + 1) * sizeof *sorted);
    uint64_t most = 0, run = 0;

    if (!sorted)
        return UINT64_MAX;
    memcpy(sorted, draws->keys, draws->count * sizeof *sorted);
    qsort(sorted, draws->count, sizeof *sorted, by_hash);
    for (uint64_t i = 0; i < draws->count; i++) {
        run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
        if (sorted[i] != 0 && run > most)
            most = run;
    }
    free(sorted);
    return most;
}

static const struct result_cache_spec *cache_of(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].result_cache.given &&
            scenario->groups[i].count > 0)
            return &scenario->groups[i].result_cache;
    return NULL;
}

/* Plays the caches of `nodes` nodes; NaN: no memory. */
static double play_caches(const struct draws *draws,
                          const struct result_cache_spec *spec, uint32_t nodes,
                          bool by_key)
{
    struct result_cache *caches = calloc(nodes, sizeof *caches);
    uint64_t hits = 0;
    bool fine = caches != NULL;

    for (uint32_t i = 0; fine && i < nodes; i++)
        fine = result_cache_init(&caches[i], spec->entries, spec->bytes,
                                 spec->ttl_ns);
    for (uint64_t i = 0; fine && i < draws->count; i++) {
        uint64_t key = draws->keys[i];
        struct result_cache *cache = &caches[(by_key ? key : i) % nodes];

        if (key == 0)
            continue;
        if (result_cache_find(cache, key, draws->at_ns[i]))
            hits++;
        else
            fine = result_cache_store(cache, key, (uint64_t)draws->bytes[i],
                                      draws->at_ns[i]);
    }
    for (uint32_t i = 0; caches && i < nodes; i++)
        result_cache_done(&caches[i]);
    free(caches);
    return fine ? (double)hits / (double)draws->count : (double)NAN;
}

bool draws_keys(const struct draws *draws, const struct scenario *scenario,
                struct draws_keys *ret)
{
    const struct result_cache_spec *cache = cache_of(scenario);
    uint64_t most = commonest(draws);
    uint32_t nodes =
        scenario->node_count < CACHES_MAX ? scenario->node_count : CACHES_MAX;

    *ret = (struct draws_keys){.keyed = most > 0};
    if (most == UINT64_MAX)
        return false;
    if (most == 0)
        return true;
    ret->ideal = (double)draws->ideal_hits / (double)draws->count;
    ret->heaviest = (double)most / (double)draws->count;
    if (!cache || nodes == 0)
        return true;
    ret->spread = play_caches(draws, cache, nodes, false);
    ret->affine = play_caches(draws, cache, nodes, true);
    return !isnan(ret->spread) && !isnan(ret->affine);
}
