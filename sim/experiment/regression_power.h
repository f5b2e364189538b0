/*
 * What a check can find: with what chance it raises an alarm about a change.
 *
 * By drawing whole samples of paired differences and asking the check's own
 * test about each: no formula stands for it, so tails, few pairs and the steps
 * of exact chances are in it. The differences are drawn out of measured ones,
 * which say how far two runs on the same traffic lie apart. They are taken from
 * their mean, as the change that is asked for is added to them, and with either
 * sign, as old and new could be swapped where nothing has changed. How far they
 * spread is only known as well as so many replications tell, so each sample has
 * a spread of its own: with one that is taken for the truth a change that is
 * said to be found in 90 % of checks is found in 84 %, out of 20 replications.
 *
 * A sample that alarms about some change alarms about a larger one too, so each
 * is told by one number, and many of them in order are the whole curve.
 */
#ifndef SIM_EXPERIMENT_REGRESSION_POWER_H
#define SIM_EXPERIMENT_REGRESSION_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One change of what is allowed more or less moves a chance near 90 % that
   seldom by a hundredth. */
#define REGRESSION_POWER_DRAWS 2000

/*
 * The level of one test when so many measures change at once: what
 * regressions_judge() asks of the clearest of them. tests: 1 or more.
 */
double regression_power_level(double false_alarms, size_t tests);

struct regression_spread {
    const double *differences; /* [count] finite, of two runs on one traffic */
    size_t count;              /* 2 or more */
    uint32_t replications;     /* that they come from, 2 or more */
};

/* Standard deviation of the differences. */
double regression_spread_sd(const struct regression_spread *spread);

/*
 * To ret, ascending: by how much a change has to be beyond what is allowed for
 * each of REGRESSION_POWER_DRAWS checks to raise an alarm; INFINITY in all of
 * them when so many pairs cannot at this level. The same arguments yield the
 * same. false: no memory.
 */
bool regression_power_draw(const struct regression_spread *spread,
                           uint32_t pairs, double level, uint64_t seed,
                           double ret[REGRESSION_POWER_DRAWS]);

/* The chance of an alarm about a change that is so far beyond what is allowed;
   and the change that is found with a chance, more than 0 and at most 1. */
double regression_power_chance(const double drawn[REGRESSION_POWER_DRAWS],
                               double beyond);
double regression_power_beyond(const double drawn[REGRESSION_POWER_DRAWS],
                               double chance);

#endif
