#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "sim/advice/treatments.h"

#include "sim/advice/cures.h"
#include "sim/scenario/loader.h"
#include "sim/scenario/policy_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTLIERS                     \
    "{always_eject_one_host: true, " \
    "successful_active_health_check_uneject_host: false"

/* ---- the policy ---- */

/* The patient's policy with these changes; beside NULL: with what stands beside
   its name. NULL: no memory. */
static char *entry_text(const struct patient *patient,
                        const struct policy_entry_change *changes,
                        const char *beside)
{
    char *text = NULL, *own = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!beside)
        beside = own = scenario_policy_beside(patient->scenario, 0);
    if (out && beside)
        policy_entry_write(patient_policy(patient), changes, beside, out);
    free(own);
    if (out && fclose(out) == 0 && beside)
        return text;
    free(text);
    return NULL;
}

static void say_entry(const struct patient *patient,
                      const struct policy_entry_change *changes,
                      const char *beside, struct cure *ret)
{
    char *text = entry_text(patient, changes, beside);

    ret->failed |= !text;
    if (text)
        cure_say(ret, "policies=[%s]", text);
    free(text);
}

/* The policy as it is, alone. */
static void say_same(const struct patient *patient, struct cure *ret)
{
    say_entry(patient, NULL, NULL, ret);
}

static void say_changed(const struct patient *patient, const char *param,
                        const char *value, struct cure *ret)
{
    say_entry(patient,
              (struct policy_entry_change[]){{param, value}, {NULL, NULL}},
              NULL, ret);
}

/* ---- weights ---- */

void treat_weights(const struct patient *patient, struct cure *ret)
{
    cure_weigh(patient, ret);
    if (patient_policy_is(patient, "round_robin random"))
        cure_say(ret, "policies=[smooth_weighted]");
    else if (patient_policy_is(patient, "two_choices"))
        cure_say(ret, "policies=[least_conn]");
    else
        say_same(patient, ret);
}

void treat_ignored_weights(const struct patient *patient, struct cure *ret)
{
    say_changed(patient, "ignore_weights", "false", ret);
}

/* ---- other settings ---- */

void treat_hash(const struct patient *patient, struct cure *ret)
{
    say_changed(patient, "bounded_load", "1.25", ret);
}

void treat_old_reports(const struct patient *patient, struct cure *ret)
{
    static const struct policy_entry_change own_counts[] = {
        {"local_inflight", "true"}, {"queue_norm", "false"}, {NULL, NULL}};

    if (patient_policy_is(patient, "resource_score"))
        say_entry(patient, own_counts, NULL, ret);
}

void treat_slow_start(const struct patient *patient, struct cure *ret)
{
    cure_say(ret, "balancer.slow_start=off");
    say_same(patient, ret);
}

void treat_moving_weights(const struct patient *patient, struct cure *ret)
{
    cure_say(ret, "balancer.dynamic_weights=off");
    say_same(patient, ret);
}

void treat_turns(const struct patient *patient, struct cure *ret)
{
    say_changed(patient, "per_subset", "true", ret);
}

/* ---- detection ---- */

/* Whether checks find nothing wrong, however often they look. */
static bool hides(const struct fault_spec *fault)
{
    return (fault->kind == FAULT_HANG || fault->kind == FAULT_BLACK_HOLE ||
            fault->kind == FAULT_FAIL_FAST) &&
           fault->passes == FAULT_PASSES_L2;
}

void treat_detection(const struct patient *patient, struct cure *ret)
{
    const struct health_spec *health = &patient->scenario->balancer.health;
    uint32_t hidden = 0;

    for (uint32_t i = 0; i < patient->scenario->fault_count; i++)
        hidden += hides(&patient->scenario->faults[i]);
    if (!health->given)
        cure_say(ret, "balancer.health={interval: 1 s, timeout: 500 ms, "
                      "unhealthy_after: 2}");
    else if (hidden < patient->scenario->fault_count)
        cure_say(ret,
                 "balancer.health={probe: %s, interval: 1 s, timeout: "
                 "500 ms, unhealthy_after: 2}",
                 health->probe == PROBE_GENERATION ? "generation" : "http");
    if (hidden > 0)
        cure_say(ret, "balancer.outlier=" OUTLIERS "}");
    say_same(patient, ret);
}

void treat_slow_node(const struct patient *patient, struct cure *ret)
{
    if (!patient_policy_is(patient, "least_conn")) {
        cure_say(ret, "policies=[least_conn]");
        return;
    }
    cure_say(ret, "balancer.outlier=" OUTLIERS ", latency: {}}");
    say_same(patient, ret);
}

/* ---- classes ---- */

void treat_classifier(const struct patient *patient, struct cure *ret)
{
    cure_say(ret, "classifier.accuracy=100 %%");
    say_same(patient, ret);
}

void treat_routing(const struct patient *patient, struct cure *ret)
{
    say_entry(patient, NULL, "", ret);
}
