/*
 * Random faults: scenarios in which everything goes wrong at once, under
 * random sets of mechanisms (random_mechanisms.h), and what must hold in each
 * of them. The same number gives the same scenario.
 */
#ifndef TESTS_ORACLE_RANDOM_FAULTS_H
#define TESTS_ORACLE_RANDOM_FAULTS_H

#include "sim/cluster/fault_spec.h"
#include "sim/measure/measures.h"

#include <stddef.h>
#include <stdint.h>

/* Writes a scenario of 200 requests or more, 0-terminated; RANDOM_FAULTS_SIZE
   bytes are enough. */
enum { RANDOM_FAULTS_SIZE = 8000 };
void random_faults_write(uint64_t number, char *text, size_t size);

/* What shows that a mechanism has acted: measures that count. */
enum { RANDOM_FAULTS_ACTS = 12 };
extern const enum measure_id random_faults_acts[RANDOM_FAULTS_ACTS];

struct random_faults_sums {
    uint64_t scenarios, requests;
    uint64_t strikes[FAULT_STRIKE_KINDS];
    double acts[RANDOM_FAULTS_ACTS]; /* of random_faults_acts */
};

/*
 * Runs the scenarios from first on, count of them, each under one of the
 * built-in policies, which the host is checked with at every call; every
 * twentieth twice. Notes what fails as failed checks, and adds up in *sums.
 */
void random_faults_check(uint64_t first, uint64_t count,
                         struct random_faults_sums *sums);

/* Prints how much that was. */
void random_faults_tell(const struct random_faults_sums *sums, double wall_s);

#endif
