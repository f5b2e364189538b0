#include "sim/experiment/deadlines.h"

#include "sim/core/timeout_line.h"
#include "sim/experiment/life.h"

struct deadlines {
    const struct deadline_spec *spec;
    struct timeout_line *lines; /* [class_count] those that end a request */
    struct delay_line expired;  /* word of nodes on its way */
    bool lacks_memory;
    uint64_t at_dispatch, in_queue, passed; /* of measured requests */
};

static uint32_t class_count(const struct sim *sim)
{
    return sim->scenario->workload.class_count;
}

/* As the front door takes it for. */
static int64_t class_deadline_ns(const struct sim *sim, uint32_t request_class)
{
    return class_count(sim) > 0
               ? sim->scenario->workload.classes[request_class].deadline_ns
               : INT64_MAX;
}

bool deadlines_make(struct sim *sim)
{
    const struct deadline_spec *spec = &sim->scenario->balancer.deadline;
    struct deadlines *deadlines;

    if (!spec->given)
        return true;
    deadlines = arena_allocate(&sim->arena, 1, sizeof *deadlines);
    if (!deadlines)
        return false;
    deadlines->spec = spec;
    deadlines->lines = arena_allocate(&sim->arena, class_count(sim) + 1,
                                      sizeof *deadlines->lines);
    if (!deadlines->lines)
        return false;
    for (uint32_t c = 0; c < class_count(sim); c++)
        timeout_line_init(&deadlines->lines[c], class_deadline_ns(sim, c),
                          LINE_DEADLINES + c);
    delay_line_init(&deadlines->expired, sim->to_client.delay_ns, RANK_DONE,
                    LINE_EXPIRED);
    sim->deadlines = deadlines;
    if (!spec->in_queue)
        return true;
    sim->node_world.expired = &deadlines->expired;
    sim->node_world.at_least_ns = spec->at_least_ns;
    sim->node_world.lacks_memory = &deadlines->lacks_memory;
    sim->node_world.attention = &sim->attention;
    for (uint32_t i = 0; i < sim->node_count; i++)
        node_minds_deadlines(&sim->nodes[i]);
    return true;
}

void deadlines_unmake(struct sim *sim)
{
    if (!sim->deadlines)
        return;
    for (uint32_t c = 0; c < class_count(sim); c++)
        timeout_line_done(&sim->deadlines->lines[c]);
    delay_line_done(&sim->deadlines->expired);
}

struct delay_line *deadlines_word_of_nodes(const struct sim *sim)
{
    return &sim->deadlines->expired;
}

bool deadlines_lack_memory(const struct sim *sim)
{
    return sim->deadlines && sim->deadlines->lacks_memory;
}

/* --- the deadline itself ---------------------------------------------------
 */

/* A request keeps its number wherever it goes on, unlike its epoch. */
static uint32_t short_number(const struct request *request)
{
    return (uint32_t)request->number;
}

void deadlines_arrived(struct sim *sim, const struct request *request,
                       uint32_t index)
{
    uint32_t c = class_count(sim) > 0 ? request->taken_for : 0;
    int64_t after_ns = class_deadline_ns(sim, c);

    if (after_ns == INT64_MAX ||
        after_ns >= sim->scenario->balancer.timeout.total_ns)
        return;
    if (!timeout_line_push(&sim->deadlines->lines[c], &sim->tree,
                           request->arrived_at_ns, index,
                           short_number(request)))
        sim_fail(sim, SIM_NO_MEMORY);
}

void deadlines_moved(struct sim *sim, uint32_t to)
{
    const struct request *request = request_at(&sim->slab, to);
    uint32_t c = class_count(sim) > 0 ? request->taken_for : 0;
    int64_t after_ns = class_deadline_ns(sim, c);

    if (after_ns < INT64_MAX - request->arrived_at_ns)
        sim_alarm(sim, request->arrived_at_ns + after_ns, ALARM_DEADLINE, to,
                  short_number(request));
}

/* It is still the request, and not one of its further slots. */
static bool is_meant(const struct request *request, uint32_t number)
{
    return request->state != REQUEST_FREE &&
           !(request->flags & (REQUEST_ZOMBIE | REQUEST_TWIN)) &&
           short_number(request) == number;
}

static void pass(struct sim *sim, const struct request *request, uint32_t index)
{
    sim->deadlines->passed += (request->flags & REQUEST_MEASURED) != 0;
    losses_give_up(sim, index, ERROR_TOTAL);
}

void deadlines_line(struct sim *sim, uint32_t request_class)
{
    struct timeout_line *line = &sim->deadlines->lines[request_class];
    const struct timeout_entry *oldest;

    timeout_line_disarm(line, &sim->tree);
    while ((oldest = timeout_line_oldest(line)) != NULL &&
           sim->status == SIM_OK) {
        struct timeout_entry entry = *oldest;
        const struct request *request = request_at(&sim->slab, entry.request);
        bool meant = is_meant(request, entry.epoch);

        if (meant && entry.at_ns > sim->now_ns) {
            timeout_line_arm(line, &sim->tree);
            return;
        }
        timeout_line_drop(line);
        if (meant)
            pass(sim, request, entry.request);
    }
}

void deadlines_alarm(struct sim *sim, const struct alarm *alarm)
{
    const struct request *request = request_at(&sim->slab, alarm->subject);

    if (is_meant(request, alarm->epoch))
        pass(sim, request, alarm->subject);
}

/* --- dropped before it -----------------------------------------------------
 */

/* To the first token on the fastest node, there and back. */
static int64_t predicted_ns(const struct sim *sim,
                            const struct request *request)
{
    int64_t least_ns = INT64_MAX;

    for (uint32_t i = 0, g = 0; i < sim->node_count;
         i += sim->scenario->groups[g++].count) {
        int64_t ns = node_least_ns(&sim->nodes[i], request);

        if (sim->scenario->groups[g].count > 0 && ns < least_ns)
            least_ns = ns;
    }
    if (least_ns < sim->deadlines->spec->at_least_ns)
        least_ns = sim->deadlines->spec->at_least_ns;
    return least_ns + sim->to_node.delay_ns + sim->to_client.delay_ns;
}

bool deadlines_is_hopeless(const struct sim *sim, const struct request *request)
{
    int64_t deadline_ns;

    if (!sim->deadlines->spec->at_dispatch)
        return false;
    deadline_ns = node_world_deadline_ns(&sim->node_world, request);
    if (deadline_ns == INT64_MAX)
        return false;
    return deadline_judge(deadline_ns - request->arrived_at_ns,
                          sim->now_ns - request->arrived_at_ns,
                          predicted_ns(sim, request), INT64_MAX)
        .hopeless;
}

bool deadlines_drop(struct sim *sim, struct request *request, uint32_t index)
{
    if (!deadlines_is_hopeless(sim, request))
        return false;
    sim->deadlines->at_dispatch += (request->flags & REQUEST_MEASURED) != 0;
    losses_end(sim, request, index, END_TIMED_OUT);
    return true;
}

void deadlines_expired(struct sim *sim, struct request *request, uint32_t index)
{
    if (request->flags & REQUEST_ZOMBIE) {
        losses_zombie_gone(sim, request, index);
        return;
    }
    sim->deadlines->in_queue += (request->flags & REQUEST_MEASURED) != 0;
    losses_attempt_failed(sim, request, index, LBP_TIMEOUT, ERROR_EXPIRED);
}

void deadlines_finish(const struct sim *sim, struct run_result *ret)
{
    const struct deadlines *deadlines = sim->deadlines;

    if (!deadlines)
        return;
    ret->values[M_EXPIRED_DOOR] = (double)deadlines->at_dispatch;
    ret->values[M_EXPIRED_QUEUE] = (double)deadlines->in_queue;
    ret->values[M_DEADLINES_PASSED] = (double)deadlines->passed;
}
