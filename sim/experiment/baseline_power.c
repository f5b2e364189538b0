#include "sim/experiment/baseline_power.h"

#include "sim/experiment/regression_power.h"
#include "sim/measure/power.h"
#include "sim/measure/stats.h"

#include <math.h>
#include <stdlib.h>

/* Of so many other replications each is paired with: enough to know how far
   they lie apart, and bounded. */
#define NEIGHBOURS_MAX 16u

const char *const power_source_names[POWER_SOURCE_COUNT] = {
    [POWER_BY_POLICY] = "policy",
    [POWER_BY_SEED] = "seed",
    [POWER_EXACT] = "exact",
    [POWER_UNKNOWN] = "unknown",
};

const double baseline_power_chances[POWER_CHANCES] = {
    0.01, 0.05, 0.1, 0.2,          0.3,  0.4, 0.5,
    0.6,  0.7,  0.8, POWER_WANTED, 0.95, 0.99};

struct asking {
    const struct scenario *scenario;
    const struct baseline *baseline;
    struct baseline_power *power;
    double *drawn;             /* [REGRESSION_POWER_DRAWS] */
    double *differences, *try; /* [NEIGHBOURS_MAX * baseline->runs] */
};

/* ---- how far pairs spread ---- */

static bool are_finite(const double *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* Of every replication and those that come next, round the end. */
static size_t between_replications(const double *values, uint32_t runs,
                                   double *ret)
{
    uint32_t most = runs - 1 < NEIGHBOURS_MAX ? runs - 1 : NEIGHBOURS_MAX;
    size_t count = 0;

    for (uint32_t step = 1; step <= most; step++)
        for (uint32_t i = 0; i < runs; i++)
            ret[count++] = values[i] - values[(i + step) % runs];
    return count;
}

/* Takes the differences from another policy where they spread less than what
   is there, but for one that is the same by another name. */
static void try_policy(struct asking *asking, const double *values,
                       const struct baseline_policy *other, const char *measure,
                       struct power_row *row, struct regression_spread *spread)
{
    const struct baseline_measure *has = baseline_find_measure(other, measure);
    uint32_t runs = asking->baseline->runs;

    if (!has || !are_finite(has->values, runs))
        return;
    for (uint32_t i = 0; i < runs; i++)
        asking->try[i] = values[i] - has->values[i];

    double deviation = stats_sd(asking->try, runs);
    if (!(deviation > 0 && deviation < row->deviation))
        return;
    for (uint32_t i = 0; i < runs; i++)
        asking->differences[i] = asking->try[i];
    spread->count = runs;
    row->source = POWER_BY_POLICY;
    row->other = other->label;
    row->deviation = deviation;
}

static struct regression_spread
find_spread(struct asking *asking, const struct baseline_policy *policy,
            const struct baseline_measure *measure, struct power_row *row)
{
    const struct baseline *baseline = asking->baseline;
    struct regression_spread spread = {
        .differences = asking->differences,
        .count = between_replications(measure->values, baseline->runs,
                                      asking->differences),
        .replications = baseline->runs,
    };

    row->source = POWER_BY_SEED;
    row->deviation = sqrt(2) * stats_sd(measure->values, baseline->runs);
    for (uint32_t i = 0; i < baseline->policy_count; i++)
        if (&baseline->policies[i] != policy)
            try_policy(asking, measure->values, &baseline->policies[i],
                       measure->name, row, &spread);
    return spread;
}

/* ---- rows ---- */

static void fill(double *ret, size_t count, double value)
{
    for (size_t i = 0; i < count; i++)
        ret[i] = value;
}

static bool draw(struct asking *asking, const struct regression_spread *spread,
                 struct power_row *row)
{
    const struct baseline_power *power = asking->power;

    for (size_t i = 0; i < power->count_count; i++) {
        if (!regression_power_draw(spread, power->counts[i], power->level,
                                   asking->baseline->seed, asking->drawn))
            return false;
        row->smallest[i] =
            row->allowed + regression_power_beyond(asking->drawn, POWER_WANTED);
        if (power->counts[i] != asking->baseline->runs)
            continue;
        for (size_t c = 0; c < POWER_CHANCES; c++)
            row->sizes[c] = row->allowed +
                            regression_power_beyond(asking->drawn,
                                                    baseline_power_chances[c]);
    }
    return true;
}

static bool ask(struct asking *asking, const struct baseline_policy *policy,
                const struct baseline_measure *measure,
                const struct tolerance_spec *tolerance)
{
    struct power_row *row = &asking->power->rows[asking->power->row_count++];
    const struct baseline *baseline = asking->baseline;

    *row = (struct power_row){
        .policy = policy->label,
        .measure = measure->name,
        .unit = measures[tolerance->measure].unit,
        .mean = measure->mean,
        .allowed =
            fmax(tolerance->amount, tolerance->ratio * fabs(measure->mean)),
        .source = POWER_UNKNOWN,
        .deviation = NAN,
    };
    fill(row->smallest, POWER_COUNTS_MAX, NAN);
    fill(row->sizes, POWER_CHANCES, NAN);
    if (!are_finite(measure->values, baseline->runs))
        return true;
    if (baseline->once) {
        row->source = POWER_EXACT;
        row->deviation = 0;
        fill(row->smallest, POWER_COUNTS_MAX, row->allowed);
        fill(row->sizes, POWER_CHANCES, row->allowed);
        return true;
    }
    if (baseline->runs < 2)
        return true;

    struct regression_spread spread = find_spread(asking, policy, measure, row);
    return draw(asking, &spread, row);
}

static bool ask_policy(struct asking *asking,
                       const struct baseline_policy *policy)
{
    const struct check_spec *spec = &asking->scenario->check;

    for (uint32_t i = 0; policy && i < spec->tolerance_count; i++) {
        const struct baseline_measure *measure = baseline_find_measure(
            policy, measures[spec->tolerances[i].measure].name);

        if (measure && !ask(asking, policy, measure, &spec->tolerances[i]))
            return false;
    }
    return true;
}

/* ---- the whole ---- */

/* With the baseline's own in its place. */
static void choose_counts(uint32_t own, struct baseline_power *power)
{
    static const uint32_t usual[POWER_COUNTS_MAX - 1] = {10, 15, 20, 30,
                                                         40, 80, 160};
    bool placed = false;

    for (size_t i = 0; i < POWER_COUNTS_MAX - 1; i++) {
        if (!placed && usual[i] >= own) {
            power->counts[power->count_count++] = own;
            placed = true;
        }
        if (usual[i] != own)
            power->counts[power->count_count++] = usual[i];
    }
    if (!placed)
        power->counts[power->count_count++] = own;
}

static bool allocate(struct asking *asking)
{
    size_t runs = asking->baseline->runs;
    size_t rows = (size_t)asking->scenario->policy_count *
                  asking->scenario->check.tolerance_count;

    asking->power->rows = calloc(rows + 1, sizeof *asking->power->rows);
    asking->drawn = calloc(REGRESSION_POWER_DRAWS, sizeof *asking->drawn);
    asking->differences =
        calloc((NEIGHBOURS_MAX + 1) * runs, sizeof *asking->differences);
    if (asking->differences)
        asking->try = asking->differences + NEIGHBOURS_MAX * runs;
    return asking->power->rows && asking->drawn && asking->differences;
}

bool baseline_power(const struct scenario *scenario,
                    const struct baseline *baseline,
                    const struct baseline *plan, struct baseline_power *ret)
{
    size_t tests = scenario->check.tolerance_count;
    struct asking asking = {
        .scenario = scenario, .baseline = baseline, .power = ret};

    *ret = (struct baseline_power){
        .tests = tests,
        .level = regression_power_level(scenario->check.false_alarms,
                                        tests > 0 ? tests : 1),
    };
    choose_counts(baseline->runs, ret);

    bool fine = allocate(&asking);
    for (uint32_t i = 0; fine && i < plan->policy_count; i++)
        fine = ask_policy(&asking,
                          baseline_pair(plan, &plan->policies[i], baseline));
    free(asking.drawn);
    free(asking.differences);
    return fine;
}

void baseline_power_done(struct baseline_power *power)
{
    free(power->rows);
    *power = (struct baseline_power){0};
}
