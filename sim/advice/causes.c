#include "sim/advice/causes.h"

#include "policies/lbp.h"
#include "sim/advice/cures.h"
#include "sim/advice/fleet.h"
#include "sim/advice/treatments.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const cause_family_names[FAMILY_COUNT] = {
    "policy setting", "failed detection", "unequal nodes not weighted",
    "misclassified requests"};

#define UNLIKE 1.2 /* ratios below are taken for equal */
#define BLIND_TO_WEIGHTS "round_robin random two_choices"
#define BY_WEIGHTS "smooth_weighted least_conn ring_hash least_time"

/* ---- weights ---- */

static struct fleet fleet_of(const struct patient *patient)
{
    struct fleet fleet;

    fleet_look(patient->scenario, patient->draws, &fleet);
    return fleet;
}

static bool ignores_weights(const struct patient *patient)
{
    char text[PARAM_SIZE];

    return strcmp(patient_param(patient, "ignore_weights", text), "true") == 0;
}

static bool not_weighted(const struct patient *patient, char *evidence)
{
    struct fleet fleet = fleet_of(patient);
    bool blind = patient_policy_is(patient, BLIND_TO_WEIGHTS);

    snprintf(evidence, EVIDENCE_SIZE,
             "a node of the strongest group serves %.3g times as much as one "
             "of the weakest, and %s",
             fleet.capacities,
             blind ? "the policy does not go by weights"
                   : "all have the same weight");
    return fleet.capacities >= UNLIKE &&
           (blind ||
            (fleet.weights <= 1 && patient_policy_is(patient, BY_WEIGHTS)));
}

static void weigh(const struct patient *patient, struct cure *cure)
{
    cure_weigh(patient, cure);
    if (patient_policy_is(patient, "round_robin random"))
        cure_say(cure, "policies[0]=smooth_weighted");
    if (patient_policy_is(patient, "two_choices"))
        cure_say(cure, "policies[0]=least_conn");
}

static bool weights_contradict(const struct patient *patient, char *evidence)
{
    struct fleet fleet = fleet_of(patient);

    snprintf(evidence, EVIDENCE_SIZE,
             "weights are up to %.3g : 1, capacities up to %.3g : 1, and "
             "weight per capacity differs %.3g times",
             fleet.weights, fleet.capacities, fleet.misfit);
    return fleet.weights > 1 && fleet.misfit >= UNLIKE &&
           patient_policy_is(patient, BY_WEIGHTS) && !ignores_weights(patient);
}

static bool weights_ignored(const struct patient *patient, char *evidence)
{
    struct fleet fleet = fleet_of(patient);

    snprintf(evidence, EVIDENCE_SIZE,
             "ignore_weights is set, weights are up to %.3g : 1",
             fleet.weights);
    return fleet.weights > 1 && ignores_weights(patient);
}

static void mind_weights(const struct patient *patient, struct cure *cure)
{
    cure_say(cure, "policies[0].%s.ignore_weights=false",
             patient_policy(patient)->name);
}

/* ---- other settings of the policy and of what it goes by ---- */

static bool hash_unbounded(const struct patient *patient, char *evidence)
{
    char text[PARAM_SIZE];
    struct draws_keys keys;

    if (!patient_policy_is(patient, "ring_hash") ||
        strcmp(patient_param(patient, "bounded_load", text), "off") != 0 ||
        !draws_keys(patient->draws, patient->scenario, &keys) || !keys.keyed)
        return false;
    snprintf(evidence, EVIDENCE_SIZE,
             "bounded_load is off; the commonest key has %.3g %% of requests, "
             "%.3g times the share of a node",
             100 * keys.heaviest, keys.heaviest * patient->watch->node_count);
    return true;
}

static void bound_hash(const struct patient *patient, struct cure *cure)
{
    (void)patient;
    cure_say(cure, "policies[0].ring_hash.bounded_load=1.25");
}

static bool goes_by_reports(const struct patient *patient)
{
    const struct policy_spec *policy = patient_policy(patient);
    uint32_t needs = policy->ops->needs;

    if (policy->ops->also_needs)
        needs |= policy->ops->also_needs(policy->config);
    return needs & LBP_NEEDS_REPORTS;
}

static bool reports_old(const struct patient *patient, char *evidence)
{
    const struct balancer_spec *front = &patient->scenario->balancer;
    struct workload_means means;
    double age_s =
        1e-9 * (double)(front->report_interval_ns + front->report_delay_ns);

    workload_spec_means(&patient->scenario->workload,
                        patient->scenario->duration_ns, &means);
    snprintf(evidence, EVIDENCE_SIZE,
             "the policy goes by reports that are up to %.3g s old; meanwhile "
             "%.3g requests a node arrive",
             age_s, age_s * means.rate_per_s / patient->watch->node_count);
    return age_s > 0 && front->report_interval_ns >= 0 &&
           goes_by_reports(patient);
}

static void report_at_once(const struct patient *patient, struct cure *cure)
{
    cure_say(cure, "balancer.report_interval=0 s");
    if (patient->scenario->balancer.report_delay_ns > 0)
        cure_say(cure, "balancer.report_delay=0 s");
    if (patient->scenario->balancer.report_loss > 0)
        cure_say(cure, "balancer.report_loss=0");
}

static bool starts_slowly(const struct patient *patient, char *evidence)
{
    const struct slow_start_spec *spec =
        &patient->scenario->balancer.slow_start;

    snprintf(evidence, EVIDENCE_SIZE,
             "nodes that come back get their share over %.3g s",
             1e-9 * (double)spec->window_ns);
    return spec->given;
}

static void start_at_once(const struct patient *patient, struct cure *cure)
{
    (void)patient;
    cure_say(cure, "balancer.slow_start=off");
}

static bool weights_move(const struct patient *patient, char *evidence)
{
    snprintf(evidence, EVIDENCE_SIZE, "weights were changed %.3g times a run",
             watch_mean(patient->watch, M_WEIGHT_CHANGES));
    return patient->scenario->balancer.dynamic_weights.given;
}

static void keep_weights(const struct patient *patient, struct cure *cure)
{
    (void)patient;
    cure_say(cure, "balancer.dynamic_weights=off");
}

static bool one_turn(const struct patient *patient, char *evidence)
{
    char text[PARAM_SIZE];

    snprintf(evidence, EVIDENCE_SIZE,
             "per_subset is off, and classes may go to different nodes");
    return patient->scenario->routing.given &&
           patient_policy_is(patient, "round_robin") &&
           strcmp(patient_param(patient, "per_subset", text), "off") == 0;
}

static void own_turns(const struct patient *patient, struct cure *cure)
{
    (void)patient;
    cure_say(cure, "policies[0].round_robin.per_subset=on");
}

/* ---- detection ---- */

/* Kinds after which a node does no work that is sent there. */
static bool stops_work(const struct fault_spec *fault)
{
    return fault_kills(fault->kind) || fault->kind == FAULT_HANG ||
           fault->kind == FAULT_BLACK_HOLE || fault->kind == FAULT_FAIL_FAST ||
           fault->kind == FAULT_PARTITION;
}

static double or_zero(double value)
{
    return isnan(value) ? 0 : value;
}

static bool found_late(const struct patient *patient, char *evidence)
{
    const struct watch *watch = patient->watch;
    double lost = or_zero(watch_mean(watch, M_LOST_IN_WINDOW)) +
                  or_zero(watch_mean(watch, M_SWALLOWED)) +
                  or_zero(watch_mean(watch, M_ERRORS_5XX));
    double detection_s = watch_mean(watch, M_DETECTION);
    char after[60] = "never found";
    uint32_t faults = 0;

    for (uint32_t i = 0; i < patient->scenario->fault_count; i++)
        faults += stops_work(&patient->scenario->faults[i]);
    if (!isnan(detection_s))
        snprintf(after, sizeof after, "found after %.3g s", detection_s);
    snprintf(evidence, EVIDENCE_SIZE,
             "nodes that do no work are %s; meanwhile %.0f attempts a run were "
             "lost there",
             after, lost);
    return faults > 0;
}

/* Checks that see every fault of that kind, and take little time. */
static void find_at_once(const struct patient *patient, struct cure *cure)
{
    const struct scenario *scenario = patient->scenario;
    int64_t timeout_ms = 50 + 4 * (scenario->balancer.network_delay_ns /
                                   1000000); /* there and back, and more */

    for (uint32_t i = 0; i < scenario->fault_count; i++) {
        enum fault_kind kind = scenario->faults[i].kind;

        if (kind == FAULT_HANG || kind == FAULT_BLACK_HOLE ||
            kind == FAULT_FAIL_FAST)
            cure_say(cure, "faults[%u].passes=none", i);
    }
    cure_say(cure,
             "balancer.health={interval: %" PRId64 " ms, timeout: %" PRId64
             " ms, unhealthy_after: 1, healthy_after: 1}",
             2 * timeout_ms, timeout_ms);
}

static bool slow_unseen(const struct patient *patient, char *evidence)
{
    double factor = 1;

    for (uint32_t i = 0; i < patient->scenario->fault_count; i++)
        if (patient->scenario->faults[i].kind == FAULT_SLOW)
            factor = fmax(factor, patient->scenario->faults[i].factor);
    snprintf(evidence, EVIDENCE_SIZE,
             "a node takes %.3g times as long as it is believed to", factor);
    return factor > 1;
}

static void be_as_believed(const struct patient *patient, struct cure *cure)
{
    for (uint32_t i = 0; i < patient->scenario->fault_count; i++)
        if (patient->scenario->faults[i].kind == FAULT_SLOW)
            cure_say(cure, "faults[%u].factor=1", i);
}

static bool ejected_wrongly(const struct patient *patient, char *evidence)
{
    double times = watch_mean(patient->watch, M_FALSE_EJECTIONS);
    double ejected = watch_mean(patient->watch, M_EJECTED);
    const struct balancer_spec *front = &patient->scenario->balancer;

    snprintf(evidence, EVIDENCE_SIZE,
             "nodes that were well were held unhealthy %.3g times a run; "
             "traffic kept nodes out for %.3g %% of their time",
             or_zero(times), 100 * or_zero(ejected));
    return (front->health.given || balancer_spec_ejects(front)) && times > 0;
}

static void trust_all(const struct patient *patient, struct cure *cure)
{
    const struct balancer_spec *front = &patient->scenario->balancer;

    if (front->generation.given)
        cure_say(cure, "balancer.generation=off");
    if (front->observe.given)
        cure_say(cure, "balancer.observe=off");
    if (front->panic.given)
        cure_say(cure, "balancer.panic=off");
    if (front->health.given)
        cure_say(cure, "balancer.health=off");
    if (front->outlier.given)
        cure_say(cure, "balancer.outlier=off");
    if (front->max_fails.given)
        cure_say(cure, "balancer.max_fails=off");
    if (front->breaker.given)
        cure_say(cure, "balancer.breaker=off");
}

/* ---- classes ---- */

static bool misclassified(const struct patient *patient, char *evidence)
{
    const struct classifier_spec *spec = &patient->scenario->classifier;

    snprintf(evidence, EVIDENCE_SIZE,
             "the classifier is right for %.4g %% of requests: %.0f a run were "
             "taken for another class, %.0f attempts came to a node without "
             "their model",
             100 * spec->accuracy,
             or_zero(watch_mean(patient->watch, M_MISCLASSIFIED)),
             or_zero(watch_mean(patient->watch, M_MISROUTED)));
    return spec->given && spec->accuracy < 1 &&
           patient_policy(patient)->routing == POLICY_ROUTING_TABLE;
}

static void classify(const struct patient *patient, struct cure *cure)
{
    (void)patient;
    cure_say(cure, "classifier.accuracy=100 %%");
}

static bool not_routed(const struct patient *patient, char *evidence)
{
    snprintf(evidence, EVIDENCE_SIZE,
             "the policy does not use the routing table: each class goes to "
             "all nodes; %.0f attempts a run came to a node without their "
             "model",
             or_zero(watch_mean(patient->watch, M_MISROUTED)));
    return patient->scenario->routing.given &&
           patient_policy(patient)->routing == POLICY_ROUTING_OFF;
}

static void route(const struct patient *patient, struct cure *cure)
{
    (void)patient;
    cure_say(cure, "policies[0].routing=table");
}

/* ---- the table ---- */

#define ANY UINT32_MAX
/* What a dead node swallows is not the doing of shares. */
#define OF_SHARES (~(1u << SYMPTOM_SWALLOWS))
/* Reports that are never old would show a dead node too, as no real ones do. */
#define OF_USE (1u << SYMPTOM_HOT | 1u << SYMPTOM_IDLE | 1u << SYMPTOM_SURGES)

const struct cause causes_table[CAUSE_COUNT] = {
    {"weights_contradict_speeds", FAMILY_SETTING, OF_SHARES,
     "weights that do not follow what nodes can do",
     "set weights in proportion to capacity", weights_contradict, cure_weigh,
     treat_weights},
    {"weights_ignored", FAMILY_SETTING, OF_SHARES,
     "a policy that is told to ignore the weights", "drop ignore_weights",
     weights_ignored, mind_weights, treat_ignored_weights},
    {"hash_without_bound", FAMILY_SETTING, OF_SHARES,
     "a hash that gives a node whatever its keys bring",
     "set bounded_load: 1.25", hash_unbounded, bound_hash, treat_hash},
    {"old_reports", FAMILY_SETTING, OF_USE,
     "reports that are old when they are used",
     "report more often, count what was sent since (local_inflight), or choose "
     "by own counts",
     reports_old, report_at_once, treat_old_reports},
    {"slow_start", FAMILY_SETTING, OF_SHARES,
     "a start that is slower than it needs to be", "shorten slow_start",
     starts_slowly, start_at_once, treat_slow_start},
    {"moving_weights", FAMILY_SETTING, OF_SHARES,
     "weights that move by themselves",
     "slow dynamic_weights down, or set weights", weights_move, keep_weights,
     treat_moving_weights},
    {"one_turn_for_all", FAMILY_SETTING, OF_SHARES,
     "one rotation for sets of nodes that differ", "set per_subset: on",
     one_turn, own_turns, treat_turns},
    {"found_late", FAMILY_DETECTION, ANY,
     "nodes that do no work and are still sent some",
     "check more often or more deeply, or eject by outcome (outlier)",
     found_late, find_at_once, treat_detection},
    {"slow_unseen", FAMILY_DETECTION, ANY,
     "a node that is slower than it is believed to be",
     "eject by latency (outlier), or count requests in flight", slow_unseen,
     be_as_believed, treat_slow_node},
    {"ejected_though_well", FAMILY_DETECTION, ANY,
     "nodes that are left out although they are well",
     "be slower to doubt: more failures, longer time-outs", ejected_wrongly,
     trust_all, NULL},
    {"not_weighted", FAMILY_UNEQUAL, OF_SHARES,
     "nodes that differ and are treated alike",
     "set weights in proportion to capacity, and a policy that goes by them",
     not_weighted, weigh, treat_weights},
    {"misclassified", FAMILY_CLASSES, ANY, "requests taken for another class",
     "a better classifier, or a table that forgives", misclassified, classify,
     treat_classifier},
    {"not_routed", FAMILY_CLASSES, ANY,
     "requests that go where they do not belong", "use the routing table",
     not_routed, route, treat_routing},
};
