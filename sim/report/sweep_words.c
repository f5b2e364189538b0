/* What a search found, in words. */
#include "sim/report/sweep_report.h"

#include <math.h>
#include <stdlib.h>

void sweep_value_text(const struct sweep_report *report, double value,
                      char *text, size_t size)
{
    const struct crossover_spec *spec = &report->base->sweep.crossover;
    char rounded[40], quantity[UNITS_TEXT_SIZE];

    if (isnan(value)) {
        snprintf(text, size, "-");
        return;
    }
    snprintf(rounded, sizeof rounded, "%.4g", value);
    quantity_write(spec->spans[0].kind, strtod(rounded, NULL), quantity);
    snprintf(text, size, "%s", quantity);
}

static const char *better_at(const struct sweep_report *report, int sign)
{
    uint32_t which = sweep_better_of_pair(report->result->pair_measure, sign);

    return report->base->policies[report->result->pair[which]].label;
}

static void flips_text(const struct sweep_report *report,
                       const struct crossover_result *found, char *text,
                       size_t size)
{
    size_t used =
        (size_t)snprintf(text, size, "flips %u times:", found->flip_count);

    for (uint32_t i = 0; i < found->flip_count && used < size; i++) {
        const struct crossover_flip *flip = &found->flips[i];
        char lo[60], hi[60];

        sweep_value_text(report, flip->lo, lo, sizeof lo);
        sweep_value_text(report, flip->hi, hi, sizeof hi);
        used += (size_t)snprintf(text + used, size - used,
                                 "%s %s to %s (%s after)", i > 0 ? "," : "", lo,
                                 hi, better_at(report, -flip->sign));
    }
}

void sweep_finding_text(const struct sweep_report *report,
                        const struct crossover_result *found, char *text,
                        size_t size)
{
    char lo[60], hi[60];

    switch (found->kind) {
    case CROSSOVER_FOUND:
        snprintf(text, size, "%s below, %s above",
                 better_at(report, found->flips[0].sign),
                 better_at(report, -found->flips[0].sign));
        break;
    case CROSSOVER_NONE:
        sweep_value_text(report, found->sure_from, lo, sizeof lo);
        sweep_value_text(report, found->sure_to, hi, sizeof hi);
        snprintf(text, size, "none: %s better throughout %s to %s",
                 better_at(report, found->sign), lo, hi);
        break;
    case CROSSOVER_SEVERAL:
        flips_text(report, found, text, size);
        break;
    case CROSSOVER_CANNOT_TELL:
        sweep_value_text(report, found->sure_from, lo, sizeof lo);
        sweep_value_text(report, found->sure_to, hi, sizeof hi);
        if (found->sign == 0)
            snprintf(text, size, "cannot tell: too close everywhere");
        else if (found->sure_from < found->sure_to)
            snprintf(text, size, "%s from %s to %s, elsewhere cannot tell",
                     better_at(report, found->sign), lo, hi);
        else
            snprintf(text, size, "%s at %s, elsewhere cannot tell",
                     better_at(report, found->sign), lo);
        break;
    case CROSSOVER_STOPPED:
        snprintf(text, size, "not finished");
        break;
    }
}
