/*
 * What holds in every run, whatever the scenario: books balance, policies are
 * told the truth, results are numbers within their ranges.
 */
#ifndef TESTS_ORACLE_INVARIANTS_H
#define TESTS_ORACLE_INVARIANTS_H

#include <stdint.h>

/* Runs the random scenarios from first on, count of them, each under every
   built-in policy, and notes what fails as failed checks. */
void invariants_check(uint64_t first, uint64_t count);

/* The same of scenarios with time-outs, retries and hedges, where a request may
   be out more than once: policies are not asked what they were told. */
void invariants_check_hurried(uint64_t first, uint64_t count);

#endif
