/* Circuit breakers: one for each node and, where requests have models, model.
 */
#include "sim/experiment/faults.h"
#include "sim/experiment/passive.h"

static struct breaker *find(const struct passive_balancer *at, uint32_t node,
                            uint32_t model)
{
    uint32_t per_node = at->sim->passive->breakers_per_node;

    return &at->breakers[(size_t)node * per_node + model];
}

/* Without classes a request's model is undefined, and there is one breaker. */
static uint32_t model_of(const struct passive_balancer *at,
                         const struct request *request)
{
    return at->sim->passive->breakers_per_node > 1 ? request->model : 0;
}

bool breakers_make(struct sim *sim, struct passive_balancer *at)
{
    uint32_t per_node = sim->passive->breakers_per_node;
    size_t count = (size_t)sim->node_count * per_node;

    if (!sim->passive->spec->breaker.given)
        return true;
    at->breakers = arena_allocate(&sim->arena, count, sizeof *at->breakers);
    if (!at->breakers)
        return false;
    for (size_t i = 0; i < count; i++)
        breaker_init(&at->breakers[i]);
    return per_node == 1 ||
           balancer_bar_models(at->balancer, per_node, &sim->arena);
}

void breakers_forget(struct passive_balancer *at, uint32_t node)
{
    uint32_t per_node = at->sim->passive->breakers_per_node;

    for (uint32_t i = 0; i < per_node; i++) {
        breaker_init(find(at, node, i));
        if (per_node > 1)
            balancer_bar_model(at->balancer, node, i, false);
    }
}

static bool is_barred(const struct passive_balancer *at, uint32_t node,
                      uint32_t model)
{
    return breaker_bars(find(at, node, model),
                        &at->sim->passive->spec->breaker);
}

/* For one model at least. */
static bool is_barred_for_any(const struct passive_balancer *at, uint32_t node)
{
    for (uint32_t i = 0; i < at->sim->passive->breakers_per_node; i++)
        if (is_barred(at, node, i))
            return true;
    return false;
}

/* The bar of the whole node, or of one model on it. */
static void show(struct passive_balancer *at, uint32_t node, uint32_t model)
{
    struct sim *sim = at->sim;
    bool down = is_barred(at, node, model);

    if (sim->passive->breakers_per_node == 1) {
        passive_bar(at, node, BAR_BREAKER, down, true);
        return;
    }
    bar_times_change(&sim->passive->times, &sim->recorder,
                     at->balancer->view.balancer_index, node, BAR_BREAKER,
                     is_barred_for_any(at, node), sim->now_ns);
    balancer_bar_model(at->balancer, node, model, down);
    if (!down && at->balancer->waiting_head != REQUEST_NONE)
        sim->attention = true;
}

void breakers_sent(struct passive_balancer *at, const struct request *request)
{
    const struct breaker_spec *spec = &at->sim->passive->spec->breaker;
    uint32_t model = model_of(at, request);

    if (!spec->given || !breaker_sent(find(at, request->node, model), spec))
        return;
    at->sim->passive->counts.breaker_trials++;
    show(at, request->node, model);
}

static void has_opened(struct passive_balancer *at, uint32_t node,
                       uint32_t model)
{
    struct sim *sim = at->sim;
    uint32_t subject =
        (at->balancer->view.balancer_index * sim->node_count + node) *
            sim->passive->breakers_per_node +
        model;

    sim->passive->counts.breaker_opens++;
    sim->passive->counts.breaker_false_opens +=
        faults_since_ns(sim, at->balancer, node) == LBP_NO_TIME;
    sim_alarm(sim, sim->now_ns + find(at, node, model)->cool_ns, ALARM_BREAKER,
              subject, 0);
}

void breakers_over(struct passive_balancer *at, const struct request *request,
                   enum blame blame)
{
    const struct breaker_spec *spec = &at->sim->passive->spec->breaker;
    uint32_t node = request->node, model = model_of(at, request);
    struct breaker *breaker;

    if (!spec->given)
        return;
    breaker = find(at, node, model);
    if (blame == BLAME_NOTHING)
        breaker_void(breaker, request->sent_at_ns);
    else if (breaker_over(breaker, spec, request->sent_at_ns,
                          blame_is_fault(blame, spec->counts_overload),
                          at->sim->now_ns))
        has_opened(at, node, model);
    show(at, node, model);
}

void breakers_cooled(struct sim *sim, uint32_t subject)
{
    uint32_t per_node = sim->passive->breakers_per_node;
    uint32_t model = subject % per_node;
    uint32_t place = subject / per_node;
    uint32_t node = place % sim->node_count;
    struct passive_balancer *at =
        &sim->passive->balancers[place / sim->node_count];

    breaker_cooled(find(at, node, model), sim->now_ns);
    show(at, node, model);
}
