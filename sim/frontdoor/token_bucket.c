#include "sim/frontdoor/token_bucket.h"

#define BILLION 1e9

void token_bucket_init(struct token_bucket *bucket, double burst,
                       int64_t now_ns)
{
    *bucket = (struct token_bucket){.level = burst * BILLION, .at_ns = now_ns};
}

static void fill(struct token_bucket *bucket, double rate_per_s, double burst,
                 int64_t now_ns)
{
    double most = burst * BILLION;

    bucket->level += rate_per_s * (double)(now_ns - bucket->at_ns);
    bucket->at_ns = now_ns;
    if (bucket->level > most)
        bucket->level = most;
}

bool token_bucket_take(struct token_bucket *bucket, double rate_per_s,
                       double burst, double cost, int64_t now_ns)
{
    fill(bucket, rate_per_s, burst, now_ns);
    if (bucket->level < cost * BILLION)
        return false;
    bucket->level -= cost * BILLION;
    return true;
}

void token_bucket_refund(struct token_bucket *bucket, double rate_per_s,
                         double burst, double amount, int64_t now_ns)
{
    fill(bucket, rate_per_s, burst, now_ns);
    bucket->level += amount * BILLION;
    if (bucket->level > burst * BILLION)
        bucket->level = burst * BILLION;
}
