/*
 * Overrides that a callback is given, kept for the test to look at.
 */
#ifndef TESTS_UNIT_SCENARIO_VARIANT_OVERRIDES_H
#define TESTS_UNIT_SCENARIO_VARIANT_OVERRIDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { OVERRIDES_MAX = 20 };

static char *overrides[OVERRIDES_MAX];
static size_t count;

static inline bool keep(void *context, const char *override)
{
    (void)context;
    if (count == OVERRIDES_MAX)
        return false;
    overrides[count] = strdup(override);
    return overrides[count++] != NULL;
}

static inline void forget(void)
{
    while (count > 0)
        free(overrides[--count]);
}

#endif
