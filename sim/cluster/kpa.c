#include "sim/cluster/kpa.h"

#include <math.h>

#define SECOND_NS INT64_C(1000000000)

struct kpa_spec kpa_defaults(void)
{
    return (struct kpa_spec){
        .target = 70,
        .capacity = 100,
        .burst_capacity = 211,
        .panic_threshold = 2,
        .max_up_rate = 1000,
        .max_down_rate = 2,
        .tick_ns = 2 * SECOND_NS,
        .stable_window_ns = 60 * SECOND_NS,
        .panic_window_ns = 6 * SECOND_NS,
        .grace_ns = 30 * SECOND_NS,
    };
}

void kpa_init(struct kpa *kpa, const struct kpa_spec *spec)
{
    *kpa = (struct kpa){.spec = spec};
}

/* Crossing the threshold begins a panic or makes it last; a stable window
   without ends it. */
static void mind_panic(struct kpa *kpa, bool crossed, int64_t now_ns)
{
    if (crossed) {
        kpa->panics = true;
        kpa->panic_since_ns = now_ns;
    } else if (kpa->panics &&
               kpa->panic_since_ns + kpa->spec->stable_window_ns < now_ns) {
        kpa->panics = false;
        kpa->panic_pods = 0;
    }
}

static uint32_t bounded(double pods, double least, double most)
{
    double count = fmin(fmax(pods, least), most);

    return count < (double)INT32_MAX ? (uint32_t)count : INT32_MAX;
}

static double excess_burst(const struct kpa_spec *spec, uint32_t ready,
                           double panic)
{
    if (spec->burst_capacity == 0)
        return 0;
    if (spec->burst_capacity < 0)
        return -1;
    return floor(ready * spec->capacity - spec->burst_capacity - panic);
}

/* Below the minimum nothing goes, and the last one only after its grace. */
static uint32_t limit(struct kpa *kpa, uint32_t ready, uint32_t desired,
                      int64_t now_ns)
{
    const struct kpa_spec *spec = kpa->spec;

    if (spec->max > 0 && desired > spec->max)
        desired = spec->max;
    if (desired > 0 || spec->min > 0) {
        kpa->idles = false;
        return desired > spec->min ? desired : spec->min;
    }
    if (!kpa->idles) {
        kpa->idles = true;
        kpa->idle_since_ns = now_ns;
    }
    if (ready > 0 && now_ns < kpa->idle_since_ns + spec->grace_ns)
        return 1;
    return 0;
}

struct kpa_answer kpa_tick(struct kpa *kpa, uint32_t ready, double stable,
                           double panic, int64_t now_ns)
{
    const struct kpa_spec *spec = kpa->spec;
    double there = ready > 0 ? ready : 1;
    double most = ceil(spec->max_up_rate * there);
    double least = floor(there / spec->max_down_rate);
    double for_panic = ceil(panic / spec->target);
    uint32_t desired = bounded(ceil(stable / spec->target), least, most);
    uint32_t in_panic = bounded(for_panic, least, most);

    mind_panic(kpa, for_panic / there >= spec->panic_threshold, now_ns);
    if (kpa->panics) {
        if (in_panic > desired)
            desired = in_panic;
        if (desired > kpa->panic_pods)
            kpa->panic_pods = desired;
        desired = kpa->panic_pods;
    }
    return (struct kpa_answer){
        .desired = limit(kpa, ready, desired, now_ns),
        .excess_burst = excess_burst(spec, ready, panic),
    };
}
