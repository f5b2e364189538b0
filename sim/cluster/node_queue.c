#include "sim/cluster/node_queue.h"

#include "sim/cluster/node_cache.h"

#include <stdlib.h>

struct ordered_queue *ordered_queue_create(enum queue_order order,
                                           int64_t aging_ns)
{
    struct ordered_queue *queue = calloc(1, sizeof *queue);

    if (!queue)
        return NULL;
    queue->order = order;
    queue->aging_ns = order == QUEUE_PRIORITY ? aging_ns : 0;
    return queue;
}

void ordered_queue_destroy(struct ordered_queue *queue)
{
    if (!queue)
        return;
    for (uint32_t i = 0; i < queue->level_count; i++)
        request_heap_done(&queue->levels[i].waiting);
    free(queue->levels);
    free(queue);
}

/* --- what orders go by ---------------------------------------------------- */

/* Higher is more urgent. */
static int32_t priority_of(const struct node_world *world,
                           const struct request *request)
{
    if (!world->classes)
        return 0;
    return (int32_t)world->classes[request->taken_for].priority;
}

int64_t node_world_deadline_ns(const struct node_world *world,
                               const struct request *request)
{
    int64_t after_ns = world->deadline_after_ns;

    if (world->classes &&
        world->classes[request->taken_for].deadline_ns < after_ns)
        after_ns = world->classes[request->taken_for].deadline_ns;
    return after_ns < INT64_MAX - request->arrived_at_ns
               ? request->arrived_at_ns + after_ns
               : INT64_MAX;
}

static uint64_t key_of(const struct node *node, const struct node_world *world,
                       const struct request *request, uint32_t index)
{
    const struct ordered_queue *queue = node->ordered;
    int64_t value = 0; /* equal: by arrival number alone */

    if (queue->order == QUEUE_SJF)
        value = node_time_ns(node, request,
                             request_work_at(world->slab, index)->bare_need);
    else if (queue->order == QUEUE_EDF)
        value = node_world_deadline_ns(world, request);
    else if (queue->aging_ns == 0)
        value = -(int64_t)priority_of(world, request);
    return heap_key_of_integer(value);
}

/* --- levels --------------------------------------------------------------- */

static struct queue_level *add_level(struct ordered_queue *queue,
                                     int32_t priority)
{
    if (queue->level_count == queue->level_capacity) {
        uint32_t capacity =
            queue->level_capacity ? 2 * queue->level_capacity : 1;
        struct queue_level *levels =
            realloc(queue->levels, capacity * sizeof *levels);

        if (!levels)
            return NULL;
        queue->levels = levels;
        queue->level_capacity = capacity;
    }
    queue->levels[queue->level_count] =
        (struct queue_level){.priority = priority};
    return &queue->levels[queue->level_count++];
}

/* NULL: there is none yet. */
static struct queue_level *find_level(struct ordered_queue *queue,
                                      const struct node_world *world,
                                      const struct request *request)
{
    if (queue->aging_ns == 0)
        return queue->level_count > 0 ? &queue->levels[0] : NULL;
    for (uint32_t i = 0; i < queue->level_count; i++)
        if (queue->levels[i].priority == priority_of(world, request))
            return &queue->levels[i];
    return NULL;
}

/* A level's head and what it is worth now. */
struct head {
    struct queue_level *level;
    int64_t worth;
    uint64_t number;
};

static struct head look_at(struct ordered_queue *queue, uint32_t level,
                           const struct request_slab *slab, int64_t now_ns)
{
    struct head head = {.level = &queue->levels[level]};
    const struct heap_entry *first = &head.level->waiting.entries[0];

    head.number = first->number;
    if (queue->aging_ns > 0)
        head.worth =
            head.level->priority +
            (now_ns - request_at(slab, first->request)->arrived_at_ns) /
                queue->aging_ns;
    return head;
}

/* The level whose head is next; NULL: nobody waits. */
static struct queue_level *choose_level(struct ordered_queue *queue,
                                        const struct request_slab *slab,
                                        int64_t now_ns)
{
    struct head best = {0};

    for (uint32_t i = 0; i < queue->level_count; i++) {
        struct head head;

        if (queue->levels[i].waiting.count == 0)
            continue;
        head = look_at(queue, i, slab, now_ns);
        if (!best.level || head.worth > best.worth ||
            (head.worth == best.worth && head.number < best.number))
            best = head;
    }
    return best.level;
}

/* --- in and out ----------------------------------------------------------- */

static enum node_answer enter_ordered(struct node *node,
                                      const struct node_world *world,
                                      struct request *request, uint32_t index,
                                      int64_t now_ns)
{
    struct ordered_queue *queue = node->ordered;
    struct queue_level *level = find_level(queue, world, request);

    if (!level)
        level = add_level(queue, priority_of(world, request));
    if (!level || !request_heap_push(&level->waiting, world->slab, index,
                                     key_of(node, world, request, index)))
        return NODE_NO_MEMORY;
    request->state = REQUEST_QUEUED;
    engine_count_queued(node, 1, now_ns);
    return NODE_QUEUED;
}

enum node_answer node_queue_enter(struct node *node,
                                  const struct node_world *world,
                                  struct request *request, uint32_t index,
                                  int64_t now_ns)
{
    if (engine_is_full(node))
        return NODE_FULL;
    if (node->ordered)
        return enter_ordered(node, world, request, index, now_ns);
    node_queue_append(node, world->slab, request, index, now_ns);
    return NODE_QUEUED;
}

uint32_t node_queue_next(struct node *node, struct request_slab *slab,
                         int64_t now_ns)
{
    uint32_t index = node->queue_head;

    if (node->queued == 0)
        return REQUEST_NONE;
    if (node->ordered) {
        struct queue_level *level = choose_level(node->ordered, slab, now_ns);

        engine_count_queued(node, -1, now_ns);
        return request_heap_remove(&level->waiting, slab, 0);
    }
    node_queue_take_head(node, slab, now_ns);
    return index;
}

static void leave_list(struct node *node, struct request_slab *slab,
                       const struct request *request, int64_t now_ns)
{
    if (request == request_at(slab, node->queue_head)) {
        node_queue_take_head(node, slab, now_ns);
        return;
    }
    request_at(slab, request->prev)->next = request->next;
    if (request->next != REQUEST_NONE)
        request_at(slab, request->next)->prev = request->prev;
    else
        node->queue_tail = request->prev;
    engine_count_queued(node, -1, now_ns);
}

void node_queue_leave(struct node *node, const struct node_world *world,
                      const struct request *request, int64_t now_ns)
{
    if (!node->ordered) {
        leave_list(node, world->slab, request, now_ns);
        return;
    }
    request_heap_remove(&find_level(node->ordered, world, request)->waiting,
                        world->slab, request->place);
    engine_count_queued(node, -1, now_ns);
}

/* --- too late --------------------------------------------------------------
 */

static bool is_too_late(const struct node *node, const struct node_world *world,
                        const struct request *request, int64_t now_ns)
{
    int64_t deadline_ns = node_world_deadline_ns(world, request);
    int64_t least_ns = node_least_ns(node, request);

    if (least_ns < world->at_least_ns)
        least_ns = world->at_least_ns;
    return deadline_ns < INT64_MAX &&
           (deadline_ns - now_ns < least_ns || deadline_ns <= now_ns);
}

/* Others may wait for its answer: then it is served. */
static bool drop(struct node *node, const struct node_world *world,
                 uint32_t index, int64_t now_ns)
{
    struct request *request = request_at(world->slab, index);

    if (node->cache && node_cache_keep(node, world, index))
        return false;
    if (!delay_line_push(world->expired, world->tree, now_ns, index,
                         request->epoch)) {
        *world->lacks_memory = true;
        *world->attention = true;
        return false;
    }
    request->state = REQUEST_TO_CLIENT;
    return true;
}

uint32_t node_queue_find_in_time(struct node *node,
                                 const struct node_world *world, int64_t now_ns)
{
    uint32_t index = node_queue_next(node, world->slab, now_ns);

    while (world->expired && index != REQUEST_NONE &&
           is_too_late(node, world, request_at(world->slab, index), now_ns) &&
           drop(node, world, index, now_ns))
        index = node_queue_next(node, world->slab, now_ns);
    return index;
}
