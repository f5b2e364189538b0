/*
 * Traffic, nodes and front door of random scenarios, under random sets of all
 * mechanisms that the simulator has. At least 200 requests come in four
 * seconds, whatever becomes of them.
 *
 * To add a mechanism, write a function that puts its settings and add it to a
 * table of random_mechanisms.c: it is then drawn in some of the scenarios.
 */
#ifndef TESTS_ORACLE_RANDOM_MECHANISMS_H
#define TESTS_ORACLE_RANDOM_MECHANISMS_H

#include "tests/oracle/scenario_writer.h"

/* Draws what later settings depend on: reports, keys, classes, tenants. */
void random_mechanisms_choose(struct writer *writer);

/* workload, nodes, balancer and result_tier. The group g0 has three nodes or
   more, in zones a and b. */
void random_mechanisms_put(struct writer *writer);

#endif
