#include "sim/report/compare_report.h"

#include "sim/report/number.h"
#include "sim/report/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-12 /* a share nearer to 1 is 1 but for its arithmetic */

/* ---- shares, in percent ---- */

enum { SHARE_DECIMALS = 9 };

static bool is_share(enum measure_id id)
{
    const char *end = strrchr(measures[id].name, '_');

    return measures[id].unit == UNIT_RATIO && end && strcmp(end, "_ratio") == 0;
}

/* Two digits of the half width, and no 100 that is not quite that. */
static int share_decimals(double percent, double half)
{
    int decimals = 1;
    double unit = 0.1;

    while (decimals < SHARE_DECIMALS &&
           ((half > 0 && half < 9.95 * unit) ||
            (percent < 100 && percent > 100 - unit / 2))) {
        decimals++;
        unit /= 10;
    }
    return decimals;
}

/* Rounded up, as number_half_width() does. */
static double rounded_up(double half, int decimals)
{
    double scale = pow(10, decimals);

    return ceil(half * scale * (1 - ROUNDING)) / scale;
}

static void share_text(const struct compare_mean *mean, char *text, size_t size)
{
    double percent = 100 * mean->mean;
    double half = 50 * (mean->hi - mean->lo);

    if (isnan(half)) {
        char value[NUMBER_SIZE];

        snprintf(text, size, "%s", number_percent(value, mean->mean));
        return;
    }
    if (percent > 100 * (1 - ROUNDING) && percent < 100)
        percent = 100;
    int decimals = share_decimals(percent, half);

    snprintf(text, size, "%.*f %% +-%.*f", decimals, percent, decimals,
             rounded_up(half, decimals));
}

/* Percentage points, which the effect's percent are not. */
static void points_text(const struct verdict *verdict, char *text, size_t size)
{
    double points = 100 * verdict->difference;
    double half = 50 * (verdict->hi - verdict->lo);
    int decimals = share_decimals(points, half);

    if (half >= 1e-9 && fabs(points) < 0.5 / pow(10, decimals))
        points = 0; /* "-0.00" is no number */

    const char *sign = points > 0 ? "+" : "";

    if (isnan(half) || half < 1e-9) {
        char value[NUMBER_SIZE];

        snprintf(text, size, "%s%s points%s", sign, number_short(value, points),
                 isnan(half) ? "" : " +-0.0");
        return;
    }
    snprintf(text, size, "%s%.*f points +-%.*f", sign, decimals, points,
             decimals, rounded_up(half, decimals));
}

/* ---- values of all measures ---- */

void compare_value_text(const struct compare_mean *mean, enum measure_id id,
                        char *text, size_t size)
{
    if (is_share(id) && isfinite(mean->mean)) {
        share_text(mean, text, size);
    } else {
        char words[WORDS_SIZE];

        snprintf(text, size, "%s",
                 words_interval(words, mean->infinite ? INFINITY : mean->mean,
                                mean->lo, mean->hi, measures[id].unit));
    }
}

void compare_difference_text(const struct verdict *verdict, enum measure_id id,
                             char *text, size_t size)
{
    if (is_share(id) && !isnan(verdict->difference)) {
        points_text(verdict, text, size);
    } else {
        char words[WORDS_SIZE];

        snprintf(text, size, "%s",
                 words_difference(words, verdict, measures[id].unit));
    }
}

bool compare_goes_by_failures(const struct verdict *verdict)
{
    return verdict->by_failures && verdict->reference_mean > 0.5 &&
           !verdict->by_sign;
}

void compare_effect_text(const struct verdict *verdict, char *text, size_t size)
{
    bool failures = compare_goes_by_failures(verdict);
    double ratio = verdict->effect_ratio;
    char share[NUMBER_SIZE];

    if (failures)
        ratio = verdict->difference == 0
                    ? 0
                    : -verdict->difference / verdict_yardstick(verdict);
    if (!isfinite(ratio)) { /* failures instead of none are no share of them */
        snprintf(text, size, "-");
        return;
    }
    if (fabs(ratio) > 0 && fabs(ratio) < 0.0005) /* "<0.1 %" has no sign */
        snprintf(text, size, "%s%s", number_percent(share, fabs(ratio)),
                 failures ? " failures" : "");
    else
        snprintf(text, size, "%s%s%s", ratio > 0 ? "+" : "",
                 number_percent(share, ratio),
                 failures && ratio != 0 ? " failures" : "");
}

static void cannot_tell_text(const struct verdict *verdict, char *text,
                             size_t size)
{
    uint32_t decided = verdict->better_pairs + verdict->worse_pairs;
    char lack[WORDS_SIZE];

    if (*words_lack(lack, verdict))
        snprintf(text, size, "cannot tell: %s", lack);
    else if (verdict->by_sign)
        snprintf(text, size, "cannot tell: infinite, %u of %u pairs tie",
                 verdict->pairs - decided, verdict->pairs);
    else
        snprintf(text, size, "cannot tell");
}

void compare_verdict_text(const struct verdict *verdict, char *text,
                          size_t size)
{
    char words[WORDS_SIZE];

    switch (verdict->reason) {
    case VERDICT_CLEAR:
        snprintf(text, size, "%s",
                 verdict->by_sign ? words_by_sign(words, verdict)
                                  : verdict_names[verdict->kind]);
        break;
    case VERDICT_NOISE:
    case VERDICT_ONE_PAIR:
    case VERDICT_NO_VALUE:
    case VERDICT_INFINITE:
        cannot_tell_text(verdict, text, size);
        break;
    case VERDICT_SMALL:
        snprintf(text, size, "differs too little to matter");
        break;
    case VERDICT_ALIKE:
        snprintf(text, size, "no difference that matters");
        break;
    case VERDICT_SAME:
        if (verdict->by_sign)
            cannot_tell_text(verdict, text, size);
        else
            snprintf(text, size, "equal in every replication");
        break;
    }
}

const char *compare_verdict_name(const struct verdict *verdict)
{
    if (verdict->reason == VERDICT_SAME && !verdict->by_sign)
        return "equal";
    if (verdict->reason == VERDICT_ALIKE || verdict->reason == VERDICT_SMALL)
        return "alike";
    return verdict_names[verdict->kind];
}

/* ---- the ranking ---- */

char *compare_order_text(const struct compare_result *result)
{
    static const char *const signs[] = {
        [STEP_BETTER] = ">", [STEP_ALIKE] = "=", [STEP_CANNOT_TELL] = "~"};
    const struct compare_setup *setup = result->setup;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    for (uint32_t i = 0; i < setup->side_count; i++) {
        if (i > 0)
            fprintf(out, " %s ", signs[result->to_next[i - 1]]);
        fputs(setup->sides[result->ranking[i]].label, out);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* "a, b and c" of those that stand so far from the best; returns how many. */
static uint32_t write_those(const struct compare_result *result,
                            enum compare_step step, const char *lead, FILE *out)
{
    uint32_t count = 0, written = 0;

    for (uint32_t i = 1; i < result->setup->side_count; i++)
        count += result->from_best[i] == step;
    for (uint32_t i = 1; i < result->setup->side_count; i++) {
        if (result->from_best[i] != step)
            continue;
        fputs(written == 0 ? lead : written + 1 == count ? " and " : ", ", out);
        fputs(result->setup->sides[result->ranking[i]].label, out);
        written++;
    }
    return count;
}

static void write_best(const struct compare_result *result, FILE *out)
{
    const struct compare_setup *setup = result->setup;
    const struct compare_mean *best = &result->means[result->ranking[0]];

    if (isnan(best->mean)) {
        fprintf(out, "none, as %s",
                best->infinite ? "it is infinite for all" : "none has a value");
        return;
    }
    fputs(setup->sides[result->ranking[0]].label, out);

    uint32_t alike = write_those(result, STEP_ALIKE, "; ", out);
    if (alike > 0)
        fprintf(out, " differ%s too little to matter", alike == 1 ? "s" : "");
    uint32_t untold = write_those(result, STEP_CANNOT_TELL, "; ", out);
    if (untold > 0)
        fputs(" cannot be told from it", out);
    if (alike + untold == 0)
        fputs(", for certain", out);
}

char *compare_best_text(const struct compare_result *result)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    write_best(result, out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
