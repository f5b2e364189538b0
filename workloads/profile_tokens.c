/* Sizes of a profile. */
#include "workloads/profile_internal.h"

#include <stdlib.h>

/* Fills sorted with a column, or with the sum of both, and takes its figures.
 */
static void take_column(const struct gather *gather, bool input, bool output,
                        uint64_t *sorted, struct figures *ret)
{
    for (size_t i = 0; i < gather->rows; i++)
        sorted[i] = (input ? (uint64_t)gather->input_tokens[i] : 0) +
                    (output ? gather->output_tokens[i] : 0);
    figures_sort(sorted, gather->rows);
    figures_of_sorted(sorted, gather->rows, ret);
}

static uint64_t count_pairs(const struct gather *gather, uint64_t *pairs)
{
    uint64_t distinct = 0;

    for (size_t i = 0; i < gather->rows; i++)
        pairs[i] =
            (uint64_t)gather->input_tokens[i] << 32 | gather->output_tokens[i];
    figures_sort(pairs, gather->rows);
    for (size_t i = 0; i < gather->rows; i++)
        distinct += i == 0 || pairs[i] != pairs[i - 1];
    return distinct;
}

bool profile_count_tokens(struct gather *gather)
{
    struct profile_tokens *ret = &gather->profile->tokens;
    size_t rows = gather->rows;
    uint64_t *input = malloc(rows * sizeof *input);
    uint64_t *other = malloc(rows * sizeof *other);
    bool sound = input && other;

    if (sound) {
        take_column(gather, true, true, other, &ret->total);
        take_column(gather, true, false, input, &ret->input);
        take_column(gather, false, true, other, &ret->output);
        ret->pearson =
            figures_pearson(gather->input_tokens, gather->output_tokens, rows);
        ret->spearman = figures_spearman(
            gather->input_tokens, gather->output_tokens, input, other, rows);
        ret->distinct_pairs = count_pairs(gather, other);
    }
    free(input);
    free(other);
    return sound;
}
