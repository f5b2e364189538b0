#include "sim/experiment/crossover.h"

#include "sim/experiment/crossover_fit.h"
#include "sim/measure/signed_rank.h"
#include "sim/measure/skewness.h"
#include "sim/measure/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Of what may go wrong, how much goes to signs, and how much to the fit. */
#define SHARE_OF_SIGNS 0.2
#define SHARE_OF_FIT 0.8

/* Of differences that are 0 on average, how many may lie on one side without
   fooling a search. */
#define SIDE_SHARE 0.7

/* Closing in on a flip from one side where the middle has no certain sign. */
#define SIDE_STEPS 3

const char *const crossover_kind_names[] = {
    [CROSSOVER_FOUND] = "found",     [CROSSOVER_NONE] = "none",
    [CROSSOVER_SEVERAL] = "several", [CROSSOVER_CANNOT_TELL] = "cannot_tell",
    [CROSSOVER_STOPPED] = "stopped",
};

struct search {
    const struct crossover_setup *setup;
    struct crossover_result *result;
    double level;   /* chance of a wrong sign that one look may take */
    uint32_t least; /* with fewer pairs none is certain */
    double *values; /* [pairs_most] of the probe at work */
    bool stopped;
    bool without_chance; /* one value says all */
};

/* An end of a bracket. */
struct end {
    double x;
    int sign;
};

/* ---- one place ---- */

static uint32_t looks_of(const struct crossover_setup *setup)
{
    uint32_t looks = 1;

    for (uint64_t pairs = setup->pairs_first; pairs < setup->pairs_most;
         pairs *= 2)
        looks++;
    return looks;
}

static double level_of(const struct crossover_setup *setup)
{
    double places = setup->scan_points + CROSSOVER_STEPS_MAX;

    return (1 - setup->confidence) * SHARE_OF_SIGNS /
           (places * looks_of(setup));
}

uint32_t crossover_least_pairs(const struct crossover_setup *setup)
{
    double least = ceil(log(level_of(setup)) / log(SIDE_SHARE));

    return least > 3 ? (uint32_t)least : 3;
}

/* Moves those with a value to the front; *ret_infinite: whether any is without
   bounds. */
static uint32_t drop_absent(double *values, uint32_t count, bool *ret_infinite)
{
    uint32_t kept = 0;

    *ret_infinite = false;
    for (uint32_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            continue;
        *ret_infinite |= isinf(values[i]) != 0;
        values[kept++] = values[i];
    }
    return kept;
}

static int sign_by_counts(const double *values, uint32_t count, double level)
{
    uint64_t above = 0, below = 0;

    for (uint32_t i = 0; i < count; i++) {
        above += values[i] > 0;
        below += values[i] < 0;
    }
    if (stats_sign_test_p(above, below) > 2 * level)
        return 0;
    return above > below ? 1 : -1;
}

/* Of the mean, by t, whatever the skewness. */
static int sign_by_mean(const double *values, uint32_t count, double level)
{
    double critical = stats_t_quantile(1 - level, count - 1.0), t;

    if (!skewness_t(values, count, &t)) /* all are equal */
        return (values[0] > 0) - (values[0] < 0);
    return (t > critical) - (t < -critical);
}

/* The ranks have to agree with the mean. false: no memory. */
static bool find_sign(const double *values, uint32_t count, double level,
                      int *ret)
{
    struct signed_rank_p p;

    *ret = sign_by_mean(values, count, level);
    if (*ret == 0)
        return true;
    if (!signed_rank_test(values, count, &p))
        return false;
    if ((*ret > 0 ? p.above : p.below) > level)
        *ret = 0;
    return true;
}

/* The differences so far; a copy, for the schedule adds to them. */
static bool judge(const struct search *search, uint32_t count,
                  struct crossover_probe *probe)
{
    double *values = malloc((count + 1) * sizeof *values);
    bool infinite, fine = true;

    if (!values)
        return false;
    for (uint32_t i = 0; i < count; i++)
        values[i] = search->values[i];
    probe->pairs = drop_absent(values, count, &infinite);
    probe->sign = 0;
    probe->mean = probe->lo = probe->hi = NAN;
    if (search->without_chance) {
        probe->mean = probe->lo = probe->hi = values[0];
        probe->sign = (values[0] > 0) - (values[0] < 0);
    } else if (infinite && probe->pairs >= search->least) {
        probe->sign = sign_by_counts(values, probe->pairs, search->level);
    } else if (!infinite && probe->pairs >= 2) {
        struct stats_interval interval =
            stats_t_interval(values, probe->pairs, search->setup->confidence);

        if (probe->pairs >= search->least)
            fine = find_sign(values, probe->pairs, search->level, &probe->sign);
        probe->mean = interval.mean;
        probe->lo = interval.lo;
        probe->hi = interval.hi;
    }
    free(values);
    return fine;
}

/* Asks for differences up to `count`, of which `have` are there. */
static bool take(struct search *search, double x, uint32_t have, uint32_t count)
{
    const struct crossover_setup *setup = search->setup;
    uint32_t got = setup->probe(setup->context, x, have, count - have,
                                search->values + have);

    search->result->pairs += got;
    search->stopped = got == 0;
    search->without_chance = got > 0 && got < count - have;
    return got > 0;
}

/* Keeps probes in order of x. */
static struct crossover_probe *insert_probe(struct crossover_result *result,
                                            double x)
{
    uint32_t at = result->probe_count++;

    assert(result->probe_count <= CROSSOVER_PROBES_MAX);
    while (at > 0 && result->probes[at - 1].x > x) {
        result->probes[at] = result->probes[at - 1];
        at--;
    }
    result->probes[at] = (struct crossover_probe){.x = x};
    return &result->probes[at];
}

/* A place that was looked at before; NULL: it was not. Halving logarithms comes
   back to a place only up to rounding. */
static const struct crossover_probe *
find_probe(const struct crossover_result *result, double x)
{
    for (uint32_t i = 0; i < result->probe_count; i++)
        if (fabs(result->probes[i].x - x) <= 1e-9 * fabs(x))
            return &result->probes[i];
    return NULL;
}

/* Looks at x until its sign is certain, or the schedule ends: then 0. false:
   no memory. When stopped, the sign is 0 and nothing is kept. */
static bool look(struct search *search, double x, int *ret_sign)
{
    const struct crossover_setup *setup = search->setup;
    const struct crossover_probe *known = find_probe(search->result, x);
    struct crossover_probe probe = {.x = x};
    uint32_t have = 0;

    *ret_sign = known ? known->sign : 0;
    if (known)
        return true;
    while (probe.sign == 0 && have < setup->pairs_most) {
        uint64_t next = have == 0 ? setup->pairs_first : 2 * (uint64_t)have;

        if (next > setup->pairs_most)
            next = setup->pairs_most;
        if (!take(search, x, have, (uint32_t)next))
            return true;
        have = (uint32_t)next;
        if (!judge(search, have, &probe))
            return false;
        if (search->without_chance)
            break;
    }
    *insert_probe(search->result, x) = probe;
    *ret_sign = probe.sign;
    return true;
}

/* ---- places on the axis ---- */

static double to_axis(const struct crossover_setup *setup, double x)
{
    return setup->log_scale ? log(x) : x;
}

static double from_axis(const struct crossover_setup *setup, double u)
{
    double x = setup->log_scale ? exp(u) : u;

    x = fmin(setup->to, fmax(setup->from, x));
    return setup->whole ? round(x) : x;
}

/* share 0 is a, 1 is b; both exactly. */
static double between(const struct crossover_setup *setup, double a, double b,
                      double share)
{
    double low = to_axis(setup, a), high = to_axis(setup, b);

    if (share <= 0)
        return a;
    return share >= 1 ? b : from_axis(setup, low + share * (high - low));
}

/* Whole numbers may leave no place between two others. */
static bool middle(const struct crossover_setup *setup, double a, double b,
                   double *ret)
{
    *ret = between(setup, a, b, 0.5);
    if (setup->whole && b - a >= 2)
        *ret = fmin(b - 1, fmax(a + 1, *ret));
    return *ret > a && *ret < b;
}

static bool is_narrow(const struct crossover_setup *setup, double a, double b)
{
    return to_axis(setup, b) - to_axis(setup, a) <= setup->within ||
           (setup->whole && b - a <= 1);
}

/* ---- the scan ---- */

static bool scan(struct search *search)
{
    const struct crossover_setup *setup = search->setup;
    double last = NAN;

    for (uint32_t i = 0; i < setup->scan_points && !search->stopped; i++) {
        double x = between(setup, setup->from, setup->to,
                           (double)i / (setup->scan_points - 1.0));
        int sign;

        if (x == last)
            continue;
        if (!look(search, x, &sign))
            return false;
        search->result->undecided += sign == 0;
        last = x;
    }
    return true;
}

/* Each change from one certain sign to the other, with the certain points on
   both sides. */
static void find_flips(struct crossover_result *result)
{
    const struct crossover_probe *last = NULL;

    for (uint32_t i = 0; i < result->probe_count; i++) {
        const struct crossover_probe *probe = &result->probes[i];

        if (probe->sign == 0)
            continue;
        if (!last) {
            result->sign = probe->sign;
            result->sure_from = probe->x;
        } else if (probe->sign != last->sign) {
            result->flips[result->flip_count++] =
                (struct crossover_flip){last->x, probe->x, last->sign};
        }
        result->sure_to = probe->x;
        last = probe;
    }
}

static enum crossover_kind kind_of(const struct search *search)
{
    const struct crossover_result *result = search->result;

    if (search->stopped)
        return CROSSOVER_STOPPED;
    if (result->flip_count > 0)
        return result->flip_count == 1 ? CROSSOVER_FOUND : CROSSOVER_SEVERAL;
    return result->undecided == 0 ? CROSSOVER_NONE : CROSSOVER_CANNOT_TELL;
}

/* ---- closing in ---- */

static bool may_go_on(const struct search *search)
{
    return !search->stopped &&
           search->result->probe_count < CROSSOVER_PROBES_MAX;
}

/*
 * The sign at blur, between the two, is not certain: halves what lies between
 * `certain` and it, and moves `certain` nearer. Where the sign turns out to be
 * that of the far side, the far side moves.
 */
static bool close_in(struct search *search, struct end *certain, double blur,
                     struct end *far)
{
    const struct crossover_setup *setup = search->setup;

    for (int i = 0; i < SIDE_STEPS && may_go_on(search); i++) {
        bool is_low = certain->x < blur;
        double a = is_low ? certain->x : blur, b = is_low ? blur : certain->x;
        double x;
        int sign;

        if (is_narrow(setup, a, b) || !middle(setup, a, b, &x))
            return true;
        if (!look(search, x, &sign))
            return false;
        if (sign == certain->sign) {
            certain->x = x;
        } else if (sign == 0) {
            blur = x;
        } else {
            far->x = x;
            return true;
        }
    }
    return true;
}

static bool bisect(struct search *search, struct end *low, struct end *high)
{
    const struct crossover_setup *setup = search->setup;

    while (may_go_on(search) && !is_narrow(setup, low->x, high->x)) {
        double x;
        int sign;

        if (!middle(setup, low->x, high->x, &x))
            return true;
        if (!look(search, x, &sign))
            return false;
        if (search->stopped)
            return true;
        if (sign == 0)
            return close_in(search, low, x, high) &&
                   close_in(search, high, x, low);
        if (sign == low->sign)
            low->x = x;
        else
            high->x = x;
    }
    return true;
}

/* ---- the estimate ---- */

static bool choose_places(const struct crossover_setup *setup, double low,
                          double high, double *ret)
{
    for (int i = 0; i < CROSSOVER_PLACES; i++) {
        ret[i] = between(setup, low, high, i / (CROSSOVER_PLACES - 1.0));
        if (i > 0 && ret[i] <= ret[i - 1])
            return false;
    }
    return true;
}

/* Replications that the search did not see, at each place. */
static bool take_fresh(struct search *search, const double *places,
                       double *values)
{
    const struct crossover_setup *setup = search->setup;

    for (int i = 0; i < CROSSOVER_PLACES; i++) {
        uint32_t got = setup->probe(setup->context, places[i],
                                    setup->pairs_most, setup->pairs_most,
                                    values + (size_t)i * setup->pairs_most);

        search->result->pairs += got;
        search->stopped = got == 0;
        if (got < setup->pairs_most)
            return false;
    }
    return true;
}

/* The fit is on the axis that was bisected, where the curve is straighter. */
static bool estimate(struct search *search, double *values)
{
    const struct crossover_setup *setup = search->setup;
    struct crossover_result *result = search->result;
    double places[CROSSOVER_PLACES], low = result->bracket_lo;
    double miss = (1 - setup->confidence) * SHARE_OF_FIT;
    struct crossover_fit fit;

    if (search->without_chance ||
        !choose_places(setup, low, result->bracket_hi, places) ||
        !take_fresh(search, places, values))
        return false;
    for (int i = 0; i < CROSSOVER_PLACES; i++)
        places[i] = to_axis(setup, places[i]);
    if (!crossover_fit(places, values, setup->pairs_most, setup->pairs_most,
                       result->flips[0].sign, miss, &fit))
        return false;
    result->at = setup->log_scale ? exp(fit.at) : fit.at;
    result->lo = fmax(low, setup->log_scale ? exp(fit.lo) : fit.lo);
    result->hi =
        fmin(result->bracket_hi, setup->log_scale ? exp(fit.hi) : fit.hi);
    return true;
}

/* Without a curve the bracket is all that is known. */
static void settle_for_bracket(struct crossover_result *result,
                               const struct crossover_setup *setup)
{
    double low = to_axis(setup, result->bracket_lo);
    double high = to_axis(setup, result->bracket_hi);
    double mid = (low + high) / 2;

    result->at = setup->log_scale ? exp(mid) : mid;
    result->lo = result->bracket_lo;
    result->hi = result->bracket_hi;
}

static bool narrow_down(struct search *search)
{
    const struct crossover_setup *setup = search->setup;
    struct crossover_result *result = search->result;
    struct end low = {result->flips[0].lo, result->flips[0].sign};
    struct end high = {result->flips[0].hi, -result->flips[0].sign};
    size_t room = (size_t)CROSSOVER_PLACES * setup->pairs_most;
    double *values = calloc(room + 1, sizeof *values);
    bool fine = values && bisect(search, &low, &high);

    if (fine) {
        result->bracket_lo = low.x;
        result->bracket_hi = high.x;
        settle_for_bracket(result, setup);
        if (!search->stopped)
            result->from_curve = estimate(search, values);
    }
    free(values);
    return fine;
}

static uint32_t pairs_between(uint32_t least, uint32_t first, uint32_t most)
{
    uint32_t pairs = first < least ? least : first;

    return pairs < most ? pairs : most;
}

bool crossover_search(const struct crossover_setup *setup,
                      struct crossover_result *ret)
{
    struct crossover_setup used = *setup;

    /* fewer than can be certain are not looked at */
    used.pairs_first = pairs_between(crossover_least_pairs(setup),
                                     setup->pairs_first, setup->pairs_most);

    struct search search = {
        .setup = &used,
        .result = ret,
        .level = level_of(&used),
        .least = crossover_least_pairs(&used),
        .values = calloc((size_t)setup->pairs_most + 1, sizeof(double)),
    };

    *ret = (struct crossover_result){.at = NAN,
                                     .lo = NAN,
                                     .hi = NAN,
                                     .bracket_lo = NAN,
                                     .bracket_hi = NAN,
                                     .sure_from = NAN,
                                     .sure_to = NAN};
    bool fine = search.values && scan(&search);
    if (fine) {
        find_flips(ret);
        ret->kind = kind_of(&search);
        if (ret->kind == CROSSOVER_FOUND)
            fine = narrow_down(&search);
        if (search.stopped)
            ret->kind = CROSSOVER_STOPPED;
    }
    free(search.values);
    return fine;
}
