#include "sim/report/check_words.h"

#include "sim/report/number.h"
#include "sim/report/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *const check_format_names[CHECK_FORMAT_COUNT + 1] = {
    [CHECK_FORMAT_TABLE] = "table",   [CHECK_FORMAT_JSON] = "json",
    [CHECK_FORMAT_CSV] = "csv",       [CHECK_FORMAT_MARKDOWN] = "markdown",
    [CHECK_FORMAT_JUNIT] = "junit",   [CHECK_FORMAT_GITHUB] = "github",
    [CHECK_FORMAT_GITLAB] = "gitlab", [CHECK_FORMAT_AZURE] = "azure",
    [CHECK_FORMAT_LINES] = "lines",   [CHECK_FORMAT_COUNT] = NULL,
};

/* ---- numbers ---- */

static void with_unit(double value, enum measure_unit unit,
                      char text[CHECK_WORDS_SIZE])
{
    char words[WORDS_SIZE];
    bool share = value >= 0 && value <= 1;

    snprintf(text, CHECK_WORDS_SIZE, "%s",
             unit == UNIT_RATIO && !share ? number_short(words, value)
                                          : words_value(words, value, unit));
}

void check_value_words(const struct check_row *row, bool now,
                       char text[CHECK_WORDS_SIZE])
{
    const struct regression *finding = &row->finding;
    uint32_t unbounded = now ? finding->new_unbounded : finding->old_unbounded;
    double value = now ? finding->new_value : finding->old_value;

    if (!check_row_has_values(row))
        snprintf(text, CHECK_WORDS_SIZE, "%s",
                 (row->state == CHECK_NEW) == now ? "there" : "missing");
    else if (unbounded > 0)
        snprintf(text, CHECK_WORDS_SIZE, "unbounded in %" PRIu32 " of %" PRIu32,
                 unbounded, finding->pairs);
    else if (isnan(value))
        snprintf(text, CHECK_WORDS_SIZE, "none");
    else
        with_unit(value, row->unit, text);
}

/* What changes are counted in: percent of the old value, points of a ratio, or
   the unit where there is no old value to speak of. */
struct scale {
    double factor;
    const char *unit;
};

static struct scale scale_of(const struct check_row *row)
{
    const struct regression *finding = &row->finding;

    if (row->unit == UNIT_RATIO)
        return (struct scale){100, " points"};
    if (isfinite(finding->change_ratio))
        return (struct scale){100 / fabs(finding->old_value), " %"};
    return (struct scale){1, words_unit(row->unit)};
}

void check_change_words(const struct check_row *row,
                        char text[CHECK_WORDS_SIZE])
{
    const struct regression *finding = &row->finding;
    struct scale scale = scale_of(row);
    char change[NUMBER_SIZE], lo[NUMBER_SIZE], hi[NUMBER_SIZE];

    if (!check_row_has_values(row) ||
        (row->state == CHECK_UNLIKE && isnan(finding->change)))
        snprintf(text, CHECK_WORDS_SIZE, "-");
    else if (finding->kind == REGRESSION_SAME)
        snprintf(text, CHECK_WORDS_SIZE, "none");
    else if (isnan(finding->change))
        snprintf(text, CHECK_WORDS_SIZE,
                 "worse in %" PRIu32 ", better in %" PRIu32 " of %" PRIu32,
                 finding->worse_pairs, finding->better_pairs, finding->pairs);
    else if (isnan(finding->lo))
        snprintf(
            text, CHECK_WORDS_SIZE, "%s%s%s", finding->change > 0 ? "+" : "",
            number_short(change, scale.factor * finding->change), scale.unit);
    else
        snprintf(text, CHECK_WORDS_SIZE, "%s%s%s [%s, %s]",
                 finding->change > 0 ? "+" : "",
                 number_short(change, scale.factor * finding->change),
                 scale.unit, number_short(lo, scale.factor * finding->lo),
                 number_short(hi, scale.factor * finding->hi));
}

void check_allowed_words(const struct check_row *row,
                         char text[CHECK_WORDS_SIZE])
{
    struct scale scale = scale_of(row);

    if (row->state != CHECK_JUDGED) {
        snprintf(text, CHECK_WORDS_SIZE, "-");
    } else {
        char allowed[NUMBER_SIZE];

        snprintf(text, CHECK_WORDS_SIZE, "%s%s",
                 number_short(allowed, scale.factor * row->finding.allowed),
                 scale.unit);
    }
}

/* ---- verdicts ---- */

bool check_row_has_values(const struct check_row *row)
{
    return row->state == CHECK_JUDGED || row->state == CHECK_UNLIKE;
}

const char *check_kind_word(const struct check_row *row)
{
    static const char *const states[] = {
        [CHECK_NEW] = "new", [CHECK_GONE] = "gone", [CHECK_UNLIKE] = "unlike"};

    return row->state == CHECK_JUDGED ? regression_kind_names[row->finding.kind]
                                      : states[row->state];
}

static const char *reason_words(const struct check_row *row)
{
    if (row->state == CHECK_NEW)
        return "not in the baseline; --update takes it in";
    if (row->state == CHECK_GONE)
        return "in the baseline, and no more; --update drops it";
    switch (row->finding.reason) {
    case REGRESSION_OVER:
        return "looks worse than allowed, but chance can do that";
    case REGRESSION_NEAR:
        return "looks allowed, but may be worse than that";
    case REGRESSION_FEW:
        return "too few replications differ to tell";
    case REGRESSION_UNEVEN:
        return "the mean and typical replications disagree";
    case REGRESSION_ABSENT:
        return "has no value in some replications where it had one, or the "
               "other way round";
    case REGRESSION_CLEAR:
    case REGRESSION_REASON_COUNT:
        break;
    }
    return "";
}

void check_verdict_words(const struct check_row *row,
                         char text[CHECK_WORDS_SIZE])
{
    static const char *const words[REGRESSION_KIND_COUNT] = {
        [REGRESSION_SAME] = "identical",
        [REGRESSION_WITHIN] = "within",
        [REGRESSION_BETTER] = "better",
        [REGRESSION_WORSE] = "REGRESSION",
    };
    uint64_t needed = row->finding.pairs_needed;

    if (row->verdict == CHECK_REMADE)
        snprintf(text, CHECK_WORDS_SIZE, "no verdict: of other settings");
    else if (row->verdict != CHECK_INCONCLUSIVE)
        snprintf(text, CHECK_WORDS_SIZE, "%s", words[row->finding.kind]);
    else if (needed > 0)
        snprintf(text, CHECK_WORDS_SIZE,
                 "inconclusive: %s; about %" PRIu64 " replications would tell",
                 reason_words(row), needed);
    else
        snprintf(text, CHECK_WORDS_SIZE, "inconclusive: %s", reason_words(row));
}

void check_row_words(const struct check_row *row, char text[CHECK_WORDS_SIZE])
{
    char verdict[CHECK_WORDS_SIZE], old_value[CHECK_WORDS_SIZE],
        new_value[CHECK_WORDS_SIZE], change[CHECK_WORDS_SIZE],
        allowed[CHECK_WORDS_SIZE];

    check_verdict_words(row, verdict);
    check_value_words(row, false, old_value);
    check_value_words(row, true, new_value);
    check_change_words(row, change);
    check_allowed_words(row, allowed);
    if (!check_row_has_values(row))
        snprintf(text, CHECK_WORDS_SIZE, "%.60s of %.140s: %.200s",
                 row->measure, row->policy, verdict);
    else
        snprintf(text, CHECK_WORDS_SIZE,
                 "%.60s of %.140s: %.150s; was %.30s, is %.30s, change %.40s, "
                 "allowed %.20s",
                 row->measure, row->policy, verdict, old_value, new_value,
                 change, allowed);
}

/* ---- the whole ---- */

static void list_kinds(const struct check_result *check, char *text,
                       size_t size)
{
    static const struct {
        enum regression_kind kind;
        const char *words;
    } kinds[] = {
        {REGRESSION_WORSE, "worse than allowed"},
        {REGRESSION_UNCLEAR, "not to be told"},
        {REGRESSION_BETTER, "better"},
        {REGRESSION_WITHIN, "changed within what is allowed"},
        {REGRESSION_SAME, "identical"},
    };
    size_t used = 0;

    text[0] = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (check->kinds[kinds[i].kind] > 0 && used < size)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%" PRIu32 " %s",
                                 used > 0 ? ", " : "",
                                 check->kinds[kinds[i].kind], kinds[i].words);
    if (check->missing > 0 && used < size)
        snprintf(text + used, size - used, "%s%" PRIu32 " new or gone",
                 used > 0 ? ", " : "", check->missing);
}

void check_summary_words(const struct check_report *report,
                         char text[CHECK_WORDS_SIZE])
{
    const struct check_result *check = report->check;
    char kinds[CHECK_WORDS_SIZE / 2];

    if (report->error) {
        snprintf(text, CHECK_WORDS_SIZE, "not finished: %.300s", report->error);
        return;
    }
    if (check->verdict == CHECK_REMADE) {
        snprintf(text, CHECK_WORDS_SIZE, "new: nothing to compare with%s",
                 check->row_count > 0
                     ? ", as the baseline was of other settings: values are "
                       "listed without a verdict"
                     : "; the baseline is written anew");
        return;
    }
    if (check->identical) {
        snprintf(text, CHECK_WORDS_SIZE,
                 "pass: identical to the baseline in %s%zu measures",
                 check_watches_all(report) ? "all " : "", check->row_count);
        return;
    }
    list_kinds(check, kinds, sizeof kinds);
    snprintf(text, CHECK_WORDS_SIZE, "%s: of %zu measures %s",
             check_verdict_names[check->verdict], check->row_count, kinds);
}

bool check_row_fails(const struct check_report *report,
                     const struct check_row *row)
{
    return row->verdict == CHECK_REGRESSION ||
           (report->strict && row->verdict == CHECK_INCONCLUSIVE);
}

unsigned check_row_gravity(const struct check_row *row)
{
    if (row->verdict == CHECK_REMADE)
        return 1;
    if (row->verdict != CHECK_PASS)
        return row->verdict == CHECK_REGRESSION ? 3 : 2;
    return row->finding.kind != REGRESSION_SAME;
}
