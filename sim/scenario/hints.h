/*
 * What a newcomer may have meant: words of the proxies and orchestrators that
 * he comes from, and one value where a block of settings stands here.
 */
#ifndef SIM_SCENARIO_HINTS_H
#define SIM_SCENARIO_HINTS_H

#include "sim/scenario/settings.h"

#include <stdbool.h>
#include <stddef.h>

/* A key that another program has for what has a name of its own in this block:
   a hint in out. false: nobody's word, out is untouched. */
bool hints_foreign_word(const struct setting *block, const char *key,
                        size_t length, char *out, size_t size);

/* A block was given a single value, such as '5/s' of 'arrivals': how to write
   it, "such as 'arrivals: {rate: 5/s}'". false: it fits nowhere in the block.
 */
bool hints_bare_value(const struct setting *block, const char *text,
                      size_t length, char *out, size_t size);

#endif
