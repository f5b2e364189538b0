#include "sim/experiment/reports.h"

#include "sim/experiment/faults.h"
#include "sim/experiment/held_reports.h"
#include "sim/experiment/world.h"

uint32_t reports_on_their_way(const struct scenario *scenario)
{
    const struct balancer_spec *spec = &scenario->balancer;
    int64_t most_ns =
        spec->report_delay_ns + faults_report_delay_max_ns(scenario);

    if (spec->report_interval_ns <= 0 || most_ns == 0)
        return 0;
    return (uint32_t)(most_ns / spec->report_interval_ns) + 1;
}

/* A stream for each pair: what one balancer loses is no other's concern. */
static bool start_losses(struct sim *sim)
{
    struct late_reports *late = &sim->late_reports;
    size_t pairs = (size_t)sim->balancer_count * sim->node_count;

    late->losses = arena_allocate(&sim->arena, pairs, sizeof *late->losses);
    if (!late->losses)
        return false;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        for (uint32_t i = 0; i < sim->node_count; i++)
            rng_stream(&late->losses[(size_t)b * sim->node_count + i],
                       sim->scenario->seed, sim->setup->replication,
                       RNG_REPORT_LOSS, rng_entity(b, i));
    return true;
}

bool reports_start(struct sim *sim)
{
    const struct balancer_spec *spec = &sim->scenario->balancer;
    struct late_reports *late = &sim->late_reports;
    uint32_t depth = reports_on_their_way(sim->scenario);

    if (spec->report_loss > 0 && !start_losses(sim))
        return false;
    if (depth == 0)
        return true;
    if (faults_report_delay_max_ns(sim->scenario) > 0) {
        /* One may arrive at the instant at which the next is made. */
        late->held = held_reports_create(sim, depth + 1);
        return late->held != NULL;
    }
    /* Behind the reports that are made at that instant: what is sent because
       one has arrived is sent after these. */
    delay_line_init(&late->line, spec->report_delay_ns, RANK_NODE_ARRIVAL,
                    LINE_REPORTS);
    late->capacity = depth * sim->node_count;
    late->words =
        arena_allocate(&sim->arena, late->capacity, sizeof *late->words);
    return late->words != NULL;
}

static bool is_lost(struct sim *sim, uint32_t b, uint32_t node)
{
    struct rng *losses = sim->late_reports.losses;
    double share = sim->scenario->balancer.report_loss;

    return losses &&
           rng_uniform(&losses[(size_t)b * sim->node_count + node]) < share;
}

static void deliver(struct sim *sim, uint32_t node, const struct lbp_node *word)
{
    for (uint32_t b = 0; b < sim->balancer_count; b++) {
        struct balancer *balancer = &sim->balancers[b];

        if (is_lost(sim, b, node) || faults_report_lost(sim, b, node))
            balancer_report_lost(balancer, node);
        else
            balancer_reported(balancer, node, word, sim->now_ns);
        if (balancer->waiting_head != REQUEST_NONE)
            sim->attention = true;
    }
}

void reports_send(struct sim *sim, uint32_t node, const struct lbp_node *word)
{
    struct late_reports *late = &sim->late_reports;

    if (late->capacity == 0 && !late->held) {
        deliver(sim, node, word);
        return;
    }
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        balancer_report_made(&sim->balancers[b], node, sim->now_ns);
    if (late->held) {
        held_reports_send(sim, late->held, node, word,
                          sim->now_ns +
                              sim->scenario->balancer.report_delay_ns +
                              faults_report_delay_ns(sim, node));
        return;
    }
    late->words[late->next] = *word;
    late->next = late->next + 1 < late->capacity ? late->next + 1 : 0;
    if (!delay_line_push(&late->line, &sim->tree, sim->now_ns, node, 0))
        sim_fail(sim, SIM_NO_MEMORY);
}

void reports_arrive(struct sim *sim, uint32_t subject)
{
    struct late_reports *late = &sim->late_reports;
    struct delay_entry entry;

    if (subject >= LINE_NODE_REPORTS) {
        subject -= LINE_NODE_REPORTS;
        deliver(sim, subject, held_reports_take(sim, late->held, subject));
        return;
    }
    entry = delay_line_pop(&late->line, &sim->tree);
    deliver(sim, entry.request, &late->words[late->oldest]);
    late->oldest = late->oldest + 1 < late->capacity ? late->oldest + 1 : 0;
}
