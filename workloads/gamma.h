/*
 * The gamma law and the gamma function, without libm.
 *
 * Gaps between arrivals and sizes both draw from the law; the function turns
 * the mean of a Weibull law into its scale.
 */
#ifndef WORKLOADS_GAMMA_H
#define WORKLOADS_GAMMA_H

#include "workloads/rng.h"

/* One draw of the law of that shape and scale 1: mean and variance are shape.
   shape more than 0. */
double gamma_draw(struct rng *rng, double shape);

/* Gamma(x) for x in [1, 101], within 2e-13 of itself. */
double gamma_function(double x);

#endif
