/*
 * Small scenarios for tests: a text that loads, and words to change in it.
 */
#ifndef TESTS_SCENARIO_TEXT_H
#define TESTS_SCENARIO_TEXT_H

#include "sim/scenario/loader.h"

#include "tests/check.h"

#include <stdlib.h>

static const char plain_text[] =
    "lbsim: 1\n"
    "duration: 10 min\n"
    "workload:\n"
    "  arrivals: {process: poisson, rate: 12/s}\n"
    "  work: {dist: exponential, mean: 250 ms}\n"
    "nodes:\n"
    "  - {group: gpu, count: 4, engine: {slots: 2}}\n"
    "policies: [round_robin]\n";

/* What was complained about in the last load. */
static struct diag last_diag;

static inline struct scenario *
load_with(const char *text, const char *const *overrides, size_t count)
{
    diag_done(&last_diag);
    return scenario_parse("test.yaml", text, strlen(text), overrides, count,
                          &last_diag);
}

/* The plain text with one part replaced, loaded. */
static inline struct scenario *load_changed(const char *part,
                                            const char *replacement)
{
    const char *at = strstr(plain_text, part);
    char text[4000];

    if (!at)
        return NULL;
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - plain_text), plain_text,
             replacement, at + strlen(part));
    return load_with(text, NULL, 0);
}

/* The plain text with lines added, loaded. */
static inline struct scenario *load_more(const char *lines)
{
    char text[4000];

    snprintf(text, sizeof text, "%s%s", plain_text, lines);
    return load_with(text, NULL, 0);
}

/* Whether the last load said this, among other things. */
static inline bool complained(const char *text)
{
    bool found = last_diag.text && strstr(last_diag.text, text);

    if (!found)
        printf("<<%s>> was not said, but\n%s", text,
               last_diag.text ? last_diag.text : "nothing\n");
    return found;
}

/* Shows complaints where a scenario should have loaded. */
static inline struct scenario *loaded(struct scenario *scenario)
{
    CHECK_TEXT(last_diag.text ? last_diag.text : "", "");
    return scenario;
}

static inline void forget_diag(void)
{
    diag_done(&last_diag);
}

static inline char *read_text(const char *path, size_t *ret_length)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 400000);

    *ret_length = file && text ? fread(text, 1, 399999, file) : 0;
    if (file)
        fclose(file);
    return text;
}

#endif
