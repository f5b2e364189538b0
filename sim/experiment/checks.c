/* When active checks run, and what a balancer concludes. */
#include "sim/experiment/checks.h"

#include "sim/experiment/faults.h"

/* Unhealthy so soon after it was trusted again, a node flaps. */
#define FLAP_NS INT64_C(60000000000)

/* Before the belief changes: nodes that were never in doubt have been up since
   the start, time 0. */
static void count_ejection(struct sim *sim, const struct lbp_node *shown)
{
    sim->recorder.ejections++;
    sim->recorder.flaps +=
        shown->up_since_ns > 0 && sim->now_ns - shown->up_since_ns <= FLAP_NS;
}

static void believe(struct sim *sim, struct balancer *balancer, uint32_t index,
                    bool healthy)
{
    const struct node *node = &sim->nodes[index];

    if (!healthy)
        count_ejection(sim, &balancer->nodes[index]);
    if (!balancer_believe(balancer, index, healthy, sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
    if (!healthy && !node->alive) {
        sim->recorder.detections++;
        sim->recorder.detection_sum_s +=
            (double)(sim->now_ns - node->died_at_ns) * 1e-9;
    }
    if (balancer->waiting_head != REQUEST_NONE)
        sim->attention = true;
}

/* A check starts: what will come of it is settled now, at most one is under
   way to a node. */
static void start_check(struct sim *sim, const struct balancer *balancer,
                        uint32_t index)
{
    const struct balancer_spec *spec = &sim->scenario->balancer;
    struct health *health = &balancer->health[index];
    enum fault_word word = faults_probe(sim, balancer, index, FAULT_PROBE_HTTP);
    struct health_outlook outlook =
        health_outlook(&spec->health, sim->now_ns, 2 * spec->network_delay_ns,
                       word == FAULT_ANSWERS, word == FAULT_REFUSES);

    health->on_its_way = true;
    health->will_succeed = outlook.success;
    health->started_at_ns = sim->now_ns;
    health->ends_at_ns = outlook.ends_at_ns;
}

void checks_event(struct sim *sim, uint32_t subject)
{
    const struct health_spec *spec = &sim->scenario->balancer.health;
    struct balancer *balancer = &sim->balancers[subject / sim->node_count];
    uint32_t index = subject % sim->node_count;
    struct health *health = &balancer->health[index];
    int64_t next_ns;

    if (!health->on_its_way)
        start_check(sim, balancer, index);
    next_ns = health->ends_at_ns;
    if (next_ns == sim->now_ns) {
        health->on_its_way = false;
        if (health_note(health, spec, health->will_succeed))
            believe(sim, balancer, index, health->healthy);
        next_ns =
            health_next_start_ns(spec, health->started_at_ns, sim->now_ns);
    }
    event_tree_set(&sim->tree, balancer->health_leaves[index], next_ns,
                   RANK_HEALTH);
}

static bool start_checks_of(struct sim *sim, uint32_t b)
{
    struct balancer *balancer = &sim->balancers[b];
    uint64_t interval = (uint64_t)sim->scenario->balancer.health.interval_ns;

    sim->recorder.with_health = true;
    for (uint32_t i = 0; i < sim->node_count; i++) {
        struct rng rng;
        uint32_t leaf = event_tree_take(&sim->tree, b * sim->node_count + i);

        if (leaf == EVENT_NO_LEAF)
            return false;
        balancer->health_leaves[i] = leaf;
        rng_stream(&rng, sim->scenario->seed, sim->setup->replication,
                   RNG_HEALTH_PHASE, rng_entity(b, i));
        event_tree_set(&sim->tree, leaf, (int64_t)rng_below(&rng, interval),
                       RANK_HEALTH);
    }
    return true;
}

bool checks_start(struct sim *sim)
{
    if (!sim->scenario->balancer.health.given)
        return true;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        if (!start_checks_of(sim, b))
            return false;
    return true;
}
