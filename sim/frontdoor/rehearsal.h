/*
 * A policy asked before any traffic: a balancer of its own, made like those of
 * a simulation, and requests of our own making.
 *
 * It tells what a policy would do without knowing its name or its rule: how
 * evenly it spreads keys, whether it goes by weights, and whether it goes on
 * sending to nodes that do not answer. All of it is deterministic: the same
 * setup yields the same picks.
 */
#ifndef SIM_FRONTDOOR_REHEARSAL_H
#define SIM_FRONTDOOR_REHEARSAL_H

#include "sim/frontdoor/balancer.h"

#include <stdbool.h>
#include <stdint.h>

struct rehearsal {
    struct arena arena;
    struct request_slab slab;
    struct balancer balancer;
};

/*
 * setup as for balancer_init, but for its arena, which is set here; of the
 * balancer it must outlive no more than the nodes' keys. with_keys: requests
 * have keys. false: no memory; rehearsal_done must be called either way.
 */
bool rehearsal_init(struct rehearsal *rehearsal, struct balancer_setup setup,
                    bool with_keys);
void rehearsal_done(struct rehearsal *rehearsal);

/*
 * Asks for the keys k0, k1, ... up to count, and sends none of them: every
 * pick is made before an idle pool. ret_picks: [node_count], picks of each
 * node; none when the policy named a node that is not eligible. false: no
 * memory.
 */
bool rehearsal_ask_keys(struct rehearsal *rehearsal, uint32_t count,
                        uint64_t *ret_picks);

/* The same key by key, at now_ns: ret_nodes [count], LBP_NO_SLOT where none was
   picked. */
bool rehearsal_ask_each(struct rehearsal *rehearsal, uint32_t count,
                        int64_t now_ns, uint32_t *ret_nodes);

#define REHEARSAL_NO_GROUP UINT32_MAX

/*
 * Plays count requests: each is asked for and sent; once there are four
 * inside for each node, the oldest is answered before the next one comes. Nodes
 * of the stuck group (REHEARSAL_NO_GROUP: none) never answer, and report as
 * much to a policy that goes by reports. What the policy holds or refuses is
 * left out.
 *
 * ret_picks: [node_count], what was sent to each. ret_trail: stands for the
 * whole sequence of picks: equal for two that are equal. false: no memory, or
 * the policy broke its contract (balancer_pick).
 */
bool rehearsal_play(struct rehearsal *rehearsal, uint32_t count,
                    uint32_t stuck_group, uint64_t *ret_picks,
                    uint64_t *ret_trail);

#endif
