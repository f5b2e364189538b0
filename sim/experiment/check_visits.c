/* Checks that wait their turn in a node: one of them is a request that nobody
   counts. */
#include "sim/experiment/checks_state.h"

/* What a health endpoint takes of a node whose requests it queues behind. */
#define ENDPOINT_S 1e-6

/* Nothing will come: known at the time-out. */
static void miss(struct sim *sim, const struct check_subject *subject)
{
    checks_return_at(sim, subject->check, HEALTH_NO_CONNECTION,
                     checks_timeout_at_ns(subject));
}

/* The node's word leaves it now, if it can reach the balancer. */
static void send_back(struct sim *sim, const struct check_subject *subject,
                      enum health_result result)
{
    uint32_t b = subject->balancer->view.balancer_index;
    int64_t at_ns = sim->now_ns + sim->scenario->balancer.network_delay_ns;

    if (at_ns > checks_timeout_at_ns(subject) ||
        faults_cut(sim, b, subject->node))
        miss(sim, subject);
    else
        checks_return_at(sim, subject->check, result, at_ns);
}

bool check_visits_wanted(const struct health_spec *spec)
{
    return spec->probe == PROBE_GENERATION || spec->path == PROBE_QUEUED;
}

/* --- a request of its own --- */

/* One token in and one out, or a moment at the endpoint. */
static void fill_need(const struct health_spec *spec, const struct node *node,
                      struct request *request)
{
    bool generates = spec->probe == PROBE_GENERATION;

    request->flags = REQUEST_ZOMBIE | REQUEST_PROBE;
    if (generates && node->has_costs) {
        request->flags |= REQUEST_TOKENS;
        request->need = 1;
    } else {
        request->need = generates ? spec->work_s : ENDPOINT_S;
    }
    request->input_tokens = 1;
    request->output_tokens = 1;
}

static void fill_columns(struct sim *sim, const struct node *node,
                         struct request *request, uint32_t index)
{
    request->request_class = 0;
    request->taken_for = 0;
    request->model = node->models ? (uint8_t)__builtin_ctzll(node->models) : 0;
    if (sim->slab.with_keys)
        *request_key_at(&sim->slab, index) = (struct request_key){0};
    if (sim->slab.with_work)
        *request_work_at(&sim->slab, index) =
            (struct request_work){.bare_need = request->need};
}

static struct request *make_request(struct sim *sim,
                                    const struct check_subject *subject,
                                    uint32_t *ret_index)
{
    const struct node *node = &sim->nodes[subject->node];
    struct request *request = request_slab_take(&sim->slab, ret_index);

    if (!request)
        return NULL;
    fill_need(subject->row->spec, node, request);
    request->arrived_at_ns = sim->now_ns;
    request->sent_at_ns = sim->now_ns;
    request->number = subject->index;
    request->node = subject->node;
    request->balancer = (uint16_t)subject->balancer->view.balancer_index;
    request->state = REQUEST_TO_NODE;
    fill_columns(sim, node, request, *ret_index);
    return request;
}

static void enter_node(struct sim *sim, const struct check_subject *subject)
{
    struct check *check = subject->check;
    uint32_t index;
    struct request *request = make_request(sim, subject, &index);

    if (!request) {
        sim_fail(sim, SIM_NO_MEMORY);
        return;
    }
    switch (node_accept(&sim->nodes[subject->node], &sim->node_world, request,
                        index, sim->now_ns)) {
    case NODE_STARTED:
    case NODE_QUEUED:
        check->phase = CHECK_WAITS;
        check->request = index;
        sim->checks->inside++;
        checks_set_leaf(sim, check, checks_timeout_at_ns(subject));
        return;
    case NODE_NO_MEMORY:
        sim_fail(sim, SIM_NO_MEMORY);
        break;
    case NODE_CUT:
    case NODE_SWALLOWED:
        miss(sim, subject);
        break;
    default: /* it is full, or answers with an error */
        send_back(sim, subject, HEALTH_WRONG_ANSWER);
        break;
    }
    request_slab_give(&sim->slab, request, index);
}

/* --- the way of a visit --- */

void check_visits_arrive(struct sim *sim, const struct check_subject *subject)
{
    enum fault_word word = checks_ask_faults(sim, subject);

    if (word == FAULT_ANSWERS)
        enter_node(sim, subject);
    else if (word == FAULT_SAYS_NOTHING)
        miss(sim, subject);
    else
        send_back(sim, subject, checks_result_of(word));
}

void check_visits_send(struct sim *sim, const struct check_subject *subject)
{
    struct check *check = subject->check;
    int64_t delay_ns = sim->scenario->balancer.network_delay_ns;

    if (delay_ns == 0) {
        check_visits_arrive(sim, subject);
    } else if (delay_ns > subject->row->spec->timeout_ns) {
        miss(sim, subject);
    } else {
        check->phase = CHECK_TRAVELS;
        checks_set_leaf(sim, check, sim->now_ns + delay_ns);
    }
}

static void forget_request(struct sim *sim, struct check *check)
{
    sim->checks->inside--;
    check->request = REQUEST_NONE;
}

void checks_left_node(struct sim *sim, struct request *request, uint32_t index)
{
    struct check_subject subject =
        checks_subject(sim, (uint32_t)request->number);
    bool died = request->state == REQUEST_LOST;

    forget_request(sim, subject.check);
    request_slab_give(&sim->slab, request, index);
    if (!died)
        send_back(sim, &subject, HEALTH_OK);
    else if (checks_ask_faults(sim, &subject) == FAULT_REFUSES)
        send_back(sim, &subject, HEALTH_NO_CONNECTION);
    else
        miss(sim, &subject);
}

/* Its turn did not come in time. */
void check_visits_cancel(struct sim *sim, const struct check_subject *subject)
{
    struct check *check = subject->check;
    uint32_t index = check->request;
    struct request *request = request_at(&sim->slab, index);

    forget_request(sim, check);
    node_cancel(&sim->nodes[subject->node], &sim->node_world, request, index,
                false, sim->now_ns);
    request_slab_give(&sim->slab, request, index);
}
