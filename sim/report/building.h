/*
 * JSON objects under construction: one failure spoils an object, and is told
 * at its end.
 */
#ifndef SIM_REPORT_BUILDING_H
#define SIM_REPORT_BUILDING_H

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define BUILDING_DIGITS 9

struct building {
    json_t *object;
    bool failed;
};

static inline struct building building_begin(void)
{
    struct building building = {.object = json_object()};

    building.failed = !building.object;
    return building;
}

/* Takes the value, NULL: no memory. */
static inline void building_put(struct building *building, const char *key,
                                json_t *value)
{
    building->failed |=
        !value || !building->object ||
        json_object_set_new_nocheck(building->object, key, value) != 0;
}

static inline void building_put_text(struct building *building, const char *key,
                                     const char *text)
{
    building_put(building, key, json_string(text));
}

/* null when it is not finite. */
static inline void building_put_number(struct building *building,
                                       const char *key, double value)
{
    building_put(building, key,
                 isfinite(value) ? json_real(value) : json_null());
}

/* The object; NULL: something has failed. */
static inline json_t *building_end(struct building *building)
{
    if (!building->failed)
        return building->object;
    json_decref(building->object);
    return NULL;
}

/* Writes the document and lets it go. false: no memory. */
bool building_write(json_t *document, FILE *out);

/* Appends to a list; both may be NULL. false: no memory. */
bool building_append(json_t *list, json_t *value);

#endif
