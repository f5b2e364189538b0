#include "sim/cli/compare_parts.h"

#include "sim/cli/command.h"

#include <errno.h>
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

static bool print(enum compare_format format,
                  const struct compare_report *report)
{
    switch (format) {
    case COMPARE_JSON:
        return compare_write_json(report, stdout);
    case COMPARE_CSV:
        compare_write_csv(report, stdout);
        return true;
    case COMPARE_MARKDOWN:
        return compare_write_markdown(report, stdout);
    case COMPARE_TABLE:
        break;
    }
    return compare_write_table(report, stdout);
}

static bool print_power(enum compare_format format,
                        const struct compare_report *report)
{
    switch (format) {
    case COMPARE_JSON:
        return power_write_json(report, stdout);
    case COMPARE_CSV:
        power_write_csv(report, stdout);
        return true;
    case COMPARE_MARKDOWN:
    case COMPARE_TABLE:
        break;
    }
    return power_write_table(report, format == COMPARE_MARKDOWN, stdout);
}

bool compare_print(const struct compare_options *options,
                   const struct compare_report *report)
{
    bool fine;

    errno = 0;
    fine = options->power ? print_power(options->format, report)
                          : print(options->format, report);
    if (!fine)
        command_complain("out of memory");
    return fine && !command_output_fails();
}
