#include "sim/report/table_groups.h"

#include "sim/report/grid.h"
#include "sim/report/number.h"

#include <math.h>
#include <string.h>

#define MOST_GROUPS 6u
#define CELL_SIZE 200

static bool add_columns(struct libscols_table *table,
                        const struct scenario *scenario)
{
    bool fine = scols_table_new_column(table, "by group", 0, 0) != NULL;

    for (uint32_t g = 0; fine && g < scenario->group_count; g++) {
        const struct group_spec *group = &scenario->groups[g];
        char title[CELL_SIZE];

        snprintf(title, sizeof title, "%.100s (%u node%s)", group->name,
                 group->count, group->count == 1 ? "" : "s");
        fine = scols_table_new_column(table, title, 0, 0) != NULL;
    }
    return fine;
}

/* "37.5 %, use 84.6 %", and the hits where there is a cache. */
static void cell_text(const struct group_fold *fold, char *text, size_t size)
{
    char share[NUMBER_SIZE];
    char use[NUMBER_SIZE];

    if (isnan(fold->use_ratio)) {
        snprintf(text, size, "-");
        return;
    }
    number_percent(share, fold->share_ratio);
    number_percent(use, fold->use_ratio);
    snprintf(text, size, "%s, use %s", share, use);
    if (!isnan(fold->hit_ratio)) {
        size_t length = strlen(text);
        char hits[NUMBER_SIZE];

        snprintf(text + length, size - length, ", hits %s",
                 number_percent(hits, fold->hit_ratio));
    }
}

static bool add_row(struct libscols_table *table,
                    const struct scenario *scenario,
                    const struct policy_result *policy)
{
    struct libscols_line *line = scols_table_new_line(table, NULL);
    bool fine = line && scols_line_set_data(line, 0, policy->label) == 0;

    for (uint32_t g = 0; fine && g < scenario->group_count; g++) {
        char text[CELL_SIZE];

        cell_text(&policy->groups[g], text, sizeof text);
        fine = scols_line_set_data(line, g + 1, text) == 0;
    }
    return fine;
}

bool table_write_groups(const struct report_input *input, FILE *out)
{
    const struct scenario *scenario = input->scenario;
    struct libscols_table *table;
    bool fine;

    if (scenario->group_count < 2)
        return true;
    if (scenario->group_count > MOST_GROUPS) {
        fprintf(out,
                "\n%u groups: their totals are in groups.csv and in the JSON "
                "form\n",
                scenario->group_count);
        return true;
    }
    table = scols_new_table();
    fine = table && add_columns(table, scenario);
    for (uint32_t i = 0; fine && i < input->result->policy_count; i++)
        fine = add_row(table, scenario, &input->result->policies[i]);
    if (fine) {
        fputs("\n", out);
        fine = grid_write(table, out);
    }
    scols_unref_table(table);
    return fine;
}
