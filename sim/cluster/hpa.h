/*
 * The Horizontal Pod Autoscaler of Kubernetes, autoscaling/v2, to the letter:
 * replica_calculator.go and horizontal.go of its controller.
 *
 * Every sync the controller reads its metrics, makes a proposal of each, takes
 * the largest, steadies it over the stabilisation windows, holds it to the
 * policies of the behaviour, and clamps it to [min, max].
 *
 * A ratio within the tolerance changes nothing, and ratios are doubles as the
 * controller's are: with a target of 70, 77 scales up, because 77.0 / 70 - 1 is
 * a little more than 0.1, and 63 does not scale down. Sums of metrics are
 * integers in thousandths, as its resource quantities are, and utilisation is
 * a whole percentage.
 *
 * Pods that have not started or are not ready are left out, or count as idle
 * when the others say up; pods without a metric count as what holds the
 * decision back: idle when the others say up, busy when they say down.
 *
 * The rule knows no clock and no cluster: who calls it says what time it is
 * and what the pods are.
 */
#ifndef SIM_CLUSTER_HPA_H
#define SIM_CLUSTER_HPA_H

#include "sim/cluster/scale_history.h"

#include <stdbool.h>
#include <stdint.h>

#define HPA_POLICIES_MAX 4

enum hpa_select { HPA_SELECT_MAX, HPA_SELECT_MIN, HPA_SELECT_DISABLED };

/* By how much replicas may change in a period. */
struct hpa_policy {
    bool percent;   /* else pods */
    uint32_t value; /* pods, or per cent of what the period began with */
    int64_t period_ns;
};

/* One direction of the behaviour. */
struct hpa_rules {
    int64_t window_ns; /* stabilisation; 0: none */
    enum hpa_select select;
    uint32_t policy_count;
    struct hpa_policy policies[HPA_POLICIES_MAX];
};

struct hpa_spec {
    uint32_t min, max;
    double tolerance;
    int64_t sync_ns;                    /* of the controller */
    int64_t cpu_initialization_ns;      /* see hpa_cpu_is_unready */
    int64_t initial_readiness_delay_ns; /* likewise */
    struct hpa_rules up, down;
};

/* Kubernetes' defaults: sync 15 s, tolerance 0.1, up by the larger of 4 pods
   and 100 % in 15 s at once, down by 100 % in 15 s after 300 s. */
struct hpa_spec hpa_defaults(void);

enum hpa_pod_state {
    HPA_POD_READY,
    HPA_POD_UNREADY, /* pending, or see hpa_cpu_is_unready */
    HPA_POD_MISSING, /* no metric of it has come */
    HPA_POD_IGNORED  /* failed or being deleted */
};

/* value: thousandths of a core, of a request, of whatever is measured; only of
   ready pods is it looked at. */
struct hpa_pod {
    enum hpa_pod_state state;
    int64_t value;
};

enum hpa_target {
    HPA_UTILISATION,   /* whole per cent of what each pod requests: 1000 */
    HPA_AVERAGE_VALUE, /* thousandths, of a metric of pods */
    HPA_EXTERNAL,      /* thousandths per pod, of one number for all */
    HPA_OBJECT /* thousandths, of one number that more pods bring down */
};

struct hpa_metric {
    enum hpa_target kind;
    int64_t target;
    const struct hpa_pod *pods; /* [pod_count]; not with HPA_EXTERNAL */
    uint32_t pod_count;
    int64_t total;  /* HPA_EXTERNAL, HPA_OBJECT: the number, in thousandths */
    bool available; /* false: the metric could not be had */
};

/* What one metric asks for, of `current` replicas. false: it says nothing,
   since no ready pod has a value. */
bool hpa_propose(const struct hpa_metric *metric, uint32_t current,
                 double tolerance, uint32_t *ret);

/* What several metrics ask for: filled one by one from {0}. */
struct hpa_proposals {
    uint32_t largest;
    uint32_t asked, failed;
};
void hpa_add_proposal(struct hpa_proposals *proposals,
                      const struct hpa_metric *metric, uint32_t current,
                      double tolerance);

/* What they ask for together: the largest. When one is not to be had, the rest
   may not scale down; when none is, nothing changes. */
uint32_t hpa_largest(const struct hpa_proposals *proposals, uint32_t current);

/*
 * Whether a CPU metric of a running pod is set aside. Within the
 * initialisation period since its start: while it is not ready, or until a
 * whole window of the metric was seen since it became so. After it: a pod that
 * is not ready and has not been since shortly after its start.
 */
struct hpa_pod_times {
    int64_t started_at_ns;
    bool ready;
    int64_t ready_changed_at_ns;
    int64_t metric_at_ns, metric_window_ns;
};
bool hpa_cpu_is_unready(const struct hpa_spec *spec,
                        const struct hpa_pod_times *times, int64_t now_ns);

/* The controller of one group. */
struct hpa {
    const struct hpa_spec *spec;
    struct scale_history recommendations; /* before they were steadied */
    struct scale_history ups, downs;      /* pods added, pods removed */
};

/* false: no memory; hpa_done may be called all the same. */
bool hpa_init(struct hpa *hpa, const struct hpa_spec *spec);
void hpa_done(struct hpa *hpa);

/* A sync of which the metrics ask for `proposed`: steadied, limited, clamped.
   The change is taken as made. */
uint32_t hpa_settle(struct hpa *hpa, uint32_t current, uint32_t proposed,
                    int64_t now_ns);

/* A whole sync. Zero replicas switch the controller off, and replicas outside
   [min, max] are brought back whatever the metrics say. */
uint32_t hpa_sync_proposed(struct hpa *hpa,
                           const struct hpa_proposals *proposals,
                           uint32_t current, int64_t now_ns);
uint32_t hpa_sync(struct hpa *hpa, const struct hpa_metric *metrics,
                  uint32_t count, uint32_t current, int64_t now_ns);

#endif
