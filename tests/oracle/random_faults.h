/*
 * Random faults: scenarios in which everything goes wrong at once, under
 * random sets of mechanisms, and what must hold in each of them.
 *
 * To add a mechanism, write a function that puts its settings and add it to a
 * table of random_faults.c: it is then drawn in some of the scenarios. The
 * same number gives the same scenario.
 */
#ifndef TESTS_ORACLE_RANDOM_FAULTS_H
#define TESTS_ORACLE_RANDOM_FAULTS_H

#include "sim/cluster/fault_spec.h"

#include <stddef.h>
#include <stdint.h>

/* Writes a scenario of 200 requests or more, 0-terminated; RANDOM_FAULTS_SIZE
   bytes are enough. */
enum { RANDOM_FAULTS_SIZE = 8000 };
void random_faults_write(uint64_t number, char *text, size_t size);

struct random_faults_sums {
    uint64_t scenarios, requests;
    uint64_t strikes[FAULT_STRIKE_KINDS];
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
