/*
 * The mean of a measured value over the last so many seconds, in buckets of
 * fixed length: how Knative's autoscaler sees concurrency.
 *
 * A bucket holds the mean of its own span of time; the window is the last so
 * many whole buckets. While it has seen less than its length, the mean is over
 * what it has seen.
 */
#ifndef SIM_CLUSTER_BUCKET_WINDOW_H
#define SIM_CLUSTER_BUCKET_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

struct bucket_window {
    double *values;          /* [capacity] a ring */
    uint32_t capacity, next; /* of the ring */
    uint32_t count;
};

/* Room for `capacity` buckets, at least 1. false: no memory. */
bool bucket_window_init(struct bucket_window *window, uint32_t capacity);
void bucket_window_done(struct bucket_window *window);

/* A bucket is whole. */
void bucket_window_add(struct bucket_window *window, double value);

/* The mean of the last `buckets`, 0 before the first; buckets at least 1. */
double bucket_window_mean(const struct bucket_window *window, uint32_t buckets);

#endif
