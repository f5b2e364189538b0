#include "sim/advice/diagnosis.h"

#include "sim/measure/stats.h"

#include <math.h>
#include <stdlib.h>

/* Half the interval of the ratio of after to before; NaN: too few. */
static double half_width(const double *before, const double *after, uint32_t n,
                         double ratio, double confidence)
{
    double squares = 0;

    if (n < 2)
        return NAN;
    for (uint32_t i = 0; i < n; i++) {
        double rest = after[i] - ratio * before[i];

        squares += rest * rest;
    }
    return stats_t_quantile(1 - (1 - confidence) / 2, n - 1) *
           sqrt(squares / (n - 1) / n) / stats_mean(before, n);
}

static struct explained conclude(const double *before, const double *after,
                                 uint32_t n, double confidence)
{
    struct explained ret = {NAN, NAN, NAN, false};
    double mean = n > 0 ? stats_mean(before, n) : 0;

    if (!(mean > 0))
        return ret;

    double ratio = stats_mean(after, n) / mean;
    double half = half_width(before, after, n, ratio, confidence);

    ret.share = 1 - ratio;
    ret.lo = ret.share - half;
    ret.hi = ret.share + half;
    ret.named = (isnan(half) ? ret.share : ret.lo) >= DIAGNOSIS_LEAST;
    return ret;
}

struct explained diagnosis_explain(const struct symptoms *symptoms,
                                   const struct finding *finding,
                                   const struct cause *cause,
                                   const struct watch *before,
                                   const struct watch *after, double confidence)
{
    struct explained ret = {NAN, NAN, NAN, false};
    uint32_t n = before->run_count < after->run_count ? before->run_count
                                                      : after->run_count;
    double *values = n > 0 ? calloc(2 * (size_t)n, sizeof *values) : NULL;

    if (values && !(cause->symptoms >> finding->symptom & 1))
        n = 0;
    if (!values)
        return ret;
    for (uint32_t i = 0; i < n; i++) {
        values[i] = symptoms_excess(symptoms, finding, before, i);
        values[n + i] = symptoms_excess(symptoms, finding, after, i);
    }
    ret = conclude(values, values + n, n, confidence);
    free(values);
    return ret;
}

void diagnosis_done(struct diagnosis *diagnosis)
{
    for (uint32_t i = 0; i < diagnosis->trial_count; i++) {
        free(diagnosis->trials[i].explained);
        cure_done(&diagnosis->trials[i].treatment);
    }
    symptoms_done(&diagnosis->symptoms);
    free(diagnosis->label);
    *diagnosis = (struct diagnosis){0};
}

bool diagnosis_may_explain(const struct explained *explained)
{
    return !explained->named && explained->share > 0 &&
           explained->hi > DIAGNOSIS_LEAST;
}

uint32_t diagnosis_named(const struct diagnosis *diagnosis, uint32_t finding,
                         uint32_t *ret)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < diagnosis->trial_count; i++) {
        const struct trial_of_cause *trial = &diagnosis->trials[i];
        uint32_t at = count;

        if (!trial->tried || !trial->explained[finding].named)
            continue;
        while (at > 0 &&
               trial->explained[finding].share >
                   diagnosis->trials[ret[at - 1]].explained[finding].share) {
            ret[at] = ret[at - 1];
            at--;
        }
        ret[at] = i;
        count++;
    }
    return count;
}
