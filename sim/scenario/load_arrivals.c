/* Made arrivals: which settings go with which process, and their lists. */
#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define OF(process) (1u << (process))

enum { LIST_MAX = 10000 };

static const int64_t day_ns = INT64_C(86400000000000);

/* The processes that a setting is for. */
static const struct part {
    const char *key;
    unsigned processes;
    const char *hint;
} parts[] = {
    {"rate",
     OF(ARRIVALS_POISSON) | OF(ARRIVALS_DETERMINISTIC) | OF(ARRIVALS_GAMMA) |
         OF(ARRIVALS_DIURNAL),
     NULL},
    {"cv", OF(ARRIVALS_GAMMA), NULL},
    {"spikes",
     OF(ARRIVALS_POISSON) | OF(ARRIVALS_DETERMINISTIC) | OF(ARRIVALS_GAMMA),
     "put the spike into workload.overlay, as traffic of its own"},
    {"states", OF(ARRIVALS_MMPP), NULL},
    {"amplitude", OF(ARRIVALS_DIURNAL), NULL},
    {"period", OF(ARRIVALS_DIURNAL), NULL},
    {"phase", OF(ARRIVALS_DIURNAL), NULL},
    {"points", OF(ARRIVALS_DIURNAL), NULL},
    {"clients", OF(ARRIVALS_CLOSED), NULL},
    {"think", OF(ARRIVALS_CLOSED), NULL},
};
enum { PART_COUNT = sizeof parts / sizeof *parts };

static void complain_foreign(struct load *load, const struct tree *arrivals,
                             const struct part *part,
                             enum arrivals_process process)
{
    char names[200];
    size_t used = 0;

    for (int i = 0; i < ARRIVALS_PROCESS_COUNT && used < sizeof names; i++)
        if (part->processes & OF(i))
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 used ? ", " : "", arrivals_process_names[i]);
    load_complain(load, tree_key(arrivals, part->key), part->hint,
                  "'%s' is for process %s; the process is %s", part->key, names,
                  arrivals_process_names[process]);
}

static void need(struct load *load, const struct tree *arrivals,
                 const char *key, const char *hint,
                 enum arrivals_process process)
{
    const struct tree *said = tree_find(arrivals, "process");

    if (!tree_find(arrivals, key))
        load_complain(load, said ? said : arrivals, hint,
                      "process %s needs '%s'", arrivals_process_names[process],
                      key);
}

static void check_needs(struct load *load, const struct tree *arrivals,
                        enum arrivals_process process)
{
    bool points = tree_find(arrivals, "points");

    if (process == ARRIVALS_MMPP)
        need(load, arrivals, "states",
             "such as 'states: [{rate: 5/s, stay: 50 s}, {rate: 80/s, stay: 5 "
             "s}]'",
             process);
    else if (process == ARRIVALS_CLOSED)
        need(load, arrivals, "clients", "how many ask, such as 'clients: 50'",
             process);
    else if (!points)
        need(load, arrivals, "rate", "mean arrivals, such as 'rate: 12/s'",
             process);
    if (process == ARRIVALS_GAMMA)
        need(load, arrivals, "cv",
             "such as 'cv: 2'; 1 is poisson, more is bursty", process);
    if (process == ARRIVALS_DIURNAL && !points)
        need(load, arrivals, "amplitude",
             "how far the rate swings, such as 'amplitude: 50 %'; or give "
             "'points'",
             process);
}

/* A line through points has no sine. */
static void check_points_alone(struct load *load, const struct tree *arrivals)
{
    static const char *const of_sine[] = {"rate", "amplitude", "phase"};

    for (size_t i = 0; tree_find(arrivals, "points") && i < 3; i++)
        if (tree_find(arrivals, of_sine[i]))
            load_complain(load, tree_key(arrivals, of_sine[i]),
                          "leave one of them out",
                          "'%s' describes a sine, and 'points' the rate itself",
                          of_sine[i]);
}

/* --- lists ---------------------------------------------------------------- */

/* Of blocks; NULL: there is none, or it was complained about. */
static const struct tree *list_of(struct load *load,
                                  const struct tree *arrivals, const char *key,
                                  uint32_t most)
{
    const struct tree *list = tree_find(arrivals, key);

    if (!list)
        return NULL;
    if (list->kind != TREE_LIST || list->count == 0 || list->count > most) {
        load_complain(
            load, tree_is_nothing(list) ? tree_key(arrivals, key) : list,
            "begin each entry with '- '",
            "'%s' needs a list of 1 to %u blocks; got %s", key, most,
            list->kind == TREE_LIST ? list->count ? "more" : "an empty list"
                                    : tree_kind_words(list));
        return NULL;
    }
    for (uint32_t i = 0; i < list->count; i++)
        if (list->values[i]->kind != TREE_MAP) {
            load_complain(load, list->values[i], NULL,
                          "an entry of '%s' needs a block of settings; got %s",
                          key, tree_kind_words(list->values[i]));
            return NULL;
        }
    return list;
}

static void check_point(struct load *load, const struct arrivals_spec *spec,
                        const struct arrivals_point *points, uint32_t i,
                        const struct tree *item)
{
    if (i > 0 && points[i].at_ns < points[i - 1].at_ns)
        load_complain(load, tree_find(item, "at"), NULL,
                      "points must stand in order of time");
    if (spec->period_ns > 0 && points[i].at_ns >= spec->period_ns)
        load_complain(load, tree_find(item, "at"), NULL,
                      "a point must lie before the end of 'period'");
}

static void load_points(struct load *load, const struct tree *arrivals,
                        struct arrivals_spec *spec)
{
    const struct tree *list = list_of(load, arrivals, "points", LIST_MAX);
    struct arrivals_point *points;
    double most = 0;

    points =
        list ? pool_allocate(load->pool, list->count * sizeof *points) : NULL;
    for (uint32_t i = 0; points && i < list->count && !load_is_hopeless(load);
         i++) {
        uint32_t before = load->errors;

        load_block(load, settings_find("workload.arrivals.points[]"),
                   list->values[i], &points[i]);
        if (load->errors == before)
            check_point(load, spec, points, i, list->values[i]);
        most = fmax(most, points[i].rate_per_s);
    }
    if (!points || load_is_hopeless(load))
        return;
    if (!(most > 0))
        load_complain(load, list, NULL,
                      "nothing arrives: the rate of every point is 0");
    spec->points = points;
    spec->point_count = list->count;
}

static void check_spike(struct load *load, const struct arrivals_spec *spec,
                        struct spike_draft *spike, const struct tree *item)
{
    const struct arrivals_spike *of = &spike->spec;
    bool factor = tree_find(item, "factor"), rate = tree_find(item, "rate");

    if (factor == rate)
        load_complain(
            load, rate ? tree_key(item, "rate") : item, "such as 'factor: 4'",
            "a spike needs 'factor' or 'rate'%s", rate ? ", not both" : "");
    if (rate)
        spike->spec.factor = spike->rate_per_s / spec->rate_per_s;
    if (of->ramp_ns > of->duration_ns / 2)
        load_complain(load, tree_find(item, "ramp"),
                      "it climbs and falls within its duration",
                      "'ramp' must be at most half of 'duration'");
    if (of->every_ns > 0 && of->every_ns < of->duration_ns)
        load_complain(load, tree_find(item, "every"), NULL,
                      "'every' must not be below 'duration'");
}

static void load_spikes(struct load *load, const struct tree *arrivals,
                        struct arrivals_spec *spec)
{
    const struct tree *list = list_of(load, arrivals, "spikes", LIST_MAX);
    struct arrivals_spike *spikes =
        list ? pool_allocate(load->pool, list->count * sizeof *spikes) : NULL;

    for (uint32_t i = 0; spikes && i < list->count && !load_is_hopeless(load);
         i++) {
        struct spike_draft spike = {.spec = {.factor = 1}};
        uint32_t before = load->errors;

        load_block(load, settings_find("workload.arrivals.spikes[]"),
                   list->values[i], &spike);
        if (load->errors == before)
            check_spike(load, spec, &spike, list->values[i]);
        spikes[i] = spike.spec;
    }
    spec->spikes = spikes;
    spec->spike_count = spikes ? list->count : 0;
}

/* "[0/s, 0.2/s]": a rate for each state. NULL: complained, or no memory. */
static const double *load_moves(struct load *load, const struct tree *list,
                                uint32_t own, uint32_t count)
{
    double *moves = pool_allocate(load->pool, count * sizeof *moves);
    char reason[300];

    if (list->kind != TREE_LIST || list->count != count) {
        load_complain(load, list, "0/s for the state itself",
                      "'moves' needs a list of %u rates, one for each state; "
                      "got %s",
                      count,
                      list->kind == TREE_LIST ? "another number of them"
                                              : tree_kind_words(list));
        return NULL;
    }
    for (uint32_t i = 0; moves && i < count; i++) {
        const struct tree *rate = list->values[i];

        if (rate->kind != TREE_SCALAR) {
            load_complain(load, rate, NULL, "'moves' needs rates; got %s",
                          tree_kind_words(rate));
            return NULL;
        }
        if (!units_parse_rate(rate->text, rate->length, &moves[i], reason,
                              sizeof reason)) {
            load_complain(load, rate, NULL, "'moves': %s", reason);
            return NULL;
        }
        if (i == own && moves[i] != 0) {
            load_complain(load, rate, "0/s for the state itself",
                          "a state does not move to itself");
            return NULL;
        }
    }
    return moves;
}

static void load_state(struct load *load, const struct tree *item,
                       uint32_t index, uint32_t count,
                       struct arrivals_state *state)
{
    const struct tree *moves = tree_find(item, "moves");
    uint32_t before = load->errors;

    load_block(load, settings_find("workload.arrivals.states[]"), item, state);
    if (load->errors > before)
        return;
    if (!moves == !tree_find(item, "stay"))
        load_complain(load, moves ? tree_key(item, "moves") : item,
                      "such as 'stay: 10 s', the mean time in it",
                      "a state needs 'stay' or 'moves'%s",
                      moves ? ", not both" : "");
    else if (moves)
        state->moves_per_s = load_moves(load, moves, index, count);
}

static void load_states(struct load *load, const struct tree *arrivals,
                        struct arrivals_spec *spec)
{
    const struct tree *list =
        list_of(load, arrivals, "states", ARRIVALS_STATES_MAX);
    double shares[ARRIVALS_STATES_MAX], most = 0;
    struct arrivals_state *states;
    uint32_t before = load->errors;

    states =
        list ? pool_allocate(load->pool, list->count * sizeof *states) : NULL;
    if (!states)
        return;
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++) {
        load_state(load, list->values[i], i, list->count, &states[i]);
        most = fmax(most, states[i].rate_per_s);
    }
    spec->states = states;
    spec->state_count = list->count;
    if (load->errors > before)
        return;
    if (list->count < 2)
        load_complain(load, list, "with one state it is process poisson",
                      "process mmpp needs 2 states or more");
    else if (!arrivals_state_shares(spec, shares))
        load_complain(load, list, "each must lead to every other in the end",
                      "a state is never entered, or never left");
    else if (!(most > 0))
        load_complain(load, list, NULL,
                      "nothing arrives: the rate of every state is 0");
}

void load_arrivals(struct load *load, const struct tree *workload)
{
    struct draft *draft = load->draft;
    struct arrivals_spec *spec = &draft->scenario.workload.arrivals;
    const struct tree *arrivals = tree_find(workload, "arrivals");
    uint32_t before = load->errors;

    for (size_t i = 0; i < PART_COUNT; i++)
        if (tree_find(arrivals, parts[i].key) &&
            !(parts[i].processes & OF(spec->process)))
            complain_foreign(load, arrivals, &parts[i], spec->process);
    check_needs(load, arrivals, spec->process);
    check_points_alone(load, arrivals);
    if (load->errors > before)
        return;
    if (spec->process == ARRIVALS_DIURNAL && spec->period_ns == 0 &&
        !tree_find(arrivals, "points"))
        spec->period_ns = day_ns;
    load_points(load, arrivals, spec);
    load_spikes(load, arrivals, spec);
    load_states(load, arrivals, spec);
    load_dist(load, arrivals, "think", &draft->think, &spec->think);
}
