/* What must be said beside the numbers of a comparison. */
#include "sim/report/compare_report.h"

#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

#include <math.h>
#include <stdlib.h>

static void note_ranking(const struct compare_report *report,
                         struct notes *notes)
{
    const struct compare_result *result = report->result;
    const struct compare_mean *first = &result->means[result->ranking[0]];
    char *best = compare_best_text(result);
    char *order = compare_order_text(result);
    struct line line = {0}, second = {0};

    if (!best || !order)
        notes->out_of_memory = true;
    line_add(&line, "best by %s: %s", measures[result->setup->measures[0]].name,
             best ? best : "");
    notes_add(notes, &line);
    if (result->setup->side_count > 2 && !isnan(first->mean)) {
        line_add(&second,
                 "order: %s ('>' better for certain, '=' too little to matter, "
                 "'~' cannot be told apart)",
                 order ? order : "");
        notes_add(notes, &second);
    }
    free(best);
    free(order);
}

static void note_same(const struct compare_report *report, struct notes *notes)
{
    const struct compare_setup *setup = report->result->setup;

    for (uint32_t i = 0; i < setup->pair_count; i++) {
        struct line line = {0};

        if (!report->result->same[i])
            continue;
        line_add(&line,
                 "same: %s and %s have equal values of all measures in every "
                 "replication",
                 setup->sides[setup->pairs[i].side].label,
                 setup->sides[setup->pairs[i].reference].label);
        notes_add(notes, &line);
    }
}

/* The families that verdicts come in. */
static void note_families(const struct compare_report *report,
                          struct notes *notes)
{
    const struct compare_setup *setup = report->result->setup;
    double percent = 100 * (1 - setup->confidence);
    uint32_t others = (setup->measure_count - 1) * setup->pair_count;
    struct line line = {0};

    line_add(&line, "verdicts: %s",
             setup->unpaired ? "by Welch's intervals of results "
                               "that share no seed"
                             : "paired by seed");
    line_add(&line, "; the chance of even one false call is at most %.9g %% ",
             percent);
    if (setup->pair_count > 1)
        line_add(&line, "among the %u on %s (Holm)", setup->pair_count,
                 measures[setup->measures[0]].name);
    else
        line_add(&line, "for that on %s", measures[setup->measures[0]].name);
    if (others > 1)
        line_add(&line, ", and again among the %u on the other measures",
                 others);
    if (setup->ranks && setup->side_count > 2)
        line_add(&line, ", and in the order");
    line_add(&line, "; differences below %.9g %% do not count",
             100 * setup->min_effect);
    notes_add(notes, &line);
}

static void note_pairing(const struct compare_report *report,
                         struct notes *notes)
{
    const struct compare_result *result = report->result;
    double least = INFINITY, most = 0;
    char a[NUMBER_SIZE], b[NUMBER_SIZE];
    struct line line = {0};

    for (uint32_t i = 0; i < result->setup->pair_count; i++)
        if (!isnan(result->pairing_gains[i])) {
            least = fmin(least, result->pairing_gains[i]);
            most = fmax(most, result->pairing_gains[i]);
        }
    if (most == 0)
        return;
    number_short(a, least);
    number_short(b, most);
    line_add(&line,
             "pairs: without equal seeds the differences of %s would have %s",
             measures[result->setup->measures[0]].name, a);
    if (most > least)
        line_add(&line, " to %s", b);
    line_add(&line, " times the standard deviation");
    notes_add(notes, &line);
}

/* What was stopped was on its way to the next look. */
static void add_look_reached(const struct compare_report *report,
                             struct line *line)
{
    const struct compare_setup *setup = report->result->setup;
    const struct looks *looks = setup->looks;
    uint32_t next = 0;

    while (next + 1 < looks->count && looks->at[next] <= report->replications)
        next++;
    if (report->partial)
        line_add(line, "stopped on the way to look %u, at %u, with %u",
                 next + 1, looks->at[next], report->replications);
    else
        line_add(line, "ended at look %u, at %u", setup->look + 1,
                 report->replications);
}

static void note_looks(const struct compare_report *report, struct notes *notes)
{
    const struct compare_setup *setup = report->result->setup;
    const struct looks *looks = setup->looks;
    struct line line = {0};

    if (!looks)
        return;
    line_add(&line, "looks: at");
    for (uint32_t i = 0; i < looks->count; i++)
        line_add(&line, "%s%u", i ? ", " : " ", looks->at[i]);
    line_add(&line, " replications, each of which may spend %.3g %% of error; ",
             100 * (1 - setup->confidence) / looks->count);
    add_look_reached(report, &line);
    notes_add(notes, &line);
}

static void note_until(const struct compare_report *report, struct notes *notes)
{
    const struct compare_setup *setup = report->result->setup;
    uint32_t open = 0;
    struct line line = {0};

    if (!setup->looks || report->replications == 0)
        return;
    for (uint32_t i = 0; i < setup->pair_count; i++)
        open += !looks_have_told(compare_verdict(report->result, 0, i),
                                 report->until);
    if (open == 0)
        line_add(&line,
                 "until: all verdicts on %s are clear, or their difference is "
                 "known within %.9g %%",
                 measures[setup->measures[0]].name, 100 * report->until);
    else
        line_add(&line,
                 "until: %u of %u verdicts on %s %s not clear, and the "
                 "difference not known within %.9g %%; --max-replications "
                 "would allow more",
                 open, setup->pair_count, measures[setup->measures[0]].name,
                 open == 1 ? "is" : "are", 100 * report->until);
    notes_add(notes, &line);
}

/* What would tell, where there is nothing to tell from. */
static void note_one_replication(const struct compare_report *report,
                                 struct notes *notes)
{
    struct line line = {0};

    if (report->replications != 1 || report->runs_once)
        return;
    line_add(&line, "one replication has no spread to judge by: "
                    "--replications 10 would tell more, --until '1 %%' as much "
                    "as it takes");
    notes_add(notes, &line);
}

bool compare_notes(const struct compare_report *report, struct notes *ret)
{
    *ret = (struct notes){0};
    if (report->replications > 0 && report->result->setup->ranks)
        note_ranking(report, ret);
    if (report->replications > 0)
        note_same(report, ret);
    for (size_t i = 0; report->before && i < report->before->count; i++) {
        struct line line = {0};

        line_add(&line, "%s", report->before->lines[i]);
        notes_add(ret, &line);
    }
    note_one_replication(report, ret);
    note_families(report, ret);
    if (report->replications > 0)
        note_pairing(report, ret);
    note_looks(report, ret);
    note_until(report, ret);
    return !ret->out_of_memory;
}
