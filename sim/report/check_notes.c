/* What is to be known beside a verdict. */
#include "sim/report/check_words.h"
#include "sim/report/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_watched(const struct scenario *scenario, const char *measure)
{
    for (uint32_t i = 0; i < scenario->check.tolerance_count; i++)
        if (strcmp(measures[scenario->check.tolerances[i].measure].name,
                   measure) == 0)
            return true;
    return false;
}

/* Names of the baseline that are passed over, each once; how many. */
static uint32_t list_unwatched(const struct check_report *report, char *text,
                               size_t size)
{
    uint32_t count = 0;
    size_t used = 0;

    text[0] = 0;
    if (!report->then || report->then->policy_count == 0)
        return 0;
    for (uint32_t i = 0; i < report->then->policies[0].measure_count; i++) {
        const char *name = report->then->policies[0].measures[i].name;

        if (is_watched(report->scenario, name))
            continue;
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%.60s",
                                     count > 0 ? ", " : "", name);
        count++;
    }
    return count;
}

bool check_watches_all(const struct check_report *report)
{
    char names[CHECK_WORDS_SIZE];

    return list_unwatched(report, names, sizeof names) == 0;
}

/* "5 %", "5 % or 0.005 s", "0.5 points". */
static void allowance_words(enum measure_id measure, double ratio,
                            double amount, char *text, size_t size)
{
    enum measure_unit unit = measures[measure].unit;
    bool both = ratio > 0 && amount > 0;
    char share[40] = "", most[40] = "";

    if (ratio > 0 || amount == 0)
        snprintf(share, sizeof share, "%g %%", 100 * ratio);
    if (amount > 0)
        snprintf(most, sizeof most, "%g%s",
                 unit == UNIT_RATIO ? 100 * amount : amount,
                 unit == UNIT_RATIO ? " points" : words_unit(unit));
    snprintf(text, size, "%s%s%s", share, both ? " or " : "", most);
}

static const struct baseline_tolerance *
tolerance_then(const struct baseline *then, const char *measure)
{
    for (uint32_t i = 0; i < then->tolerance_count; i++)
        if (strcmp(then->tolerances[i].name, measure) == 0)
            return &then->tolerances[i];
    return NULL;
}

/* The baseline has nine digits. */
static bool about_same(double a, double b)
{
    return fabs(a - b) <= 1e-8 * (fabs(a) + fabs(b));
}

static bool note_tolerances(const struct check_report *report,
                            char text[CHECK_WORDS_SIZE])
{
    const struct check_spec *spec = &report->scenario->check;
    size_t used = 0;

    for (uint32_t i = 0; !report->error && i < spec->tolerance_count; i++) {
        const struct tolerance_spec *now = &spec->tolerances[i];
        const char *name = measures[now->measure].name;
        const struct baseline_tolerance *then =
            tolerance_then(report->then, name);
        char was[80], is[80];

        if (!then ||
            (about_same(then->ratio, now->ratio) &&
             about_same(then->amount, now->amount)) ||
            used >= CHECK_WORDS_SIZE)
            continue;
        allowance_words(now->measure, then->ratio, then->amount, was,
                        sizeof was);
        allowance_words(now->measure, now->ratio, now->amount, is, sizeof is);
        used += (size_t)snprintf(
            text + used, CHECK_WORDS_SIZE - used, "%s%s was %s, and is now %s",
            used > 0 ? "; " : "tolerances: ", name, was, is);
    }
    return used > 0;
}

static bool note_false_alarms(const struct check_report *report,
                              char text[CHECK_WORDS_SIZE])
{
    double was = report->then->false_alarms;
    double is = report->scenario->check.false_alarms;

    snprintf(text, CHECK_WORDS_SIZE,
             "'check.false_alarms' was %g %%, and is now %g %%", 100 * was,
             100 * is);
    return !report->error && was > 0 && !about_same(was, is);
}

static bool any_row(const struct check_result *check,
                    bool (*is)(const struct check_row *row))
{
    for (size_t i = 0; i < check->row_count; i++)
        if (is(&check->rows[i]))
            return true;
    return false;
}

static bool is_unstable(const struct check_row *row)
{
    return row->unstable;
}

static bool is_weak(const struct check_row *row)
{
    return row->weak;
}

static bool note_few(const struct check_report *report,
                     char text[CHECK_WORDS_SIZE])
{
    uint32_t fewest = report->check->fewest_replications;

    if (report->check->identical || report->check->verdict == CHECK_REMADE ||
        !report->then || report->then->runs >= fewest)
        return false;
    snprintf(text, CHECK_WORDS_SIZE,
             "so few replications cannot raise an alarm about all "
             "measures at once at %g %% of false alarms: that takes %" PRIu32
             ", and %" PRIu32 " make it likely (check.replications)",
             100 * report->scenario->check.false_alarms, fewest, fewest + 5);
    return true;
}

static bool note_unwatched(const struct check_report *report,
                           char text[CHECK_WORDS_SIZE])
{
    char names[CHECK_WORDS_SIZE - 80];

    if (report->error || list_unwatched(report, names, sizeof names) == 0)
        return false;
    snprintf(text, CHECK_WORDS_SIZE,
             "in the baseline, and not watched any more: %s", names);
    return true;
}

/* What policies were, where their parameters have changed. */
static bool note_params(const struct check_report *report,
                        char text[CHECK_WORDS_SIZE])
{
    size_t used = 0;

    for (uint32_t i = 0; report->now && i < report->now->policy_count; i++) {
        const struct baseline_policy *now = &report->now->policies[i];
        const struct baseline_policy *then =
            baseline_pair(report->now, now, report->then);

        if (then && strcmp(then->params, now->params) != 0 &&
            used < CHECK_WORDS_SIZE)
            used += (size_t)snprintf(
                text + used, CHECK_WORDS_SIZE - used,
                "%spolicy '%.100s' was '%.150s', and is now '%.150s'",
                used > 0 ? "; " : "", now->label, then->params, now->params);
    }
    return used > 0;
}

static bool note_left_out(const struct check_report *report,
                          char text[CHECK_WORDS_SIZE])
{
    size_t used = 0;

    if (!report->now || !report->check->some_policies)
        return false;
    for (uint32_t i = 0; i < report->then->policy_count; i++) {
        const struct baseline_policy *then = &report->then->policies[i];

        if (!baseline_pair(report->then, then, report->now) &&
            used < CHECK_WORDS_SIZE)
            used += (size_t)snprintf(
                text + used, CHECK_WORDS_SIZE - used, "%s%.100s",
                used > 0 ? ", " : "left out by --policy: ", then->label);
    }
    return used > 0;
}

static bool note_unstable(const struct check_report *report,
                          char text[CHECK_WORDS_SIZE])
{
    snprintf(text, CHECK_WORDS_SIZE,
             "queues still grew when arrivals stopped: such latencies hang on "
             "the duration, and so do their changes");
    return any_row(report->check, is_unstable);
}

static bool note_weak(const struct check_report *report,
                      char text[CHECK_WORDS_SIZE])
{
    snprintf(text, CHECK_WORDS_SIZE,
             "some percentiles have fewer values than they need (weak)");
    return any_row(report->check, is_weak);
}

bool check_note_words(const struct check_report *report, unsigned index,
                      char text[CHECK_WORDS_SIZE])
{
    static bool (*const notes[])(const struct check_report *,
                                 char[CHECK_WORDS_SIZE]) = {
        note_params,       note_left_out, note_unwatched, note_tolerances,
        note_false_alarms, note_few,      note_unstable,  note_weak};

    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i](report, text) && index-- == 0)
            return true;
    return false;
}
