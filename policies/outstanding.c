#include "policies/outstanding.h"

#define NONE UINT32_MAX
#define UNLISTED UINT64_MAX /* first word of an attempt without a place */

enum { ATTEMPTS_LEAST = 4096, ATTEMPTS_MOST = 1 << 20, ATTEMPTS_PER_SLOT = 4 };

/* Attempts that are overdue take this much longer at least. */
enum { OVERDUE_NS = 1000 };

/* --- members -------------------------------------------------------------- */

static uint32_t slots_of(const struct lbp_node *node, uint32_t sharers)
{
    return node->slots > sharers ? node->slots / sharers : 1;
}

/* Room for attempts, and for the widest node's slots. */
struct room {
    uint32_t attempts, widest;
};

static struct room room_for(const struct lbp_view *view, uint32_t sharers)
{
    uint64_t attempts = 0;
    uint32_t widest = 1;

    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        uint32_t slots = slots_of(lbp_node_at(view, slot), sharers);

        attempts += (uint64_t)ATTEMPTS_PER_SLOT * slots;
        if (slots > widest)
            widest = slots;
    }
    if (attempts < ATTEMPTS_LEAST)
        attempts = ATTEMPTS_LEAST;
    if (attempts > ATTEMPTS_MOST)
        attempts = ATTEMPTS_MOST;
    if (widest > attempts) /* no more of them have a place */
        widest = (uint32_t)attempts;
    return (struct room){(uint32_t)attempts, widest};
}

/* Further attempts, chained into the free ones; false: no memory. */
static bool grow_attempts(struct outstanding *books, uint32_t count,
                          const struct lbp_host *host)
{
    struct outstanding_attempt *attempts;

    if (books->attempts && count <= books->attempt_count)
        return true;
    attempts = host->allocate(host->context, count * sizeof *attempts);
    if (!attempts)
        return false;
    if (!books->attempts)
        books->free_head = NONE;
    for (uint32_t i = 0; books->attempts && i < books->attempt_count; i++)
        attempts[i] = books->attempts[i];
    for (uint32_t i = count; i-- > books->attempt_count;) {
        attempts[i] = (struct outstanding_attempt){.newer = books->free_head};
        books->free_head = i;
    }
    host->release(host->context, books->attempts);
    books->attempts = attempts;
    books->attempt_count = count;
    return true;
}

static bool grow_scratch(struct outstanding *books, uint32_t widest,
                         const struct lbp_host *host)
{
    int64_t *free_at;

    if (widest <= books->widest)
        return true;
    free_at = host->allocate(host->context, widest * sizeof *free_at);
    if (!free_at)
        return false;
    host->release(host->context, books->free_at);
    books->free_at = free_at;
    books->widest = widest;
    return true;
}

static bool grow_nodes(struct outstanding *books, uint32_t slot_count,
                       const struct lbp_host *host)
{
    struct outstanding_node *nodes;

    if (slot_count <= books->slot_count)
        return true;
    nodes = host->allocate(host->context, slot_count * sizeof *nodes);
    if (!nodes)
        return false;
    for (uint32_t slot = 0; slot < slot_count; slot++)
        nodes[slot] = slot < books->slot_count ? books->nodes[slot]
                                               : (struct outstanding_node){0};
    host->release(host->context, books->nodes);
    books->nodes = nodes;
    books->slot_count = slot_count;
    return true;
}

/* The host gives a slot to another node when all attempts of the old one are
   over, so there is nothing to carry on. */
static void meet_node(struct outstanding_node *books,
                      const struct lbp_node *node, uint32_t sharers)
{
    if (books->slots == 0 || books->generation != node->generation)
        *books = (struct outstanding_node){.oldest = NONE,
                                           .newest = NONE,
                                           .first_waiting = NONE,
                                           .generation = node->generation};
    books->slots = slots_of(node, sharers);
}

bool outstanding_update(struct outstanding *books, const struct lbp_view *view,
                        uint32_t sharers, const struct lbp_host *host)
{
    struct room room = room_for(view, sharers);

    if (!grow_attempts(books, room.attempts, host) ||
        !grow_scratch(books, room.widest, host) ||
        !grow_nodes(books, view->slot_count, host))
        return false;
    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        meet_node(&books->nodes[slot], lbp_node_at(view, slot), sharers);
    return true;
}

void outstanding_done(struct outstanding *books, const struct lbp_host *host)
{
    host->release(host->context, books->nodes);
    host->release(host->context, books->attempts);
    host->release(host->context, books->free_at);
    *books = (struct outstanding){0};
}

/* --- sent ----------------------------------------------------------------- */

static void start(struct outstanding_node *node,
                  struct outstanding_attempt *attempt, int64_t now_ns)
{
    attempt->runs = true;
    attempt->started_at_ns = now_ns;
    node->running++;
    node->running_ns += attempt->service_ns;
    node->started_sum += (uint64_t)now_ns;
}

static void join_queue(struct outstanding *books, struct outstanding_node *node,
                       uint32_t index)
{
    struct outstanding_attempt *attempt = &books->attempts[index];

    attempt->older = node->newest;
    attempt->newer = NONE;
    if (node->newest != NONE)
        books->attempts[node->newest].newer = index;
    else
        node->oldest = index;
    node->newest = index;
}

void outstanding_enter(struct outstanding *books, uint32_t slot, int64_t now_ns,
                       int64_t service_ns, uint64_t *note)
{
    struct outstanding_node *node = &books->nodes[slot];
    struct outstanding_attempt *attempt;
    uint32_t index = books->free_head;

    if (index == NONE) {
        note[0] = UNLISTED;
        note[1] = (uint64_t)service_ns;
        node->waiting++;
        node->waiting_ns += service_ns;
        node->unlisted_ns += service_ns;
        return;
    }
    attempt = &books->attempts[index];
    books->free_head = attempt->newer;
    note[0] = (uint64_t)index + 1;
    attempt->service_ns = service_ns;
    join_queue(books, node, index);
    if (node->running < node->slots) {
        start(node, attempt, now_ns);
        return;
    }
    attempt->runs = false;
    node->waiting++;
    node->waiting_ns += service_ns;
    if (node->first_waiting == NONE)
        node->first_waiting = index;
}

/* --- over ----------------------------------------------------------------- */

static void leave_queue(struct outstanding *books,
                        struct outstanding_node *node, uint32_t index)
{
    const struct outstanding_attempt *attempt = &books->attempts[index];

    if (attempt->older != NONE)
        books->attempts[attempt->older].newer = attempt->newer;
    else
        node->oldest = attempt->newer;
    if (attempt->newer != NONE)
        books->attempts[attempt->newer].older = attempt->older;
    else
        node->newest = attempt->older;
}

static void stop_waiting(struct outstanding_node *node,
                         const struct outstanding_attempt *attempt,
                         uint32_t index)
{
    node->waiting--;
    node->waiting_ns -= attempt->service_ns;
    if (node->first_waiting == index)
        node->first_waiting = attempt->newer;
}

/* Free slots go to those that wait longest. */
static void start_next(struct outstanding *books, struct outstanding_node *node,
                       int64_t now_ns)
{
    while (node->running < node->slots && node->first_waiting != NONE) {
        uint32_t index = node->first_waiting;
        struct outstanding_attempt *attempt = &books->attempts[index];

        stop_waiting(node, attempt, index);
        start(node, attempt, now_ns);
    }
}

static void leave_listed(struct outstanding *books,
                         struct outstanding_node *node, uint32_t index,
                         int64_t now_ns, struct outstanding_end *ret)
{
    struct outstanding_attempt *attempt = &books->attempts[index];

    *ret = (struct outstanding_end){.ran = attempt->runs,
                                    .service_ns = attempt->service_ns};
    if (attempt->runs) {
        ret->taken_ns = now_ns - attempt->started_at_ns;
        node->running--;
        node->running_ns -= attempt->service_ns;
        node->started_sum -= (uint64_t)attempt->started_at_ns;
    } else {
        stop_waiting(node, attempt, index);
    }
    leave_queue(books, node, index);
    attempt->newer = books->free_head;
    books->free_head = index;
    start_next(books, node, now_ns);
}

bool outstanding_leave(struct outstanding *books, uint32_t slot, int64_t now_ns,
                       uint64_t *note, struct outstanding_end *ret)
{
    struct outstanding_node *node = &books->nodes[slot];

    if (note[0] == 0)
        return false;
    if (note[0] == UNLISTED) {
        *ret = (struct outstanding_end){.service_ns = (int64_t)note[1]};
        node->waiting--;
        node->waiting_ns -= ret->service_ns;
        node->unlisted_ns -= ret->service_ns;
    } else {
        leave_listed(books, node, (uint32_t)(note[0] - 1), now_ns, ret);
    }
    note[0] = 0;
    return true;
}

/* --- waits ---------------------------------------------------------------- */

/*
 * The work that is left flows off through all slots at once, and the newcomer
 * starts when in_flight - slots + 1 of those before it have gone: that share
 * of the work is done by then. With one slot that is all of it, and exact.
 */
double outstanding_wait(const struct outstanding_node *node, int64_t now_ns,
                        double luck)
{
    uint32_t in_flight = node->running + node->waiting;
    uint64_t passed;
    double left, share;

    if (in_flight < node->slots)
        return 0;
    passed = node->running * (uint64_t)now_ns - node->started_sum;
    left = (double)node->running_ns - (1 - luck) * (double)(int64_t)passed;
    if (left < 0)
        left = (double)OVERDUE_NS * node->running;
    share = (double)(in_flight - node->slots + 1) / in_flight;
    return (left + (double)node->waiting_ns) / node->slots * share;
}

/* Puts `at` into the heap of `count` times in place of its least. */
static void replace_least(int64_t *heap, uint32_t count, int64_t at)
{
    uint32_t i = 0;

    for (;;) {
        uint32_t child = 2 * i + 1;

        if (child >= count)
            break;
        if (child + 1 < count && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= at)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = at;
}

static void add_to_heap(int64_t *heap, uint32_t count, int64_t at)
{
    uint32_t i = count;

    while (i > 0 && heap[(i - 1) / 2] > at) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = at;
}

static int64_t left_of(const struct outstanding_attempt *attempt,
                       int64_t now_ns)
{
    int64_t left = attempt->service_ns;

    if (attempt->runs)
        left -= now_ns - attempt->started_at_ns;
    return left >= 0 ? left : OVERDUE_NS;
}

double outstanding_wait_by_turns(struct outstanding *books, uint32_t slot,
                                 int64_t now_ns)
{
    const struct outstanding_node *node = &books->nodes[slot];
    double unlisted_ns = (double)node->unlisted_ns / node->slots;
    int64_t *heap = books->free_at;
    uint32_t index = node->oldest, busy = 0;

    if (node->running + node->waiting < node->slots)
        return 0;
    for (; busy < node->slots && index != NONE; busy++) {
        add_to_heap(heap, busy, left_of(&books->attempts[index], now_ns));
        index = books->attempts[index].newer;
    }
    if (busy < node->slots)
        return unlisted_ns;
    for (; index != NONE; index = books->attempts[index].newer)
        replace_least(heap, busy, heap[0] + books->attempts[index].service_ns);
    return (double)heap[0] + unlisted_ns;
}
