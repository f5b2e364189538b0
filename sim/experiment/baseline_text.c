/* A result as the text of a baseline. */
#include "sim/experiment/baseline.h"

#include "sim/experiment/conduct.h"
#include "sim/scenario/identity.h"
#include "sim/scenario/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One line must stay one. */
static void write_text(struct sheet *sheet, const char *text)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;

        sheet_add(sheet, byte < ' ' || byte == 127 ? "?" : text, 1);
    }
}

static void write_word(struct sheet *sheet, const char *keyword,
                       const char *text)
{
    sheet_print(sheet, "%s ", keyword);
    write_text(sheet, text);
    sheet_print(sheet, "\n");
}

static void write_value(struct sheet *sheet, double value)
{
    if (isnan(value))
        sheet_print(sheet, " none");
    else if (isinf(value))
        sheet_print(sheet, " unbounded");
    else
        sheet_print(sheet, " %.9g", value == 0 ? 0.0 : value);
}

/* The latency that makes an answer good matters where such answers count. */
static bool watches_goodput(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->check.tolerance_count; i++)
        switch (scenario->check.tolerances[i].measure) {
        case M_GOODPUT:
        case M_QUALITY_GOODPUT:
        case M_COST_PER_1000_IN_GOAL:
            return true;
        default:
            break;
        }
    return false;
}

/* What stands in the head, or changes no value that is kept. */
static bool is_left_out(const struct scenario *scenario, const char *line)
{
    static const char *const left_out[] = {
        "seed=", "confidence=", "report.node_percentiles="};

    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strncmp(line, left_out[i], strlen(left_out[i])) == 0)
            return true;
    return strncmp(line, "goals.", 6) == 0 && !watches_goodput(scenario);
}

static bool write_settings(struct sheet *sheet, const struct scenario *scenario)
{
    char *text = scenario_run_text(scenario);

    for (char *line = text, *end; line && *line; line = end + 1) {
        end = line + strcspn(line, "\n");
        if (*end == 0)
            break;
        *end = 0;
        if (!is_left_out(scenario, line))
            write_word(sheet, "setting", line);
    }
    free(text);
    return text != NULL;
}

static void write_check(struct sheet *sheet, const struct check_spec *check)
{
    sheet_print(sheet, "false_alarms");
    write_value(sheet, check->false_alarms);
    sheet_print(sheet, "\n");
    for (uint32_t i = 0; i < check->tolerance_count; i++) {
        sheet_print(sheet, "tolerance %s",
                    measures[check->tolerances[i].measure].name);
        write_value(sheet, check->tolerances[i].ratio);
        write_value(sheet, check->tolerances[i].amount);
        sheet_print(sheet, "\n");
    }
}

static void write_measure(struct sheet *sheet, const struct policy_fold *fold,
                          enum measure_id id)
{
    double sum = 0;
    uint32_t present = 0;

    for (uint32_t i = 0; i < fold->replications; i++)
        if (!isnan(fold->values[id][i])) {
            sum += fold->values[id][i];
            present++;
        }
    sheet_print(sheet, "measure %s", measures[id].name);
    write_value(sheet, present > 0 ? sum / present : NAN);
    sheet_print(sheet, " :");
    for (uint32_t i = 0; i < fold->replications; i++)
        write_value(sheet, fold->values[id][i]);
    sheet_print(sheet, "\n");
}

static bool write_policy(struct sheet *sheet, const struct scenario *scenario,
                         const struct experiment_result *result, uint32_t index)
{
    const char *params = scenario_policy_params(scenario, index);

    if (!params)
        return false;
    sheet_print(sheet, "\n");
    write_word(sheet, "policy", scenario->policies[index].label);
    write_word(sheet, "params", params);
    for (uint32_t i = 0; result && i < scenario->check.tolerance_count; i++)
        write_measure(sheet, &result->policies[index].fold,
                      scenario->check.tolerances[i].measure);
    return true;
}

static uint32_t replications_of(const struct scenario *scenario,
                                const struct experiment_result *result)
{
    return result && !result->runs_once ? result->replications
                                        : scenario->replications;
}

bool baseline_is_exact(const struct scenario *scenario,
                       const struct experiment_result *result)
{
    bool drew = false;

    if (result->runs_once || result->replications != 1)
        return result->runs_once;
    for (uint32_t i = 0; i < result->policy_count; i++)
        drew |= result->policies[i].fold.draws > 0;
    return !drew && conduct_inputs_are_fixed(scenario);
}

char *baseline_text(const struct scenario *scenario,
                    const struct experiment_result *result, const char *program)
{
    struct sheet sheet = {0};
    bool fine = true;

    sheet_print(&sheet, "%s\n", BASELINE_SCHEMA);
    sheet_print(&sheet, "# Kept by `lbsim baseline`, looked at by `lbsim "
                        "check`, made anew by `lbsim check --update`.\n");
    write_word(&sheet, "scenario", scenario->name);
    write_word(&sheet, "program", program);
    sheet_print(&sheet, "seed %" PRIu64 "\n", scenario->seed);
    sheet_print(&sheet, "replications %" PRIu32 "%s\n\n",
                replications_of(scenario, result),
                result && baseline_is_exact(scenario, result) ? " once" : "");
    fine = write_settings(&sheet, scenario);
    write_check(&sheet, &scenario->check);
    for (uint32_t i = 0; fine && i < scenario->policy_count; i++)
        fine = write_policy(&sheet, scenario, result, i);
    sheet_print(&sheet, "\n");
    if (!sheet.failed)
        sheet_print(&sheet, "end %016" PRIx64 "\n",
                    baseline_hash(sheet.text, sheet.length));

    char *text = sheet_take(&sheet);
    if (fine)
        return text;
    free(text);
    return NULL;
}
