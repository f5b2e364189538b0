/*
 * Which question is asked: keys of prompts.
 *
 * With probability repeat_share the key is drawn from a Zipf universe of
 * distinct keys (key k of 0 .. distinct - 1 has weight (k + 1)^-exponent),
 * else it is new and never comes again. "unique" draws no key twice. A key
 * number 17 is the text "k17" to policies; new keys are numbered from
 * distinct on, by request.
 */
#ifndef WORKLOADS_KEYS_H
#define WORKLOADS_KEYS_H

#include "workloads/rng.h"

#include <stdbool.h>
#include <stdint.h>

#define KEYS_TEXT_SIZE 24 /* enough for "k" and 20 digits */

enum keys_kind { KEYS_NONE, KEYS_ZIPF, KEYS_UNIQUE, KEYS_KIND_COUNT };

extern const char *const keys_kind_names[KEYS_KIND_COUNT];

struct keys_spec {
    enum keys_kind kind;
    double exponent;     /* zipf: 0 or more */
    uint64_t distinct;   /* zipf: 1 to 100 million */
    double repeat_share; /* zipf: 0 to 1 */
};

/* The universe: the same for all simulations, shared read-only. Drawing takes
   constant time and no memory, however many keys there are. */
struct keys {
    struct keys_spec spec;
    /* private to keys.c: see there */
    double top, range, margin;
};

/* false: a number is out of range; nothing else can fail. keys_done may be
   called in any case. */
bool keys_init(struct keys *keys, const struct keys_spec *spec);
void keys_done(struct keys *keys);

/*
 * The share of so many requests (may be infinite) that one endless cache is
 * expected to answer: repeats, less the first asking of each known question. 0
 * but for zipf. Takes a millisecond at most; accurate to five digits.
 */
double keys_ideal_hit_share(const struct keys_spec *spec, double requests);

/* The key of one request; new keys are distinct + request_number, with
   distinct 0 for "unique". KEYS_NONE: 0. */
uint64_t keys_draw(const struct keys *keys, struct rng *rng,
                   uint64_t request_number);

static inline bool keys_repeats(const struct keys *keys, uint64_t key)
{
    return keys->spec.kind == KEYS_ZIPF && key < keys->spec.distinct;
}

/* Writes "k<number>", 0-terminated; returns its length. */
uint32_t keys_text(uint64_t key, char text[KEYS_TEXT_SIZE]);

/* XXH64 of that text, seed 0; never 0. */
uint64_t keys_hash(uint64_t key);

#endif
