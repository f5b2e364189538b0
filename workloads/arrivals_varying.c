#include "workloads/arrivals_varying.h"

#include "workloads/mathx.h"
#include "workloads/ziggurat.h"

#include <math.h>

/* From now on the rate is a straight line until end_ns. */
struct piece {
    double rate;  /* a ns, or a factor */
    double slope; /* of it, a ns */
    int64_t end_ns;
};

static const double per_ns = 1e-9; /* of a rate per second */

/* --- points -------------------------------------------------------------- */

/* The straight line from one point to the next, at a time between them. */
static struct piece line_at(int64_t from_ns, double from, int64_t to_ns,
                            double to, int64_t at_ns)
{
    double slope = (to - from) / (double)(to_ns - from_ns);
    double rate = from + slope * (double)(at_ns - from_ns);

    return (struct piece){rate > 0 ? rate * per_ns : 0, slope * per_ns, to_ns};
}

/* How many points lie at or before the time. */
static uint32_t points_before(const struct arrivals_spec *spec, int64_t at_ns)
{
    uint32_t low = 0, high = spec->point_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (spec->points[middle].at_ns <= at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Before the first point and behind the last one: their rates hold, or the line
   leads over the end of the period. */
static struct piece piece_outside(const struct arrivals_spec *spec,
                                  int64_t at_ns, bool behind)
{
    struct arrivals_point first = spec->points[0];
    struct arrivals_point last = spec->points[spec->point_count - 1];

    if (spec->period_ns > 0 && behind)
        return line_at(last.at_ns, last.rate_per_s,
                       first.at_ns + spec->period_ns, first.rate_per_s, at_ns);
    if (spec->period_ns > 0)
        return line_at(last.at_ns - spec->period_ns, last.rate_per_s,
                       first.at_ns, first.rate_per_s, at_ns);
    if (behind)
        return (struct piece){last.rate_per_s * per_ns, 0, INT64_MAX};
    return (struct piece){first.rate_per_s * per_ns, 0, first.at_ns};
}

static struct piece piece_of_points(const struct arrivals_spec *spec,
                                    int64_t now_ns)
{
    int64_t at_ns = spec->period_ns > 0 ? now_ns % spec->period_ns : now_ns;
    uint32_t before = points_before(spec, at_ns);
    struct piece piece;

    if (before == 0 || before == spec->point_count) {
        piece = piece_outside(spec, at_ns, before > 0);
    } else {
        const struct arrivals_point *from = &spec->points[before - 1];
        const struct arrivals_point *to = from + 1;

        piece = line_at(from->at_ns, from->rate_per_s, to->at_ns,
                        to->rate_per_s, at_ns);
    }
    if (piece.end_ns < INT64_MAX)
        piece.end_ns += now_ns - at_ns;
    return piece;
}

/* --- spikes -------------------------------------------------------------- */

/* What one spike adds to a pace of 1, and until when it does so. */
static struct piece piece_of_spike(const struct arrivals_spike *spike,
                                   int64_t now_ns)
{
    double extra = spike->factor - 1, ramp = (double)spike->ramp_ns;
    int64_t into_ns = now_ns - spike->at_ns, start_ns = spike->at_ns;

    if (into_ns < 0)
        return (struct piece){0, 0, spike->at_ns};
    if (spike->every_ns > 0) {
        into_ns %= spike->every_ns;
        start_ns = now_ns - into_ns;
    }

    int64_t left_ns = spike->duration_ns - into_ns;
    if (left_ns <= 0)
        return (struct piece){
            0, 0, spike->every_ns > 0 ? start_ns + spike->every_ns : INT64_MAX};
    if (into_ns < spike->ramp_ns)
        return (struct piece){extra * (double)into_ns / ramp, extra / ramp,
                              start_ns + spike->ramp_ns};
    if (left_ns > spike->ramp_ns)
        return (struct piece){extra, 0,
                              start_ns + spike->duration_ns - spike->ramp_ns};
    return (struct piece){extra * (double)left_ns / ramp, -extra / ramp,
                          start_ns + spike->duration_ns};
}

static struct piece piece_of_spikes(const struct arrivals_spec *spec,
                                    int64_t now_ns)
{
    struct piece sum = {1, 0, INT64_MAX};

    for (uint32_t i = 0; i < spec->spike_count; i++) {
        struct piece one = piece_of_spike(&spec->spikes[i], now_ns);

        sum.rate += one.rate;
        sum.slope += one.slope;
        if (one.end_ns < sum.end_ns)
            sum.end_ns = one.end_ns;
    }
    return sum;
}

/* --- states -------------------------------------------------------------- */

double arrivals_move_per_s(const struct arrivals_spec *spec, uint32_t from,
                           uint32_t to)
{
    const struct arrivals_state *state = &spec->states[from];

    if (from == to)
        return 0;
    if (state->moves_per_s)
        return state->moves_per_s[to];
    return 1 / (state->stay_s * (spec->state_count - 1));
}

/* The state's end is drawn when it is entered. */
static void enter_state(struct arrivals *arrivals, uint32_t state)
{
    double leave_per_s = 0;

    for (uint32_t i = 0; i < arrivals->spec.state_count; i++)
        leave_per_s += arrivals_move_per_s(&arrivals->spec, state, i);

    double stay_ns =
        1e9 / leave_per_s * ziggurat_draw_exponential(&arrivals->state_rng);
    arrivals->state = state;
    if (stay_ns < 0x1p62 && arrivals->switch_ns < INT64_C(1) << 62)
        arrivals->switch_ns += 1 + (int64_t)stay_ns;
    else
        arrivals->switch_ns = INT64_MAX;
}

static void leave_state(struct arrivals *arrivals)
{
    uint32_t from = arrivals->state, to = from, count;
    double sum = 0, drawn;

    count = arrivals->spec.state_count;
    for (uint32_t i = 0; i < count; i++)
        sum += arrivals_move_per_s(&arrivals->spec, from, i);
    drawn = sum * rng_uniform(&arrivals->state_rng);
    for (uint32_t i = 0; i < count; i++) {
        double move = arrivals_move_per_s(&arrivals->spec, from, i);

        if (move > 0)
            to = i; /* the last one, if rounding leads behind it */
        if (drawn < move)
            break;
        drawn -= move;
    }
    enter_state(arrivals, to);
}

void arrivals_varying_start(struct arrivals *arrivals)
{
    double shares[ARRIVALS_STATES_MAX];
    double drawn = rng_uniform(&arrivals->state_rng);
    uint32_t state = 0;

    if (!arrivals_state_shares(&arrivals->spec, shares))
        return; /* the loader refuses such states */
    while (state + 1 < arrivals->spec.state_count && drawn >= shares[state])
        drawn -= shares[state++];
    enter_state(arrivals, state);
}

static struct piece piece_of_states(struct arrivals *arrivals)
{
    while (arrivals->now_ns >= arrivals->switch_ns)
        leave_state(arrivals);
    return (struct piece){arrivals->spec.states[arrivals->state].rate_per_s *
                              per_ns,
                          0, arrivals->switch_ns};
}

/* --- along the pieces ---------------------------------------------------- */

static struct piece piece_now(struct arrivals *arrivals)
{
    switch (arrivals->spec.process) {
    case ARRIVALS_MMPP:
        return piece_of_states(arrivals);
    case ARRIVALS_DIURNAL:
        return piece_of_points(&arrivals->spec, arrivals->now_ns);
    default:
        return piece_of_spikes(&arrivals->spec, arrivals->now_ns);
    }
}

/* The x for which rate x + slope x^2 / 2 is the amount, without cancellation;
   there is one. */
static double solve(double rate, double slope, double amount)
{
    double square = rate * rate + 2 * slope * amount;

    if (!(amount > 0))
        return 0;
    return 2 * amount / (rate + sqrt(square > 0 ? square : 0));
}

/* What is left of a piece is straight, and not below 0 at its ends. */
static void clip(struct piece *piece, double gone_ns, double left_ns)
{
    double start = piece->rate + piece->slope * gone_ns;
    double end = start + piece->slope * left_ns;

    piece->rate = start > 0 ? start : 0;
    if (piece->slope != 0)
        piece->slope = ((end > 0 ? end : 0) - piece->rate) / left_ns;
}

static int64_t stop(struct arrivals *arrivals)
{
    arrivals->now_ns = INT64_MAX;
    return INT64_MAX;
}

int64_t arrivals_varying_advance(struct arrivals *arrivals, double amount)
{
    while (arrivals->now_ns < arrivals->horizon_ns) {
        struct piece piece = piece_now(arrivals);
        double left_ns =
            (double)(piece.end_ns - arrivals->now_ns) - arrivals->fraction_ns;

        clip(&piece, arrivals->fraction_ns, left_ns);
        double whole = left_ns * (piece.rate + 0.5 * piece.slope * left_ns);
        if (amount < whole) {
            double step_ns =
                arrivals->fraction_ns + solve(piece.rate, piece.slope, amount);

            if (step_ns >= 0x1p62 || arrivals->now_ns >= INT64_C(1) << 62)
                return stop(arrivals);
            arrivals->now_ns += (int64_t)step_ns;
            arrivals->fraction_ns = step_ns - floor(step_ns);
            return arrivals->now_ns;
        }
        amount -= whole;
        arrivals->now_ns = piece.end_ns;
        arrivals->fraction_ns = 0;
    }
    return stop(arrivals);
}

/* Candidates come at the greatest rate; each is taken by the share of it that
   is due at its time. */
int64_t arrivals_varying_sine(struct arrivals *arrivals)
{
    const struct arrivals_spec *spec = &arrivals->spec;
    double peak = 1 + spec->amplitude;

    while (arrivals->now_ns < arrivals->horizon_ns) {
        double step_ns = arrivals->fraction_ns +
                         arrivals->mean_gap_ns / peak *
                             ziggurat_draw_exponential(&arrivals->rng);

        if (step_ns >= 0x1p62 || arrivals->now_ns >= INT64_C(1) << 62)
            break;
        arrivals->now_ns += (int64_t)step_ns;
        arrivals->fraction_ns = step_ns - floor(step_ns);

        int64_t in_period = (arrivals->now_ns % spec->period_ns +
                             spec->phase_ns % spec->period_ns) %
                            spec->period_ns;
        double turn = (double)in_period / (double)spec->period_ns;
        if (peak * rng_uniform(&arrivals->rng) <
            1 + spec->amplitude * mathx_sin_turn(turn))
            return arrivals->now_ns;
    }
    return stop(arrivals);
}
