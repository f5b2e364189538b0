/* What the shared result tier cost when it was out. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

/* From the first to the last bucket, which are those of the window. */
static double out_share(const struct policy_fold *fold)
{
    double out_s = 0, all_s = 0;

    for (uint32_t b = 0; b < fold->bucket_count; b++) {
        const struct bucket_fold *bucket = &fold->buckets[b];

        out_s += bucket->tier_out_ratio * (bucket->end_s - bucket->start_s);
        all_s += bucket->end_s - bucket->start_s;
    }
    return all_s > 0 ? out_s / all_s : 0;
}

void note_tier(const struct report_input *input, struct notes *notes)
{
    const struct policy_fold *fold = &input->result->policies[0].fold;
    double failed = fold->measures[M_TIER_FAILED].mean;
    struct line line = {0};
    char out[NUMBER_SIZE];
    char requests[NUMBER_SIZE];

    if (!input->scenario->tier.given || !(out_share(fold) > 0))
        return;
    line_add(&line,
             "tier: out for %s of the window; %s look-ups failed and cost %.9g "
             "s each, in a replication of %s",
             number_percent(out, out_share(fold)),
             number_short(requests, failed),
             1e-9 * (double)input->scenario->tier.timeout_ns,
             input->result->policies[0].label);
    notes_add(notes, &line);
}
