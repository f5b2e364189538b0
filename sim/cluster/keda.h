/*
 * KEDA: the Horizontal Pod Autoscaler with an external metric, and the steps
 * between none and one that it cannot take itself.
 *
 * Every polling interval the operator asks whether the trigger is active (its
 * value is above the activation threshold). At none and active, the group gets
 * its first replica at once; not active for the whole cooldown, and allowed to
 * be none, it loses all. In between, the HPA divides the value by the target
 * per replica at its own pace.
 */
#ifndef SIM_CLUSTER_KEDA_H
#define SIM_CLUSTER_KEDA_H

#include "sim/cluster/hpa.h"

struct keda_spec {
    struct hpa_spec hpa; /* its min may be 0 */
    int64_t target;      /* thousandths per replica */
    int64_t activation;  /* thousandths; active above it */
    int64_t polling_ns;
    int64_t cooldown_ns;
    int64_t initial_cooldown_ns; /* since the start: no way to none before */
};

/* KEDA's defaults: polling 30 s, cooldown 300 s, none at first, min 0, max 100;
   active above 0. The target is the user's to say. */
struct keda_spec keda_defaults(void);

struct keda {
    const struct keda_spec *spec;
    struct hpa_spec hpa_spec; /* min at least 1: the HPA never goes to none */
    struct hpa hpa;
    int64_t last_active_ns; /* INT64_MIN: never */
    int64_t created_ns;
};

/* false: no memory; keda_done may be called all the same. */
bool keda_init(struct keda *keda, const struct keda_spec *spec, int64_t now_ns);
void keda_done(struct keda *keda);

/* A poll of the operator found `value` thousandths. Returns replicas. */
uint32_t keda_poll(struct keda *keda, int64_t value, uint32_t current,
                   int64_t now_ns);

/* A sync of its HPA. available: false, the metric could not be had. */
uint32_t keda_sync(struct keda *keda, int64_t value, bool available,
                   uint32_t current, int64_t now_ns);

#endif
