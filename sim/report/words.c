#include "sim/report/words.h"

#include "sim/report/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char *words_unit(enum measure_unit unit)
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

const char *words_value(char text[WORDS_SIZE], double value,
                        enum measure_unit unit)
{
    char number[NUMBER_SIZE];

    if (unit == UNIT_RATIO)
        return number_percent(text, value);
    snprintf(text, WORDS_SIZE, "%s%s", number_short(number, value),
             isfinite(value) ? words_unit(unit) : "");
    return text;
}

static void write_interval(double value, double lo, double hi,
                           enum measure_unit unit, char *text, size_t size)
{
    char number[NUMBER_SIZE], half[NUMBER_SIZE];

    number_short(number, value);
    if (!isfinite(value))
        snprintf(text, size, "%s", number);
    else if (isnan(lo))
        snprintf(text, size, "%s%s", number, words_unit(unit));
    else
        snprintf(text, size, "%s%s +-%s", number, words_unit(unit),
                 number_half_width(half, value, (hi - lo) / 2));
}

const char *words_interval(char text[WORDS_SIZE], double value, double lo,
                           double hi, enum measure_unit unit)
{
    write_interval(value, lo, hi, unit, text, WORDS_SIZE);
    return text;
}

const char *words_difference(char text[WORDS_SIZE],
                             const struct verdict *verdict,
                             enum measure_unit unit)
{
    size_t sign = verdict->difference > 0;

    text[0] = '+';
    write_interval(verdict->difference, verdict->lo, verdict->hi, unit,
                   text + sign, WORDS_SIZE - sign);
    return text;
}

const char *words_by_sign(char text[WORDS_SIZE], const struct verdict *verdict)
{
    uint32_t more = verdict->better_pairs > verdict->worse_pairs
                        ? verdict->better_pairs
                        : verdict->worse_pairs;

    snprintf(text, WORDS_SIZE, "%s in %u of %u pairs",
             verdict_names[verdict->kind], more, verdict->pairs);
    return text;
}

const char *words_lack(char text[WORDS_SIZE], const struct verdict *verdict)
{
    static const char *const lacks[] = {
        [VERDICT_ONE_PAIR] = "one replication",
        [VERDICT_NO_VALUE] = "no value",
        [VERDICT_INFINITE] = "infinite, and no pairs",
    };
    size_t known = sizeof lacks / sizeof *lacks;

    text[0] = 0;
    if (verdict->reason == VERDICT_NOISE && verdict->replications_needed > 0)
        snprintf(text, WORDS_SIZE, "about %" PRIu64 " replications would",
                 verdict->replications_needed);
    else if (verdict->reason < known && lacks[verdict->reason])
        snprintf(text, WORDS_SIZE, "%s", lacks[verdict->reason]);
    return text;
}
