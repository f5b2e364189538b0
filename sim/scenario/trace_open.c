/* Finds and opens the trace of a scenario, and the tables for its prompts. */
#include "sim/scenario/draft.h"
#include "sim/scenario/loader.h"
#include "sim/scenario/sheet.h"
#include "sim/scenario/units.h"

#include <stdlib.h>
#include <string.h>

static const struct tree *trace_setting(const struct loaded *loaded,
                                        const char *key)
{
    const struct tree *workload = tree_find(loaded->root, "workload");

    return tree_find(tree_find(workload, "trace"), key);
}

static const char *find_file(struct loaded *loaded, struct diag *diag)
{
    return load_data_file(loaded, trace_setting(loaded, "file"), "the trace",
                          diag);
}

/* Finds a table of workload.normalise, if it is named. */
static bool find_table(struct loaded *loaded, const char *key, const char *what,
                       const char **path, struct diag *diag)
{
    const struct tree *workload = tree_find(loaded->root, "workload");
    const struct tree *at = tree_find(tree_find(workload, "normalise"), key);

    if (!at)
        return true;
    *path = load_data_file(loaded, at, what, diag);
    return *path != NULL;
}

/* The trace's own normaliser, unless other keys replace the trace's. */
static bool open_normaliser(struct loaded *loaded, struct diag *diag)
{
    struct scenario *scenario = &loaded->draft.scenario;
    struct normalise_spec *spec = &scenario->normalise;

    if (!scenario->has_normalise ||
        scenario->workload.keys.spec.kind != KEYS_NONE)
        return true;
    if (!find_table(loaded, "synonyms", "the table of synonyms",
                    &spec->synonyms, diag) ||
        !find_table(loaded, "translation", "the table of translations",
                    &spec->translation, diag))
        return false;
    loaded->normaliser = normaliser_open(spec, diag);
    scenario->trace.normaliser = loaded->normaliser;
    return loaded->normaliser != NULL;
}

/* Where to complain about blocks: what was said, else the trace's file. */
static struct diag_place blocks_place(const struct loaded *loaded)
{
    const struct tree *said = trace_setting(loaded, "resample");

    return tree_place(said ? said : trace_setting(loaded, "file"));
}

static bool blocks_fit(const struct loaded *loaded, struct diag *diag)
{
    const struct scenario *scenario = &loaded->draft.scenario;
    struct diag_place place = blocks_place(loaded);
    char block[UNITS_TEXT_SIZE];

    if (scenario->workload.resample != TRACE_RESAMPLE_BLOCKS ||
        scenario->replications == 1 ||
        trace_books(loaded->trace)->whole_blocks >= 2)
        return true;
    units_write_duration(scenario->trace.block_ns, block);
    diag_add(diag, DIAG_ERROR, &place,
             "choose shorter blocks, or 'resample: none'",
             "the trace, %.9g s as played, has less than two whole blocks of "
             "%s to draw from",
             (double)trace_books(loaded->trace)->span_ns / 1e9, block);
    return false;
}

/* Takes the duration from the trace, or checks that the trace covers it. */
static bool durations_fit(struct loaded *loaded, struct diag *diag)
{
    struct scenario *scenario = &loaded->draft.scenario;
    int64_t span_ns = trace_books(loaded->trace)->span_ns;
    const struct tree *said = tree_find(loaded->root, "duration");
    struct diag_place place;

    if (!said) {
        scenario->duration_ns = span_ns;
        return true;
    }
    if (scenario->duration_ns <= span_ns)
        return true;
    place = tree_place(said);
    diag_add(diag, DIAG_ERROR, &place, "leave it out to play the whole trace",
             "'duration' goes beyond the trace, which lasts %.9g s as played",
             (double)span_ns / 1e9);
    return false;
}

/* Whether what stands under a key of the workload is the same text. */
static bool says_the_same(const struct loaded *a, const struct loaded *b,
                          const char *key)
{
    struct sheet left = {0}, right = {0};
    const struct tree *of_a = tree_find(tree_find(a->root, "workload"), key);
    const struct tree *of_b = tree_find(tree_find(b->root, "workload"), key);
    char *text_a, *text_b;
    bool same;

    if (!of_a || !of_b)
        return of_a == of_b;
    sheet_flow(&left, of_a);
    sheet_flow(&right, of_b);
    text_a = sheet_take(&left);
    text_b = sheet_take(&right);
    same = text_a && text_b && strcmp(text_a, text_b) == 0;
    free(text_a);
    free(text_b);
    return same;
}

static bool same_words(const struct trace_words *a, const struct trace_words *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (strcmp(a->items[i], b->items[i]) != 0)
            return false;
    return true;
}

/* Takes the open trace of another scenario that would read the same rows. */
static bool borrow_trace(struct loaded *loaded, const struct scenario *lender)
{
    struct scenario *scenario = &loaded->draft.scenario;
    const struct loaded *other = lender ? lender->owned : NULL;

    if (!other || !other->trace || strcmp(other->folder, loaded->folder) != 0 ||
        scenario->trace.block_ns != lender->trace.block_ns ||
        scenario->workload.keys.spec.kind != lender->workload.keys.spec.kind ||
        !says_the_same(loaded, other, "trace") ||
        !says_the_same(loaded, other, "normalise") ||
        !same_words(&scenario->trace.classes, &lender->trace.classes) ||
        !same_words(&scenario->trace.models, &lender->trace.models))
        return false;
    if (!data_files_borrow(loaded, other))
        return false; /* then it is read */
    scenario->trace = lender->trace;
    loaded->trace = other->trace;
    loaded->trace_is_lent = true;
    return true;
}

static bool read_trace(struct loaded *loaded, const struct scenario *lender,
                       struct diag *diag)
{
    struct scenario *scenario = &loaded->draft.scenario;

    load_trace_words(loaded, true, &scenario->trace);
    if (borrow_trace(loaded, lender))
        return true;
    scenario->trace.path = find_file(loaded, diag);
    if (!scenario->trace.path || !open_normaliser(loaded, diag))
        return false;
    loaded->trace = trace_open(&scenario->trace, diag);
    return loaded->trace != NULL;
}

static bool open_main_trace(struct loaded *loaded,
                            const struct scenario *lender, struct diag *diag)
{
    struct scenario *scenario = &loaded->draft.scenario;
    bool fine;

    if (!scenario->has_trace || loaded->trace)
        return true;
    if (!read_trace(loaded, lender, diag))
        return false;
    scenario->workload.trace = loaded->trace;
    load_trace_models(loaded, loaded->trace);
    fine = load_trace_shares(loaded, diag);
    fine = durations_fit(loaded, diag) && fine;
    fine = blocks_fit(loaded, diag) && fine;
    return fine && load_times(loaded, diag);
}

bool scenario_open_trace(struct scenario *scenario, struct diag *diag)
{
    return scenario_open_trace_like(scenario, NULL, diag);
}

bool scenario_open_trace_like(struct scenario *scenario,
                              const struct scenario *lender, struct diag *diag)
{
    struct loaded *loaded = scenario->owned;

    return open_main_trace(loaded, lender, diag) &&
           load_overlay_traces(loaded, diag);
}
