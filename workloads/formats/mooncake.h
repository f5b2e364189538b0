/*
 * Mooncake traces (Qin et al., "Mooncake: Trading More Storage for Less
 * Computation", FAST 2025): one JSON object a line,
 *
 *     {"timestamp": 27482, "input_length": 6955, "output_length": 52,
 *      "hash_ids": [46, 47, 48]}
 *
 * with times in ms from 0 and ids of prefix blocks of 512 tokens, root first,
 * each standing for its block and all before it; the last block may be partial.
 * Other keys are passed over.
 */
#ifndef WORKLOADS_FORMATS_MOONCAKE_H
#define WORKLOADS_FORMATS_MOONCAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOONCAKE_BLOCK_TOKENS 512
#define MOONCAKE_ERROR_SIZE 200

struct mooncake_row {
    int64_t time_ns;
    uint32_t input_tokens, output_tokens;
    uint64_t *blocks; /* [block_count], owned: kept from row to row */
    size_t block_count, block_capacity;
};

/* Reads a line into row. false: reterr_text says what is wrong with it. */
bool mooncake_read(struct mooncake_row *row, const char *text, size_t length,
                   char reterr_text[MOONCAKE_ERROR_SIZE]);
void mooncake_row_done(struct mooncake_row *row);

#endif
