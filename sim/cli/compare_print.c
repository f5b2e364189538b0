#include "sim/cli/compare_parts.h"

#include <math.h>
#include <stdio.h>

/* ---- which measures ---- */

static void choose(struct compare_choice *choice, enum measure_id id)
{
    for (uint32_t i = 0; i < choice->count; i++)
        if (choice->ids[i] == id)
            return;
    choice->ids[choice->count++] = id;
}

static bool has_value(const struct compare_side *sides, uint32_t count,
                      enum measure_id id)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; sides[i].values[id] && j < sides[i].count; j++)
            if (!isnan(sides[i].values[id][j]))
                return true;
    return false;
}

/* What most people ask first, where there are such values. */
static void choose_usual(struct compare_choice *choice,
                         const struct compare_side *sides, uint32_t count)
{
    static const enum measure_id usual[] = {
        M_LATENCY_ALL_P50, M_LATENCY_ALL_P99, M_SUCCESS,
        M_RESULT_HIT,      M_TIER_HIT,        M_COST_PER_1000};

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (has_value(sides, count, usual[i]))
            choose(choice, usual[i]);
}

void compare_choose(const struct compare_options *options,
                    enum measure_id objective, const struct goal_spec *goals,
                    uint32_t goal_count, const struct compare_side *sides,
                    uint32_t side_count, struct compare_choice *ret)
{
    ret->count = 0;
    choose(ret, objective);
    for (uint32_t i = 0; i < options->measure_count; i++)
        choose(ret, options->measures[i]);
    for (uint32_t id = 0; options->all_measures && id < MEASURE_COUNT; id++)
        if (has_value(sides, side_count, (enum measure_id)id))
            choose(ret, (enum measure_id)id);
    if (options->all_measures || options->measure_count > 0)
        return;
    for (uint32_t i = 0; i < goal_count; i++)
        choose(ret, goals[i].measure);
    choose_usual(ret, sides, side_count);
}

/* ---- output ---- */

static bool put_table(const void *report, FILE *out)
{
    return compare_write_table(report, out);
}

static bool put_json(const void *report, FILE *out)
{
    return compare_write_json(report, out);
}

static bool put_csv(const void *report, FILE *out)
{
    compare_write_csv(report, out);
    return true;
}

static bool put_markdown(const void *report, FILE *out)
{
    return compare_write_markdown(report, out);
}

static bool put_power_table(const void *report, FILE *out)
{
    return power_write_table(report, false, out);
}

static bool put_power_json(const void *report, FILE *out)
{
    return power_write_json(report, out);
}

static bool put_power_csv(const void *report, FILE *out)
{
    power_write_csv(report, out);
    return true;
}

static bool put_power_markdown(const void *report, FILE *out)
{
    return power_write_table(report, true, out);
}

const struct frame_writer compare_formats[] = {{"table", put_table},
                                               {"json", put_json},
                                               {"csv", put_csv},
                                               {"markdown", put_markdown},
                                               {0}};

const struct frame_writer compare_power_formats[] = {
    {"table", put_power_table},
    {"json", put_power_json},
    {"csv", put_power_csv},
    {"markdown", put_power_markdown},
    {0}};
