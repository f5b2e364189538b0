/*
 * guard.h - a word when code of others ends the program.
 *
 * A policy from a shared object runs in the program's own process. One that
 * calls exit() would end a run with status 0 and nothing printed, one that
 * dies would leave a bare signal, one that loops for ever no way to end. While
 * the guard stands, each is told, with the way to find out more.
 */
#ifndef SIM_CLI_GUARD_H
#define SIM_CLI_GUARD_H

#include "sim/scenario/scenario.h"

struct guard;

/* Stands from here to guard_lift, if a policy of the scenario is from a shared
   object. NULL: it is not, or there is no memory. */
struct guard *guard_raise(const struct scenario *scenario);

/* Accepts NULL. */
void guard_lift(struct guard *guard);

/* A simulation was told to end so long ago and has not: some code does not come
   back, of others where the guard stands (it may be NULL). Says so and ends the
   program, for a thread cannot be ended from outside. */
_Noreturn void guard_end_program(struct guard *guard, double overdue_s);

#endif
