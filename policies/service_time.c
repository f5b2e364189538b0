#include "policies/service_time.h"

#define OUTPUT_WEIGHT 20 /* input tokens that one output token is worth */
#define ENOUGH_ANSWERS 8 /* of a node, to go by them alone */
#define NEWEST_SHARE (1.0 / 32) /* of an estimate is the newest answer */

static bool is_rate(double value)
{
    return value > 0 && value < 1e18; /* not a number is none */
}

static double each_ns(double per_s)
{
    return is_rate(per_s) ? 1e9 / per_s : 0;
}

static void meet_node(struct service_node *times, const struct lbp_node *node)
{
    if (times->generation != node->generation)
        *times = (struct service_node){.generation = node->generation};
    times->speed_known = is_rate(node->speed);
    times->slowness = times->speed_known ? 1 / node->speed : 1;
    times->per_input_ns = each_ns(node->prefill_per_s);
    times->per_output_ns = each_ns(node->decode_per_s);
    if (times->per_input_ns > 0 || times->per_output_ns > 0)
        times->source = SERVICE_TOLD;
    else
        times->source = times->answers >= ENOUGH_ANSWERS ? SERVICE_LEARNED
                                                         : SERVICE_LIKE_OTHERS;
}

static bool grow(struct service_times *times, uint32_t slot_count,
                 const struct lbp_host *host)
{
    struct service_node *nodes =
        host->allocate(host->context, slot_count * sizeof *nodes);

    if (!nodes)
        return false;
    for (uint32_t slot = 0; slot < slot_count; slot++)
        nodes[slot] = slot < times->slot_count ? times->nodes[slot]
                                               : (struct service_node){0};
    host->release(host->context, times->nodes);
    times->nodes = nodes;
    times->slot_count = slot_count;
    return true;
}

bool service_update(struct service_times *times, const struct lbp_view *view,
                    const struct lbp_host *host)
{
    if (view->slot_count > times->slot_count &&
        !grow(times, view->slot_count, host))
        return false;
    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        meet_node(&times->nodes[slot], lbp_node_at(view, slot));
    return true;
}

void service_done(struct service_times *times, const struct lbp_host *host)
{
    host->release(host->context, times->nodes);
    *times = (struct service_times){.preset_ns = times->preset_ns};
}

struct service_ask service_ask_for(const struct lbp_request *request,
                                   double output)
{
    double input = request->input_tokens;
    int64_t work_ns = request->work_hint_ns;

    return (struct service_ask){
        .input = input,
        .output = output,
        .work_ns = work_ns > 0 ? (double)work_ns : 0,
        .size = 1 + input + OUTPUT_WEIGHT * output,
    };
}

/* The first ones weigh alike, later ones by NEWEST_SHARE. */
static void follow(double *estimate, uint64_t count, double value)
{
    double share = 1 / (double)count;

    *estimate +=
        (share > NEWEST_SHARE ? share : NEWEST_SHARE) * (value - *estimate);
}

void service_sent(struct service_times *times, uint32_t slot, double ns)
{
    struct service_node *node = &times->nodes[slot];

    if (node->usual_ns > 0)
        node->usual_ns += NEWEST_SHARE * (ns - node->usual_ns);
    else
        node->usual_ns = ns;
}

void service_learn(struct service_times *times, uint32_t slot,
                   const struct service_ask *ask, int64_t taken_ns)
{
    struct service_node *node = &times->nodes[slot];
    double per_size_ns = (double)taken_ns / ask->size;

    if (node->source == SERVICE_TOLD || taken_ns < 0)
        return;
    follow(&times->per_size_ns, ++times->answers, per_size_ns / node->slowness);
    follow(&node->per_size_ns, ++node->answers, per_size_ns);
    if (node->answers >= ENOUGH_ANSWERS)
        node->source = SERVICE_LEARNED;
}
