/* Whether what a user said describes a distribution, and if not, why. */
#include "workloads/dist.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* The fields of struct dist_params in the order of the names below. */
enum field {
    VALUE,
    MEAN,
    MEDIAN,
    P99,
    SIGMA,
    SCV,
    SHAPE,
    MIN,
    MAX,
    RATIO,
    SCALE,
    FIELD_COUNT
};

static const char *const field_names[FIELD_COUNT] = {
    "value", "mean", "median", "p99",   "sigma", "scv",
    "shape", "min",  "max",    "ratio", "scale",
};

static double field_of(const struct dist_params *params, enum field field)
{
    const double values[FIELD_COUNT] = {
        params->value, params->mean,  params->median, params->p99,
        params->sigma, params->scv,   params->shape,  params->min,
        params->max,   params->ratio, params->scale,
    };

    return values[field];
}

#define BIT(field) (1u << (field))

static uint32_t fields_said(const struct dist_params *params)
{
    uint32_t said = 0;

    for (enum field field = 0; field < FIELD_COUNT; field++)
        if (!isnan(field_of(params, field)))
            said |= BIT(field);
    return said;
}

/* Which sets of fields describe a kind, and what to say if none of them does.
 */
struct rule {
    const char *needs;
    uint32_t sets[6]; /* ends with 0 */
};

static const struct rule rules[DIST_KIND_COUNT] = {
    [DIST_CONSTANT] = {"'value'", {BIT(VALUE)}},
    [DIST_UNIFORM] = {"'min' and 'max'", {BIT(MIN) | BIT(MAX)}},
    [DIST_EXPONENTIAL] = {"'mean'", {BIT(MEAN)}},
    [DIST_LOGNORMAL] = {"'median' or 'mean', and 'sigma', 'p99' or 'scv'",
                        {BIT(MEDIAN) | BIT(SIGMA), BIT(MEDIAN) | BIT(P99),
                         BIT(MEDIAN) | BIT(SCV), BIT(MEAN) | BIT(SIGMA),
                         BIT(MEAN) | BIT(SCV)}},
    [DIST_PARETO] = {"'shape', and 'mean' or 'min'",
                     {BIT(SHAPE) | BIT(MEAN), BIT(SHAPE) | BIT(MIN)}},
    [DIST_BOUNDED_PARETO] = {"'shape', and 'min' and 'max' or 'mean' and "
                             "'ratio'",
                             {BIT(SHAPE) | BIT(MIN) | BIT(MAX),
                              BIT(SHAPE) | BIT(MEAN) | BIT(RATIO)}},
    [DIST_HYPEREXPONENTIAL] = {"'mean' and 'scv'", {BIT(MEAN) | BIT(SCV)}},
    [DIST_GEOMETRIC] = {"'mean'", {BIT(MEAN)}},
    [DIST_WEIBULL] = {"'shape', and 'mean' or 'scale'",
                      {BIT(SHAPE) | BIT(MEAN), BIT(SHAPE) | BIT(SCALE)}},
    [DIST_GAMMA] = {"'mean', and 'shape' or 'scv'; or 'shape' and 'scale'",
                    {BIT(MEAN) | BIT(SHAPE), BIT(MEAN) | BIT(SCV),
                     BIT(SHAPE) | BIT(SCALE)}},
    [DIST_EMPIRICAL] = {"nothing but 'scale' beside its file", {BIT(SCALE)}},
};

/* Where a complaint goes. */
struct complaint {
    char *text;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static bool
complain(struct complaint complaint, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (complaint.text && complaint.size > 0)
        vsnprintf(complaint.text, complaint.size, format, arguments);
    va_end(arguments);
    return false;
}

/* Whether some way to describe the kind uses both fields. */
static bool go_together(enum dist_kind kind, enum field a, enum field b)
{
    for (const uint32_t *set = rules[kind].sets; *set; set++)
        if ((*set & BIT(a)) && (*set & BIT(b)))
            return true;
    return false;
}

/* No set is exactly what was said: something is foreign, twice or missing. */
static bool complain_about_set(enum dist_kind kind, uint32_t said,
                               struct complaint complaint)
{
    const char *name = dist_names[kind], *needs = rules[kind].needs;

    for (enum field a = 0; a < FIELD_COUNT; a++)
        if ((said & BIT(a)) && !go_together(kind, a, a))
            return complain(complaint, "'%s' takes no '%s'; it needs %s", name,
                            field_names[a], needs);
    for (enum field a = 0; a < FIELD_COUNT; a++)
        for (enum field b = a + 1; b < FIELD_COUNT; b++)
            if ((said & BIT(a)) && (said & BIT(b)) && !go_together(kind, a, b))
                return complain(complaint,
                                "'%s' takes '%s' or '%s', not both; it needs "
                                "%s",
                                name, field_names[a], field_names[b], needs);
    return complain(complaint, "'%s' needs %s", name, needs);
}

static bool fields_suffice(const struct dist_params *params,
                           struct complaint complaint)
{
    uint32_t said = fields_said(params);

    if (params->kind == DIST_EMPIRICAL && said == 0)
        return true;
    for (const uint32_t *set = rules[params->kind].sets; *set; set++)
        if (said == *set)
            return true;
    return complain_about_set(params->kind, said, complaint);
}

/* What holds for a field whatever the kind. The upper ends, and the least that
   is not 0, keep all that is computed from the fields finite. */
static const struct range {
    double low;
    bool above_low;
    double high;
} ranges[FIELD_COUNT] = {
    [VALUE] = {0, false, 1e15},    [MEAN] = {0, true, 1e15},
    [MEDIAN] = {0, true, 1e15},    [P99] = {0, true, 1e15},
    [SIGMA] = {0, false, 30},      [SCV] = {0, false, 1e15},
    [SHAPE] = {0.01, false, 1e15}, [MIN] = {0, false, 1e15},
    [MAX] = {0, false, 1e15},      [RATIO] = {1, true, 1e15},
    [SCALE] = {0, true, 1e15},
};

static const double least_above_0 = 1e-15;

static bool fields_are_in_range(const struct dist_params *params,
                                struct complaint complaint)
{
    for (enum field field = 0; field < FIELD_COUNT; field++) {
        const struct range *range = &ranges[field];
        const char *name = field_names[field];
        double value = field_of(params, field);

        if (range->above_low && value <= range->low)
            return complain(complaint, "'%s' must be more than %g, got %g",
                            name, range->low, value);
        if (value < range->low)
            return complain(complaint, "'%s' must be %g or more, got %g", name,
                            range->low, value);
        if (value > 0 && value < least_above_0)
            return complain(complaint, "'%s' must be %g or more, got %g", name,
                            least_above_0, value);
        if (value > range->high)
            return complain(complaint, "'%s' must be at most %g, got %g", name,
                            range->high, value);
    }
    return true;
}

static bool bounds_are_in_range(const struct dist_params *params,
                                struct complaint complaint)
{
    if (params->at_least < 0 || isinf(params->at_least))
        return complain(complaint, "'at_least' must be 0 or more, got %g",
                        params->at_least);
    if (params->at_most < 0)
        return complain(complaint, "'at_most' must be 0 or more, got %g",
                        params->at_most);
    if (params->at_most < params->at_least)
        return complain(complaint,
                        "'at_most' must not be below 'at_least' = %g, got %g",
                        params->at_least, params->at_most);
    return true;
}

/* What holds for the fields of one kind together. */
static bool fields_agree(const struct dist_params *params,
                         struct complaint complaint)
{
    const struct dist_params *p = params;

    switch (params->kind) {
    case DIST_UNIFORM:
        return p->max >= p->min ||
               complain(complaint, "'max' must not be below 'min' = %g, got %g",
                        p->min, p->max);
    case DIST_LOGNORMAL:
        return !(p->p99 < p->median) ||
               complain(complaint,
                        "'p99' must not be below 'median' = %g, got %g",
                        p->median, p->p99);
    case DIST_PARETO:
        if (p->mean > 0 && p->shape <= 1)
            return complain(complaint,
                            "'pareto' has a mean only for a 'shape' above 1, "
                            "got %g; give 'min'",
                            p->shape);
        return p->min != 0 ||
               complain(complaint, "'min' must be more than 0, got 0");
    case DIST_BOUNDED_PARETO:
        if (p->min == 0)
            return complain(complaint, "'min' must be more than 0, got 0");
        return !(p->max <= p->min) ||
               complain(complaint, "'max' must be above 'min' = %g, got %g",
                        p->min, p->max);
    case DIST_HYPEREXPONENTIAL:
        return p->scv >= 1 ||
               complain(complaint,
                        "'scv' of 'hyperexponential' must be 1 or more, got %g",
                        p->scv);
    case DIST_GEOMETRIC:
        return p->mean >= 1 ||
               complain(complaint,
                        "'mean' of 'geometric' must be 1 or more, got %g",
                        p->mean);
    case DIST_GAMMA:
        return p->scv != 0 ||
               complain(complaint, "'scv' of 'gamma' must be more than 0, got "
                                   "0");
    case DIST_EMPIRICAL:
        return p->table ||
               complain(complaint, "'empirical' needs a file of values");
    default:
        return true;
    }
}

bool dist_params_check(const struct dist_params *params, char *reterr,
                       size_t reterr_size)
{
    struct complaint complaint;

    complaint.text = reterr;
    complaint.size = reterr_size;
    return params->kind == DIST_NONE ||
           (fields_suffice(params, complaint) &&
            fields_are_in_range(params, complaint) &&
            fields_agree(params, complaint) &&
            bounds_are_in_range(params, complaint));
}
