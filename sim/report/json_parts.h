/*
 * What writers of JSON share: objects and lists that remember a failed
 * allocation until the end, numbers of nine digits, text that is UTF-8. Inside
 * the reports alone, hence the short names.
 */
#ifndef SIM_REPORT_JSON_PARTS_H
#define SIM_REPORT_JSON_PARTS_H

#include "sim/experiment/verdict.h"
#include "sim/report/charts_data.h"
#include "sim/report/number.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Jansson takes NULL for a value and then yields an error, so a failed
 * allocation anywhere comes out as a non-zero sum of the results at the end.
 */
struct object {
    json_t *json;
    int failed;
};

static inline struct object object_new(void)
{
    struct object object = {json_object(), 0};

    object.failed = !object.json;
    return object;
}

static inline void set(struct object *object, const char *key, json_t *value)
{
    object->failed |= json_object_set_new(object->json, key, value) != 0;
}

/* Hands the finished object over, or NULL when a part of it is missing. */
static inline json_t *object_take(struct object *object)
{
    if (object->failed) {
        json_decref(object->json);
        return NULL;
    }
    return object->json;
}

/* The same of a list. */
struct array {
    json_t *json;
    int failed;
};

static inline struct array array_new(void)
{
    struct array array = {json_array(), 0};

    array.failed = !array.json;
    return array;
}

static inline void add(struct array *array, json_t *value)
{
    array->failed |= json_array_append_new(array->json, value) != 0;
}

static inline json_t *array_take(struct array *array)
{
    if (array->failed) {
        json_decref(array->json);
        return NULL;
    }
    return array->json;
}

static inline bool is_utf8(const char *text)
{
    while (*text)
        if (chart_take_letter(&text) == CHART_NO_LETTER)
            return false;
    return true;
}

/* Text may come from file names: what is not UTF-8 has no place in JSON. */
static inline json_t *text_json(const char *text)
{
    return json_string(is_utf8(text) ? text : "(not UTF-8)");
}

/* "%.9g" without a point where there is none: 5, not 5.0. */
static inline json_t *number_json(double value)
{
    char text[NUMBER_SIZE];

    if (!isfinite(value))
        return json_null();
    number_exact(text, value);
    if (!strpbrk(text, ".e"))
        return json_integer(strtoll(text, NULL, 10));
    return json_real(value);
}

static inline json_t *count_json(uint64_t value)
{
    if (value > INT64_MAX)
        return json_real((double)value);
    return json_integer((json_int_t)value);
}

/* Of a verdict: its difference with the interval, and as a ratio; how many
   pairs there were, which way they went unless they were none, and how many
   replications would tell, where that is known. */
void set_difference(struct object *object, const struct verdict *verdict);
void set_pairs(struct object *object, const struct verdict *verdict);

/* Writes a document with a new line, and releases it. Through a text, so that
   no lack of memory leaves half of it behind. false: no memory. */
bool json_dump_whole(json_t *json, FILE *out);

#endif
