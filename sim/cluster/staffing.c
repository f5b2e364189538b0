#include "sim/cluster/staffing.h"

#include "workloads/mathx.h"

#include <math.h>

#define BETA_MAX 8.0 /* waits of one in 10^13 */
#define ROOT_OF_TWO_PI 2.50662827463100050242

/* Erlang B by its recursion, which does not overflow; then C out of B. */
static double blocking(double blocked, uint32_t servers, double load)
{
    return load * blocked / (servers + load * blocked);
}

static double waiting(double blocked, uint32_t servers, double load)
{
    double use = load / servers;

    return use < 1 ? blocked / (1 - use * (1 - blocked)) : 1;
}

double staffing_wait_probability(uint32_t servers, double load)
{
    double blocked = 1;

    for (uint32_t c = 1; c <= servers; c++)
        blocked = blocking(blocked, c, load);
    return servers > 0 ? waiting(blocked, servers, load) : 1;
}

uint32_t staffing_for_wait(double load, double share, double services)
{
    double blocked = 1;

    for (uint32_t c = 1;; c++) {
        blocked = blocking(blocked, c, load);
        if (c > load &&
            waiting(blocked, c, load) * mathx_exp(-(c - load) * services) <=
                share)
            return c;
    }
}

uint32_t staffing_for_probability(double load, double most)
{
    return staffing_for_wait(load, most, 0);
}

/* Phi over phi of the standard normal distribution, for x from 0 to BETA_MAX:
   phi * (x + x^3 / 3 + x^5 / 15 + ...) is Phi less a half. */
static double normal_ratio(double x)
{
    double term = x, sum = x;

    for (uint32_t odd = 3; term > sum * 1e-17; odd += 2) {
        term *= x * x / odd;
        sum += term;
    }
    return 0.5 * ROOT_OF_TWO_PI * mathx_exp(x * x / 2) + sum;
}

double staffing_halfin_whitt(double beta)
{
    return beta < BETA_MAX ? 1 / (1 + beta * normal_ratio(beta)) : 0;
}

/* The probability falls with beta, so halving finds it. */
double staffing_beta(double probability)
{
    double low = 0, high = BETA_MAX;

    for (int i = 0; i < 60; i++) {
        double beta = (low + high) / 2;

        if (staffing_halfin_whitt(beta) > probability)
            low = beta;
        else
            high = beta;
    }
    return (low + high) / 2;
}

/* Of the exponential wait and the exponential service, one after the other;
   where their rates are the same, so nearly that the difference is noise. */
double staffing_beyond(double waits, double spare, double services)
{
    double served = mathx_exp(-services);
    double both = (1 + services) * served;

    if (fabs(spare - 1) > 1e-7)
        both = (spare * served - mathx_exp(-spare * services)) / (spare - 1);
    return (1 - waits) * served + waits * both;
}

/* ---- fewest servers ---- */

/* What is asked: of answers, or of waits, beyond a time at most a share; or of
   a mean wait at most a time. */
struct question {
    enum { OF_ANSWERS, OF_WAITS, OF_MEAN } kind;
    double share, services;
};

static bool is_enough(const struct question *question, double waits,
                      double spare)
{
    double services = question->services;

    switch (question->kind) {
    case OF_ANSWERS:
        return staffing_beyond(waits, spare, services) <= question->share;
    case OF_WAITS:
        return waits * mathx_exp(-spare * services) <= question->share;
    case OF_MEAN:
        break;
    }
    return waits / spare <= services;
}

/* So many more than the load that nobody waits; then more do not help. */
static double most_servers(double load)
{
    return load + BETA_MAX * sqrt(load) + 100;
}

static uint32_t fewest(double load, const struct question *question,
                       bool by_root)
{
    double blocked = 1, most = most_servers(load);

    for (uint32_t c = 1; c <= most; c++) {
        double spare = c - load, waits;

        blocked = blocking(blocked, c, load);
        if (!(spare > 0))
            continue;
        waits = by_root ? staffing_halfin_whitt(spare / sqrt(load))
                        : waiting(blocked, c, load);
        if (is_enough(question, waits, spare))
            return c;
    }
    return 0;
}

uint32_t staffing_for_latency(double load, double share, double services,
                              bool by_root)
{
    struct question question = {OF_ANSWERS, share, services};

    return fewest(load, &question, by_root);
}

uint32_t staffing_for_wait_beyond(double load, double share, double services,
                                  bool by_root)
{
    struct question question = {OF_WAITS, share, services};

    return fewest(load, &question, by_root);
}

uint32_t staffing_for_mean_wait(double load, double services, bool by_root)
{
    struct question question = {.kind = OF_MEAN, .services = services};

    return fewest(load, &question, by_root);
}

static uint32_t whole(double count)
{
    double servers = ceil(count);

    if (servers < 1)
        return 1;
    return servers < (double)INT32_MAX ? (uint32_t)servers : INT32_MAX;
}

uint32_t staffing_square_root(double load, double probability)
{
    return whole(load + staffing_beta(probability) * sqrt(load));
}

uint32_t staffing_nodes(double peak, double per_node, double margin)
{
    double nodes = margin * peak / per_node;

    return whole(nodes - nodes * 1e-12);
}

struct staffing_backlog staffing_backlog(double load_per_s, double before_per_s,
                                         double after_per_s, double delay_s)
{
    double peak = (load_per_s - before_per_s) * delay_s;
    double drain_s = peak / (after_per_s - load_per_s);
    double area_s = peak * (delay_s + drain_s) / 2;

    return (struct staffing_backlog){
        .peak = peak,
        .drain_s = drain_s,
        .area_s = area_s,
        .mean_delay_s = area_s / (load_per_s * (delay_s + drain_s)),
    };
}
