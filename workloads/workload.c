#include "workloads/workload_parts.h"

#include <math.h>
#include <stdlib.h>

/* Synthetic keys of an overlay are questions of its own. */
#define ORDINAL_SHIFT 48
#define OWN_KEY (((uint64_t)1 << ORDINAL_SHIFT) - 1)

static bool draws_keys(const struct workload_spec *spec)
{
    return spec->keys.spec.kind != KEYS_NONE;
}

static bool is_plain(const struct workload_spec *spec)
{
    return !spec->trace && !draws_keys(spec) && spec->class_count == 0 &&
           spec->input_tokens.kind == DIST_NONE &&
           spec->output_tokens.kind == DIST_NONE &&
           spec->noise.kind == DIST_NONE && spec->work.kind != DIST_NONE;
}

static void init_lanes(struct workload *workload)
{
    static const enum rng_purpose purposes[LAW_COUNT] = {
        [LAW_INPUT_TOKENS] = RNG_INPUT_TOKENS,
        [LAW_OUTPUT_TOKENS] = RNG_OUTPUT_TOKENS,
        [LAW_WORK] = RNG_WORK,
        [LAW_NOISE] = RNG_NOISE,
    };
    uint64_t seed = workload->seed, replication = workload->replication;

    for (int law = 0; law < LAW_COUNT; law++) {
        rng_lane_init_entity(&workload->lanes[law], seed, replication,
                             purposes[law], workload->ordinal);
        workload->moves[law] =
            workload_has_law(&workload->spec, (enum workload_law)law);
    }
    rng_lane_init_entity(&workload->keys, seed, replication, RNG_KEYS,
                         workload->ordinal);
    rng_lane_init_entity(&workload->classes, seed, replication, RNG_CLASSES,
                         workload->ordinal);
}

/* Blocks of an overlay's trace are drawn apart from those of the main one. */
static uint64_t trace_seed(const struct workload *part)
{
    struct rng rng;

    if (part->ordinal == 0)
        return part->seed;
    rng_stream(&rng, part->seed, 1, RNG_RESAMPLE, part->ordinal);
    return rng_next(&rng);
}

/* false: no memory, or the trace cannot be read. */
static bool open_source(struct workload *part)
{
    const struct workload_spec *spec = &part->spec;

    if (spec->trace) {
        part->cursor =
            trace_cursor_create(spec->trace, spec->resample, part->duration_ns,
                                trace_seed(part), part->replication);
        return part->cursor != NULL;
    }
    if (spec->arrivals.process == ARRIVALS_CLOSED) {
        struct clients_spec clients = {.count = spec->arrivals.clients,
                                       .think = &part->spec.arrivals.think,
                                       .seed = part->seed,
                                       .replication = part->replication,
                                       .entity = part->ordinal};

        part->clients = clients_create(&clients);
        return part->clients != NULL;
    }
    arrivals_init_entity(&part->arrivals, &spec->arrivals, part->seed,
                         part->replication, part->ordinal);
    part->arrivals.horizon_ns = part->duration_ns;
    return true;
}

static struct workload *create(const struct workload_spec *spec,
                               uint32_t ordinal, int64_t duration_ns,
                               uint64_t seed, uint64_t replication)
{
    struct workload *workload = calloc(1, sizeof *workload);

    if (!workload)
        return NULL;
    workload->spec = *spec;
    workload->ordinal = ordinal;
    workload->duration_ns = duration_ns;
    workload->seed = seed;
    workload->replication = replication;
    workload->hashes = &workload->seen;
    return workload;
}

struct workload *workload_create_part(const struct workload_spec *spec,
                                      uint32_t ordinal, int64_t duration_ns,
                                      uint64_t seed, uint64_t replication)
{
    const struct keys_spec *keys = &spec->keys.spec;
    struct workload *part =
        create(spec, ordinal, duration_ns, seed, replication);

    if (!part)
        return NULL;
    part->plain = is_plain(spec);
    init_lanes(part);
    if (seen_init(&part->seen, keys->kind == KEYS_ZIPF ? keys->distinct : 0) &&
        open_source(part))
        return part;
    workload_destroy(part);
    return NULL;
}

struct workload *workload_create(const struct workload_spec *spec,
                                 int64_t duration_ns, uint64_t seed,
                                 uint64_t replication)
{
    struct workload *whole;

    if (spec->overlay_count == 0 &&
        (spec->trace || spec->arrivals.process != ARRIVALS_CLOSED))
        return workload_create_part(spec, 0, duration_ns, seed, replication);
    whole = create(spec, 0, duration_ns, seed, replication);
    if (!whole)
        return NULL;
    whole->mix = workload_mix_create(whole);
    if (whole->mix)
        return whole;
    workload_destroy(whole);
    return NULL;
}

void workload_destroy(struct workload *workload)
{
    if (!workload)
        return;
    if (workload->cursor)
        trace_cursor_destroy(workload->cursor);
    clients_destroy(workload->clients);
    workload_mix_destroy(workload->mix);
    seen_done(&workload->seen);
    seen_done(&workload->raw_seen);
    free(workload);
}

/* The lanes' pieces of a request of that number. */
static void seek_lanes(struct workload *part, uint64_t number)
{
    rng_u128 pieces = (rng_u128)number - part->drawn; /* also backwards */

    part->drawn = number;
    if (pieces == 0)
        return;
    for (int law = 0; law < LAW_COUNT; law++)
        if (part->moves[law])
            rng_lane_skip(&part->lanes[law], pieces);
    if (draws_keys(&part->spec))
        rng_lane_skip(&part->keys, pieces);
    if (part->spec.class_count > 0)
        rng_lane_skip(&part->classes, pieces);
}

/* Drawn anew as often as it is asked for: who asks first may change. */
static bool next_turn(struct workload *part, struct workload_request *ret)
{
    struct clients_turn turn;

    if (!clients_first(part->clients, &turn) || turn.at_ns >= part->duration_ns)
        return false;
    ret->at_ns = turn.at_ns;
    ret->number = turn.number;
    seek_lanes(part, turn.number);
    return true;
}

/* What the source of arrivals knows of the next request. */
static bool next_arrival(struct workload *workload,
                         struct workload_request *ret)
{
    struct trace_row row;

    if (workload->clients)
        return next_turn(workload, ret);
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
    ret->model = row.model_label;
    workload->row_class = row.class_label;
    if (!draws_keys(&workload->spec)) {
        ret->key_hash = row.key_hash;
        ret->key_text = row.key;
        ret->key_length = row.key_length;
        workload->raw_hash = row.raw_hash;
    }
    return row.at_ns < workload->duration_ns;
}

static void draw_key(struct workload *workload,
                     struct workload_request *request)
{
    struct rng rng = rng_lane_next(&workload->keys);

    request->key = keys_draw(&workload->spec.keys, &rng, request->number) |
                   (uint64_t)workload->ordinal << ORDINAL_SHIFT;
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
        return keys_repeats(&workload->spec.keys, request->key & OWN_KEY);
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

/*
 * One draw by the law of the request's class. The lane moves on in any case:
 * else the sizes of later requests would depend on which keys and classes came
 * before. false: nothing is drawn.
 */
static bool draw_size(struct workload *workload,
                      const struct workload_request *request,
                      enum workload_law law, const struct key_sizes *own,
                      enum rng_purpose purpose, double *ret_drawn)
{
    const struct dist *dist =
        workload_law(&workload->spec, request->request_class, law);
    struct rng rng;

    if (!workload->moves[law])
        return false;
    rng = rng_lane_next(&workload->lanes[law]);
    if (dist->kind == DIST_NONE)
        return false;
    if (own->given)
        rng_stream(&rng, own->seed, own->replication, purpose, own->entity);
    *ret_drawn = dist_draw(dist, &rng);
    return true;
}

static void draw_class(struct workload *workload, const struct key_sizes *own,
                       struct workload_request *request)
{
    const struct workload_spec *spec = &workload->spec;
    struct rng rng = rng_lane_next(&workload->classes);

    if (spec->one_class > 0 || workload->row_class > 0) {
        request->request_class =
            (spec->one_class > 0 ? spec->one_class : workload->row_class) - 1;
        return;
    }
    if (own->given)
        rng_stream(&rng, own->seed, own->replication, RNG_KEY_CLASS,
                   own->entity);
    request->request_class =
        classes_draw(spec->classes, spec->class_count, &rng);
}

/* The same question has the same length and the same answer. */
static void draw_sizes(struct workload *workload,
                       struct workload_request *request)
{
    struct key_sizes own = {.seed = workload->seed,
                            .replication = workload->replication};
    double drawn;

    own.given = sizes_go_with_key(workload, request, &own.entity);
    if (workload->spec.class_count > 0)
        draw_class(workload, &own, request);
    if (draw_size(workload, request, LAW_INPUT_TOKENS, &own,
                  RNG_KEY_INPUT_TOKENS, &drawn))
        request->input_tokens = count_of(drawn);
    if (draw_size(workload, request, LAW_OUTPUT_TOKENS, &own,
                  RNG_KEY_OUTPUT_TOKENS, &drawn))
        request->output_tokens = count_of(drawn);
    if (draw_size(workload, request, LAW_WORK, &own, RNG_KEY_WORK, &drawn))
        request->work_s = work_of(drawn);
    own.given = false; /* noise is the request's, whatever it asks */
    if (draw_size(workload, request, LAW_NOISE, &own, RNG_NOISE, &drawn))
        request->noise = drawn;
}

/* The same for the key that there would be without a normaliser. */
static bool enter_raw(struct workload *workload)
{
    enum seen_answer answer =
        seen_hash(&workload->raw_seen, workload->raw_hash);

    workload->books.raw_ideal_hits += answer == SEEN_AGAIN;
    return answer != SEEN_NO_MEMORY;
}

bool workload_enter_part(struct workload *workload,
                         const struct workload_request *request)
{
    struct workload_books *books = &workload->books;
    bool repeat = false, again = false;

    if (draws_keys(&workload->spec)) {
        uint64_t key = request->key & OWN_KEY;

        repeat = keys_repeats(&workload->spec.keys, key);
        again = repeat && seen_number(&workload->seen, key);
    } else if (request->key_hash) {
        enum seen_answer answer =
            seen_hash(workload->hashes, request->key_hash);

        if (answer == SEEN_NO_MEMORY)
            return false;
        repeat = again = answer == SEEN_AGAIN;
    }
    if (workload->raw_hash && !enter_raw(workload))
        return false;
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
        .work_s = work_of(
            draw_from(&workload->spec.work, &workload->lanes[LAW_WORK])),
        .noise = 1,
    };
    return true;
}

bool workload_draw_part(struct workload *part, struct workload_request *ret)
{
    *ret = (struct workload_request){
        .number = part->drawn,
        .work_s = -1,
        .noise = 1,
    };
    if (!next_arrival(part, ret))
        return false;
    if (draws_keys(&part->spec))
        draw_key(part, ret);
    draw_sizes(part, ret);
    part->drawn++;
    return true;
}

/* Apart, so that readers of traces are not woven into the loop of every run. */
static __attribute__((noinline)) bool next_mixed(struct workload *workload,
                                                 struct workload_request *ret)
{
    if (workload->mix)
        return workload_mix_next(workload, ret);
    if (!workload_draw_part(workload, ret))
        return false;
    workload->failed = workload->no_memory =
        !workload_enter_part(workload, ret);
    return !workload->failed;
}

bool workload_next(struct workload *workload, struct workload_request *ret)
{
    if (!workload->ended && (workload->plain ? next_plain(workload, ret)
                                             : next_mixed(workload, ret)))
        return true;
    workload->ended = !workload->mix; /* clients may ask again */
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
                              uint32_t request_class, double first_noise,
                              uint32_t attempt)
{
    const struct workload_spec *spec = &workload->spec;
    const struct dist *noise = workload_law(spec, request_class, LAW_NOISE);
    struct rng rng;

    if (attempt == 0 || spec->noise_per == WORKLOAD_NOISE_REQUEST ||
        noise->kind == DIST_NONE)
        return first_noise;
    rng_stream(&rng, workload->seed, workload->replication, RNG_ATTEMPT_NOISE,
               rng_entity(number, (uint64_t)workload->ordinal << 8 | attempt));
    return dist_draw(noise, &rng);
}

static const struct dist *patience_of(const struct workload_spec *spec,
                                      uint32_t request_class)
{
    if (spec->class_count > 0 &&
        spec->classes[request_class].patience.kind != DIST_NONE)
        return &spec->classes[request_class].patience;
    return &spec->patience;
}

int64_t workload_patience_ns(const struct workload *workload, uint64_t number,
                             uint32_t request_class)
{
    const struct dist *patience = patience_of(&workload->spec, request_class);
    struct rng rng;
    double ns;

    if (patience->kind == DIST_NONE)
        return INT64_MAX;
    rng_stream(&rng, workload->seed, workload->replication, RNG_PATIENCE,
               rng_entity(number, workload->ordinal));
    ns = dist_draw(patience, &rng) * 1e9;
    return ns < 9e18 ? (int64_t)(ns + 0.5) : INT64_MAX;
}

bool workload_draws_each_attempt(const struct workload *workload)
{
    return workload->spec.noise_per == WORKLOAD_NOISE_ATTEMPT;
}

bool workload_last_was_ideal_hit(const struct workload *workload)
{
    return workload->last_was_ideal_hit;
}

bool workload_spec_is_normalised(const struct workload_spec *spec)
{
    return spec->trace && !draws_keys(spec) &&
           trace_books(spec->trace)->is_normalised;
}

const struct workload_books *workload_books(const struct workload *workload)
{
    return &workload->books;
}
