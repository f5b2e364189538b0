#include "sim/report/compare_report.h"

#include "sim/report/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* As it stands behind a number; "" for shares and for what is counted. */
static const char *unit_text(enum measure_unit unit)
{
    switch (unit) {
    case UNIT_SECONDS:
        return " s";
    case UNIT_PER_SECOND:
        return "/s";
    case UNIT_COUNT:
    case UNIT_RATIO:
    case UNIT_REQUESTS:
    case UNIT_PLAIN:
        break;
    }
    return "";
}

void compare_value_text(const struct compare_mean *mean, enum measure_unit unit,
                        char *text, size_t size)
{
    char value[NUMBER_SIZE], half[NUMBER_SIZE];

    number_short(value, mean->infinite ? INFINITY : mean->mean);
    if (!isfinite(mean->mean))
        snprintf(text, size, "%s", value);
    else if (isnan(mean->lo))
        snprintf(text, size, "%s%s", value, unit_text(unit));
    else
        snprintf(
            text, size, "%s%s +-%s", value, unit_text(unit),
            number_half_width(half, mean->mean, (mean->hi - mean->lo) / 2));
}

void compare_difference_text(const struct verdict *verdict,
                             enum measure_unit unit, char *text, size_t size)
{
    double difference = verdict->difference;
    char value[NUMBER_SIZE];
    const char *sign = difference > 0 ? "+" : "";

    if (isnan(difference)) {
        snprintf(text, size, "-");
        return;
    }
    number_short(value, difference);
    if (isnan(verdict->lo)) {
        snprintf(text, size, "%s%s%s", sign, value, unit_text(unit));
    } else {
        char half[NUMBER_SIZE];

        snprintf(text, size, "%s%s%s +-%s", sign, value, unit_text(unit),
                 number_half_width(half, difference,
                                   (verdict->hi - verdict->lo) / 2));
    }
}

void compare_effect_text(const struct verdict *verdict, char *text, size_t size)
{
    double ratio = verdict->effect_ratio;
    char share[NUMBER_SIZE];

    if (isnan(ratio)) {
        snprintf(text, size, "-");
        return;
    }
    if (fabs(ratio) > 0 && fabs(ratio) < 0.0005) /* "<0.1 %" has no sign */
        snprintf(text, size, "%s", number_percent(share, fabs(ratio)));
    else
        snprintf(text, size, "%s%s", ratio > 0 ? "+" : "",
                 number_percent(share, ratio));
}

static void cannot_tell_text(const struct verdict *verdict, char *text,
                             size_t size)
{
    uint32_t decided = verdict->better_pairs + verdict->worse_pairs;

    if (verdict->replications_needed > 0)
        snprintf(text, size,
                 "cannot tell: about %" PRIu64 " replications would",
                 verdict->replications_needed);
    else if (verdict->by_sign)
        snprintf(text, size, "cannot tell: infinite, %u of %u pairs tie",
                 verdict->pairs - decided, verdict->pairs);
    else
        snprintf(text, size, "cannot tell");
}

static void clear_text(const struct verdict *verdict, char *text, size_t size)
{
    uint32_t more = verdict->better_pairs > verdict->worse_pairs
                        ? verdict->better_pairs
                        : verdict->worse_pairs;

    if (verdict->by_sign)
        snprintf(text, size, "%s in %u of %u pairs",
                 verdict_names[verdict->kind], more, verdict->pairs);
    else
        snprintf(text, size, "%s", verdict_names[verdict->kind]);
}

void compare_verdict_text(const struct verdict *verdict, char *text,
                          size_t size)
{
    switch (verdict->reason) {
    case VERDICT_CLEAR:
        clear_text(verdict, text, size);
        break;
    case VERDICT_NOISE:
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
    case VERDICT_ONE_PAIR:
        snprintf(text, size, "cannot tell: one replication");
        break;
    case VERDICT_NO_VALUE:
        snprintf(text, size, "cannot tell: no value");
        break;
    case VERDICT_INFINITE:
        snprintf(text, size, "cannot tell: infinite, and no pairs");
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
