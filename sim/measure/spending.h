/*
 * Looking at results more than once without being fooled by it.
 *
 * A test at 5 % that is repeated whenever more replications are in finds
 * differences that are not there far more often than 5 times in 100. So the
 * looks are fixed beforehand, each may spend a part of the 5 %, and what it may
 * spend is turned into a level for the test at that look, stricter than 5 %.
 * Lan & DeMets, "Discrete sequential boundaries for clinical trials",
 * Biometrika 70(3), 1983.
 *
 * Intervals at these levels hold at all looks together (repeated confidence
 * intervals: Jennison & Turnbull, "Interim analyses: the repeated confidence
 * interval approach", JRSS B 51(3), 1989), so they also hold at the look at
 * which somebody stops, whatever made him stop.
 */
#ifndef SIM_MEASURE_SPENDING_H
#define SIM_MEASURE_SPENDING_H

#include <stdint.h>

#define SPENDING_LOOKS_MAX 16

/*
 * ret_levels[k]: the two-sided level of the test at look k, from 0, with which
 * the chance to reject at look k and at none before is spend[k] when there is
 * no difference. at: [looks] observations seen by then, ascending, above 0;
 * spend: [looks], above 0, with a sum below 1. looks: 1 to SPENDING_LOOKS_MAX.
 *
 * Of sums of normal values, by the recursion of Armitage, McPherson & Rowe,
 * "Repeated significance tests on accumulating data", JRSS A 132(2), 1969.
 * A t test at the same levels spends what it should within some hundredths of
 * it from about ten observations on (Jennison & Turnbull, "Group Sequential
 * Methods", 2000, section 3.8, call it the significance level approach).
 * Within 2e-4 in z of the published tables.
 */
void spending_levels(const double *at, const double *spend, uint32_t looks,
                     double *ret_levels);

#endif
