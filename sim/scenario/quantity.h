/*
 * A quantity of any kind as one number in its base unit, and back to text that
 * a setting of this kind takes: what ranges are computed with.
 */
#ifndef SIM_SCENARIO_QUANTITY_H
#define SIM_SCENARIO_QUANTITY_H

#include "sim/scenario/units.h"

#include <stdbool.h>
#include <stddef.h>

enum quantity_kind {
    QUANTITY_COUNT, /* whole */
    QUANTITY_NUMBER,
    QUANTITY_SHARE,    /* 0.3 for 30 % */
    QUANTITY_RATE,     /* per s */
    QUANTITY_SIZE,     /* bytes, whole */
    QUANTITY_DURATION, /* s */
    QUANTITY_NONE      /* the setting takes no quantity */
};

/*
 * What the setting at a path takes, "workload.arrivals.rate" or
 * "policies[0].ring_hash.replicas"; QUANTITY_NONE for words and blocks. false:
 * there is no such setting, or its kind depends on what it says.
 */
bool quantity_of_path(const char *path, enum quantity_kind *ret);

/* The kind that a text looks like; QUANTITY_NONE: no quantity. */
enum quantity_kind quantity_guess(const char *text, size_t length);

/* As the parsers of units.h. */
bool quantity_parse(enum quantity_kind kind, const char *text, size_t length,
                    double *ret, char *reterr, size_t reterr_size);

/* To nine digits; whole kinds are rounded. */
void quantity_write(enum quantity_kind kind, double value,
                    char text[UNITS_TEXT_SIZE]);

bool quantity_is_whole(enum quantity_kind kind); /* counts */

/* "s", "/s", "B", or "": behind a number in the base unit. */
const char *quantity_unit(enum quantity_kind kind);

/* "a rate such as '12/s'", for messages. */
const char *quantity_words(enum quantity_kind kind);

#endif
