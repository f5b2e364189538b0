#include "sim/report/compare_folders.h"

#include "sim/report/notes_lines.h"
#include "sim/report/whole_file.h"
#include "sim/scenario/difference.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES_SHOWN = 12, PATH_ROOM = 4096 };

/* ---- sides ---- */

static const char *label_of(struct compare_folders *folders,
                            const struct result_values *result,
                            const char *policy)
{
    size_t size = strlen(policy) + strlen(result->folder) + sizeof " in ";
    char *label = arena_allocate(&folders->arena, size, 1);

    if (label)
        snprintf(label, size, "%s in %s", policy, result->folder);
    return label;
}

/* false: no memory. */
static bool add_side(struct compare_folders *folders,
                     const struct result_values *result, const char *policy)
{
    struct compare_side *side = &folders->sides[folders->side_count++];
    uint32_t count = folders->replications;

    *side = (struct compare_side){.label = label_of(folders, result, policy),
                                  .count = count};
    for (uint32_t id = 0; id < MEASURE_COUNT; id++) {
        double *values;

        if (charts_csv_column(&result->table, measures[id].name) ==
            result->table.column_count)
            continue;
        values = arena_allocate(&folders->arena, count, sizeof *values);
        if (!values)
            return false;
        if (result_values_of(result, policy, (enum measure_id)id, values,
                             count))
            side->values[id] = values;
    }
    return side->label != NULL;
}

static bool has_policy(const struct result_values *result, const char *policy)
{
    return charts_names_find(&result->policies, policy, 0) <
           result->policies.count;
}

/* The same policy, whatever its parameters: those are in brackets. */
static bool is_namesake(const char *a, const char *b)
{
    assert(a && b);

    size_t length = strcspn(a, "(");
    return strcspn(b, "(") == length && strncmp(a, b, length) == 0;
}

/*
 * What a policy of one result is compared with in the other: the same one, or
 * else its namesake with other parameters. Where there are several of those,
 * the first goes with the first, the second with the second. NULL: none.
 */
static const char *partner_of(const struct result_values *from,
                              const char *policy,
                              const struct result_values *to)
{
    size_t own = charts_names_find(&from->policies, policy, 0);
    size_t place = 0;

    if (has_policy(to, policy))
        return policy;
    for (size_t i = 0; i < own; i++)
        place += is_namesake(from->policies.at[i], policy) &&
                 !has_policy(to, from->policies.at[i]);
    for (size_t i = 0; i < to->policies.count; i++) {
        const char *other = to->policies.at[i];

        if (is_namesake(other, policy) && !has_policy(from, other) &&
            place-- == 0)
            return other;
    }
    return NULL;
}

static bool in_any_other(const struct compare_folders *folders,
                         const char *policy)
{
    const struct result_values *first = &folders->results[0];

    for (size_t i = 1; i < folders->count; i++)
        if (partner_of(first, policy, &folders->results[i]))
            return true;
    return false;
}

/* The policy of the first folder beside that of the others. */
static bool add_pairs(struct compare_folders *folders, const char *policy)
{
    uint32_t reference = folders->side_count;

    if (!add_side(folders, &folders->results[0], policy))
        return false;
    for (size_t i = 1; i < folders->count; i++) {
        const char *partner =
            partner_of(&folders->results[0], policy, &folders->results[i]);

        if (!partner)
            continue;
        folders->pairs[folders->pair_count++] =
            (struct compare_pair){reference, folders->side_count};
        if (!add_side(folders, &folders->results[i], partner))
            return false;
    }
    return true;
}

/* Each folder holds one policy: these are meant, whatever their names. */
static bool are_single(const struct compare_folders *folders)
{
    for (size_t i = 0; i < folders->count; i++)
        if (folders->results[i].policies.count != 1)
            return false;
    return true;
}

static bool add_single_policies(struct compare_folders *folders)
{
    for (size_t i = 0; i < folders->count; i++) {
        const struct result_values *result = &folders->results[i];

        if (i > 0)
            folders->pairs[folders->pair_count++] =
                (struct compare_pair){0, folders->side_count};
        if (!add_side(folders, result, result->policies.at[0]))
            return false;
    }
    return true;
}

static bool make_sides(struct compare_folders *folders)
{
    size_t most = 0;
    const struct charts_names *first = &folders->results[0].policies;

    for (size_t i = 0; i < folders->count; i++) {
        most += folders->results[i].policies.count;
        if (folders->results[i].most > folders->replications)
            folders->replications = folders->results[i].most;
    }
    folders->sides = calloc(most + 1, sizeof *folders->sides);
    folders->pairs = calloc(most + 1, sizeof *folders->pairs);
    if (!folders->sides || !folders->pairs)
        return false;
    if (are_single(folders))
        return add_single_policies(folders);
    for (size_t i = 0; i < first->count; i++)
        if (in_any_other(folders, first->at[i]) &&
            !add_pairs(folders, first->at[i]))
            return false;
    return true;
}

/* ---- what is to be said ---- */

static void note_folder(const struct result_values *result, struct notes *notes)
{
    struct line line = {0};

    line_add(&line, "result: %s is %s, seed %" PRIu64, result->folder,
             result->scenario, result->seed);
    line_add(&line, ", %zu polic%s, %u replication%s, lbsim %s",
             result->policies.count, result->policies.count == 1 ? "y" : "ies",
             result->most, result->most == 1 ? "" : "s", result->version);
    if (result->partial[0])
        line_add(&line, "; partial: %s", result->partial);
    notes_add(notes, &line);
}

/* The objective decides, so another one in another folder is said. */
static void note_rules(const struct result_values *first,
                       const struct result_values *other, struct notes *notes)
{
    struct line line = {0};

    if (first->objective == other->objective &&
        !(first->confidence < other->confidence) &&
        !(first->confidence > other->confidence) &&
        !(first->min_effect < other->min_effect) &&
        !(first->min_effect > other->min_effect))
        return;
    line_add(&line,
             "judged: by objective, confidence and min_effect of %s; those of "
             "%s are others",
             first->folder, other->folder);
    notes_add(notes, &line);
}

/* Whether a change says nothing about how it was simulated. */
static bool is_idle(const char *path)
{
    static const char *const idle[] = {"name",       "replications",
                                       "seed",       "objective",
                                       "confidence", "min_effect"};

    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (strcmp(path, idle[i]) == 0)
            return true;
    return strncmp(path, "policies", 8) == 0; /* the pairs tell */
}

static void note_difference(const struct difference *difference,
                            const struct result_values *first,
                            const struct result_values *other,
                            struct notes *notes)
{
    struct line line = {0};

    line_add(&line, "differs: %s is %s in %s, %s in %s", difference->path,
             difference->one ? difference->one : "not set", first->folder,
             difference->other ? difference->other : "not set", other->folder);
    notes_add(notes, &line);
}

static void note_differences(const struct differences *list,
                             const struct result_values *first,
                             const struct result_values *other,
                             struct notes *notes)
{
    size_t told = 0;
    struct line line = {0};

    for (size_t i = 0; i < list->count; i++) {
        if (is_idle(list->items[i].path))
            continue;
        if (told++ < CHANGES_SHOWN)
            note_difference(&list->items[i], first, other, notes);
    }
    if (told <= CHANGES_SHOWN)
        return;
    line_add(&line, "differs: %zu more settings, of %s and %s",
             told - CHANGES_SHOWN, first->folder, other->folder);
    notes_add(notes, &line);
}

/* The effective scenario of a result folder; NULL: none that can be read. */
static char *read_scenario(const char *folder)
{
    char path[PATH_ROOM];
    size_t length;

    snprintf(path, sizeof path, "%s/scenario.yaml", folder);
    return whole_file_read(path, SIZE_MAX, &length);
}

static bool note_scenarios(const struct result_values *first,
                           const struct result_values *other,
                           struct notes *notes)
{
    char *one = read_scenario(first->folder);
    char *another = read_scenario(other->folder);
    struct differences list = {0};
    bool fine = true;

    if (one && another) {
        fine = differences_find(one, another, &list);
        if (fine)
            note_differences(&list, first, other, notes);
        differences_done(&list);
    }
    free(one);
    free(another);
    return fine;
}

/* Policies whose parameters are what is compared. */
static void note_changed_policies(const struct compare_folders *folders,
                                  const struct result_values *other,
                                  struct notes *notes)
{
    const struct result_values *first = &folders->results[0];

    for (size_t i = 0; !are_single(folders) && i < first->policies.count; i++) {
        const char *policy = first->policies.at[i];
        const char *partner = partner_of(first, policy, other);
        struct line line = {0};

        if (!partner || partner == policy)
            continue;
        line_add(&line, "changed: %s in %s -> %s in %s", policy, first->folder,
                 partner, other->folder);
        notes_add(notes, &line);
    }
}

/* Policies that only one side has. */
static void note_left_out(const struct compare_folders *folders,
                          struct notes *notes)
{
    struct line line = {0};
    uint32_t count = 0;

    if (are_single(folders))
        return;
    for (size_t i = 0; i < folders->count; i++) {
        const struct result_values *result = &folders->results[i];

        for (size_t j = 0; j < result->policies.count; j++) {
            const char *policy = result->policies.at[j];
            bool used = i == 0 ? in_any_other(folders, policy)
                               : partner_of(result, policy,
                                            &folders->results[0]) != NULL;

            if (!used)
                line_add(&line, "%s%s in %s",
                         count++ ? ", "
                                 : "left out, as nothing is compared "
                                   "with them: ",
                         policy, result->folder);
        }
    }
    if (count == 0)
        return;
    line_add(&line, "; results of one policy each ('lbsim run FILE --policy "
                    "NAME --output DIR') are compared whatever its name");
    notes_add(notes, &line);
}

static void note_seeds(const struct compare_folders *folders,
                       struct notes *notes)
{
    struct line line = {0};

    if (!folders->unpaired)
        return;
    line_add(&line,
             "seeds: they differ, so replications are no pairs, and intervals "
             "are wider than those of one seed would be");
    notes_add(notes, &line);
}

static bool make_notes(struct compare_folders *folders)
{
    const struct result_values *first = &folders->results[0];
    bool fine = true;

    for (size_t i = 0; i < folders->count; i++)
        note_folder(&folders->results[i], &folders->notes);
    for (size_t i = 1; fine && i < folders->count; i++) {
        note_rules(first, &folders->results[i], &folders->notes);
        note_changed_policies(folders, &folders->results[i], &folders->notes);
        fine = note_scenarios(first, &folders->results[i], &folders->notes);
    }
    note_seeds(folders, &folders->notes);
    note_left_out(folders, &folders->notes);
    return fine && !folders->notes.out_of_memory;
}

/* ---- all of it ---- */

static enum result_values_status no_memory(char *reterr, size_t size)
{
    snprintf(reterr, size, "out of memory");
    return RESULT_VALUES_NO_MEMORY;
}

enum result_values_status compare_folders_load(const char *const *folders,
                                               size_t count,
                                               struct compare_folders *ret,
                                               char *reterr, size_t size)
{
    *ret = (struct compare_folders){.results =
                                        calloc(count, sizeof *ret->results)};
    if (!ret->results)
        return no_memory(reterr, size);
    for (size_t i = 0; i < count; i++) {
        enum result_values_status status = result_values_load(
            folders[i], &ret->results[ret->count++], reterr, size);

        if (status != RESULT_VALUES_OK)
            return status;
        ret->unpaired =
            ret->unpaired || ret->results[i].seed != ret->results[0].seed;
    }
    if (!make_sides(ret) || !make_notes(ret))
        return no_memory(reterr, size);
    if (ret->pair_count > 0)
        return RESULT_VALUES_OK;
    snprintf(reterr, size,
             "no policy of '%s' is in %s: there is nothing to compare; results "
             "of one policy each ('lbsim run FILE --policy NAME --output DIR') "
             "are compared whatever its name",
             folders[0], count == 2 ? "the other folder" : "another folder");
    return RESULT_VALUES_BAD;
}

void compare_folders_done(struct compare_folders *folders)
{
    for (size_t i = 0; folders->results && i < folders->count; i++)
        result_values_done(&folders->results[i]);
    free(folders->results);
    free(folders->sides);
    free(folders->pairs);
    notes_done(&folders->notes);
    arena_done(&folders->arena);
    *folders = (struct compare_folders){0};
}
