#include "sim/experiment/run_codec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/*
 * A member of struct run_result more? It belongs into walk(), in the order of
 * the header, or a result that comes from a store lacks it; and FORMAT counts
 * up. What every measure and point of the curve takes is left out here, as
 * those come and go by themselves. tests/unit/experiment/test_run_codec.c finds
 * every byte that walk() passes over.
 */
#define FORMAT 2u
#define MEASURES_SIZE (sizeof(double) * 3 * (size_t)MEASURE_COUNT)
#define CURVES_SIZE (sizeof(double) * 2 * (size_t)CURVE_POINTS)
_Static_assert(sizeof(void *) != 8 ||
                   sizeof(struct run_result) - MEASURES_SIZE - CURVES_SIZE ==
                       440,
               "does walk() know all members of struct run_result?");

/* Reads the other way round where bytes are in another order. */
struct header {
    uint64_t checksum; /* of all that follows */
    uint32_t magic, format, measures, points;
};
#define MAGIC 0x6c627275u

enum direction { COUNT, WRITE, READ };

struct coder {
    enum direction direction;
    size_t used; /* bytes, in all directions */
    size_t size; /* of what is read or written */
    uint8_t *write;
    const uint8_t *read;
    bool damaged, no_memory;
};

static bool fails(const struct coder *coder)
{
    return coder->damaged || coder->no_memory;
}

static void code(struct coder *coder, void *field, size_t size)
{
    if (fails(coder) || size == 0)
        return;
    if (coder->direction != COUNT && size > coder->size - coder->used) {
        coder->damaged = true;
        return;
    }
    if (coder->direction == READ)
        memcpy(field, coder->read + coder->used, size);
    else if (coder->direction == WRITE)
        memcpy(coder->write + coder->used, field, size);
    coder->used += size;
}

#define CODE(coder, member) code((coder), &(member), sizeof(member))

/* A byte that is neither 0 nor 1 is no bool. */
static void code_flag(struct coder *coder, bool *flag)
{
    uint8_t byte = coder->direction == READ ? 0 : *flag;

    CODE(coder, byte);
    if (byte > 1)
        coder->damaged = true;
    else if (coder->direction == READ)
        *flag = byte;
}

/* Where the items are: when reading a new array, NULL for none. */
static void *code_array(struct coder *coder, void *items, uint64_t count,
                        size_t item)
{
    if (coder->direction == READ) {
        items = NULL;
        if (fails(coder) || count == 0)
            return NULL;
        if (count > (coder->size - coder->used) / item) {
            coder->damaged = true;
            return NULL;
        }
        items = malloc((size_t)count * item);
        coder->no_memory = !items;
    }
    code(coder, items, (size_t)count * item);
    return items;
}

#define CODE_ARRAY(coder, items, count) \
    ((items) = code_array((coder), (items), (count), sizeof *(items)))

static void code_arrays(struct coder *coder, struct run_result *run)
{
    CODE(coder, run->node_count);
    CODE(coder, run->bucket_count);
    CODE_ARRAY(coder, run->nodes, run->node_count);
    CODE_ARRAY(coder, run->buckets, run->bucket_count);
    CODE_ARRAY(coder, run->node_buckets,
               (uint64_t)run->bucket_count * run->node_count);
    CODE(coder, run->card_count);
    CODE_ARRAY(coder, run->card_use_ratios, run->card_count);
    CODE(coder, run->group_count);
    CODE_ARRAY(coder, run->group_latencies, run->group_count);
    CODE(coder, run->strike_count);
    CODE_ARRAY(coder, run->strikes, run->strike_count);
    CODE(coder, run->strikes_left_out);
    CODE(coder, run->class_count);
    CODE_ARRAY(coder, run->classes, run->class_count);
    CODE_ARRAY(coder, run->class_buckets,
               (uint64_t)run->bucket_count * run->class_count);
    CODE(coder, run->source_count);
    CODE_ARRAY(coder, run->sources, run->source_count);
    CODE(coder, run->latency_count);
    CODE_ARRAY(coder, run->latencies, run->latency_count);
}

/* Every member, in all three directions. */
static void walk(struct coder *coder, struct run_result *run)
{
    CODE(coder, run->values);
    CODE(coder, run->rank_lo);
    CODE(coder, run->rank_hi);
    CODE(coder, run->books);
    CODE(coder, run->source_requests);
    CODE(coder, run->measured);
    CODE(coder, run->measured_answered);
    CODE(coder, run->excluded);
    CODE(coder, run->window_start_s);
    CODE(coder, run->window_end_s);
    code_flag(coder, &run->unstable);
    CODE(coder, run->backlog_growth_per_s);
    CODE(coder, run->draws);
    CODE(coder, run->curve_s);
    CODE(coder, run->curve_all_s);
    code_arrays(coder, run);
    code_flag(coder, &run->warm_up_sure);
    CODE(coder, run->warm_up_cut);
    CODE(coder, run->cpu_s);
    CODE(coder, run->events);
    CODE(coder, run->timed_picks);
    CODE(coder, run->timed_picks_s);
}

static uint64_t checksum(const uint8_t *bytes, size_t size)
{
    size_t skip = sizeof(uint64_t);

    return XXH3_64bits(bytes + skip, size - skip);
}

size_t run_encoded_size(const struct run_result *run)
{
    struct run_result copy = *run; /* which is not changed */
    struct coder coder = {.direction = COUNT, .used = sizeof(struct header)};

    walk(&coder, &copy);
    return coder.used;
}

void run_encode_into(const struct run_result *run, uint8_t *bytes)
{
    struct run_result copy = *run;
    struct header header = {0, MAGIC, FORMAT, MEASURE_COUNT, CURVE_POINTS};
    struct coder coder = {.direction = WRITE, .size = SIZE_MAX, .write = bytes};

    CODE(&coder, header);
    walk(&coder, &copy);
    header.checksum = checksum(bytes, coder.used);
    memcpy(bytes, &header.checksum, sizeof header.checksum);
}

uint8_t *run_encode(const struct run_result *run, size_t *ret_size)
{
    uint8_t *bytes;

    *ret_size = run_encoded_size(run);
    bytes = malloc(*ret_size);
    if (bytes)
        run_encode_into(run, bytes);
    return bytes;
}

static bool header_fits(const struct header *header, const uint8_t *bytes,
                        size_t size)
{
    return header->magic == MAGIC && header->format == FORMAT &&
           header->measures == MEASURE_COUNT &&
           header->points == CURVE_POINTS &&
           header->checksum == checksum(bytes, size);
}

enum run_decode_status run_decode(const uint8_t *bytes, size_t size,
                                  struct run_result *ret)
{
    struct coder coder = {.direction = READ, .size = size, .read = bytes};
    struct header header = {0};

    *ret = (struct run_result){0};
    CODE(&coder, header);
    if (fails(&coder) || !header_fits(&header, bytes, size))
        return RUN_DECODE_DAMAGED;
    walk(&coder, ret);
    if (!fails(&coder) && coder.used == size)
        return RUN_DECODE_OK;
    run_result_done(ret);
    return coder.no_memory ? RUN_DECODE_NO_MEMORY : RUN_DECODE_DAMAGED;
}
