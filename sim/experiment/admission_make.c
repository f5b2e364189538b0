/* Making admission out of a scenario, and taking it down. */
#include "sim/experiment/admission_parts.h"

#include "workloads/workload.h"

#include <math.h>
#include <stdlib.h>

bool admission_is_needed(const struct scenario *scenario)
{
    const struct balancer_spec *spec = &scenario->balancer;

    return spec->admission.given || spec->queue.given || spec->caps.given ||
           spec->pool_limits.given || spec->flow_control.given ||
           spec->fail_fast.given || scenario->tenants.given;
}

/* Bands by urgency, then by priority, the most urgent first. */
static int64_t rank_of(const struct workload_class *class_spec)
{
    return ((int64_t)class_spec->urgency << 32) + class_spec->priority;
}

static void make_bands(const struct sim *sim, struct admission *admission)
{
    const struct workload_spec *workload = &sim->scenario->workload;

    admission->band_count = 1;
    for (uint32_t i = 0; i < workload->class_count; i++) {
        uint32_t above = 0;

        for (uint32_t j = 0; j < workload->class_count; j++) {
            bool first = true; /* of the classes of its rank */

            for (uint32_t k = 0; k < j; k++)
                first = first && rank_of(&workload->classes[k]) !=
                                     rank_of(&workload->classes[j]);
            above += first && rank_of(&workload->classes[j]) >
                                  rank_of(&workload->classes[i]);
        }
        admission->band_of_class[i] = above;
        if (above >= admission->band_count)
            admission->band_count = above + 1;
    }
}

static double fastest(const struct scenario *scenario)
{
    double speed = 0;

    for (uint32_t g = 0; g < scenario->group_count; g++)
        if (scenario->groups[g].count > 0)
            speed = fmax(speed, scenario->groups[g].engine.speed);
    return speed;
}

/* What is expected of a class: what its clients allow, or what is usual. */
static void expect(const struct sim *sim, struct admission *admission)
{
    const struct scenario *scenario = sim->scenario;
    const struct workload_spec *workload = &scenario->workload;
    double speed = fastest(scenario);

    for (uint32_t i = 0; i < admission->class_count; i++) {
        struct workload_means means;
        uint32_t allowed = 0;

        if (workload->class_count > 0) {
            workload_class_means(workload, i, scenario->duration_ns, &means);
            allowed = workload->classes[i].max_output_tokens;
        } else {
            workload_spec_means(workload, scenario->duration_ns, &means);
        }
        admission->tokens_of_class[i] =
            allowed > 0 ? allowed : (uint32_t)(means.output_tokens + 0.5);
        if (isfinite(means.work_s) && speed > 0)
            admission->least_s[i] = means.work_s / speed;
    }
}

static bool make_classes(struct sim *sim, struct admission *admission)
{
    uint32_t count = sim->scenario->workload.class_count;

    admission->class_count = count > 0 ? count : 1;
    admission->band_of_class = arena_allocate(
        &sim->arena, admission->class_count, sizeof *admission->band_of_class);
    admission->tokens_of_class =
        arena_allocate(&sim->arena, admission->class_count,
                       sizeof *admission->tokens_of_class);
    admission->least_s = arena_allocate(&sim->arena, admission->class_count,
                                        sizeof *admission->least_s);
    if (!admission->band_of_class || !admission->tokens_of_class ||
        !admission->least_s)
        return false;
    make_bands(sim, admission);
    expect(sim, admission);
    return true;
}

static bool make_tenants(struct sim *sim, struct admission *admission)
{
    const struct tenants_spec *spec = &sim->scenario->tenants;

    admission->tenants_apart = 1;
    if (!spec->given)
        return true;
    admission->tenant_count = spec->count;
    if (admission->spec->queue.fairness == DOOR_FAIR_ROUND_ROBIN)
        admission->tenants_apart = spec->count;
    tenants_init(&admission->tenants, spec, sim->scenario->seed,
                 sim->setup->replication);
    admission->tenant_hashes = arena_allocate(&sim->arena, spec->count,
                                              sizeof *admission->tenant_hashes);
    admission->tenants_seen = arena_allocate(&sim->arena, spec->count,
                                             sizeof *admission->tenants_seen);
    admission->tenant_shares = arena_allocate(&sim->arena, spec->count,
                                              sizeof *admission->tenant_shares);
    if (!admission->tenant_hashes || !admission->tenants_seen ||
        !admission->tenant_shares)
        return false;
    for (uint32_t i = 0; i < spec->count; i++)
        admission->tenant_hashes[i] = tenants_hash(i);
    return true;
}

static uint32_t count_buckets(const struct admission *admission)
{
    switch (admission->spec->admission.bucket.per) {
    case BUCKET_PER_CLASS:
        return admission->class_count;
    case BUCKET_PER_TENANT:
        return admission->tenant_count > 0 ? admission->tenant_count : 1;
    case BUCKET_PER_BALANCER:
        break;
    }
    return 1;
}

static bool make_door(struct sim *sim, struct admission *admission,
                      struct door *door)
{
    const struct balancer_spec *spec = admission->spec;
    uint32_t flows = admission->class_count * admission->tenants_apart;
    uint32_t buckets = count_buckets(admission);
    uint32_t *bands = calloc(flows, sizeof *bands);
    bool made;

    if (!bands)
        return false;
    for (uint32_t f = 0; f < flows; f++)
        bands[f] = admission->band_of_class[f / admission->tenants_apart];
    made = door_queue_init(&door->queue, &sim->slab, bands, flows,
                           admission->band_count, spec->queue.fairness);
    free(bands);
    door->buckets = arena_allocate(&sim->arena, buckets, sizeof *door->buckets);
    for (uint32_t i = 0; door->buckets && i < buckets; i++)
        token_bucket_init(&door->buckets[i], spec->admission.bucket.burst, 0);
    aimd_init(&door->aimd, &spec->admission.adaptive);
    fail_fast_init(&door->fail_fast);
    return made && door->buckets;
}

static bool make_records(struct sim *sim, struct admission *admission)
{
    uint32_t count = sim->recorder.bucket_count;

    admission_count_all_causes(sim);
    return level_init(&admission->queue_level, count, &sim->arena) &&
           level_init(&admission->limit_level, count, &sim->arena) &&
           sample_init(&admission->held_ns);
}

bool admission_make(struct sim *sim)
{
    struct admission *admission;

    if (!admission_is_needed(sim->scenario))
        return true;
    admission = arena_allocate(&sim->arena, 1, sizeof *admission);
    if (!admission)
        return false;
    admission->spec = &sim->scenario->balancer;
    admission->doors = arena_allocate(&sim->arena, sim->balancer_count,
                                      sizeof *admission->doors);
    if (!admission->doors)
        return false;
    sim->admission = admission;
    sim->watches_attempts = true;
    if (!make_classes(sim, admission) || !make_tenants(sim, admission) ||
        !make_records(sim, admission))
        return false;
    for (uint32_t b = 0; b < sim->balancer_count; b++) {
        if (!make_door(sim, admission, &admission->doors[b]))
            return false;
        if (admission->spec->fail_fast.given)
            sim->balancers[b].waiting_head = 0; /* see show_waiting() */
    }
    admission->limit_level.value = admission_limit_of_all(sim);
    return admission_make_caps(sim);
}

void admission_unmake(struct sim *sim)
{
    if (!sim->admission)
        return;
    admission_unmake_caps(sim);
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        door_queue_done(&sim->admission->doors[b].queue);
    sample_done(&sim->admission->held_ns);
    sim->admission = NULL;
}
