/*
 * child.h - runs a function in a process of its own.
 *
 * What the function may do to its process (crash, abort, loop, exhaust memory)
 * stays there. Parent and child share the memory that child_share() gives.
 */
#ifndef SIM_CORE_CHILD_H
#define SIM_CORE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum child_end {
    CHILD_RETURNED,
    CHILD_DIED, /* of a signal, or by ending the process itself */
    CHILD_TOO_LONG,
    CHILD_NOT_MADE /* no process */
};

/* Zeroed memory that processes made later share. NULL: none. */
void *child_share(size_t size);
void child_unshare(void *memory, size_t size);

/* On anything but CHILD_RETURNED, ret_how of size bytes says how it ended:
   "died of SIGSEGV". */
enum child_end child_run(void (*run)(void *context), void *context,
                         int64_t limit_ns, char *ret_how, size_t size);

#endif
