/*
 * A token bucket: a mean rate with a burst on top.
 *
 * It holds at most `burst` tokens and fills at a rate; a request takes what it
 * costs, or is turned away and takes nothing. Full at the start. Nothing
 * happens between requests: the level is worked out when one comes.
 *
 * A level is kept in billionths of a token, of which one flows in per ns for
 * each token per second: with whole rates, times in ns give whole numbers, and
 * what is exactly enough is enough.
 */
#ifndef SIM_FRONTDOOR_TOKEN_BUCKET_H
#define SIM_FRONTDOOR_TOKEN_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

struct token_bucket {
    double level; /* in billionths; below 0 it is in debt */
    int64_t at_ns;
};

void token_bucket_init(struct token_bucket *bucket, double burst,
                       int64_t now_ns);

/* Takes cost tokens if they are there. rate is per second; now_ns never goes
   back. A cost above burst is never there. */
bool token_bucket_take(struct token_bucket *bucket, double rate_per_s,
                       double burst, double cost, int64_t now_ns);

/* Gives tokens back that were not used after all; negative: more were, which
   may leave the bucket in debt. The level stays within the burst. */
void token_bucket_refund(struct token_bucket *bucket, double rate_per_s,
                         double burst, double amount, int64_t now_ns);

#endif
