/*
 * watch.h - what a policy calls of the C library.
 *
 * Time, chance and memory come from the host; a pick takes no lock, makes no
 * system call, writes nothing. The watch puts functions of its own into the
 * policy's table of imports (the global offset table of the object that holds
 * it), which note who was called and then do what was asked. Chance is the
 * exception: the library's generators stand still, so that a policy which uses
 * them fails the check that is about that, and not by accident others.
 *
 * Only for a process of its own: what is changed is not put back. Calls count
 * between watch_enter() and watch_leave(), for a built-in policy shares its
 * imports with the program.
 */
#ifndef SIM_CONFORMANCE_WATCH_H
#define SIM_CONFORMANCE_WATCH_H

#include "policies/lbp.h"

#include <stdbool.h>
#include <stdint.h>

enum watch_kind {
    WATCH_MEMORY,  /* malloc and its relatives */
    WATCH_CHANCE,  /* rand and its relatives */
    WATCH_OUTSIDE, /* clocks, locks, files, sleep */
    WATCH_KINDS
};

/* False: not on this kind of machine. */
bool watch_install(const struct lbp_ops *ops);

/* Calls nest: the policy calls the host, and the host is no policy. */
void watch_enter(void);
void watch_leave(void);

/* Calls of a kind since the last watch_forget(); the first one's name. */
uint64_t watch_count(enum watch_kind kind, const char **ret_name);
void watch_forget(void);

#endif
