/*
 * Scenarios at random: small, legal, and with every mechanism in turn. The
 * same number gives the same text.
 */
#ifndef TESTS_ORACLE_RANDOM_SCENARIO_H
#define TESTS_ORACLE_RANDOM_SCENARIO_H

#include <stddef.h>
#include <stdint.h>

/* Writes it into text, 0-terminated; 4000 bytes are enough. */
void random_scenario_write(uint64_t number, char *text, size_t size);

/* The same with what limits, repeats and doubles attempts: time-outs of every
   kind, patience, deadlines, retries by any rule, hedges. */
void random_scenario_write_hurried(uint64_t number, char *text, size_t size);

#endif
