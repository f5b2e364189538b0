/*
 * Any bytes as a run that was kept: as they are, which the checksum refuses,
 * and as what stands behind a good header and checksum. What is accepted is
 * written as it was read.
 */
#include "sim/experiment/run_codec.h"
#include "tests/fuzz/target.h"

#include <string.h>
#include <xxhash.h>

#define CHECKSUM sizeof(uint64_t)
#define HEADER (CHECKSUM + 4 * sizeof(uint32_t))

static void read_it(const uint8_t *bytes, size_t size)
{
    struct run_result run;

    if (run_decode(bytes, size, &run) != RUN_DECODE_OK)
        return;
    size_t again_size;
    uint8_t *again = run_encode(&run, &again_size);
    FUZZ_MUST(again && again_size == size);
    FUZZ_MUST(memcmp(again, bytes, size) == 0);
    free(again);
    run_result_done(&run);
}

/* The header that the program writes, then data. */
static uint8_t *with_header(const uint8_t *data, size_t size)
{
    size_t empty_size;
    uint8_t *empty = run_encode(&(struct run_result){0}, &empty_size);
    uint8_t *bytes = malloc(HEADER + size);

    FUZZ_MUST(empty && empty_size > HEADER && bytes);
    memcpy(bytes, empty, HEADER);
    if (size > 0)
        memcpy(bytes + HEADER, data, size);
    uint64_t sum = XXH3_64bits(bytes + CHECKSUM, HEADER - CHECKSUM + size);
    memcpy(bytes, &sum, CHECKSUM);
    free(empty);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = with_header(data, size);

    read_it(data, size);
    read_it(bytes, HEADER + size);
    free(bytes);
    return 0;
}
