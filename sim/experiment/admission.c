/* Who is turned away, on the way in. */
#include "sim/experiment/admission_parts.h"

#include "sim/experiment/life.h"
#include "sim/experiment/tier.h"
#include "sim/frontdoor/pool_limits.h"
#include "sim/frontdoor/saturation.h"

#include <math.h>

/* --- what is known of a request ------------------------------------------- */

static int64_t after(int64_t at_ns, int64_t span_ns)
{
    return span_ns < INT64_MAX - at_ns ? at_ns + span_ns : INT64_MAX;
}

int64_t admission_end_ns(const struct sim *sim, const struct request *request,
                         bool class_alone)
{
    const struct workload_class *class_spec = class_spec_of(sim, request);
    int64_t end_ns = INT64_MAX;

    if (class_spec)
        end_ns = after(request->arrived_at_ns, class_spec->deadline_ns);
    if (!class_alone) {
        int64_t total_ns = after(request->arrived_at_ns,
                                 sim->scenario->balancer.timeout.total_ns);

        end_ns = total_ns < end_ns ? total_ns : end_ns;
    }
    return end_ns;
}

uint32_t admission_level(const struct sim *sim, const struct request *request)
{
    const struct workload_class *class_spec = class_spec_of(sim, request);

    return class_spec && class_spec->priority > 0;
}

static enum class_urgency urgency_of(const struct sim *sim,
                                     const struct request *request)
{
    const struct workload_class *class_spec = class_spec_of(sim, request);

    return class_spec ? (enum class_urgency)class_spec->urgency : CLASS_NORMAL;
}

/* Its service alone on the fastest node, with an answer of expected length. */
static double least_service_s(const struct sim *sim,
                              const struct request *request)
{
    const struct scenario *scenario = sim->scenario;
    uint32_t output = sim->admission->tokens_of_class[class_of(sim, request)];
    double least = INFINITY;

    if (!(request->flags & REQUEST_TOKENS))
        return sim->admission->least_s[class_of(sim, request)];
    for (uint32_t g = 0; g < scenario->group_count; g++) {
        const struct engine_spec *engine = &scenario->groups[g].engine;
        const struct service_spec *cost = &engine->service;

        if (scenario->groups[g].count > 0)
            least =
                fmin(least, (cost->base_s +
                             cost->per_input_token_s * request->input_tokens +
                             cost->per_output_token_s * output) /
                                engine->speed);
    }
    return isfinite(least) ? least : 0;
}

bool admission_is_hopeless(const struct sim *sim, const struct request *request)
{
    int64_t end_ns = admission_end_ns(sim, request, false);
    double left_s;

    if (!sim->admission->spec->admission.deadline || end_ns == INT64_MAX)
        return false;
    left_s = (double)(end_ns - sim->now_ns -
                      2 * sim->admission->spec->network_delay_ns) *
             1e-9;
    return left_s < least_service_s(sim, request);
}

void admission_fill(struct sim *sim, const struct request *request,
                    uint32_t index, const struct workload_origin *origin)
{
    struct admission *admission = sim->admission;
    struct request_door *door = request_door_at(&sim->slab, index);
    uint32_t tokens = request->input_tokens +
                      admission->tokens_of_class[class_of(sim, request)];

    *door = (struct request_door){.tokens = tokens, .held_at_ns = -1};
    if (admission->tenant_count == 0)
        return;
    door->tenant =
        tenants_draw(&admission->tenants, origin->source, origin->number);
    if (origin->source > 0) {
        const struct workload_overlay *overlay =
            &sim->scenario->workload.overlays[origin->source - 1];

        if (overlay->spec.one_tenant > 0)
            door->tenant = overlay->spec.one_tenant - 1;
    }
    door->tenant_hash = admission->tenant_hashes[door->tenant];
}

/* --- what the mechanisms say --------------------------------------------- */

static struct token_bucket *
bucket_of(const struct sim *sim, const struct request *request, uint32_t index)
{
    struct door *door = door_of(sim, request);

    switch (sim->admission->spec->admission.bucket.per) {
    case BUCKET_PER_CLASS:
        return &door->buckets[class_of(sim, request)];
    case BUCKET_PER_TENANT:
        return &door->buckets[request_door_at(&sim->slab, index)->tenant];
    case BUCKET_PER_BALANCER:
        break;
    }
    return &door->buckets[0];
}

static bool bucket_pays(struct sim *sim, const struct request *request,
                        uint32_t index)
{
    const struct bucket_spec *spec = &sim->admission->spec->admission.bucket;
    struct request_door *own = request_door_at(&sim->slab, index);

    if (!spec->given)
        return true;
    own->paid = spec->unit == BUCKET_OF_TOKENS ? own->tokens : 1;
    if (token_bucket_take(bucket_of(sim, request, index), spec->rate_per_s,
                          spec->burst, own->paid, sim->now_ns))
        return true;
    own->paid = 0;
    return false;
}

/* It paid for `used` tokens too many: gets them back. */
static void pay_back(struct sim *sim, const struct request *request,
                     uint32_t index, double used)
{
    const struct bucket_spec *spec = &sim->admission->spec->admission.bucket;
    struct request_door *own = request_door_at(&sim->slab, index);

    if (own->paid == 0)
        return;
    token_bucket_refund(bucket_of(sim, request, index), spec->rate_per_s,
                        spec->burst, own->paid - used, sim->now_ns);
    own->paid = 0;
}

static double saturation_by_reports(const struct sim *sim, uint32_t b,
                                    const struct saturation_spec *spec)
{
    const struct balancer *balancer = &sim->balancers[b];
    bool fresh = balancer->view.report_interval_ns == 0;
    double sum = 0;
    uint32_t count = 0;

    for (uint32_t i = 0; i < sim->node_count; i++) {
        const struct lbp_node *shown = &balancer->nodes[i];
        struct saturation_node node = {
            .queue_depth = shown->queue_depth,
            .kv_use = shown->kv_use,
            .reported_at_ns = shown->reported_at_ns,
        };

        if (balancer->bars[i] & BARS_TOLD)
            continue;
        if (fresh) {
            node.queue_depth = sim->nodes[i].queued;
            node.reported_at_ns = sim->now_ns;
        }
        sum += saturation_of_node(spec, &node, sim->now_ns);
        count++;
    }
    return saturation_of_pool(sum, count);
}

static double saturation_by_in_flight(const struct sim *sim, uint32_t b,
                                      const struct saturation_spec *spec)
{
    const struct balancer *balancer = &sim->balancers[b];
    const struct door *door = &sim->admission->doors[b];
    double full = 0;

    for (uint32_t i = 0; i < sim->node_count; i++) {
        double own =
            spec->per_node > 0 ? spec->per_node : balancer->nodes[i].slots;

        if (!(balancer->bars[i] & BARS_TOLD))
            full += own > 0 ? own : 1;
    }
    return saturation_of_pool((double)door->in_flight[0] + door->in_flight[1],
                              full);
}

double admission_saturation(const struct sim *sim, uint32_t b,
                            const struct saturation_spec *spec)
{
    return spec->by == SATURATION_BY_REPORTS
               ? saturation_by_reports(sim, b, spec)
               : saturation_by_in_flight(sim, b, spec);
}

static bool is_shed(const struct sim *sim, const struct request *request)
{
    const struct shedding_spec *spec =
        &sim->admission->spec->admission.shedding;

    return spec->given &&
           admission_saturation(sim, request->balancer, &spec->saturation) >=
               spec->limits[urgency_of(sim, request)];
}

static bool fails_fast(struct sim *sim, const struct request *request)
{
    const struct fail_fast_spec *spec = &sim->admission->spec->fail_fast;
    struct door *door = door_of(sim, request);

    return spec->given &&
           fail_fast_is_on(&door->fail_fast, spec->after_ns, sim->now_ns);
}

uint32_t admission_limit(const struct sim *sim, const struct door *door)
{
    const struct admission_spec *spec = &sim->admission->spec->admission;
    uint32_t limit = spec->in_flight > 0 ? spec->in_flight : UINT32_MAX;

    if (spec->adaptive.given && door->aimd.limit < limit)
        limit = door->aimd.limit;
    return limit;
}

enum gate admission_gate(struct sim *sim, const struct request *request)
{
    const struct balancer_spec *spec = sim->admission->spec;
    const struct flow_control_spec *flow = &spec->flow_control;
    struct door *door = door_of(sim, request);
    uint32_t level = admission_level(sim, request);

    if (door->in_flight[0] + door->in_flight[1] >= admission_limit(sim, door)) {
        door->aimd.reached = true;
        return GATE_SHUT;
    }
    if (flow->given && admission_saturation(sim, request->balancer,
                                            &flow->saturation) >= flow->limit)
        return GATE_SATURATED;
    if (!spec->pool_limits.given)
        return GATE_OPEN;
    switch (pool_limits_ask(&spec->pool_limits, door->in_flight[level],
                            door->pending[level])) {
    case POOL_PENDING:
        return GATE_SHUT_LEVEL;
    case POOL_OVERFLOW:
        return GATE_OVERFLOW;
    case POOL_SEND:
        break;
    }
    return GATE_OPEN;
}

/* --- the way in ---------------------------------------------------------- */

void admission_refuse(struct sim *sim, struct request *request, uint32_t index,
                      enum refusal cause)
{
    admission_count_refused(sim, request, cause);
    pay_back(sim, request, index, 0);
    life_not_sent(sim, request, index, LBP_REFUSE);
}

static enum refusal why_refuse(struct sim *sim, const struct request *request,
                               uint32_t index)
{
    if (fails_fast(sim, request))
        return REFUSAL_FAIL_FAST;
    if (!bucket_pays(sim, request, index))
        return REFUSAL_RATE;
    if (is_shed(sim, request))
        return REFUSAL_SHED;
    return admission_is_hopeless(sim, request) ? REFUSAL_DEADLINE
                                               : REFUSAL_NONE;
}

void admission_arrival(struct sim *sim, struct request *request, uint32_t index)
{
    struct admission *admission = sim->admission;
    enum refusal cause;

    if (admission->tenant_count > 0 && (request->flags & REQUEST_MEASURED))
        admission->tenants_seen[request_door_at(&sim->slab, index)->tenant]
            .arrived++;
    cause = why_refuse(sim, request, index);
    if (cause != REFUSAL_NONE)
        admission_refuse(sim, request, index, cause);
    else if (sim->tier)
        tier_arrival(sim, request, index);
    else
        admission_dispatch(sim, request, index);
}

/* --- attempts ------------------------------------------------------------ */

/* Of what the bucket was paid for, the prompt and the real answer were used. */
static void note_answer(struct sim *sim, const struct request *request,
                        uint32_t index, int64_t first_token_at_ns)
{
    const struct admission_spec *spec = &sim->admission->spec->admission;
    struct request_door *own = request_door_at(&sim->slab, index);
    int64_t first_at_ns =
        first_token_at_ns == LBP_NO_TIME ? sim->now_ns : first_token_at_ns;

    own->answered = true;
    if (spec->bucket.unit == BUCKET_OF_TOKENS)
        pay_back(sim, request, index,
                 (double)request->input_tokens + request->output_tokens);
    if (spec->adaptive.given)
        aimd_note(&door_of(sim, request)->aimd, &spec->adaptive,
                  first_at_ns - request->sent_at_ns);
}

void admission_over(struct sim *sim, struct request *request, uint32_t index,
                    enum lbp_outcome outcome, int64_t first_token_at_ns)
{
    struct door *door = door_of(sim, request);
    const struct aimd_spec *adaptive =
        &sim->admission->spec->admission.adaptive;

    door->in_flight[admission_level(sim, request)]--;
    if (sim->admission->caps)
        admission_leave_node(sim, request, index);
    if (outcome == LBP_OK)
        note_answer(sim, request, index, first_token_at_ns);
    else if (adaptive->given && outcome != LBP_CANCELLED)
        aimd_note(&door->aimd, adaptive, -1);
}

/* --- alarms -------------------------------------------------------------- */

void admission_close_window(struct sim *sim, uint32_t b)
{
    const struct aimd_spec *spec = &sim->admission->spec->admission.adaptive;

    if (aimd_close_window(&sim->admission->doors[b].aimd, spec)) {
        admission_note_limit(sim);
        if (sim->admission->waiting > 0)
            sim->attention = true;
    }
    sim_alarm(sim, sim->now_ns + spec->window_ns, ALARM_AIMD_WINDOW, b, 0);
}

void admission_start(struct sim *sim)
{
    const struct balancer_spec *spec;

    if (!sim->admission)
        return;
    spec = sim->admission->spec;
    for (uint32_t b = 0; b < sim->balancer_count; b++) {
        if (spec->admission.adaptive.given)
            sim_alarm(sim, spec->admission.adaptive.window_ns,
                      ALARM_AIMD_WINDOW, b, 0);
        if (spec->flow_control.given && spec->flow_control.ttl_ns < INT64_MAX)
            sim_alarm(sim, spec->flow_control.sweep_ns, ALARM_DOOR_SWEEP, b, 0);
    }
}
