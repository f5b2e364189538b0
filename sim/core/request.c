#include "sim/core/request.h"

#include <stdlib.h>
#include <string.h>

void request_slab_init(struct request_slab *slab, bool with_keys,
                       uint32_t tried_per_request)
{
    *slab =
        (struct request_slab){.free_head = REQUEST_NONE,
                              .oldest = REQUEST_NONE,
                              .youngest = REQUEST_NONE,
                              .tried_per_request = tried_per_request,
                              .with_keys = with_keys,
                              .has_extras = with_keys || tried_per_request > 0};
}

void request_slab_add_work(struct request_slab *slab)
{
    slab->with_work = true;
    slab->has_extras = true;
}

void request_slab_add_doors(struct request_slab *slab)
{
    slab->with_doors = true;
    slab->has_extras = true;
}

static void chunk_done(struct request_chunk *chunk)
{
    free(chunk->doors);
    free(chunk->works);
    free(chunk->keys);
    free(chunk->tried);
    free(chunk->retries);
    free(chunk->foresights);
}

void request_slab_done(struct request_slab *slab)
{
    for (uint32_t i = 0; i < slab->chunk_count; i++) {
        chunk_done(&slab->chunks[i]);
        free(slab->requests[i]);
    }
    free(slab->chunks);
    free(slab->requests);
    *slab = (struct request_slab){0};
}

static bool chunk_init(struct request_chunk *chunk,
                       const struct request_slab *slab)
{
    uint32_t tried = slab->tried_per_request;

    *chunk = (struct request_chunk){0};
    if (slab->with_foresight)
        chunk->foresights = calloc(REQUEST_CHUNK, sizeof *chunk->foresights);
    if (slab->with_keys)
        chunk->keys = calloc(REQUEST_CHUNK, sizeof *chunk->keys);
    if (slab->with_work)
        chunk->works = calloc(REQUEST_CHUNK, sizeof *chunk->works);
    if (slab->with_doors)
        chunk->doors = calloc(REQUEST_CHUNK, sizeof *chunk->doors);
    if (tried > 0) {
        chunk->tried =
            calloc((size_t)REQUEST_CHUNK * tried, sizeof *chunk->tried);
        chunk->retries = calloc(REQUEST_CHUNK, sizeof *chunk->retries);
    }
    return (!slab->with_keys || chunk->keys) &&
           (!slab->with_foresight || chunk->foresights) &&
           (!slab->with_work || chunk->works) &&
           (!slab->with_doors || chunk->doors) &&
           (tried == 0 || (chunk->tried && chunk->retries));
}

/* The tables of chunks double; the chunks themselves never move. */
static bool tables_grow(struct request_slab *slab)
{
    uint32_t capacity = slab->chunk_capacity ? 2 * slab->chunk_capacity : 8;
    struct request **requests =
        realloc(slab->requests, capacity * sizeof *requests);
    struct request_chunk *chunks;

    if (!requests)
        return false;
    slab->requests = requests;
    chunks = realloc(slab->chunks, capacity * sizeof *chunks);
    if (!chunks)
        return false;
    slab->chunks = chunks;
    slab->chunk_capacity = capacity;
    return true;
}

static void chain_free(struct request_slab *slab, struct request *requests)
{
    uint32_t first = slab->chunk_count << REQUEST_CHUNK_LOG2;

    for (uint32_t i = REQUEST_CHUNK; i-- > 0;) {
        requests[i].next = slab->free_head;
        slab->free_head = first + i;
    }
}

bool request_slab_grow(struct request_slab *slab)
{
    struct request_chunk *chunk;
    struct request *requests;

    if (slab->chunk_count >= REQUEST_MAX >> REQUEST_CHUNK_LOG2)
        return false;
    if (slab->chunk_count == slab->chunk_capacity && !tables_grow(slab))
        return false;
    chunk = &slab->chunks[slab->chunk_count];
    requests = calloc(REQUEST_CHUNK, sizeof *requests);
    if (!requests || !chunk_init(chunk, slab)) {
        if (requests)
            chunk_done(chunk);
        free(requests);
        return false;
    }
    chain_free(slab, requests);
    slab->requests[slab->chunk_count++] = requests;
    return true;
}

uint32_t request_index(const struct request_slab *slab,
                       const struct request *request)
{
    uintptr_t at = (uintptr_t)request;

    for (uint32_t i = 0; i < slab->chunk_count; i++) {
        uintptr_t first = (uintptr_t)slab->requests[i];

        if (at >= first && at < first + REQUEST_CHUNK * sizeof *request)
            return (i << REQUEST_CHUNK_LOG2) +
                   (uint32_t)((at - first) / sizeof *request);
    }
    return REQUEST_NONE;
}

void request_list_enter(struct request_slab *slab, uint32_t index)
{
    struct request *request = request_at(slab, index);

    request->older = slab->youngest;
    request->younger = REQUEST_NONE;
    if (slab->youngest != REQUEST_NONE)
        request_at(slab, slab->youngest)->younger = index;
    else
        slab->oldest = index;
    slab->youngest = index;
}

void request_list_leave(struct request_slab *slab, uint32_t index)
{
    const struct request *request = request_at(slab, index);

    if (request->older != REQUEST_NONE)
        request_at(slab, request->older)->younger = request->younger;
    else
        slab->oldest = request->younger;
    if (request->younger != REQUEST_NONE)
        request_at(slab, request->younger)->older = request->older;
    else
        slab->youngest = request->older;
}

void request_list_replace(struct request_slab *slab, uint32_t from, uint32_t to)
{
    const struct request *old = request_at(slab, from);
    struct request *request = request_at(slab, to);

    request->older = old->older;
    request->younger = old->younger;
    if (old->older != REQUEST_NONE)
        request_at(slab, old->older)->younger = to;
    else
        slab->oldest = to;
    if (old->younger != REQUEST_NONE)
        request_at(slab, old->younger)->older = to;
    else
        slab->youngest = to;
}

void request_columns_copy(const struct request_slab *slab, uint32_t from,
                          uint32_t to)
{
    if (slab->with_keys)
        *request_key_at(slab, to) = *request_key_at(slab, from);
    if (slab->with_foresight)
        *request_foresight_at(slab, to) = *request_foresight_at(slab, from);
    if (slab->with_work)
        *request_work_at(slab, to) = *request_work_at(slab, from);
    if (slab->with_doors) {
        *request_door_at(slab, to) = *request_door_at(slab, from);
        request_door_at(slab, to)->waits_for_node = false;
        request_door_at(slab, to)->held_at_ns = -1;
        request_door_at(slab, to)->paid = 0;
    }
    if (slab->tried_per_request > 0) {
        *request_retry_at(slab, to) = *request_retry_at(slab, from);
        memcpy(request_tried_at(slab, to), request_tried_at(slab, from),
               slab->tried_per_request * sizeof(uint32_t));
    }
}
