/*
 * What one simulation yields as a string of bytes, and back: bit for bit, with
 * what is not a number and what is infinite.
 *
 * The bytes are for the program that wrote them, on a machine of its kind:
 * whoever keeps them for longer keeps beside them which program that was. They
 * begin with a checksum, so bytes that were changed or cut are refused rather
 * than read as other results; and whatever they hold, reading ends in an error
 * at worst.
 */
#ifndef SIM_EXPERIMENT_RUN_CODEC_H
#define SIM_EXPERIMENT_RUN_CODEC_H

#include "sim/measure/run_result.h"

#include <stddef.h>
#include <stdint.h>

enum run_decode_status {
    RUN_DECODE_OK,
    RUN_DECODE_DAMAGED, /* not what run_encode wrote, or by another program */
    RUN_DECODE_NO_MEMORY
};

/* How many bytes it takes, and the bytes, [that many]. */
size_t run_encoded_size(const struct run_result *run);
void run_encode_into(const struct run_result *run, uint8_t *bytes);

/* The bytes, owned by the caller and released with free(). NULL: no memory. */
uint8_t *run_encode(const struct run_result *run, size_t *ret_size);

/* *ret is empty unless OK, and then to be released by run_result_done. */
enum run_decode_status run_decode(const uint8_t *bytes, size_t size,
                                  struct run_result *ret);

#endif
