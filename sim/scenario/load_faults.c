/* The accidents of a scenario: whom they strike, when, and what of their kind
   is said. */
#include "sim/scenario/draft.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FAULTS_MAX = 10000, RANDOM_NODES_MAX = 100000, RAMP_STEPS = 10 };

static struct fault_draft blank_fault(void)
{
    return (struct fault_draft){
        .spec = {.for_ns = INT64_MAX,
                 .restart_after_ns = INT64_MAX,
                 .factor = NAN,
                 .fills_in_ns = INT64_MAX,
                 .leak_per_answer = NAN,
                 .share = NAN,
                 .cold = true},
        .mtbf = DIST_PARAMS_NONE,
        .mttr = DIST_PARAMS_NONE,
    };
}

void load_nothing_of_fault(struct load *load, struct fault_draft *ret)
{
    *ret = blank_fault();
    load_block(load, settings_find("faults[]"), NULL, ret);
}

/* --- which settings go with which kind ------------------------------------ */

#define KIND(kind) (1u << (kind))
#define KINDS_THAT_KILL \
    (KIND(FAULT_CRASH) | KIND(FAULT_HOST_DOWN) | KIND(FAULT_FLAPPING))
#define KINDS_SEEN                                                       \
    (KINDS_THAT_KILL | KIND(FAULT_MEMORY_LEAK) | KIND(FAULT_PARTITION) | \
     KIND(FAULT_HANG))
#define KINDS_BETWEEN \
    (KIND(FAULT_PARTITION) | KIND(FAULT_PROBE_LOSS) | KIND(FAULT_REPORT_LOSS))
#define KINDS_BY_SHARE \
    (KIND(FAULT_FAIL_FAST) | KIND(FAULT_PROBE_LOSS) | KIND(FAULT_REPORT_LOSS))
#define KINDS_THAT_PASS \
    (KIND(FAULT_HANG) | KIND(FAULT_BLACK_HOLE) | KIND(FAULT_FAIL_FAST))
#define KINDS_OF_NODES (~KIND(FAULT_TIER_OUTAGE))

/* Settings that are not here go with every kind. */
static const struct {
    const char *key;
    unsigned kinds;
} limited[] = {
    {"target", KINDS_OF_NODES},
    {"restart_after",
     KIND(FAULT_CRASH) | KIND(FAULT_HOST_DOWN) | KIND(FAULT_MEMORY_LEAK)},
    {"together", KINDS_OF_NODES},
    {"spread", KINDS_OF_NODES},
    {"balancers", KINDS_BETWEEN},
    {"seen_as", KINDS_SEEN},
    {"inside_lost_after", KINDS_SEEN},
    {"factor", KIND(FAULT_SLOW)},
    {"ramp", KIND(FAULT_SLOW)},
    {"ramp_steps", KIND(FAULT_SLOW)},
    {"passes", KINDS_THAT_PASS},
    {"lose", KIND(FAULT_HANG)},
    {"share", KINDS_BY_SHARE},
    {"fills_in", KIND(FAULT_MEMORY_LEAK)},
    {"leak_per_answer", KIND(FAULT_MEMORY_LEAK)},
    {"up_for", KIND(FAULT_FLAPPING)},
    {"down_for", KIND(FAULT_FLAPPING)},
    {"delay", KIND(FAULT_REPORT_DELAY)},
    {"cold", KIND(FAULT_TIER_OUTAGE)},
};

bool load_fault_takes(enum fault_kind kind, const char *key)
{
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++)
        if (strcmp(limited[i].key, key) == 0)
            return (limited[i].kinds & KIND(kind)) != 0;
    return true;
}

/* "slow", or "hang, black_hole, fail_fast". */
static const char *words_of_kinds(struct load *load, unsigned kinds)
{
    const char *words = "";

    for (uint32_t kind = 0; words && kind < FAULT_KIND_COUNT; kind++)
        if (kinds & KIND(kind))
            words = pool_print(load->pool, "%s%s%s", words, *words ? ", " : "",
                               fault_kind_names[kind]);
    return words ? words : "";
}

/* What is said, and means nothing for the kind. */
static bool check_foreign(struct load *load, const struct tree *item,
                          enum fault_kind kind)
{
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++) {
        const struct tree *key = tree_key(item, limited[i].key);

        /* A time that is not looked at is only warned of. */
        if (!key || (limited[i].kinds & KIND(kind)) ||
            strcmp(limited[i].key, "inside_lost_after") == 0)
            continue;
        load_complain(
            load, key,
            kind == FAULT_TIER_OUTAGE ? "the shared tier is no node"
                                      : "leave it out, or choose another kind",
            "'%s' is for kind %s; the kind is %s", limited[i].key,
            words_of_kinds(load, limited[i].kinds), fault_kind_names[kind]);
        return false;
    }
    return true;
}

static bool require(struct load *load, const struct tree *item,
                    enum fault_kind kind, const char *key, const char *example)
{
    if (tree_find(item, key) ||
        load_is_misspelt(settings_find("faults[]"), item, key))
        return true;
    load_complain(load, item->keys[0], example, "kind %s needs '%s'",
                  fault_kind_names[kind], key);
    return false;
}

static bool check_needs(struct load *load, const struct tree *item,
                        enum fault_kind kind)
{
    switch (kind) {
    case FAULT_SLOW:
        return require(load, item, kind, "factor",
                       "such as 'factor: 4': all takes four times as long");
    case FAULT_FLAPPING:
        return require(load, item, kind, "up_for", "such as 'up_for: 10 s'") &&
               require(load, item, kind, "down_for", "such as 'down_for: 5 s'");
    case FAULT_PROBE_LOSS:
    case FAULT_REPORT_LOSS:
        return require(load, item, kind, "share", "such as 'share: 30 %'");
    case FAULT_REPORT_DELAY:
        return require(load, item, kind, "delay", "such as 'delay: 5 s'");
    case FAULT_MEMORY_LEAK:
        return tree_find(item, "leak_per_answer") ||
               require(load, item, kind, "fills_in",
                       "such as 'fills_in: 3 min', or 'leak_per_answer: 0.1 "
                       "%'");
    default:
        return true;
    }
}

/* --- time ----------------------------------------------------------------- */

static bool check_scheduled(struct load *load, const struct tree *item)
{
    if (tree_find(item, "at") ||
        load_is_misspelt(settings_find("faults[]"), item, "at"))
        return true;
    load_complain(load, item->keys[0],
                  "it takes a duration such as '250 ms' or '10 min'; or let "
                  "the fault strike at random, with 'mtbf' and 'mttr'",
                  "'at' is missing in faults[]");
    return false;
}

/* A law that strikes and ends in no time at all would never let time go on. */
static void check_pace(struct load *load, const struct tree *item,
                       const struct fault_spec *spec)
{
    double cycle_s =
        dist_effective_mean(&spec->up) + dist_effective_mean(&spec->down);

    if (load->errors == 0 && cycle_s < 1e-3)
        load_complain(load, tree_key(item, "mtbf"),
                      "such as 'mtbf: {dist: exponential, mean: 10 min}'",
                      "'mtbf' and 'mttr' together come to %.3g s on average; "
                      "1 ms is the least",
                      cycle_s);
}

static void load_random(struct load *load, const struct tree *item,
                        struct fault_draft *fault)
{
    bool mtbf = tree_find(item, "mtbf") != NULL;
    const struct tree *restart = tree_key(item, "restart_after");

    if (!mtbf || !tree_find(item, "mttr")) {
        load_complain(load, tree_key(item, mtbf ? "mtbf" : "mttr"),
                      "how long it goes well, and how long it lasts: 'mtbf: "
                      "{dist: exponential, mean: 10 min}, mttr: {dist: "
                      "exponential, mean: 30 s}'",
                      "'%s' needs '%s' beside it", mtbf ? "mtbf" : "mttr",
                      mtbf ? "mttr" : "mtbf");
        return;
    }
    if (restart && fault->spec.kind != FAULT_MEMORY_LEAK) {
        load_complain(load, restart, "'mttr' says when it is back",
                      "'restart_after' is for faults at a given time; this one "
                      "is random");
        return;
    }
    fault->spec.random = true;
    load_dist(load, item, "mtbf", &fault->mtbf, &fault->spec.up);
    load_dist(load, item, "mttr", &fault->mttr, &fault->spec.down);
    check_pace(load, item, &fault->spec);
}

/* For deaths both words mean the same. */
static void load_length(struct load *load, const struct tree *item,
                        struct fault_spec *spec)
{
    const struct tree *length = tree_key(item, "for");

    if (spec->random || !length ||
        (spec->kind != FAULT_CRASH && spec->kind != FAULT_HOST_DOWN))
        return;
    if (tree_find(item, "restart_after")) {
        load_complain(load, length, "both say when it is back",
                      "give 'for' or 'restart_after', not both");
        return;
    }
    spec->restart_after_ns = spec->for_ns;
    spec->for_ns = INT64_MAX;
}

/* --- one fault ------------------------------------------------------------ */

static void fill_defaults(const struct tree *item, struct fault_spec *spec)
{
    if (!tree_find(item, "seen_as"))
        spec->seen_as = spec->kind == FAULT_HOST_DOWN   ? FAULT_SILENT
                        : spec->kind == FAULT_PARTITION ? FAULT_CONNECT_TIMEOUT
                                                        : FAULT_REFUSED;
    if (!tree_find(item, "passes") && load_fault_takes(spec->kind, "passes"))
        spec->passes =
            spec->kind == FAULT_BLACK_HOLE ? FAULT_PASSES_L1 : FAULT_PASSES_L2;
    if (!tree_find(item, "ramp_steps") && spec->kind == FAULT_SLOW)
        spec->steps = RAMP_STEPS;
    if (!tree_find(item, "share") && spec->kind == FAULT_FAIL_FAST)
        spec->share = 1;
    if (isnan(spec->leak_per_answer) && spec->kind == FAULT_MEMORY_LEAK)
        spec->leak_per_answer = 0;
}

const char *load_fault_default(const struct fault_spec *spec, const char *key)
{
    static const char *const seen_as[] = {"refused", "connect_timeout",
                                          "silent"};
    static const char *const levels[] = {"none", "L1", "L2"};

    if (!load_fault_takes(spec->kind, key))
        return NULL;
    if (strcmp(key, "seen_as") == 0)
        return seen_as[spec->seen_as];
    if (strcmp(key, "passes") == 0)
        return levels[spec->passes];
    if (strcmp(key, "balancers") == 0)
        return "\"*\"";
    if (strcmp(key, "cold") == 0)
        return "true";
    if (strcmp(key, "lose") == 0)
        return "false";
    if (strcmp(key, "share") == 0 && spec->kind == FAULT_FAIL_FAST)
        return "100 %";
    if (strcmp(key, "ramp_steps") == 0 && spec->ramp_ns > 0)
        return "10";
    return NULL;
}

static void check_leak(struct load *load, const struct tree *item)
{
    if (tree_find(item, "fills_in") && tree_find(item, "leak_per_answer"))
        load_complain(load, tree_key(item, "leak_per_answer"),
                      "write two faults where memory leaks both ways",
                      "give 'fills_in' or 'leak_per_answer', not both");
}

static bool has_zones(const struct load *load)
{
    const struct draft *draft = &load->loaded->draft;

    for (uint32_t g = 0; g < draft->scenario.group_count; g++)
        if (draft->groups[g].spec.zone_count > 0)
            return true;
    return false;
}

/* What needs something of the rest of the scenario. */
static void check_rest(struct load *load, const struct tree *item,
                       const struct fault_spec *spec)
{
    const struct scenario *scenario = &load->loaded->draft.scenario;
    uint64_t targets = fault_target_size(&spec->target);

    if (spec->spread > 0 && !has_zones(load))
        load_complain(load, tree_key(item, "spread"), "give groups a 'zone'",
                      "'spread' is within a zone, and no group is in one");
    if (spec->together > targets && targets > 0)
        load_complain(load, tree_find(item, "together"), NULL,
                      "'together' is %u, and the target has %" PRIu64 " node%s",
                      spec->together, targets, targets == 1 ? "" : "s");
    if ((spec->kind == FAULT_REPORT_LOSS || spec->kind == FAULT_REPORT_DELAY) &&
        scenario->balancer.report_interval_ns <= 0)
        load_complain(load, tree_find(item, "kind"),
                      "such as 'balancer.report_interval: 1 s'",
                      "kind %s needs reports that nodes make at an interval",
                      fault_kind_names[spec->kind]);
    if (spec->kind == FAULT_TIER_OUTAGE && !scenario->tier.given)
        load_complain(load, tree_find(item, "kind"), NULL,
                      "there is no 'result_tier' that could be out");
}

static void load_fault(struct load *load, const struct tree *item,
                       struct fault_draft *fault)
{
    uint32_t before = load->errors;

    *fault = blank_fault();
    if (item->kind != TREE_MAP) {
        load_complain(load, item, NULL,
                      "a fault needs a block of settings; got %s",
                      tree_kind_words(item));
        return;
    }
    load_block(load, settings_find("faults[]"), item, fault);
    if (fault->spec.kind != FAULT_TIER_OUTAGE && !tree_find(item, "target"))
        require(load, item, fault->spec.kind, "target",
                "the node, such as \"gpu[2]\"");
    load_fault_target(load, item, fault);
    if (load->errors > before || item->count == 0 ||
        !check_foreign(load, item, fault->spec.kind) ||
        !check_needs(load, item, fault->spec.kind))
        return;
    if (tree_find(item, "mtbf") || tree_find(item, "mttr"))
        load_random(load, item, fault);
    else if (!check_scheduled(load, item))
        return;
    load_length(load, item, &fault->spec);
    load_fault_balancers(load, item, fault);
    fill_defaults(item, &fault->spec);
    check_leak(load, item);
    check_rest(load, item, &fault->spec);
}

/* --- all of them ---------------------------------------------------------- */

/* When a scheduled one ends; INT64_MAX: never. */
static int64_t end_of(const struct fault_spec *fault)
{
    bool dies = fault->kind == FAULT_CRASH || fault->kind == FAULT_HOST_DOWN;

    return fault_end_ns(fault->at_ns,
                        dies ? fault->restart_after_ns : fault->for_ns);
}

/* Of faults that leave to chance whom or when they strike, the run takes care.
 */
static bool is_certain(const struct fault_spec *fault)
{
    return !fault->random && fault->together == 0 && !(fault->spread > 0) &&
           fault_target_is_fixed(&fault->target) &&
           fault_target_is_fixed(&fault->balancers);
}

/* A node that is dead cannot die, and what ails it already cannot befall it:
   which of the two would end it? */
static bool faults_overlap(const struct fault_spec *a,
                           const struct fault_spec *b)
{
    if (a->at_ns >= end_of(b) || b->at_ns >= end_of(a) ||
        (a->kind != b->kind &&
         !(fault_kills(a->kind) && fault_kills(b->kind))) ||
        !is_certain(a) || !is_certain(b))
        return false;
    if (a->kind == FAULT_TIER_OUTAGE)
        return true;
    return fault_targets_meet(&a->target, &b->target) &&
           (!fault_has_balancers(a->kind) ||
            fault_targets_meet(&a->balancers, &b->balancers));
}

static void check_overlaps(struct load *load, const struct tree *list)
{
    const struct fault_draft *faults = load->loaded->draft.faults;

    for (uint32_t i = 1; i < list->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (faults_overlap(&faults[i].spec, &faults[j].spec)) {
                load_complain(
                    load, list->values[i],
                    fault_kills(faults[j].spec.kind)
                        ? "end the first with restart_after, or "
                          "begin the other later"
                        : "end the first with 'for', or begin the "
                          "other later",
                    "fault %u strikes '%s' while fault %u still "
                    "lasts",
                    i + 1, faults[i].target ? faults[i].target : "result_tier",
                    j + 1);
                return;
            }
}

static void check_tier(struct load *load, const struct tree *list)
{
    const struct tier_spec *tier = &load->loaded->draft.scenario.tier;

    for (uint32_t i = 0; i < list->count; i++) {
        const struct fault_spec *fault = &load->loaded->draft.faults[i].spec;

        if (fault->kind != FAULT_TIER_OUTAGE || fault->random)
            continue;
        for (uint32_t o = 0; o < tier->outage_count; o++)
            if (fault->at_ns < tier_outage_end_ns(&tier->outages[o]) &&
                tier->outages[o].at_ns < end_of(fault))
                load_complain(load, list->values[i], "say it in one place",
                              "fault %u strikes the tier while outage %u of "
                              "result_tier lasts",
                              i + 1, o + 1);
    }
}

/* Each has a process, and an event that waits, of its own. */
static void check_processes(struct load *load, const struct tree *list)
{
    uint64_t nodes = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        const struct fault_spec *fault = &load->loaded->draft.faults[i].spec;

        if (fault->random && fault->together == 0)
            nodes += fault_target_size(&fault->target);
    }
    if (nodes > RANDOM_NODES_MAX)
        load_complain(load, list, "'together' strikes many by one process",
                      "random faults strike %" PRIu64 " nodes each at times of "
                      "its own; at most %d are possible",
                      nodes, RANDOM_NODES_MAX);
}

static bool stretches_into(const struct fault_target *target, uint32_t first,
                           uint32_t count)
{
    struct fault_stretch all = {first, count, 1};
    struct fault_pick pick = {.stretch_count = 1};
    struct fault_target group = {&pick, &all, 1};

    return count > 0 && fault_targets_meet(target, &group);
}

/* What nodes must be able to do because of the fault. */
static void prepare_groups(struct load *load, const struct fault_spec *fault)
{
    struct draft *draft = &load->loaded->draft;
    bool stops = fault->kind == FAULT_SLOW || fault->kind == FAULT_HANG;
    bool leaks = fault->kind == FAULT_MEMORY_LEAK;
    uint32_t first = 0;

    for (uint32_t g = 0; (stops || leaks) && g < draft->scenario.group_count;
         g++) {
        struct group_spec *group = &draft->groups[g].spec;

        if (fault->spread > 0 ||
            stretches_into(&fault->target, first, group->count)) {
            group->engine.speed_varies |= stops;
            group->memory_given |= leaks;
        }
        first += group->count;
    }
}

void load_faults(struct load *load, const struct tree *root)
{
    struct draft *draft = &load->loaded->draft;
    const struct tree *list = tree_find(root, "faults");
    struct fault_spec *specs;

    if (!list || load_is_hopeless(load))
        return;
    if (list->kind != TREE_LIST || list->count > FAULTS_MAX) {
        load_complain(load, list, "begin each fault with '- '",
                      "'faults' needs a list of at most %d faults; got %s",
                      FAULTS_MAX, tree_kind_words(list));
        return;
    }
    draft->faults =
        pool_allocate(load->pool, (list->count + 1) * sizeof *draft->faults);
    specs = pool_allocate(load->pool, (list->count + 1) * sizeof *specs);
    if (!draft->faults || !specs)
        return;
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++) {
        load_fault(load, list->values[i], &draft->faults[i]);
        specs[i] = draft->faults[i].spec;
    }
    draft->scenario.fault_count = list->count;
    draft->scenario.faults = specs;
    if (load->errors > 0)
        return;
    check_overlaps(load, list);
    check_tier(load, list);
    check_processes(load, list);
    for (uint32_t i = 0; i < list->count; i++)
        prepare_groups(load, &specs[i]);
    load_publish_groups(load);
}
