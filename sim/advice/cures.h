/* Writing overrides, and reading what a policy was told. Private to causes. */
#ifndef SIM_ADVICE_CURES_H
#define SIM_ADVICE_CURES_H

#include "sim/advice/causes.h"

#define PARAM_SIZE 200

/* The one policy of the patient. */
const struct policy_spec *patient_policy(const struct patient *patient);

/* Whether it is one of the names, blanks between them. */
bool patient_policy_is(const struct patient *patient, const char *names);

/* A parameter of the policy as a user writes it; "" when it has none of that
   name. */
const char *patient_param(const struct patient *patient, const char *name,
                          char text[PARAM_SIZE]);

/* Capacity of a node of the group, in requests per second. */
double patient_capacity_per_s(const struct patient *patient, uint32_t group);

/* Weights in proportion to capacity, whole numbers up to 100. */
void cure_weigh(const struct patient *patient, struct cure *cure);

#endif
