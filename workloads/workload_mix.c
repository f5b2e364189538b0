/* Several sources of requests as one, by time; and clients, who ask when they
   have their answers. */
#include "workloads/workload_parts.h"

#include <assert.h>
#include <stdlib.h>

/* One source, with the request that it has ready. */
struct source {
    struct workload *part;
    int64_t start_ns; /* of its time, in the whole's */
    struct workload_request head;
    bool ready; /* head is filled; of clients it may no longer be the first */
};

struct workload_mix {
    struct source *sources; /* [count], the main one first */
    uint32_t count;
    uint32_t first; /* whose head was given last */
};

static bool create_parts(struct workload_mix *mix, const struct workload *whole)
{
    struct workload_spec main_spec = whole->spec;

    main_spec.overlay_count = 0;
    for (uint32_t i = 0; i < mix->count; i++) {
        struct source *source = &mix->sources[i];
        const struct workload_overlay *overlay =
            i > 0 ? &whole->spec.overlays[i - 1] : NULL;

        source->start_ns = overlay ? overlay->at_ns : 0;
        source->part = workload_create_part(
            overlay ? &overlay->spec : &main_spec, i,
            overlay ? workload_overlay_length_ns(overlay, whole->duration_ns)
                    : whole->duration_ns,
            whole->seed, whole->replication);
        if (!source->part)
            return false;
    }
    return true;
}

struct workload_mix *workload_mix_create(struct workload *whole)
{
    struct workload_mix *mix = calloc(1, sizeof *mix);

    if (!mix)
        return NULL;
    mix->count = 1 + whole->spec.overlay_count;
    mix->sources = calloc(mix->count, sizeof *mix->sources);
    if (!mix->sources || !create_parts(mix, whole)) {
        workload_mix_destroy(mix);
        return NULL;
    }
    for (uint32_t i = 0; i < mix->count; i++)
        mix->sources[i].part->hashes = &whole->seen;
    return mix;
}

void workload_mix_destroy(struct workload_mix *mix)
{
    if (!mix)
        return;
    for (uint32_t i = 0; mix->sources && i < mix->count; i++)
        workload_destroy(mix->sources[i].part);
    free(mix->sources);
    free(mix);
}

/* The request that a source has ready, drawn if need be. A client that thought
   shorter since may have come before the one whose request was drawn. */
static void make_ready(struct source *source)
{
    struct workload *part = source->part;
    struct clients_turn turn;

    if (part->clients && source->ready && clients_first(part->clients, &turn) &&
        turn.number != source->head.number)
        source->ready = false;
    if (source->ready || part->ended)
        return;
    source->ready = workload_draw_part(part, &source->head);
    if (!source->ready && (!part->clients || part->failed))
        part->ended = true;
    if (source->ready)
        source->head.at_ns += source->start_ns;
}

bool workload_mix_next(struct workload *whole, struct workload_request *ret)
{
    struct workload_mix *mix = whole->mix;
    const struct source *first = NULL;

    for (uint32_t i = 0; i < mix->count; i++) {
        struct source *source = &mix->sources[i];

        make_ready(source);
        whole->failed = whole->failed || source->part->failed;
        if (source->ready &&
            (!first || source->head.at_ns < first->head.at_ns)) {
            first = source;
            mix->first = i;
        }
    }
    if (!first || whole->failed)
        return false;
    *ret = first->head;
    ret->number = whole->books.requests;
    return true;
}

bool workload_is_mixed(const struct workload *workload)
{
    return workload->mix != NULL;
}

bool workload_take(struct workload *workload, struct workload_origin *ret)
{
    struct source *source = &workload->mix->sources[workload->mix->first];
    struct workload *part = source->part;
    struct workload_books before = part->books;
    struct clients_turn turn = {0};

    assert(source->ready);
    if (!workload_enter_part(part, &source->head)) {
        workload->failed = workload->no_memory = true;
        return false;
    }
    workload->books.requests++;
    workload->books.repeats += part->books.repeats - before.repeats;
    workload->books.ideal_hits += part->books.ideal_hits - before.ideal_hits;
    workload->books.raw_ideal_hits +=
        part->books.raw_ideal_hits - before.raw_ideal_hits;
    workload->last_was_ideal_hit = part->last_was_ideal_hit;
    if (part->clients) {
        clients_first(part->clients, &turn);
        clients_take_first(part->clients);
    }
    source->ready = false;
    *ret = (struct workload_origin){.number = source->head.number,
                                    .at_ns = source->head.at_ns,
                                    .source = workload->mix->first,
                                    .client = turn.client};
    return true;
}

bool workload_release(struct workload *workload,
                      const struct workload_origin *origin, int64_t now_ns)
{
    const struct source *source = &workload->mix->sources[origin->source];

    if (!source->part->clients)
        return false;
    clients_release(source->part->clients, origin->client,
                    origin->at_ns - source->start_ns,
                    now_ns - source->start_ns);
    return true;
}

/* Clients that wait may ask again; those that think have nothing ready only
   because they would ask behind the end. */
bool workload_is_over(const struct workload *workload)
{
    const struct workload_mix *mix = workload->mix;

    if (!mix || workload->failed)
        return true;
    for (uint32_t i = 0; i < mix->count; i++) {
        const struct source *source = &mix->sources[i];

        if (source->ready || (source->part->clients &&
                              clients_waiting(source->part->clients) > 0))
            return false;
    }
    return true;
}

const struct workload *workload_source(const struct workload *workload,
                                       uint32_t source)
{
    return workload->mix ? workload->mix->sources[source].part : workload;
}
