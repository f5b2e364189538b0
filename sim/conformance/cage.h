/*
 * cage.h - a process that can reach nothing outside itself.
 *
 * Once the cage is closed, any system call but those of memory ends the
 * process, and which one it was is known. It cannot be opened again: for a
 * process that says in shared memory all it has to say.
 */
#ifndef SIM_CONFORMANCE_CAGE_H
#define SIM_CONFORMANCE_CAGE_H

#include <stdbool.h>

/* ret_call, in memory that is shared, gets the number of the call that ended
   the process. False: this system has no such cage, and nothing has changed. */
bool cage_close(long *ret_call);

/* The name of a system call that a policy might make; NULL: not in the list. */
const char *cage_call_name(long call);

/* Ends a process in a closed cage: the one call that is left to it. */
_Noreturn void cage_end(void);

#endif
