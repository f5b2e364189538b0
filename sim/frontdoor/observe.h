/*
 * HAProxy's observe: traffic speaks where only checks did.
 *
 * After src/check.c (__health_adjust): errors of a server in a row are counted,
 * and at error-limit something is done that works on the state of its health
 * checks: "fastinter" only hastens the next check, "fail-check" counts as one
 * failed check, "sudden-death" leaves it one failed check from being down, and
 * "mark-down" takes it down at once. The count starts anew after an action and
 * after every good answer.
 *
 * With layer4 only connections are looked at: one that comes about is good,
 * whatever is answered on it. With layer7 answers are: a failure (5xx but 501
 * and 505), a broken stream and a time-out are errors, a failed connection too,
 * and every other answer is good.
 */
#ifndef SIM_FRONTDOOR_OBSERVE_H
#define SIM_FRONTDOOR_OBSERVE_H

#include "sim/frontdoor/blame.h"

#include <stdbool.h>
#include <stdint.h>

enum observe_layer { OBSERVE_LAYER4, OBSERVE_LAYER7 };

enum observe_action {
    OBSERVE_FASTINTER,
    OBSERVE_FAIL_CHECK,
    OBSERVE_SUDDEN_DEATH,
    OBSERVE_MARK_DOWN
};

/* What a scenario says. Defaults when given: layer4, 10, fail_check, no. */
struct observe_spec {
    bool given;
    uint32_t layer;       /* enum observe_layer */
    uint32_t error_limit; /* 1 or more */
    uint32_t on_error;    /* enum observe_action */
    bool counts_overload; /* a full node errs too, with layer7 */
};

/* An attempt at a node is over. errors: of that node in a row, to start with 0.
   true: the limit is reached, spec->on_error is to be done. */
bool observe_over(const struct observe_spec *spec, uint32_t *errors,
                  enum blame blame);

#endif
