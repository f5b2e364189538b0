#include "sim/advice/cures.h"

#include "policies/params.h"
#include "sim/advice/fleet.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cure_say(struct cure *cure, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    cure->failed |= !texts_add_list(&cure->overrides, format, arguments);
    va_end(arguments);
}

void cure_done(struct cure *cure)
{
    texts_done(&cure->overrides);
    cure->failed = false;
}

const struct policy_spec *patient_policy(const struct patient *patient)
{
    return &patient->scenario->policies[0];
}

bool patient_policy_is(const struct patient *patient, const char *names)
{
    const char *name = patient_policy(patient)->name;
    size_t length = strlen(name);

    for (const char *at = names; *at;) {
        size_t here = strcspn(at, " ");

        if (here == length && strncmp(at, name, length) == 0)
            return !patient_policy(patient)->so;
        at += here + strspn(at + here, " ");
    }
    return false;
}

const char *patient_param(const struct patient *patient, const char *name,
                          char text[PARAM_SIZE])
{
    const struct policy_spec *policy = patient_policy(patient);
    const struct lbp_param *param =
        policy->config ? lbp_params_find(policy->ops, name, strlen(name))
                       : NULL;

    text[0] = '\0';
    if (param)
        lbp_params_write(param, policy->config, text, PARAM_SIZE);
    return text;
}

double patient_capacity_per_s(const struct patient *patient, uint32_t group)
{
    return fleet_capacity_per_s(patient->scenario, group,
                                patient->draws->group_needs_s[group]);
}

void cure_weigh(const struct patient *patient, struct cure *cure)
{
    const struct scenario *scenario = patient->scenario;
    double most = 0;

    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].count > 0)
            most = fmax(most, patient_capacity_per_s(patient, i));
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].count > 0)
            cure_say(cure, "nodes[%s].weight=%.0f", scenario->groups[i].name,
                     fmax(1, round(100 * patient_capacity_per_s(patient, i) /
                                   most)));
}
