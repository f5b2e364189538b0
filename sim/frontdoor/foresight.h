/*
 * Foresight: what a policy is told of a request beforehand, and how far off
 * its own predictions turn out.
 *
 * An entry of `policies` may say `hints: history` or `hints: exact`: then
 * requests are shown with the output tokens and the work that are to be
 * expected, by what similar ones took or as they will be. A policy that offers
 * predictions (LBP_PREDICTS) is asked for the latency that it expects of each
 * attempt; when the answer is there, the difference is written down.
 *
 * Both stand between balancer and policy: ops of their own in place of the
 * policy's, put there only for those that want it, so that others cost
 * nothing. What belongs to one attempt lies in a column of the slab.
 */
#ifndef SIM_FRONTDOOR_FORESIGHT_H
#define SIM_FRONTDOOR_FORESIGHT_H

#include "policies/lbp.h"
#include "sim/core/arena.h"
#include "sim/core/request.h"
#include "sim/frontdoor/balancer_spec.h"
#include "sim/frontdoor/hint_history.h"

#include <stdbool.h>
#include <stdint.h>

struct balancer;

/* What a request takes on a node of speed 1, by its tokens. */
struct foresight_costs {
    bool known; /* the same on all nodes; else work is not told */
    double base_s, per_input_token_s, per_output_token_s;
};

/* Over measured attempts that were answered. */
struct foresight_errors {
    uint64_t count;
    double expected_s, actual_s; /* sums */
    double absolute_s;           /* sum of |expected - actual| */
};

struct foresight {
    enum policy_hints hints;
    struct foresight_costs costs;
    struct hint_history *history; /* with POLICY_HINTS_HISTORY, else NULL */
    const struct lbp_ops *policy; /* the policy's own */
    struct lbp_ops ops;           /* what stands before it */
    /* Of the attempt that is being asked about. */
    const struct request *request;
    struct request_foresight *words;
    struct foresight_errors errors;
};

/* Whether a policy says what it expects of each attempt. */
bool foresight_predicts(const struct policy_spec *policy);

/* Gives the slab its column, if this entry needs any of it. Before the first
   request is taken. */
void foresight_make_room(struct request_slab *slab,
                         const struct policy_spec *policy);

/* Stands before the policy from now on, if it is wanted. false: no memory. */
bool foresight_init(struct balancer *balancer, const struct policy_spec *policy,
                    const struct foresight_costs *costs, struct arena *arena);

/* An attempt is about to be asked about: shows it as it was at its pick. */
void foresight_look(struct balancer *balancer, const struct request_slab *slab,
                    uint32_t index);

#endif
