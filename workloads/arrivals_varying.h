/* Processes whose rate changes with time; private to arrivals. */
#ifndef WORKLOADS_ARRIVALS_VARYING_H
#define WORKLOADS_ARRIVALS_VARYING_H

#include "workloads/arrivals.h"

/* The state in which an mmpp starts. */
void arrivals_varying_start(struct arrivals *arrivals);

/*
 * Moves on by an amount of the integral of the rate (mmpp, points: expected
 * arrivals) or of the pace (spikes: ns of the plain process). *now and
 * fraction are moved; returns the new time.
 */
int64_t arrivals_varying_advance(struct arrivals *arrivals, double amount);

/* The next arrival of a sine, by thinning (Lewis and Shedler 1979). */
int64_t arrivals_varying_sine(struct arrivals *arrivals);

/* Rate of moves from one state to another, 0 to itself. */
double arrivals_move_per_s(const struct arrivals_spec *spec, uint32_t from,
                           uint32_t to);

#endif
