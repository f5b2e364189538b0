/* How much memory the process takes, for limits. */
#ifndef SIM_CORE_MEMORY_USE_H
#define SIM_CORE_MEMORY_USE_H

#include <stdint.h>

/* Resident bytes now; 0 where the system does not say. */
uint64_t memory_use_bytes(void);

#endif
