/*
 * trend.h - whether a node's load rises or falls.
 *
 * The slope of the least-squares line through the last samples of its load,
 * taken at equal intervals. Load is a number of rounds: requests in flight
 * per slot. The slope is in rounds per second and stays within [-0.5, 0.5], so
 * that one burst does not decide everything.
 */
#ifndef POLICIES_TREND_H
#define POLICIES_TREND_H

#include "policies/lbp.h"

#define TREND_STEEPEST 0.5 /* rounds per second */

/* A zeroed struct is an empty one. */
struct trend {
    double *samples;  /* [slot_count][sample_count], a ring each */
    double *slopes;   /* [slot_count] */
    uint32_t *counts; /* [slot_count] samples taken, at most sample_count */
    uint32_t *generations; /* [slot_count] of whom */
    uint32_t slot_count, sample_count;
    uint32_t next; /* place of the next sample in each ring */
};

/* Makes room; nodes that are new in their slots start without a slope.
   sample_count: 2 or more, always the same. false: no memory, and the old
   samples stand. */
bool trend_update(struct trend *trend, const struct lbp_view *view,
                  uint32_t sample_count, const struct lbp_host *host);
void trend_done(struct trend *trend, const struct lbp_host *host);

/* The slope of count samples, oldest first, interval_s apart, in the ring
   that ends before `next`; 0 for fewer than two. */
double trend_slope(const double *ring, uint32_t sample_count, uint32_t count,
                   uint32_t next, double interval_s);

/* Takes one sample of every node, interval_s after the one before. */
void trend_sample(struct trend *trend, const struct lbp_view *view,
                  double interval_s);

#endif
