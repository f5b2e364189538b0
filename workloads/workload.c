#include "workloads/workload.h"

#include "workloads/seen.h"

#include <math.h>
#include <stdlib.h>

struct workload {
    struct workload_spec spec;
    int64_t duration_ns;
    uint64_t seed, replication;

    /* One of the two is the source of arrivals. */
    struct arrivals arrivals;
    struct trace_cursor *cursor;

    /* Moved on at every request, but only where something draws from them. */
    struct rng_lane input_tokens, output_tokens, work, noise, keys;

    struct seen seen;
    struct workload_books books;
    bool last_was_ideal_hit;
    bool ended, failed, no_memory;
    bool plain; /* nothing but arrivals and work */
};

static bool draws_keys(const struct workload_spec *spec)
{
    return spec->keys.spec.kind != KEYS_NONE;
}

static bool is_plain(const struct workload_spec *spec)
{
    return !spec->trace && !draws_keys(spec) &&
           spec->input_tokens.kind == DIST_NONE &&
           spec->output_tokens.kind == DIST_NONE &&
           spec->noise.kind == DIST_NONE && spec->work.kind != DIST_NONE;
}

static void init_lanes(struct workload *workload)
{
    uint64_t seed = workload->seed, replication = workload->replication;

    rng_lane_init(&workload->input_tokens, seed, replication, RNG_INPUT_TOKENS);
    rng_lane_init(&workload->output_tokens, seed, replication,
                  RNG_OUTPUT_TOKENS);
    rng_lane_init(&workload->work, seed, replication, RNG_WORK);
    rng_lane_init(&workload->noise, seed, replication, RNG_NOISE);
    rng_lane_init(&workload->keys, seed, replication, RNG_KEYS);
}

struct workload *workload_create(const struct workload_spec *spec,
                                 int64_t duration_ns, uint64_t seed,
                                 uint64_t replication)
{
    const struct keys_spec *keys = &spec->keys.spec;
    struct workload *workload = calloc(1, sizeof *workload);

    if (!workload)
        return NULL;
    workload->spec = *spec;
    workload->duration_ns = duration_ns;
    workload->seed = seed;
    workload->replication = replication;
    workload->plain = is_plain(spec);
    init_lanes(workload);

    if (!seen_init(&workload->seen,
                   keys->kind == KEYS_ZIPF ? keys->distinct : 0))
        goto fail;
    if (spec->trace) {
        workload->cursor = trace_cursor_create(spec->trace, spec->resample,
                                               duration_ns, seed, replication);
        if (!workload->cursor)
            goto fail;
    } else {
        arrivals_init(&workload->arrivals, &spec->arrivals, seed, replication);
    }
    return workload;

fail:
    workload_destroy(workload);
    return NULL;
}

void workload_destroy(struct workload *workload)
{
    if (!workload)
        return;
    if (workload->cursor)
        trace_cursor_destroy(workload->cursor);
    seen_done(&workload->seen);
    free(workload);
}

/* What the source of arrivals knows of the next request. */
static bool next_arrival(struct workload *workload,
                         struct workload_request *ret)
{
    struct trace_row row;

    if (!workload->cursor) {
        ret->at_ns = arrivals_next(&workload->arrivals);
        return ret->at_ns < workload->duration_ns;
    }
    if (!trace_cursor_next(workload->cursor, &row)) {
        workload->failed = trace_cursor_failed(workload->cursor);
        return false;
    }
    ret->at_ns = row.at_ns;
    ret->input_tokens = row.input_tokens;
    ret->output_tokens = row.output_tokens;
    if (!draws_keys(&workload->spec)) {
        ret->key_hash = row.key_hash;
        ret->key_text = row.key;
        ret->key_length = row.key_length;
    }
    return row.at_ns < workload->duration_ns;
}

static void draw_key(struct workload *workload,
                     struct workload_request *request)
{
    struct rng rng = rng_lane_next(&workload->keys);

    request->key = keys_draw(&workload->spec.keys, &rng, request->number);
    request->key_hash = keys_hash(request->key);
}

/* Whether the request may come again, and so has sizes of its key and not of
   its number. ret_entity tells the keys apart. */
static bool sizes_go_with_key(const struct workload *workload,
                              const struct workload_request *request,
                              uint64_t *ret_entity)
{
    if (draws_keys(&workload->spec)) {
        *ret_entity = request->key;
        return keys_repeats(&workload->spec.keys, request->key);
    }
    *ret_entity = request->key_hash;
    return request->key_hash != 0;
}

/* Nobody asks nothing: at least one token. */
static uint32_t count_of(double drawn)
{
    if (!(drawn < (double)UINT32_MAX))
        return UINT32_MAX;
    return drawn < 1 ? 1 : (uint32_t)(drawn + 0.5);
}

static double work_of(double drawn_s)
{
    return drawn_s < WORKLOAD_WORK_LIMIT_S ? drawn_s : WORKLOAD_WORK_LIMIT_S;
}

static double draw_from(const struct dist *dist, struct rng_lane *lane)
{
    struct rng piece = rng_lane_next(lane);

    return dist_draw(dist, &piece);
}

/* Where the sizes of a key come from: a stream for each, by its key. */
struct key_sizes {
    bool given; /* else they go by the number of the request */
    uint64_t seed, replication, entity;
};

/* The lane moves on in any case: else the sizes of later requests would depend
   on which keys came before. */
static double draw_size(const struct dist *dist, struct rng_lane *lane,
                        const struct key_sizes *own, enum rng_purpose purpose)
{
    struct rng rng = rng_lane_next(lane);

    if (own->given)
        rng_stream(&rng, own->seed, own->replication, purpose, own->entity);
    return dist_draw(dist, &rng);
}

/* The same question has the same length and the same answer. */
static void draw_sizes(struct workload *workload,
                       struct workload_request *request)
{
    const struct workload_spec *spec = &workload->spec;
    struct key_sizes own = {.seed = workload->seed,
                            .replication = workload->replication};

    own.given = sizes_go_with_key(workload, request, &own.entity);
    if (spec->input_tokens.kind != DIST_NONE)
        request->input_tokens =
            count_of(draw_size(&spec->input_tokens, &workload->input_tokens,
                               &own, RNG_KEY_INPUT_TOKENS));
    if (spec->output_tokens.kind != DIST_NONE)
        request->output_tokens =
            count_of(draw_size(&spec->output_tokens, &workload->output_tokens,
                               &own, RNG_KEY_OUTPUT_TOKENS));
    if (spec->work.kind != DIST_NONE)
        request->work_s = work_of(
            draw_size(&spec->work, &workload->work, &own, RNG_KEY_WORK));
}

/* false: no memory to remember the key. */
static bool enter_into_books(struct workload *workload,
                             const struct workload_request *request)
{
    struct workload_books *books = &workload->books;
    bool repeat = false, again = false;

    if (draws_keys(&workload->spec)) {
        repeat = keys_repeats(&workload->spec.keys, request->key);
        again = repeat && seen_number(&workload->seen, request->key);
    } else if (request->key_hash) {
        enum seen_answer answer = seen_hash(&workload->seen, request->key_hash);

        if (answer == SEEN_NO_MEMORY)
            return false;
        repeat = again = answer == SEEN_AGAIN;
    }
    books->requests++;
    books->repeats += repeat;
    books->ideal_hits += again;
    workload->last_was_ideal_hit = again;
    return true;
}

/* Nothing but arrivals and work, theory's traffic: the same in fewer steps. */
static bool next_plain(struct workload *workload, struct workload_request *ret)
{
    int64_t at_ns = arrivals_next(&workload->arrivals);

    if (at_ns >= workload->duration_ns)
        return false;
    *ret = (struct workload_request){
        .number = workload->books.requests++,
        .at_ns = at_ns,
        .work_s = work_of(draw_from(&workload->spec.work, &workload->work)),
        .noise = 1,
    };
    return true;
}

/* Apart, so that readers of traces are not woven into the loop of every run. */
static __attribute__((noinline)) bool next_mixed(struct workload *workload,
                                                 struct workload_request *ret)
{
    *ret = (struct workload_request){
        .number = workload->books.requests,
        .work_s = -1,
        .noise = 1,
    };
    if (!next_arrival(workload, ret))
        return false;
    if (draws_keys(&workload->spec))
        draw_key(workload, ret);
    draw_sizes(workload, ret);
    if (workload->spec.noise.kind != DIST_NONE)
        ret->noise = draw_from(&workload->spec.noise, &workload->noise);
    workload->failed = workload->no_memory = !enter_into_books(workload, ret);
    return !workload->failed;
}

bool workload_next(struct workload *workload, struct workload_request *ret)
{
    if (!workload->ended && (workload->plain ? next_plain(workload, ret)
                                             : next_mixed(workload, ret)))
        return true;
    workload->ended = true;
    return false;
}

bool workload_failed(const struct workload *workload)
{
    return workload->failed;
}

bool workload_lacks_memory(const struct workload *workload)
{
    return workload->no_memory;
}

double workload_attempt_noise(const struct workload *workload, uint64_t number,
                              double first_noise, uint32_t attempt)
{
    const struct workload_spec *spec = &workload->spec;
    struct rng rng;

    if (attempt == 0 || spec->noise_per == WORKLOAD_NOISE_REQUEST ||
        spec->noise.kind == DIST_NONE)
        return first_noise;
    rng_stream(&rng, workload->seed, workload->replication, RNG_ATTEMPT_NOISE,
               rng_entity(number, attempt));
    return dist_draw(&spec->noise, &rng);
}

bool workload_last_was_ideal_hit(const struct workload *workload)
{
    return workload->last_was_ideal_hit;
}

const struct workload_books *workload_books(const struct workload *workload)
{
    return &workload->books;
}

/* Of a count that dist describes, or else the trace. */
static double mean_of(const struct dist *dist, double mean_in_trace)
{
    return dist->kind != DIST_NONE ? dist_effective_mean(dist) : mean_in_trace;
}

void workload_spec_means(const struct workload_spec *spec,
                         struct workload_means *ret)
{
    const struct trace_books *trace =
        spec->trace ? trace_books(spec->trace) : NULL;

    *ret = (struct workload_means){
        .rate_per_s = trace ? trace->rate_per_s : spec->arrivals.rate_per_s,
        .input_tokens =
            mean_of(&spec->input_tokens, trace ? trace->mean_input_tokens : 0),
        .output_tokens = mean_of(&spec->output_tokens,
                                 trace ? trace->mean_output_tokens : 0),
        .work_s = mean_of(&spec->work, (double)NAN),
        .noise = mean_of(&spec->noise, 1),
    };
}
