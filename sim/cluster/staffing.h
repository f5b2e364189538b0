/*
 * How many servers a load needs: sizes worked out, not measured.
 *
 * A load of a erlangs (arrivals per second times the mean service in seconds)
 * on c servers with one queue waits with Erlang's probability C(c, a), when
 * arrivals are Poisson and services exponential; and longer than t with
 * C(c, a) * exp(-(c - a) * t), t in mean services. The square-root rule of
 * Halfin and Whitt (1981) says nearly the same at a glance: a server more than
 * the load for each beta times its square root.
 *
 * A plan of capacity asks less: nodes for the peak and a margin over it.
 */
#ifndef SIM_CLUSTER_STAFFING_H
#define SIM_CLUSTER_STAFFING_H

#include <stdbool.h>
#include <stdint.h>

/* The probability that an arrival has to wait; 1 unless load < servers. */
double staffing_wait_probability(uint32_t servers, double load);

/* The fewest servers of which that probability is at most `most`, 0 < most.
   load: 0 or more. At least 1. */
uint32_t staffing_for_probability(double load, double most);

/* The fewest servers with which at most `share` of the arrivals wait for more
   than `services` mean service times; 0 < share. At least 1. */
uint32_t staffing_for_wait(double load, double share, double services);

/* beta of P(wait) = 1 / (1 + beta * Phi(beta) / phi(beta)), 0 < p < 1. */
double staffing_beta(double probability);

/* The other way round: P(wait) of load + beta * sqrt(load) servers, by Halfin
   and Whitt; beta 0 or more. */
double staffing_halfin_whitt(double beta);

/* Share of answers that take longer than `services` mean service times, wait
   and service together, when a share `waits` of the arrivals has to wait and
   `spare` servers are more than the load, more than 0. */
double staffing_beyond(double waits, double spare, double services);

/*
 * The fewest servers with which at most `share` of the answers take longer than
 * `services` mean service times; or wait so long; or with which the mean wait
 * is at most that. by_root: P(wait) by Halfin and Whitt's formula instead of
 * Erlang's. 0: no number is enough, for service alone takes longer.
 */
uint32_t staffing_for_latency(double load, double share, double services,
                              bool by_root);
uint32_t staffing_for_wait_beyond(double load, double share, double services,
                                  bool by_root);
uint32_t staffing_for_mean_wait(double load, double services, bool by_root);

/* The square-root rule: load + beta * sqrt(load), rounded up; at least 1. */
uint32_t staffing_square_root(double load, double probability);

/* Nodes for `margin` times the peak (1.2: a fifth to spare), each of which
   takes `per_node` of it; a hair above a whole number is that number. */
uint32_t staffing_nodes(double peak, double per_node, double margin);

/*
 * A load that jumps above what is there, and the capacity that comes when a
 * delay is over, as fluids: what has gathered until then, how long it takes to
 * go, and what both cost. More than `before` and less than `after`.
 */
struct staffing_backlog {
    double peak;         /* requests that wait when the new capacity comes */
    double drain_s;      /* from then on until none waits */
    double area_s;       /* requests times seconds */
    double mean_delay_s; /* of those that arrive meanwhile */
};
struct staffing_backlog staffing_backlog(double load_per_s, double before_per_s,
                                         double after_per_s, double delay_s);

#endif
