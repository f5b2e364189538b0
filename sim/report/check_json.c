/*
 * A check as JSON, schema lbsim.check/1, and as a Code Quality report of GitLab
 * (docs.gitlab.com, "Code Quality": description, check_name, fingerprint,
 * severity, location). What has no value is null.
 */
#include "sim/report/check_parts.h"

#include "sim/report/check_words.h"
#include "sim/report/json_parts.h"
#include "sim/report/report.h"

#include <inttypes.h>
#include <string.h>

static json_t *hash_json(uint64_t hash)
{
    char text[17];

    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return text_json(text);
}

/* ---- lbsim.check/1 ---- */

static void set_finding(struct object *object, const struct regression *finding)
{
    set(object, "baseline", number_json(finding->old_value));
    set(object, "now", number_json(finding->new_value));
    set(object, "change", number_json(finding->change));
    set(object, "change_lo", number_json(finding->lo));
    set(object, "change_hi", number_json(finding->hi));
    set(object, "change_ratio", number_json(finding->change_ratio));
    set(object, "allowed", number_json(finding->allowed));
    set(object, "p", number_json(finding->p));
    set(object, "pairs", count_json(finding->pairs));
    set(object, "worse_pairs", count_json(finding->worse_pairs));
    set(object, "better_pairs", count_json(finding->better_pairs));
    set(object, "baseline_unbounded", count_json(finding->old_unbounded));
    set(object, "now_unbounded", count_json(finding->new_unbounded));
    set(object, "replications_needed",
        finding->pairs_needed > 0 ? count_json(finding->pairs_needed)
                                  : json_null());
}

static json_t *row_json(const struct check_row *row)
{
    struct object object = object_new();
    const struct regression *finding = &row->finding;
    bool judged = row->state == CHECK_JUDGED;
    char words[CHECK_WORDS_SIZE];

    check_verdict_words(row, words);
    set(&object, "policy", text_json(row->policy));
    set(&object, "measure", text_json(row->measure));
    set(&object, "verdict", text_json(check_verdict_names[row->verdict]));
    set(&object, "kind", text_json(check_kind_word(row)));
    set(&object, "reason",
        judged && finding->reason != REGRESSION_CLEAR
            ? text_json(regression_reason_names[finding->reason])
            : json_null());
    if (check_row_has_values(row))
        set_finding(&object, finding);
    set(&object, "weak", json_boolean(row->weak));
    set(&object, "unstable", json_boolean(row->unstable));
    set(&object, "baseline_line",
        row->line > 0 ? count_json(row->line) : json_null());
    set(&object, "words", text_json(words));
    return object_take(&object);
}

static json_t *rows_json(const struct check_result *check)
{
    struct array rows = array_new();

    for (size_t i = 0; i < check->row_count; i++)
        add(&rows, row_json(&check->rows[i]));
    return array_take(&rows);
}

static json_t *counts_json(const struct check_result *check)
{
    struct object object = object_new();

    for (int i = 0; i < REGRESSION_KIND_COUNT; i++)
        set(&object, regression_kind_names[i], count_json(check->kinds[i]));
    set(&object, "missing", count_json(check->missing));
    return object_take(&object);
}

static json_t *notes_json(const struct check_report *report)
{
    struct array notes = array_new();
    char text[CHECK_WORDS_SIZE];

    for (unsigned i = 0; check_note_words(report, i, text); i++)
        add(&notes, text_json(text));
    return array_take(&notes);
}

static json_t *scenario_json(const struct scenario *scenario)
{
    struct object object = object_new();

    set(&object, "name", text_json(scenario->name));
    set(&object, "hash", hash_json(scenario->hash));
    return object_take(&object);
}

static json_t *baseline_json(const struct baseline *baseline)
{
    struct object object = object_new();

    set(&object, "path", text_json(baseline->path));
    set(&object, "program", text_json(baseline->program));
    set(&object, "results_hash", hash_json(baseline->results_hash));
    return object_take(&object);
}

bool check_write_json(const struct check_report *report, FILE *out)
{
    const struct scenario *scenario = report->scenario;
    struct object object = object_new();
    char words[CHECK_WORDS_SIZE];

    check_summary_words(report, words);
    set(&object, "schema", text_json(CHECK_SCHEMA));
    set(&object, "scenario", scenario_json(scenario));
    set(&object, "seed", count_json(scenario->seed));
    set(&object, "replications", count_json(report->then->replications));
    set(&object, "program", text_json(LBSIM_VERSION));
    set(&object, "baseline", baseline_json(report->then));
    set(&object, "results_hash",
        report->now ? hash_json(report->now->results_hash) : json_null());
    set(&object, "verdict",
        text_json(report->error ? "not_finished"
                                : check_verdict_names[report->check->verdict]));
    set(&object, "identical",
        json_boolean(!report->error && report->check->identical));
    set(&object, "error",
        report->error ? text_json(report->error) : json_null());
    set(&object, "false_alarms", number_json(scenario->check.false_alarms));
    set(&object, "confidence", number_json(scenario->confidence));
    set(&object, "counts", counts_json(report->check));
    set(&object, "words", text_json(words));
    set(&object, "notes", notes_json(report));
    set(&object, "rows", rows_json(report->check));
    return json_dump_whole(object_take(&object), out);
}

/* ---- GitLab ---- */

static json_t *location_json(const char *path, uint64_t line)
{
    struct object object = object_new(), lines = object_new();

    set(&lines, "begin", count_json(line > 0 ? line : 1));
    set(&object, "path", text_json(path));
    set(&object, "lines", object_take(&lines));
    return object_take(&object);
}

/* The same finding has the same fingerprint in the next pipeline. */
static json_t *issue_json(const struct check_report *report, const char *name,
                          const char *words, const char *key, uint64_t line,
                          const char *severity)
{
    struct object object = object_new();

    set(&object, "description", text_json(words));
    set(&object, "check_name", text_json(name));
    set(&object, "fingerprint", hash_json(baseline_hash(key, strlen(key))));
    set(&object, "severity", text_json(severity));
    set(&object, "location", location_json(report->then->path, line));
    return object_take(&object);
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
    struct array issues = array_new();

    if (report->error) {
        char words[CHECK_WORDS_SIZE];

        check_summary_words(report, words);
        add(&issues, issue_json(report, "not_finished", words,
                                report->scenario->name, 1, "critical"));
    }
    for (unsigned gravity = CHECK_GRAVITIES - 1; gravity > 1; gravity--)
        for (size_t i = 0; i < report->check->row_count; i++)
            if (check_row_gravity(&report->check->rows[i]) == gravity)
                add(&issues, row_issue_json(report, &report->check->rows[i]));
    return json_dump_whole(array_take(&issues), out);
}
