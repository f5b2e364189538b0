/*
 * The pod autoscaler of Knative, as pkg/autoscaler/scaling/autoscaler.go has
 * it: enough pods for the mean concurrency (or requests per second) of a long
 * stable window, and of a short panic window when that one asks for at least
 * twice what is there.
 *
 * While it panics it never goes down, and takes the larger of what both
 * windows ask for. It leaves the panic when the short window has not crossed
 * the threshold for a whole stable window. Pods grow and shrink by bounded
 * factors per tick; the last one goes when the stable window has been empty
 * and a grace period is over.
 */
#ifndef SIM_CLUSTER_KPA_H
#define SIM_CLUSTER_KPA_H

#include "sim/cluster/bucket_window.h"

#include <stdbool.h>
#include <stdint.h>

struct kpa_spec {
    uint32_t min, max;      /* min may be 0; max 0: no limit */
    double target;          /* of the metric, per pod: what is aimed at */
    double capacity;        /* of the metric, per pod: what it could take */
    double burst_capacity;  /* to be kept free; 0: none, negative: no limit */
    double panic_threshold; /* of what is ready */
    double max_up_rate, max_down_rate; /* factors, per tick */
    int64_t tick_ns;
    int64_t stable_window_ns, panic_window_ns;
    int64_t grace_ns; /* before the last one goes */
};

/* Knative's defaults: 70 of 100 in flight per pod, windows 60 s and 6 s,
   threshold 2, rates 1000 and 2, tick 2 s, grace 30 s, burst capacity 211. */
struct kpa_spec kpa_defaults(void);

struct kpa {
    const struct kpa_spec *spec;
    bool panics;
    int64_t panic_since_ns; /* the last time that the threshold was crossed */
    uint32_t panic_pods;    /* the most that was asked for in this panic */
    bool idles;             /* none are wanted */
    int64_t idle_since_ns;
};

void kpa_init(struct kpa *kpa, const struct kpa_spec *spec);

struct kpa_answer {
    uint32_t desired;
    /* Room for a burst, in requests: negative, and the buffering proxy stays
       in the path. */
    double excess_burst;
};

/* A tick: pods that are ready, and the metric's means over both windows, all
   pods together. */
struct kpa_answer kpa_tick(struct kpa *kpa, uint32_t ready, double stable,
                           double panic, int64_t now_ns);

#endif
