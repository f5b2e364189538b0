/*
 * The published C++ implementation of pcg64, seen from C, as the reference of
 * workloads/rng. One generator at a time.
 */
#ifndef TESTS_UNIT_WORKLOADS_PCG_REFERENCE_H
#define TESTS_UNIT_WORKLOADS_PCG_REFERENCE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 128-bit numbers in two halves. */
void pcg_reference_seed(uint64_t seed_high, uint64_t seed_low,
                        uint64_t stream_high, uint64_t stream_low);
uint64_t pcg_reference_next(void);
void pcg_reference_advance(uint64_t high, uint64_t low);

#ifdef __cplusplus
}
#endif

#endif
