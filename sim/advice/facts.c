#include "sim/advice/facts.h"

#include "sim/advice/fleet.h"
#include "sim/cluster/staffing.h"
#include "sim/scenario/describe.h"
#include "sim/scenario/lint.h"

#include <math.h>
#include <string.h>

const struct fact facts_table[FACT_COUNT] = {
#define FACT(id, name, shown, help) [id] = {name, help, shown},
#include "sim/advice/facts.def"
#undef FACT
};

enum fact_id facts_find(const char *name, size_t length)
{
    int id = 0;

    while (id < FACT_COUNT && (strlen(facts_table[id].name) != length ||
                               memcmp(facts_table[id].name, name, length) != 0))
        id++;
    return (enum fact_id)id;
}

/* ---- traffic ---- */

static bool traffic(const struct scenario *scenario, const struct draws *draws,
                    double *values)
{
    struct workload_means means;
    struct draws_needs needs;
    struct draws_keys keys;

    if (!draws_needs(draws, &needs) || !draws_keys(draws, scenario, &keys))
        return false;
    workload_spec_means(&scenario->workload, scenario->duration_ns, &means);
    values[FACT_RATE] = means.rate_per_s;
    values[FACT_REQUESTS] = (double)draws->count;
    if (!isnan(
            means.rate_per_s)) { /* else clients ask when they are answered */
        values[FACT_GAP_SCV] = draws_gap_scv(draws);
        values[FACT_DISPERSION] = draws_dispersion(draws);
    }
    values[FACT_NEED_MEAN] = needs.mean;
    values[FACT_NEED_SCV] = needs.scv;
    values[FACT_NEED_TAIL] = needs.p99 / needs.mean;
    values[FACT_KEYED] = keys.keyed;
    values[FACT_REPEATS] = keys.ideal;
    values[FACT_HEAVIEST] = keys.heaviest * scenario->node_count;
    values[FACT_SPREAD_HITS] = keys.spread;
    values[FACT_AFFINE_HITS] = keys.affine;
    values[FACT_HITS_GAINED] = keys.affine - keys.spread;
    return true;
}

/* ---- nodes ---- */

static bool is_steady(const struct scenario *scenario)
{
    return scenario->fault_count == 0 && !scenario_nodes_change(scenario) &&
           !scenario->balancer.dynamic_weights.given;
}

static bool front_is_plain(const struct scenario *scenario)
{
    const struct balancer_spec *front = &scenario->balancer;

    return !front->degrade.given && !front->batching.given &&
           !front->admission.given && !front->hedge.given &&
           !front->queue.given && !front->caps.given &&
           !front->flow_control.given && !front->pool_limits.given;
}

static void find_nodes(const struct scenario *scenario,
                       const struct draws *draws, double *values)
{
    struct scenario_load load = scenario_mean_load(scenario);
    double missing = 1 - values[FACT_SPREAD_HITS];
    struct fleet fleet;

    fleet_look(scenario, draws, &fleet);
    values[FACT_LOAD] = load.total;
    values[FACT_PEAK_LOAD] = scenario->has_trace
                                 ? load.total * fmax(1, draws_peak(draws))
                                 : load.peak; /* fmax passes over a NaN */
    values[FACT_SLOWEST_LOAD] = load.slowest_equal_share * missing;
    values[FACT_RELIEF] = load.total * values[FACT_HITS_GAINED];
    values[FACT_SPREAD_LOAD] = load.total * missing;
    values[FACT_HOT_KEY_LOAD] =
        load.total * (values[FACT_HEAVIEST] + 1 -
                      values[FACT_HEAVIEST] / scenario->node_count);
    values[FACT_NODES] = scenario->node_count;
    values[FACT_SLOTS] = fleet.slots;
    values[FACT_SPEEDS] = fleet.speeds;
    values[FACT_CAPACITIES] = fleet.capacities;
    values[FACT_WEIGHTS] = fleet.weights;
    values[FACT_MISFIT] = fleet.misfit;
    values[FACT_WEIGHTED_LOAD] = values[FACT_RATE] * fleet.weighted_s;
    values[FACT_STEADY] = is_steady(scenario);
    values[FACT_PLAIN] = fleet.plain && front_is_plain(scenario);
    if (load.nodes_are_equal && fleet.plain && fleet.slots > 0)
        values[FACT_WAIT] = staffing_wait_probability(
            fleet.slots, load.slowest_equal_share * missing * fleet.slots);
}

/* ---- the front door ---- */

static void find_front(const struct scenario *scenario, double *values)
{
    const struct balancer_spec *spec = &scenario->balancer;
    double interval_s = 1e-9 * (double)spec->report_interval_ns;
    double delay_s = 1e-9 * (double)spec->report_delay_ns;
    double rate = values[FACT_RATE], need = values[FACT_NEED_MEAN];

    values[FACT_BALANCERS] = spec->count;
    values[FACT_OWN_IN_FLIGHT] =
        rate * need / spec->count / scenario->node_count;
    if (spec->report_interval_ns >= 0) {
        values[FACT_REPORT_AGE] = (interval_s / 2 + delay_s) / need;
        values[FACT_REPORT_HERD] =
            (interval_s + delay_s) * rate / scenario->node_count;
    }
    if (spec->health.given)
        values[FACT_DETECTION] = 1e-9 * (double)spec->health.interval_ns *
                                 spec->health.unhealthy_after;
    values[FACT_EJECTS] = balancer_spec_ejects(spec) || spec->observe.given;
    values[FACT_ATTEMPTS] = spec->retry.given ? spec->retry.attempts : 1;
    values[FACT_TIMED] = 1;
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (!scenario->groups[i].engine.service.given)
            values[FACT_TIMED] = 0;
}

/* ---- accidents ---- */

/* What a node that is struck does with new requests. */
static enum fact_id fault_fact(const struct fault_spec *fault)
{
    switch (fault->kind) {
    case FAULT_CRASH:
    case FAULT_HOST_DOWN:
    case FAULT_FLAPPING:
        return fault->seen_as == FAULT_REFUSED ? FACT_FAST : FACT_SILENT_DEATHS;
    case FAULT_HANG:
    case FAULT_BLACK_HOLE:
        return FACT_HANGS;
    case FAULT_FAIL_FAST:
        return FACT_FAST;
    default:
        return FACT_COUNT;
    }
}

static void accidents(const struct scenario *scenario, double *values)
{
    double counts[FACT_COUNT + 1] = {0}, factor = 1;

    for (uint32_t i = 0; i < scenario->fault_count; i++) {
        const struct fault_spec *fault = &scenario->faults[i];

        counts[fault_fact(fault)]++;
        if (fault->kind == FAULT_SLOW)
            factor = fmax(factor, fault->factor);
    }
    values[FACT_SILENT_DEATHS] = counts[FACT_SILENT_DEATHS];
    values[FACT_HANGS] = counts[FACT_HANGS];
    values[FACT_FAST] = counts[FACT_FAST];
    values[FACT_SLOW] = factor;
    values[FACT_SLOW_LOAD] = factor * values[FACT_SLOWEST_LOAD];
}

/* ---- classes ---- */

static bool row_has(const struct routing_row *row, uint32_t group)
{
    for (uint32_t i = 0; i < row->group_count; i++)
        if (row->groups[i] == group)
            return true;
    return row->group_count == 0;
}

/* Whether the group may serve the class by any, or by the first, row. */
static bool table_allows(const struct scenario *scenario, uint32_t kind,
                         uint32_t group)
{
    const struct routing_rows *rows = &scenario->routing.classes[kind];

    if (kind >= scenario->routing.class_count || rows->count == 0)
        return true;
    return row_has(&rows->rows[0], group) &&
           (rows->rows[0].model == ROUTING_ANY_MODEL ||
            (scenario->groups[group].models >> rows->rows[0].model & 1));
}

/* The longest mean need of a class among all nodes over that among the nodes
   which the table names for it. */
static double class_speeds(const struct scenario *scenario,
                           const struct draws *draws, uint32_t kind)
{
    double all = 0, named = 0;

    for (uint32_t g = 0; g < scenario->group_count; g++) {
        double need =
            draws->class_needs_s[(size_t)kind * scenario->group_count + g];

        if (scenario->groups[g].count == 0)
            continue;
        all = fmax(all, need);
        if (table_allows(scenario, kind, g))
            named = fmax(named, need);
    }
    return named > 0 ? all / named : 1;
}

/* Load of the nodes that a class may go to by the table, as if it went to them
   alone. */
static double class_load(const struct scenario *scenario,
                         const struct draws *draws, uint32_t kind, double rate)
{
    double capacity = 0;
    double share = (double)draws->class_counts[kind] / (double)draws->count;

    for (uint32_t g = 0; g < scenario->group_count; g++)
        if (table_allows(scenario, kind, g))
            capacity +=
                scenario->groups[g].count *
                fleet_capacity_per_s(
                    scenario, g,
                    draws->class_needs_s[(size_t)kind * scenario->group_count +
                                         g] /
                        (double)draws->class_counts[kind]);
    return rate * share / capacity;
}

static void classes(const struct scenario *scenario, const struct draws *draws,
                    double *values)
{
    values[FACT_CLASSES] = draws->classes;
    if (!scenario->routing.given || draws->count == 0)
        return;
    values[FACT_TABLE_SPEEDS] = 1;
    values[FACT_TABLE_LOAD] = 0;
    for (uint32_t i = 0; i < draws->classes; i++) {
        if (draws->class_counts[i] == 0)
            continue;
        values[FACT_TABLE_SPEEDS] =
            fmax(values[FACT_TABLE_SPEEDS], class_speeds(scenario, draws, i));
        values[FACT_TABLE_LOAD] =
            fmax(values[FACT_TABLE_LOAD],
                 class_load(scenario, draws, i, values[FACT_RATE]));
    }
}

bool facts_gather(const struct scenario *scenario, struct facts *ret)
{
    struct draws draws;
    bool fine = draws_make(scenario, fleet_fastest(scenario), &draws);

    for (int i = 0; i < FACT_COUNT; i++)
        ret->values[i] = NAN;
    fine = fine && traffic(scenario, &draws, ret->values);
    if (fine) {
        find_nodes(scenario, &draws, ret->values);
        find_front(scenario, ret->values);
        accidents(scenario, ret->values);
        classes(scenario, &draws, ret->values);
    }
    draws_done(&draws);
    return fine;
}
