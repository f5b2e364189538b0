/*
 * What a user can do about a cause, as he would type it: overrides for --set.
 * Private to causes.
 *
 * A cure takes a cause away, even where nobody could; a treatment is what an
 * operator has: weights, another policy, better checks. So it need not take all
 * of the symptom away, and for some causes words must do.
 */
#ifndef SIM_ADVICE_TREATMENTS_H
#define SIM_ADVICE_TREATMENTS_H

#include "sim/advice/causes.h"

/* Weights by capacity, and a policy that goes by them. */
void treat_weights(const struct patient *patient, struct cure *ret);
void treat_ignored_weights(const struct patient *patient, struct cure *ret);
void treat_hash(const struct patient *patient, struct cure *ret);
/* Own counts instead of old figures, of a policy that has the choice. */
void treat_old_reports(const struct patient *patient, struct cure *ret);
void treat_slow_start(const struct patient *patient, struct cure *ret);
void treat_moving_weights(const struct patient *patient, struct cure *ret);
void treat_turns(const struct patient *patient, struct cure *ret);
/* Checks every second, and ejection by outcome where checks see nothing. */
void treat_detection(const struct patient *patient, struct cure *ret);
void treat_slow_node(const struct patient *patient, struct cure *ret);
void treat_classifier(const struct patient *patient, struct cure *ret);
void treat_routing(const struct patient *patient, struct cure *ret);

#endif
