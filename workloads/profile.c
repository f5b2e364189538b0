#include "workloads/profile_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define BLOCK_TOKENS 512

const char *const profile_format_names[PROFILE_FORMAT_COUNT] = {
    [PROFILE_AUTO] = "auto",
    [PROFILE_CANONICAL] = "canonical",
    [PROFILE_AZURE_LLM] = "azure_llm",
    [PROFILE_VIDUR] = "vidur",
    [PROFILE_SPLITWISE] = "splitwise",
    [PROFILE_MOONCAKE] = "mooncake",
    [PROFILE_CACHE2K] = "cache2k",
    [PROFILE_WEBCACHESIM] = "webcachesim",
    [PROFILE_ACCESS_LOG] = "access_log",
};

bool profile_complain(const struct gather *gather, uint64_t line,
                      const char *hint, const char *format, ...)
{
    struct diag_place place = {.file = gather->spec->path, .line = line};
    char message[500];
    va_list arguments;

    if (line > 0)
        place.column = 1;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    diag_add(gather->diag, DIAG_ERROR, &place, hint, "%s", message);
    return false;
}

/* ---- rows ---- */

static bool complain_memory(const struct gather *gather)
{
    return profile_complain(gather, 0, "raise --memory",
                            "the profile needs more than %" PRIu64
                            " MiB of memory",
                            gather->spec->memory_bytes >> 20);
}

static bool grow(void *array, size_t size, size_t count)
{
    void **place = array;
    void *grown = realloc(*place, size * count);

    if (grown)
        *place = grown;
    return grown;
}

static uint64_t bytes_held(const struct gather *gather)
{
    return 48 * (uint64_t)gather->capacity + reuse_bytes(&gather->reuse) +
           8 * (uint64_t)gather->lists.capacity +
           8 * (uint64_t)gather->clients.capacity +
           8 * (uint64_t)gather->size_capacity;
}

static bool make_room(struct gather *gather)
{
    size_t capacity = gather->capacity ? 2 * gather->capacity : 4096;

    if (gather->rows < gather->capacity)
        return true;
    if (48 * (uint64_t)capacity > gather->spec->memory_bytes ||
        !grow(&gather->times_ns, sizeof *gather->times_ns, capacity) ||
        !grow(&gather->input_tokens, sizeof *gather->input_tokens, capacity) ||
        !grow(&gather->output_tokens, sizeof *gather->output_tokens,
              capacity) ||
        !grow(&gather->identities, sizeof *gather->identities, capacity))
        return complain_memory(gather);
    gather->capacity = capacity;
    return true;
}

/* All of a row that tells it from another one. */
static uint64_t identity_of(const struct profile_row *row, uint64_t list)
{
    const uint64_t parts[] = {(uint64_t)row->time_ns,
                              (uint64_t)row->input_tokens << 32 |
                                  row->output_tokens,
                              row->block_count, list, row->key};

    return XXH64(parts, sizeof parts, 0);
}

static bool keep_request(struct gather *gather, const struct profile_row *row,
                         uint64_t list)
{
    struct profile_tokens *tokens = &gather->profile->tokens;

    if (!make_room(gather))
        return false;
    if (row->has_time && gather->rows > 0 && row->time_ns < gather->before_ns)
        gather->profile->arrivals.backward_rows++;
    gather->before_ns = row->time_ns;
    gather->times_ns[gather->rows] = row->time_ns;
    gather->input_tokens[gather->rows] = row->input_tokens;
    gather->output_tokens[gather->rows] = row->output_tokens;
    gather->identities[gather->rows++] = identity_of(row, list);
    tokens->zero_input += row->has_tokens && row->input_tokens == 0;
    tokens->zero_output += row->has_tokens && row->output_tokens == 0;
    return true;
}

static uint64_t min_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What the ids are like, before they are entered. */
static void note_ids(struct gather *gather, const struct profile_row *row)
{
    struct profile_blocks *blocks = &gather->profile->blocks;

    for (size_t i = 0; i < row->block_count; i++) {
        uint64_t id = row->blocks[i];

        if (gather->reuse.references + i == 0 || id < blocks->smallest)
            blocks->smallest = id;
        if (id > blocks->largest)
            blocks->largest = id;
    }
    if (row->block_count > blocks->longest)
        blocks->longest = row->block_count;
}

/* Items that the request brought are the last ones: new ids in order. */
static void note_new_ids(struct gather *gather, uint32_t known)
{
    for (uint32_t i = known; i < gather->reuse.count; i++) {
        uint64_t id = gather->reuse.items[i].id;

        if (id < gather->newest)
            gather->profile->blocks.in_order = false;
        else
            gather->newest = id + 1;
    }
}

static void note_score(struct gather *gather, const struct profile_row *row,
                       struct reuse_score score)
{
    struct profile_blocks *blocks = &gather->profile->blocks;
    uint64_t count = row->block_count, size = blocks->block_tokens;
    uint64_t whole = min_of(row->input_tokens / size, count);

    blocks->requests++;
    blocks->repeats += score.repeats;
    blocks->expected_counts +=
        count == ((uint64_t)row->input_tokens + size - 1) / size;
    blocks->known += score.known;
    blocks->leading += score.leading;
    blocks->leading_tokens += min_of(size * score.leading, row->input_tokens);
    blocks->whole += whole;
    blocks->leading_whole += min_of(score.leading, whole);
    blocks->all_known += count > 0 && score.known == count;
    blocks->one_leading += score.leading >= 1;
    blocks->two_leading += score.leading >= 2;
    if (count > 0)
        gather->leading_ratios += (double)score.leading / (double)count;
}

static bool take_blocks(struct gather *gather, const struct profile_row *row,
                        uint64_t list)
{
    uint32_t known = gather->reuse.count;
    struct reuse_score score;
    enum seen_answer answer = seen_hash(&gather->lists, list ? list : 1);

    note_ids(gather, row);
    if (answer == SEEN_NO_MEMORY ||
        !reuse_request(&gather->reuse, row->blocks, row->block_count, &score))
        return complain_memory(gather);
    gather->profile->blocks.same_list +=
        answer == SEEN_AGAIN && row->block_count > 0;
    note_new_ids(gather, known);
    note_score(gather, row, score);
    return true;
}

/* Each item has the size that it came with first. */
static bool take_size(struct gather *gather, uint32_t item, uint64_t size)
{
    const struct profile_spec *spec = gather->spec;

    if (item >= gather->size_capacity) {
        size_t capacity = 2 * (size_t)item + 1024;

        if (!grow(&gather->sizes, sizeof *gather->sizes, capacity))
            return false;
        memset(gather->sizes + gather->size_capacity, 0,
               (capacity - gather->size_capacity) * sizeof *gather->sizes);
        gather->size_capacity = capacity;
    }
    gather->profile->bytes += size;
    if (gather->sizes[item] == 0)
        gather->sizes[item] = size + 1;
    else if (gather->sizes[item] != size + 1)
        gather->profile->resized++;
    for (size_t i = 0; i < spec->byte_capacity_count; i++)
        if (!byte_lru_use(&gather->caches[i], item, gather->sizes[item] - 1))
            return false;
    return true;
}

static bool take_key(struct gather *gather, const struct profile_row *row)
{
    struct reuse_score score;

    gather->reuse.one_reading = true;
    if (!reuse_request(&gather->reuse, &row->key, 1, &score) ||
        (row->has_size &&
         !take_size(gather, gather->reuse.places[0], row->size)))
        return complain_memory(gather);
    return true;
}

bool gather_row(struct gather *gather, const struct profile_row *row)
{
    struct profile *profile = gather->profile;
    uint64_t list =
        row->has_blocks
            ? XXH64(row->blocks, row->block_count * sizeof *row->blocks, 0)
            : 0;

    profile->rows++;
    profile->has_times |= row->has_time;
    profile->has_tokens |= row->has_tokens;
    profile->has_blocks |= row->has_blocks;
    profile->has_keys |= row->has_key;
    profile->has_sizes |= row->has_size;
    if (bytes_held(gather) > gather->spec->memory_bytes)
        return complain_memory(gather);
    if ((row->has_tokens || row->has_time) && !keep_request(gather, row, list))
        return false;
    if (row->has_blocks && !take_blocks(gather, row, list))
        return false;
    return !row->has_key || take_key(gather, row);
}

/* ---- at the end ---- */

static int falling(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x < y) - (x > y);
}

static bool count_keys(struct gather *gather)
{
    const struct reuse *reuse = &gather->reuse;
    struct profile *profile = gather->profile;
    struct profile_keys *keys = &profile->keys;
    uint64_t *counts = malloc((reuse->count + (size_t)1) * sizeof *counts);

    if (!counts)
        return complain_memory(gather);
    keys->references = reuse->references;
    keys->distinct = reuse->count;
    for (uint32_t i = 0; i < reuse->count; i++) {
        counts[i] = reuse->items[i].count;
        keys->once += counts[i] == 1;
        profile->blocks.torn += reuse->items[i].torn;
    }
    qsort(counts, reuse->count, sizeof *counts, falling);
    keys->most = reuse->count > 0 ? counts[0] : 0;
    keys->zipf = figures_zipf_of(counts, reuse->count);
    free(counts);
    return true;
}

static void add_lru(struct gather *gather, uint64_t capacity)
{
    struct profile *profile = gather->profile;
    struct profile_lru *lru = &profile->lru[profile->lru_count++];

    lru->capacity = capacity;
    for (int i = 0; i < REUSE_READING_COUNT; i++)
        lru->hits[i] =
            reuse_hits(&gather->reuse, (enum reuse_reading)i, capacity);
}

static bool count_caches(struct gather *gather)
{
    const struct profile_spec *spec = gather->spec;
    struct profile *profile = gather->profile;

    profile->lru = calloc(spec->capacity_count + 1, sizeof *profile->lru);
    profile->byte_lru =
        calloc(spec->byte_capacity_count + 1, sizeof *profile->byte_lru);
    if (!profile->lru || !profile->byte_lru)
        return complain_memory(gather);
    for (size_t i = 0; i < spec->capacity_count; i++)
        add_lru(gather, spec->capacities[i]);
    add_lru(gather, UINT64_MAX);
    for (size_t i = 0; profile->has_sizes && i < spec->byte_capacity_count; i++)
        profile->byte_lru[profile->byte_lru_count++] =
            (struct profile_byte_lru){gather->caches[i].capacity,
                                      gather->caches[i].hits,
                                      gather->caches[i].hit_bytes};
    return true;
}

static void count_identical(struct gather *gather)
{
    figures_sort(gather->identities, gather->rows);
    for (size_t i = 1; i < gather->rows; i++)
        gather->profile->identical +=
            gather->identities[i] == gather->identities[i - 1];
}

static bool finish(struct gather *gather)
{
    struct profile *profile = gather->profile;

    if (profile->rows == 0)
        return profile_complain(gather, 0, NULL,
                                "nothing to profile: there are no rows");
    if (profile->has_blocks && profile->blocks.requests > 0)
        profile->blocks.mean_leading_ratio =
            gather->leading_ratios / (double)profile->blocks.requests;
    count_identical(gather);
    profile_labels_sort(&profile->classes);
    profile_labels_sort(&profile->models);
    if (profile->has_tokens && !profile_count_tokens(gather))
        return complain_memory(gather);
    if (profile->has_times && !profile_count_arrivals(gather))
        return complain_memory(gather);
    if (!profile->has_blocks && !profile->has_keys)
        return true;
    return count_keys(gather) && count_caches(gather);
}

static bool make_caches(struct gather *gather)
{
    const struct profile_spec *spec = gather->spec;

    gather->caches =
        calloc(spec->byte_capacity_count + 1, sizeof *gather->caches);
    for (size_t i = 0; gather->caches && i < spec->byte_capacity_count; i++)
        gather->caches[i].capacity = spec->byte_capacities[i];
    return gather->caches || complain_memory(gather);
}

static void gather_done(struct gather *gather)
{
    for (size_t i = 0; gather->caches && i < gather->spec->byte_capacity_count;
         i++)
        byte_lru_done(&gather->caches[i]);
    free(gather->caches);
    free(gather->times_ns);
    free(gather->input_tokens);
    free(gather->output_tokens);
    free(gather->identities);
    free(gather->sizes);
    reuse_done(&gather->reuse);
    seen_done(&gather->lists);
    seen_done(&gather->clients);
    trace_keys_done(&gather->class_words);
    trace_keys_done(&gather->model_words);
}

bool profile_make(const struct profile_spec *spec, struct profile *ret,
                  struct diag *diag)
{
    struct gather gather = {.spec = spec, .profile = ret, .diag = diag};
    bool sound;

    *ret = (struct profile){.format = spec->format};
    ret->blocks.block_tokens = BLOCK_TOKENS;
    ret->blocks.in_order = true;
    sound = make_caches(&gather) && profile_read(&gather) && finish(&gather);
    gather_done(&gather);
    return sound;
}

void profile_done(struct profile *profile)
{
    free(profile->lru);
    free(profile->byte_lru);
    profile_labels_done(&profile->classes);
    profile_labels_done(&profile->models);
    profile->lru = NULL;
    profile->byte_lru = NULL;
}
