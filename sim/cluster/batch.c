#include "sim/cluster/batch.h"

#include "sim/cluster/node_queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct batch *batch_create(const struct engine_spec *spec)
{
    struct batch *batch = calloc(1, sizeof *batch);

    if (!batch)
        return NULL;
    batch->rule = spec->batch;
    batch->max_wait_ns = spec->batch_max_wait_ns;
    batch->leaf = EVENT_NO_LEAF;
    batch->frozen_at_ns = INT64_MIN;
    batch->members = malloc(spec->batch.size * sizeof *batch->members);
    if (!batch->members) {
        free(batch);
        return NULL;
    }
    return batch;
}

void batch_destroy(struct batch *batch)
{
    if (!batch)
        return;
    free(batch->members);
    free(batch->items);
    free(batch);
}

/* Room to look at one more than wait now; starting then needs no memory. */
static bool make_room(struct batch *batch, uint32_t queued)
{
    uint32_t capacity = batch->capacity > 0 ? 2 * batch->capacity : 16;
    struct batch_item *items;

    if (queued < batch->capacity || batch->capacity >= BATCH_LOOK)
        return true;
    items = realloc(batch->items, capacity * sizeof *items);
    if (!items)
        return false;
    batch->items = items;
    batch->capacity = capacity;
    return true;
}

/* --- how long a batch takes ----------------------------------------------- */

/* The longest of each kind among its members. */
struct padded {
    uint32_t rows; /* members that have tokens */
    double base, input, output, work_ns;
};

static void pad(struct padded *padded, const struct node *node,
                const struct request *request)
{
    double need = request->need;

    if (!node->has_costs || !(request->flags & REQUEST_TOKENS)) {
        padded->work_ns = fmax(padded->work_ns, need * node->need_ns);
        return;
    }
    padded->rows++;
    padded->base = fmax(padded->base, need);
    padded->input = fmax(padded->input, need * request->input_tokens);
    padded->output = fmax(padded->output, need * request->output_tokens);
}

static int64_t whole_ns(double ns)
{
    return ns < 4.6e18 ? (int64_t)(ns + 0.5) : INT64_MAX / 2;
}

/* Sets when the batch of these members has its first tokens and when it ends,
   both from now. */
static void time_batch(const struct node *node, const struct request_slab *slab,
                       int64_t now_ns)
{
    struct batch *batch = node->batch;
    struct padded padded = {0};
    double first_ns, all_ns;

    for (uint32_t i = 0; i < batch->count; i++)
        pad(&padded, node, request_at(slab, batch->members[i]));
    first_ns = node->base_ns * padded.base +
               node->per_input_ns * padded.rows * padded.input;
    all_ns =
        fmax(first_ns + node->per_output_ns * padded.output, padded.work_ns);
    batch->first_token_at_ns = now_ns + whole_ns(first_ns);
    batch->ends_at_ns = now_ns + whole_ns(all_ns);
}

/* --- events --------------------------------------------------------------- */

static bool is_frozen(const struct batch *batch)
{
    return batch->frozen_at_ns != INT64_MIN;
}

/* While a batch runs the leaf stands for one of its members: for the first
   token of those that wait for the event of it, then for the ends. */
static void aim_at_member(const struct batch *batch,
                          const struct node_world *world, int64_t now_ns)
{
    uint32_t index = batch->members[0];
    int64_t at_ns = batch->ends_at_ns;

    if (is_frozen(batch))
        return;
    for (uint32_t i = 0; world->first_token_events && i < batch->count; i++)
        if (request_at(world->slab, batch->members[i])->flags &
            REQUEST_FIRST_TOKEN) {
            index = batch->members[i];
            at_ns = batch->first_token_at_ns;
            break;
        }
    world->tree->subjects[batch->leaf] = index;
    event_tree_set(world->tree, batch->leaf, at_ns > now_ns ? at_ns : now_ns,
                   RANK_DONE);
}

/* While none runs it stands for the moment when the oldest has waited long
   enough. */
static void aim_at_oldest(const struct node *node,
                          const struct node_world *world, int64_t now_ns)
{
    const struct batch *batch = node->batch;
    const struct request *oldest = request_at(world->slab, node->queue_head);
    int64_t at_ns = now_ns;

    if (batch->max_wait_ns > now_ns - oldest->started_at_ns)
        at_ns = oldest->started_at_ns + batch->max_wait_ns;
    world->tree->subjects[batch->leaf] = NODE_TIMER + oldest->node;
    event_tree_set(world->tree, batch->leaf, at_ns, RANK_TIMER);
}

/* --- a batch starts ------------------------------------------------------- */

/* The oldest that wait; by arrival, the first few decide. Returns how many. */
static uint32_t collect(const struct node *node, const struct node_world *world)
{
    const struct batch *batch = node->batch;
    uint32_t index = node->queue_head, count = 0;
    uint32_t most =
        batch->rule.order == BATCH_ARRIVAL ? batch->rule.size : batch->capacity;

    while (index != REQUEST_NONE && count < most && count < batch->capacity) {
        const struct request *request = request_at(world->slab, index);

        batch->items[count] = (struct batch_item){
            .request = index,
            .length = request->input_tokens,
            .place = count,
            .skipped = request_work_at(world->slab, index)->skipped};
        count++;
        index = request->next;
    }
    return count;
}

static void enter_service(struct node *node, const struct node_world *world,
                          uint32_t index, int64_t now_ns)
{
    struct batch *batch = node->batch;
    struct request *request = request_at(world->slab, index);

    node_queue_leave(node, world, request, now_ns);
    request->state = REQUEST_RUNNING;
    request->started_at_ns = now_ns;
    if (world->first_token_events && (request->flags & REQUEST_TOKENS))
        request->flags |= REQUEST_FIRST_TOKEN;
    batch->members[batch->count++] = index;
    engine_count_served(node, 1, now_ns);
}

static void start(struct node *node, const struct node_world *world,
                  int64_t now_ns)
{
    struct batch *batch = node->batch;
    uint32_t count = collect(node, world), from, end;

    batch_sort(&batch->rule, batch->items, count);
    end = batch_choose(&batch->rule, batch->items, count, &from);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = batch->items[i].request;

        if (i >= from && i < end)
            enter_service(node, world, index, now_ns);
        else
            request_work_at(world->slab, index)->skipped++;
    }
    time_batch(node, world->slab, now_ns);
    for (uint32_t i = 0; i < batch->count; i++)
        request_work_at(world->slab, batch->members[i])->first_token_at_ns =
            batch->first_token_at_ns;
    aim_at_member(batch, world, now_ns);
}

/* No batch runs: one starts, or waits to be filled, or there is nothing. */
static void settle(struct node *node, const struct node_world *world,
                   int64_t now_ns)
{
    if (is_frozen(node->batch))
        return;
    if (node->queued == 0)
        event_tree_clear(world->tree, node->batch->leaf);
    else if (node->queued >= node->batch->rule.size)
        start(node, world, now_ns);
    else
        aim_at_oldest(node, world, now_ns);
}

static void timer(struct node *node, const struct node_world *world,
                  int64_t now_ns)
{
    start(node, world, now_ns);
}

/* --- in and out ----------------------------------------------------------- */

/* Until a request starts, started_at_ns says when it came. What collects on an
   idle node does not count against its limit. */
static enum node_answer accept(struct node *node,
                               const struct node_world *world,
                               struct request *request, uint32_t index,
                               int64_t now_ns)
{
    struct batch *batch = node->batch;

    if (batch->count > 0 && engine_is_full(node))
        return NODE_FULL;
    if (batch->leaf == EVENT_NO_LEAF)
        batch->leaf = event_tree_take(world->tree, index);
    if (batch->leaf == EVENT_NO_LEAF || !make_room(batch, node->queued))
        return NODE_NO_MEMORY;
    request->started_at_ns = now_ns;
    request_work_at(world->slab, index)->skipped = 0;
    node_queue_append(node, world->slab, request, index, now_ns);
    if (batch->count == 0)
        settle(node, world, now_ns);
    return request->state == REQUEST_RUNNING ? NODE_STARTED : NODE_QUEUED;
}

/* The others stay in order. */
static void leave(struct node *node, const struct node_world *world,
                  uint32_t index, int64_t now_ns)
{
    struct batch *batch = node->batch;
    uint32_t i = 0;

    while (batch->members[i] != index)
        i++;
    batch->count--;
    memmove(&batch->members[i], &batch->members[i + 1],
            (batch->count - i) * sizeof *batch->members);
    engine_count_served(node, -1, now_ns);
    if (batch->count > 0)
        aim_at_member(batch, world, now_ns);
    else
        settle(node, world, now_ns);
}

static void finish(struct node *node, const struct node_world *world,
                   const struct request *request, uint32_t index,
                   int64_t now_ns)
{
    (void)request;
    leave(node, world, index, now_ns);
}

static void cancel(struct node *node, const struct node_world *world,
                   const struct request *request, uint32_t index,
                   int64_t now_ns)
{
    if (request->state != REQUEST_QUEUED) {
        leave(node, world, index, now_ns);
        return;
    }
    node_queue_leave(node, world, request, now_ns);
    if (node->batch->count == 0)
        settle(node, world, now_ns);
}

static void first_token(struct node *node, const struct node_world *world,
                        struct request *request, uint32_t index, int64_t now_ns)
{
    (void)request;
    (void)index;
    aim_at_member(node->batch, world, now_ns);
}

/* In the order in which they would have ended. What waits goes after them, so
   nothing is left to start. */
static void lose_running(struct node *node, const struct node_world *world,
                         uint32_t node_index, struct lost_list *lost,
                         int64_t now_ns)
{
    struct batch *batch = node->batch;

    (void)node_index;
    for (uint32_t i = 0; i < batch->count; i++) {
        engine_count_served(node, -1, now_ns);
        engine_lose(lost, world->slab, batch->members[i]);
    }
    batch->count = 0;
    if (batch->leaf != EVENT_NO_LEAF)
        event_tree_clear(world->tree, batch->leaf);
}

static int64_t scaled_rest(int64_t at_ns, int64_t now_ns, double factor)
{
    return at_ns <= now_ns
               ? at_ns
               : now_ns + whole_ns((double)(at_ns - now_ns) / factor);
}

/* The batch that runs has its first tokens and ends at other times. */
static void move_times(struct batch *batch, const struct node_world *world,
                       int64_t first_token_at_ns, int64_t ends_at_ns,
                       int64_t now_ns)
{
    batch->ends_at_ns = ends_at_ns;
    batch->first_token_at_ns = first_token_at_ns;
    for (uint32_t i = 0; i < batch->count; i++)
        request_work_at(world->slab, batch->members[i])->first_token_at_ns =
            batch->first_token_at_ns;
    aim_at_member(batch, world, now_ns);
}

static void change_speed(struct node *node, const struct node_world *world,
                         uint32_t node_index, double factor, int64_t now_ns)
{
    struct batch *batch = node->batch;
    int64_t from_ns = is_frozen(batch) ? batch->frozen_at_ns : now_ns;

    (void)node_index;
    if (batch->count > 0)
        move_times(batch, world,
                   scaled_rest(batch->first_token_at_ns, from_ns, factor),
                   scaled_rest(batch->ends_at_ns, from_ns, factor), now_ns);
}

static void freeze(struct node *node, const struct node_world *world,
                   uint32_t node_index, int64_t now_ns)
{
    (void)node_index;
    node->batch->frozen_at_ns = now_ns;
    if (node->batch->leaf != EVENT_NO_LEAF)
        event_tree_clear(world->tree, node->batch->leaf);
}

/* What was still to come comes as much later as it was frozen. */
static void thaw(struct node *node, const struct node_world *world,
                 uint32_t node_index, int64_t now_ns)
{
    struct batch *batch = node->batch;
    int64_t since_ns = batch->frozen_at_ns, late_ns = now_ns - since_ns;

    (void)node_index;
    batch->frozen_at_ns = INT64_MIN;
    if (batch->count > 0)
        move_times(batch, world,
                   batch->first_token_at_ns < since_ns
                       ? batch->first_token_at_ns
                       : batch->first_token_at_ns + late_ns,
                   batch->ends_at_ns + late_ns, now_ns);
    else if (batch->leaf != EVENT_NO_LEAF)
        settle(node, world, now_ns);
}

const struct engine engine_batch = {
    .accept = accept,
    .finish = finish,
    .cancel = cancel,
    .first_token = first_token,
    .lose_running = lose_running,
    .change_speed = change_speed,
    .freeze = freeze,
    .thaw = thaw,
    .timer = timer,
};
