/*
 * What every fuzz target offers: one function that takes any bytes and must
 * come back, whatever they are. libFuzzer calls it with bytes it makes up,
 * replay.c with the files of a corpus. A target checks more than "does not
 * crash": what was accepted must mean the same when it is written and read
 * again, and books must balance. What is wrong ends the process.
 */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Like assert, in every kind of build. */
#define FUZZ_MUST(holds)                                               \
    do {                                                               \
        if (!(holds)) {                                                \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, \
                    #holds);                                           \
            abort();                                                   \
        }                                                              \
    } while (0)

#endif
