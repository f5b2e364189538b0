/* What a process brings on average and at most: for estimates, not for
   events. */
#include "workloads/arrivals_varying.h"

#include <math.h>

/* States are folded into those before them, the last first, without a
   subtraction: Grassmann, Taksar and Heyman, "Regenerative Analysis and Steady
   State Distributions for Markov Chains", Operations Research 33(5), 1985. */
bool arrivals_state_shares(const struct arrivals_spec *spec, double *ret_shares)
{
    double moves[ARRIVALS_STATES_MAX][ARRIVALS_STATES_MAX] = {{0}};
    uint32_t count = spec->state_count;
    double total = 1;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++)
            moves[i][j] = arrivals_move_per_s(spec, i, j);
    for (uint32_t k = count - 1; k > 0; k--) {
        double back = 0;

        for (uint32_t j = 0; j < k; j++)
            back += moves[k][j];
        if (!(back > 0))
            return false;
        for (uint32_t i = 0; i < k; i++) {
            moves[i][k] /= back;
            for (uint32_t j = 0; j < k; j++)
                moves[i][j] += moves[i][k] * moves[k][j];
        }
    }
    ret_shares[0] = 1;
    for (uint32_t k = 1; k < count; k++) {
        ret_shares[k] = 0;
        for (uint32_t i = 0; i < k; i++)
            ret_shares[k] += ret_shares[i] * moves[i][k];
        if (!(ret_shares[k] > 0))
            return false; /* nothing leads there */
        total += ret_shares[k];
    }
    for (uint32_t k = 0; k < count; k++)
        ret_shares[k] /= total;
    return true;
}

static struct arrivals_rates rates_of_states(const struct arrivals_spec *spec)
{
    double shares[ARRIVALS_STATES_MAX];
    struct arrivals_rates rates = {0, 0};

    if (!arrivals_state_shares(spec, shares))
        return (struct arrivals_rates){(double)NAN, (double)NAN};
    for (uint32_t i = 0; i < spec->state_count; i++) {
        rates.mean_per_s += shares[i] * spec->states[i].rate_per_s;
        rates.peak_per_s = fmax(rates.peak_per_s, spec->states[i].rate_per_s);
    }
    return rates;
}

/* Mean over [0, duration) of the sine, whose integral is a cosine. */
static struct arrivals_rates rates_of_sine(const struct arrivals_spec *spec,
                                           int64_t duration_ns)
{
    const double two_pi = 6.283185307179586;
    double period = (double)spec->period_ns, start = (double)spec->phase_ns;
    double end = start + (double)duration_ns;
    double waves = cos(two_pi * fmod(start, period) / period) -
                   cos(two_pi * fmod(end, period) / period);
    struct arrivals_rates rates = {spec->rate_per_s, 0};

    if (duration_ns < INT64_MAX)
        rates.mean_per_s *= 1 + spec->amplitude * period * waves /
                                    (two_pi * (double)duration_ns);
    rates.peak_per_s = spec->rate_per_s * (1 + spec->amplitude);
    if ((double)duration_ns < period) /* the peak may not be reached */
        rates.peak_per_s = fmax(rates.peak_per_s, rates.mean_per_s);
    return rates;
}

/* Expected arrivals between two times between which the rate is straight. */
static double trapezium(struct arrivals_point from, struct arrivals_point to,
                        int64_t until_ns)
{
    double length = (double)(to.at_ns - from.at_ns);
    double part =
        until_ns < to.at_ns ? (double)(until_ns - from.at_ns) : length;
    double slope = length > 0 ? (to.rate_per_s - from.rate_per_s) / length : 0;

    if (part <= 0)
        return 0;
    return part * (from.rate_per_s + 0.5 * slope * part) * 1e-9;
}

/* Expected arrivals in [0, until) of the first period, or of all time. */
static double area_of_points(const struct arrivals_spec *spec, int64_t until_ns)
{
    struct arrivals_point from = spec->points[0], to;
    struct arrivals_point last = spec->points[spec->point_count - 1];
    double area;

    if (spec->period_ns > 0 && from.at_ns > 0) { /* on the way over the end */
        double way = (double)(spec->period_ns - last.at_ns) /
                     (double)(spec->period_ns - last.at_ns + from.at_ns);

        from.rate_per_s =
            last.rate_per_s + way * (from.rate_per_s - last.rate_per_s);
    }
    from.at_ns = 0;
    area = trapezium(from, spec->points[0], until_ns);
    for (uint32_t i = 1; i < spec->point_count; i++)
        area += trapezium(spec->points[i - 1], spec->points[i], until_ns);
    to = last;
    if (spec->period_ns > 0) {
        to = spec->points[0];
        to.at_ns += spec->period_ns;
        if (until_ns > spec->period_ns)
            until_ns = spec->period_ns;
    } else {
        to.at_ns = INT64_MAX;
    }
    return area + trapezium(last, to, until_ns);
}

/* The greatest rate before a time: at a point, or where the run ends on the way
   up to one. */
static double peak_of_points(const struct arrivals_spec *spec,
                             int64_t duration_ns)
{
    double peak = spec->points[0].rate_per_s;

    for (uint32_t i = 1; i < spec->point_count; i++) {
        struct arrivals_point from = spec->points[i - 1], to = spec->points[i];

        if (from.at_ns >= duration_ns)
            break;
        if (to.at_ns > duration_ns)
            to.rate_per_s =
                from.rate_per_s + (to.rate_per_s - from.rate_per_s) *
                                      ((double)(duration_ns - from.at_ns) /
                                       (double)(to.at_ns - from.at_ns));
        peak = fmax(peak, to.rate_per_s);
    }
    return peak;
}

static struct arrivals_rates rates_of_points(const struct arrivals_spec *spec,
                                             int64_t duration_ns)
{
    struct arrivals_rates rates = {0, peak_of_points(spec, duration_ns)};
    int64_t period_ns = spec->period_ns;

    if (duration_ns == INT64_MAX) {
        rates.mean_per_s = spec->points[spec->point_count - 1].rate_per_s;
        if (period_ns > 0)
            rates.mean_per_s =
                area_of_points(spec, period_ns) / (1e-9 * (double)period_ns);
        return rates;
    }

    double area = 0;
    int64_t rest_ns = duration_ns;
    if (period_ns > 0) {
        int64_t whole = duration_ns / period_ns;

        area = (double)whole * area_of_points(spec, period_ns);
        rest_ns = duration_ns % period_ns;
    }
    area += area_of_points(spec, rest_ns);
    rates.mean_per_s = area / (1e-9 * (double)duration_ns);
    return rates;
}

/* Share of the time in which a spike is up, its ramps counted half. */
static double up_share(const struct arrivals_spike *spike, int64_t duration_ns)
{
    double level = (double)(spike->duration_ns - spike->ramp_ns);
    double times = 1, rest;

    if (duration_ns == INT64_MAX)
        return spike->every_ns > 0 ? level / (double)spike->every_ns : 0;
    if (spike->at_ns >= duration_ns)
        return 0;
    rest = (double)(duration_ns - spike->at_ns);
    if (spike->every_ns > 0) {
        times = floor(rest / (double)spike->every_ns);
        rest -= times * (double)spike->every_ns;
        times += fmin(1, rest / (double)spike->duration_ns);
    } else {
        times = fmin(1, rest / (double)spike->duration_ns);
    }
    return times * level / (double)duration_ns;
}

static struct arrivals_rates rates_of_spikes(const struct arrivals_spec *spec,
                                             int64_t duration_ns)
{
    double mean = 1, peak = 1;

    for (uint32_t i = 0; i < spec->spike_count; i++) {
        const struct arrivals_spike *spike = &spec->spikes[i];

        mean += (spike->factor - 1) * up_share(spike, duration_ns);
        if (spike->at_ns < duration_ns)
            peak = fmax(peak, spike->factor);
    }
    return (struct arrivals_rates){spec->rate_per_s * fmax(mean, 0),
                                   spec->rate_per_s * peak};
}

struct arrivals_rates arrivals_rates(const struct arrivals_spec *spec,
                                     int64_t duration_ns)
{
    switch (spec->process) {
    case ARRIVALS_MMPP:
        return rates_of_states(spec);
    case ARRIVALS_DIURNAL:
        return spec->point_count > 0 ? rates_of_points(spec, duration_ns)
                                     : rates_of_sine(spec, duration_ns);
    case ARRIVALS_CLOSED:
        return (struct arrivals_rates){(double)NAN, (double)NAN};
    default:
        return rates_of_spikes(spec, duration_ns);
    }
}

bool arrivals_are_random(const struct arrivals_spec *spec)
{
    if (spec->process == ARRIVALS_CLOSED)
        return spec->think.kind != DIST_NONE &&
               spec->think.kind != DIST_CONSTANT;
    return spec->process != ARRIVALS_DETERMINISTIC;
}
