/*
 * The machine's clocks. What they say is of the machine and never of the
 * scenario: for speed, limits and progress, which no result may depend on.
 */
#ifndef SIM_CORE_CLOCK_H
#define SIM_CORE_CLOCK_H

#include <stdint.h>

/* Nanoseconds since some moment; never goes back. */
int64_t clock_now_ns(void);

/* Processor time used so far, in seconds: by all threads, by this one. */
double clock_process_cpu_s(void);
double clock_thread_cpu_s(void);

#endif
