#include "sim/cluster/keda.h"

#define SECOND_NS INT64_C(1000000000)

struct keda_spec keda_defaults(void)
{
    struct keda_spec spec = {
        .hpa = hpa_defaults(),
        .polling_ns = 30 * SECOND_NS,
        .cooldown_ns = 300 * SECOND_NS,
    };

    spec.hpa.min = 0;
    spec.hpa.max = 100;
    return spec;
}

bool keda_init(struct keda *keda, const struct keda_spec *spec, int64_t now_ns)
{
    *keda = (struct keda){
        .spec = spec,
        .hpa_spec = spec->hpa,
        .last_active_ns = INT64_MIN,
        .created_ns = now_ns,
    };
    if (keda->hpa_spec.min == 0)
        keda->hpa_spec.min = 1;
    return hpa_init(&keda->hpa, &keda->hpa_spec);
}

void keda_done(struct keda *keda)
{
    hpa_done(&keda->hpa);
}

/* Not active: none once the cooldown is over, counted from the last activity
   or, before there was any, over as soon as the initial one is. */
static uint32_t cool_down(const struct keda *keda, uint32_t current,
                          int64_t now_ns)
{
    const struct keda_spec *spec = keda->spec;

    if (spec->hpa.min > 0 ||
        now_ns < keda->created_ns + spec->initial_cooldown_ns)
        return current;
    if (keda->last_active_ns != INT64_MIN &&
        now_ns <= keda->last_active_ns + spec->cooldown_ns)
        return current;
    return 0;
}

uint32_t keda_poll(struct keda *keda, int64_t value, uint32_t current,
                   int64_t now_ns)
{
    uint32_t least = keda->hpa_spec.min;

    if (value > keda->spec->activation) {
        keda->last_active_ns = now_ns;
        return current == 0 ? least : current;
    }
    if (current == 0)
        return keda->spec->hpa.min;
    return cool_down(keda, current, now_ns);
}

uint32_t keda_sync(struct keda *keda, int64_t value, bool available,
                   uint32_t current, int64_t now_ns)
{
    struct hpa_metric metric = {
        .kind = HPA_EXTERNAL,
        .target = keda->spec->target,
        .total = value,
        .available = available,
    };

    return hpa_sync(&keda->hpa, &metric, 1, current, now_ns);
}
