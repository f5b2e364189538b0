#include "policies/trend.h"

static double *allocate_reals(const struct lbp_host *host, size_t count)
{
    return host->allocate(host->context, count * sizeof(double));
}

static uint32_t *allocate_counts(const struct lbp_host *host, size_t count)
{
    return host->allocate(host->context, count * sizeof(uint32_t));
}

static void copy_node(struct trend *to, const struct trend *from, uint32_t slot)
{
    size_t k = to->sample_count;

    to->slopes[slot] = from->slopes[slot];
    to->counts[slot] = from->counts[slot];
    to->generations[slot] = from->generations[slot];
    for (size_t i = 0; i < k; i++)
        to->samples[slot * k + i] = from->samples[slot * k + i];
}

static bool grow(struct trend *trend, uint32_t slot_count,
                 uint32_t sample_count, const struct lbp_host *host)
{
    struct trend next = {
        .samples = allocate_reals(host, (size_t)slot_count * sample_count),
        .slopes = allocate_reals(host, slot_count),
        .counts = allocate_counts(host, slot_count),
        .generations = allocate_counts(host, slot_count),
        .slot_count = slot_count,
        .sample_count = sample_count,
        .next = trend->next,
    };

    if (!next.samples || !next.slopes || !next.counts || !next.generations) {
        trend_done(&next, host);
        return false;
    }
    for (uint32_t slot = 0; slot < slot_count; slot++) {
        next.slopes[slot] = 0;
        next.counts[slot] = 0;
        next.generations[slot] = 0;
        if (slot < trend->slot_count)
            copy_node(&next, trend, slot);
    }
    trend_done(trend, host);
    *trend = next;
    return true;
}

bool trend_update(struct trend *trend, const struct lbp_view *view,
                  uint32_t sample_count, const struct lbp_host *host)
{
    if (view->slot_count > trend->slot_count &&
        !grow(trend, view->slot_count, sample_count, host))
        return false;
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        const struct lbp_node *node = lbp_node_at(view, slot);

        if (trend->generations[slot] == node->generation)
            continue;
        trend->generations[slot] = node->generation;
        trend->slopes[slot] = 0;
        trend->counts[slot] = 0;
    }
    return true;
}

void trend_done(struct trend *trend, const struct lbp_host *host)
{
    host->release(host->context, trend->samples);
    host->release(host->context, trend->slopes);
    host->release(host->context, trend->counts);
    host->release(host->context, trend->generations);
    *trend = (struct trend){0};
}

/* Times are 0, 1, ..., count - 1 intervals, so their mean is (count - 1) / 2
   and the sum of their squared deviations count (count^2 - 1) / 12. */
double trend_slope(const double *ring, uint32_t sample_count, uint32_t count,
                   uint32_t next, double interval_s)
{
    double n = count, sum = 0;
    uint32_t first = (next + sample_count - count) % sample_count;
    double slope;

    if (count < 2)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (i - (n - 1) / 2) * ring[(first + i) % sample_count];
    slope = sum / (n * (n * n - 1) / 12) / interval_s;
    if (slope > TREND_STEEPEST)
        return TREND_STEEPEST;
    return slope < -TREND_STEEPEST ? -TREND_STEEPEST : slope;
}

void trend_sample(struct trend *trend, const struct lbp_view *view,
                  double interval_s)
{
    uint32_t k = trend->sample_count;
    uint32_t next = trend->next + 1 < k ? trend->next + 1 : 0;

    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        uint32_t slots = lbp_node_at(view, slot)->slots;
        double *ring = &trend->samples[(size_t)slot * k];

        ring[trend->next] =
            (double)view->in_flight[slot] / (slots > 0 ? slots : 1);
        if (trend->counts[slot] < k)
            trend->counts[slot]++;
        trend->slopes[slot] =
            trend_slope(ring, k, trend->counts[slot], next, interval_s);
    }
    trend->next = next;
}
