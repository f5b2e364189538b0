/*
 * A check as JSON, schema lbsim.check/1, and as a Code Quality report of GitLab
 * (docs.gitlab.com, "Code Quality": description, check_name, fingerprint,
 * severity, location). What has no value is null.
 */
#include "sim/report/check_parts.h"

#include "sim/report/building.h"
#include "sim/report/charts_data.h"
#include "sim/report/check_words.h"
#include "sim/report/number.h"
#include "sim/report/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Labels may hold what is not UTF-8, and JSON may not. */
static json_t *text_json(const char *text)
{
    for (const char *at = text; *at;)
        if (chart_take_letter(&at) == CHART_NO_LETTER)
            return json_string("(not UTF-8)");
    return json_string(text);
}

static json_t *number_json(double value)
{
    char text[NUMBER_SIZE];

    if (!isfinite(value))
        return json_null();
    number_exact(text, value);
    if (!strpbrk(text, ".e"))
        return json_integer(strtoll(text, NULL, 10));
    return json_real(value);
}

static json_t *count_json(uint64_t value)
{
    return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

static json_t *hash_json(uint64_t hash)
{
    char text[17];

    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_string(text);
}

/* ---- lbsim.check/1 ---- */

static void set_finding(struct building *object,
                        const struct regression *finding)
{
    building_put(object, "baseline", number_json(finding->old_value));
    building_put(object, "now", number_json(finding->new_value));
    building_put(object, "change", number_json(finding->change));
    building_put(object, "change_lo", number_json(finding->lo));
    building_put(object, "change_hi", number_json(finding->hi));
    building_put(object, "change_ratio", number_json(finding->change_ratio));
    building_put(object, "allowed", number_json(finding->allowed));
    building_put(object, "p", number_json(finding->p));
    building_put(object, "pairs", count_json(finding->pairs));
    building_put(object, "worse_pairs", count_json(finding->worse_pairs));
    building_put(object, "better_pairs", count_json(finding->better_pairs));
    building_put(object, "baseline_unbounded",
                 count_json(finding->old_unbounded));
    building_put(object, "now_unbounded", count_json(finding->new_unbounded));
    building_put(object, "replications_needed",
                 finding->pairs_needed > 0 ? count_json(finding->pairs_needed)
                                           : json_null());
}

static json_t *row_json(const struct check_row *row)
{
    struct building object = building_begin();
    const struct regression *finding = &row->finding;
    bool judged = row->state == CHECK_JUDGED;
    char words[CHECK_WORDS_SIZE];

    check_verdict_words(row, words);
    building_put(&object, "policy", text_json(row->policy));
    building_put(&object, "measure", text_json(row->measure));
    building_put(&object, "verdict",
                 json_string(check_verdict_names[row->verdict]));
    building_put(&object, "kind", json_string(check_kind_word(row)));
    building_put(&object, "reason",
                 judged && finding->reason != REGRESSION_CLEAR
                     ? json_string(regression_reason_names[finding->reason])
                     : json_null());
    if (check_row_has_values(row))
        set_finding(&object, finding);
    building_put(&object, "weak", json_boolean(row->weak));
    building_put(&object, "unstable", json_boolean(row->unstable));
    building_put(&object, "baseline_line",
                 row->line > 0 ? count_json(row->line) : json_null());
    building_put(&object, "words", text_json(words));
    return building_end(&object);
}

static json_t *rows_json(const struct check_result *check)
{
    json_t *rows = json_array();
    bool failed = !rows;

    for (size_t i = 0; i < check->row_count; i++)
        failed |= !building_append(rows, row_json(&check->rows[i]));
    if (!failed)
        return rows;
    json_decref(rows);
    return NULL;
}

static json_t *counts_json(const struct check_result *check)
{
    struct building object = building_begin();

    for (int i = 0; i < REGRESSION_KIND_COUNT; i++)
        building_put(&object, regression_kind_names[i],
                     count_json(check->kinds[i]));
    building_put(&object, "missing", count_json(check->missing));
    return building_end(&object);
}

static json_t *notes_json(const struct check_report *report)
{
    json_t *notes = json_array();
    bool failed = !notes;
    char text[CHECK_WORDS_SIZE];

    for (unsigned i = 0; check_note_words(report, i, text); i++)
        failed |= !building_append(notes, json_string(text));
    if (!failed)
        return notes;
    json_decref(notes);
    return NULL;
}

static json_t *scenario_json(const struct scenario *scenario)
{
    struct building object = building_begin();

    building_put(&object, "name", text_json(scenario->name));
    building_put(&object, "hash", hash_json(scenario->hash));
    return building_end(&object);
}

static json_t *baseline_json(const struct baseline *baseline)
{
    struct building object = building_begin();

    building_put(&object, "path", text_json(baseline->path));
    building_put(&object, "program", text_json(baseline->program));
    building_put(&object, "results_hash", hash_json(baseline->results_hash));
    return building_end(&object);
}

bool check_write_json(const struct check_report *report, FILE *out)
{
    const struct scenario *scenario = report->scenario;
    struct building object = building_begin();
    char words[CHECK_WORDS_SIZE];

    check_summary_words(report, words);
    building_put(&object, "schema", json_string(CHECK_SCHEMA));
    building_put(&object, "scenario", scenario_json(scenario));
    building_put(&object, "seed", count_json(scenario->seed));
    building_put(&object, "replications",
                 count_json(report->then->replications));
    building_put(&object, "program", json_string(LBSIM_VERSION));
    building_put(&object, "baseline", baseline_json(report->then));
    building_put(&object, "results_hash",
                 report->now ? hash_json(report->now->results_hash)
                             : json_null());
    building_put(
        &object, "verdict",
        json_string(report->error
                        ? "not_finished"
                        : check_verdict_names[report->check->verdict]));
    building_put(&object, "identical",
                 json_boolean(!report->error && report->check->identical));
    building_put(&object, "error",
                 report->error ? text_json(report->error) : json_null());
    building_put(&object, "false_alarms",
                 number_json(scenario->check.false_alarms));
    building_put(&object, "confidence", number_json(scenario->confidence));
    building_put(&object, "counts", counts_json(report->check));
    building_put(&object, "words", text_json(words));
    building_put(&object, "notes", notes_json(report));
    building_put(&object, "rows", rows_json(report->check));
    return building_write(building_end(&object), out);
}

/* ---- GitLab ---- */

static json_t *location_json(const char *path, uint64_t line)
{
    struct building object = building_begin(), lines = building_begin();

    building_put(&lines, "begin", count_json(line > 0 ? line : 1));
    building_put(&object, "path", text_json(path));
    building_put(&object, "lines", building_end(&lines));
    return building_end(&object);
}

/* The same finding has the same fingerprint in the next pipeline. */
static json_t *issue_json(const struct check_report *report, const char *name,
                          const char *words, const char *key, uint64_t line,
                          const char *severity)
{
    struct building object = building_begin();

    building_put(&object, "description", text_json(words));
    building_put(&object, "check_name", json_string(name));
    building_put(&object, "fingerprint",
                 hash_json(baseline_hash(key, strlen(key))));
    building_put(&object, "severity", json_string(severity));
    building_put(&object, "location", location_json(report->then->path, line));
    return building_end(&object);
}

static json_t *row_issue_json(const struct check_report *report,
                              const struct check_row *row)
{
    char words[CHECK_WORDS_SIZE], key[CHECK_WORDS_SIZE];

    check_row_words(row, words);
    snprintf(key, sizeof key, "%.100s %.140s %.60s", report->scenario->name,
             row->policy, row->measure);
    return issue_json(report, check_verdict_names[row->verdict], words, key,
                      row->line,
                      check_row_fails(report, row) ? "major" : "info");
}

bool check_write_gitlab(const struct check_report *report, FILE *out)
{
    json_t *issues = json_array();
    bool failed = !issues;

    if (report->error) {
        char words[CHECK_WORDS_SIZE];

        check_summary_words(report, words);
        failed |= !building_append(
            issues, issue_json(report, "not_finished", words,
                               report->scenario->name, 1, "critical"));
    }
    for (unsigned gravity = CHECK_GRAVITIES - 1; gravity > 1; gravity--)
        for (size_t i = 0; i < report->check->row_count; i++)
            if (check_row_gravity(&report->check->rows[i]) == gravity)
                failed |= !building_append(
                    issues, row_issue_json(report, &report->check->rows[i]));
    if (!failed)
        return building_write(issues, out);
    json_decref(issues);
    return false;
}
