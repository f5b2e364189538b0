/*
 * A scenario written word by word from a stream of chance, for the generators
 * of random scenarios. What a generator must remember of what it wrote stands
 * here too, so that all of its functions take one thing.
 */
#ifndef TESTS_ORACLE_SCENARIO_WRITER_H
#define TESTS_ORACLE_SCENARIO_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct writer {
    uint64_t state; /* of the generator */
    char *text;
    size_t length, size;
    bool has_reports, has_keys, has_classes, has_tenants;
    bool holds;  /* requests, at the front door */
    bool hedges; /* requests may be sent twice at a time */
    bool hurried;
    uint32_t groups;
};

/* [0, bound), hardly biased: bounds are small. */
uint32_t below(struct writer *writer, uint32_t bound);

static inline bool chance(struct writer *writer, uint32_t percent)
{
    return below(writer, 100) < percent;
}

/* Adds text; what has no room is left out. */
__attribute__((format(printf, 2, 3))) void put(struct writer *writer,
                                               const char *format, ...);

static inline const char *one_of(struct writer *writer,
                                 const char *const *texts, uint32_t count)
{
    return texts[below(writer, count)];
}

#define ONE_OF(writer, ...)                            \
    one_of(writer, (const char *const[]){__VA_ARGS__}, \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

#endif
