#include "sim/measure/run_result.h"

#include <math.h>
#include <stdlib.h>

/* 10^(-1/50): a step of the curve along -log10(1 - q). By products and not by
   pow(), so that every machine asks for the same ranks. */
#define CURVE_STEP 0.95499258602143594973
#define CURVE_FIRST 0.005

double curve_quantile(uint32_t point)
{
    double beyond = 1;

    for (uint32_t i = 0; i < point; i++)
        beyond *= CURVE_STEP;
    return 1 - beyond < CURVE_FIRST ? CURVE_FIRST : 1 - beyond;
}

void run_result_done(struct run_result *result)
{
    free(result->nodes);
    free(result->buckets);
    free(result->node_buckets);
    free(result->card_use_ratios);
    free(result->group_latencies);
    free(result->classes);
    free(result->class_buckets);
    free(result->sources);
    free(result->strikes);
    free(result->latencies);
    *result = (struct run_result){0};
}

void run_result_keep_totals(struct run_result *result)
{
    free(result->buckets);
    free(result->node_buckets);
    free(result->class_buckets);
    result->class_buckets = NULL;
    result->buckets = NULL;
    result->node_buckets = NULL;
    result->bucket_count = 0;
    for (uint32_t i = 0; i < CURVE_POINTS; i++) {
        result->curve_s[i] = NAN;
        result->curve_all_s[i] = NAN;
    }
}

bool books_balance(const struct books *books)
{
    return books->arrived == books->completed + books->degraded +
                                 books->refused + books->failed +
                                 books->timed_out + books->unfinished;
}
