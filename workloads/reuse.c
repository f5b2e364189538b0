#include "workloads/reuse.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ITEMS 1024
#define MOST_ITEMS ((uint32_t)1 << 30)

/* ---- ids ---- */

/* Steele, Lea and Flood's finaliser of SplitMix64: ids are often in order, and
   low bits alone would cluster. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint32_t *find_slot(const struct reuse *reuse, uint64_t id)
{
    size_t mask = reuse->slot_count - 1;
    size_t at = (size_t)mix(id) & mask;

    while (reuse->slots[at] && reuse->items[reuse->slots[at] - 1].id != id)
        at = (at + 1) & mask;
    return &reuse->slots[at];
}

static bool grow_slots(struct reuse *reuse, size_t slot_count)
{
    uint32_t *slots = calloc(slot_count, sizeof *slots);

    if (!slots)
        return false;
    free(reuse->slots);
    reuse->slots = slots;
    reuse->slot_count = slot_count;
    for (uint32_t i = 0; i < reuse->count; i++)
        *find_slot(reuse, reuse->items[i].id) = i + 1;
    return true;
}

/* Grows an array and sets what is new to 0. */
static bool grow_array(void *array, size_t size, size_t from, size_t to)
{
    void **place = array;
    char *grown = realloc(*place, to * size);

    if (!grown)
        return false;
    memset(grown + from * size, 0, (to - from) * size);
    *place = grown;
    return true;
}

static bool grow_items(struct reuse *reuse)
{
    uint32_t from = reuse->item_capacity;
    uint32_t to = from ? 2 * from : FIRST_ITEMS;
    size_t counters = from ? (size_t)from + 1 : 0;

    if (from >= MOST_ITEMS ||
        !grow_array(&reuse->items, sizeof *reuse->items, from, to) ||
        !grow_array(&reuse->head.last, sizeof *reuse->head.last, from, to) ||
        !grow_array(&reuse->tail.last, sizeof *reuse->tail.last, from, to))
        return false;
    for (int i = 0; i < REUSE_READING_COUNT; i++)
        if (!grow_array(&reuse->hits[i], sizeof *reuse->hits[i], counters,
                        (size_t)to + 1))
            return false;
    reuse->item_capacity = to;
    return grow_slots(reuse, 2 * (size_t)to);
}

/* The item of an id, new or not. false: no memory. */
static bool intern(struct reuse *reuse, uint64_t id, uint32_t *ret_item)
{
    uint32_t *slot;

    if (reuse->count == reuse->item_capacity && !grow_items(reuse))
        return false;
    slot = find_slot(reuse, id);
    if (!*slot) {
        reuse->items[reuse->count] = (struct reuse_item){.id = id};
        *slot = ++reuse->count;
    }
    *ret_item = *slot - 1;
    return true;
}

/* ---- the stack ---- */

static void add(struct reuse_stack *stack, uint32_t at, uint32_t what)
{
    for (; at <= stack->capacity; at += at & -at)
        stack->tree[at] += what; /* what may be -1, in unsigned numbers */
}

static uint32_t sum_up_to(const struct reuse_stack *stack, uint32_t at)
{
    uint32_t sum = 0;

    for (; at > 0; at -= at & -at)
        sum += stack->tree[at];
    return sum;
}

/* Places in the stack; 0: the item is not in it. */
static uint32_t distance(const struct reuse_stack *stack, uint32_t item)
{
    uint32_t last = stack->last[item];

    return last ? stack->live - sum_up_to(stack, last - 1) : 0;
}

/* Time has run out: the last uses are numbered anew, in the same order. */
static bool renumber(struct reuse_stack *stack)
{
    uint32_t capacity = 2 * stack->live + FIRST_ITEMS, now = 0;
    uint32_t *tree = calloc((size_t)capacity + 1, sizeof *tree);
    uint32_t *owner = calloc((size_t)capacity + 1, sizeof *owner);

    if (!tree || !owner) {
        free(tree);
        free(owner);
        return false;
    }
    for (uint32_t at = 1; at <= stack->now; at++) {
        if (!stack->owner[at])
            continue;
        owner[++now] = stack->owner[at];
        stack->last[owner[now] - 1] = now;
    }
    free(stack->tree);
    free(stack->owner);
    stack->tree = tree;
    stack->owner = owner;
    stack->capacity = capacity;
    stack->now = now;
    for (uint32_t at = 1; at <= capacity; at++) { /* Fenwick's in one sweep */
        uint32_t up = at + (at & -at);

        tree[at] += at <= now;
        if (up <= capacity)
            tree[up] += tree[at];
    }
    return true;
}

/* The item goes to the top. */
static bool use(struct reuse_stack *stack, uint32_t item)
{
    uint32_t last = stack->last[item];

    if (last) {
        add(stack, last, (uint32_t)-1);
        stack->owner[last] = 0;
        stack->last[item] = 0;
        stack->live--;
    }
    if (stack->now == stack->capacity && !renumber(stack))
        return false;
    stack->last[item] = ++stack->now;
    stack->owner[stack->now] = item + 1;
    stack->live++;
    add(stack, stack->now, 1);
    return true;
}

/* ---- requests ---- */

static bool take_ids(struct reuse *reuse, const uint64_t *ids, size_t count)
{
    if (count > reuse->place_capacity) {
        uint32_t *places = realloc(reuse->places, count * sizeof *places);

        if (!places)
            return false;
        reuse->places = places;
        reuse->place_capacity = count;
    }
    for (size_t i = 0; i < count; i++)
        if (!intern(reuse, ids[i], &reuse->places[i]))
            return false;
    return true;
}

/* Against what was there before the request: hits of its leading run, in
   caches that hold it up to the farthest of its ids. */
static void score_prefix(const struct reuse *reuse, size_t count,
                         const struct reuse_stack *stack, uint64_t *hits)
{
    uint32_t farthest = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t at = distance(stack, reuse->places[i]);

        if (at == 0)
            return;
        if (at > farthest)
            farthest = at;
        hits[farthest]++;
    }
}

static struct reuse_score score_endless(const struct reuse *reuse, size_t count)
{
    struct reuse_score score = {0};
    bool leading = true;

    for (size_t i = 0; i < count; i++) {
        bool known = reuse->head.last[reuse->places[i]] != 0;

        leading = leading && known;
        score.known += known;
        score.leading += leading;
    }
    return score;
}

/* Counts, and whether an id always stands behind the same one. Returns how
   many stand in the request a second time. */
static uint32_t note_items(struct reuse *reuse, size_t count)
{
    uint64_t before = 0;
    uint32_t repeats = 0;

    reuse->requests++;

    for (size_t i = 0; i < count; i++) {
        struct reuse_item *item = &reuse->items[reuse->places[i]];

        if (item->count++ == 0)
            item->predecessor = before;
        else if (item->predecessor != before)
            item->torn = true;
        before = (uint64_t)reuse->places[i] + 1;
        repeats += item->request == reuse->requests;
        item->request = reuse->requests;
    }
    reuse->references += count;
    return repeats;
}

static bool use_head_first(struct reuse *reuse, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t at = distance(&reuse->head, reuse->places[i]);

        if (at > 0)
            reuse->hits[REUSE_FLAT][at]++;
        if (!use(&reuse->head, reuse->places[i]))
            return false;
    }
    return true;
}

static bool use_tail_first(struct reuse *reuse, size_t count)
{
    for (size_t i = count; i-- > 0;)
        if (!use(&reuse->tail, reuse->places[i]))
            return false;
    return true;
}

bool reuse_request(struct reuse *reuse, const uint64_t *ids, size_t count,
                   struct reuse_score *ret_score)
{
    if (!take_ids(reuse, ids, count))
        return false;
    *ret_score = score_endless(reuse, count);
    ret_score->repeats = note_items(reuse, count);
    if (!reuse->one_reading) {
        score_prefix(reuse, count, &reuse->head, reuse->hits[REUSE_HEAD]);
        score_prefix(reuse, count, &reuse->tail, reuse->hits[REUSE_TAIL]);
        if (!use_tail_first(reuse, count))
            return false;
    }
    return use_head_first(reuse, count);
}

static void stack_done(struct reuse_stack *stack)
{
    free(stack->tree);
    free(stack->owner);
    free(stack->last);
}

void reuse_done(struct reuse *reuse)
{
    stack_done(&reuse->head);
    stack_done(&reuse->tail);
    for (int i = 0; i < REUSE_READING_COUNT; i++)
        free(reuse->hits[i]);
    free(reuse->items);
    free(reuse->slots);
    free(reuse->places);
    *reuse = (struct reuse){0};
}

uint64_t reuse_hits(const struct reuse *reuse, enum reuse_reading reading,
                    uint64_t capacity)
{
    const uint64_t *hits =
        reuse->hits[reuse->one_reading ? REUSE_FLAT : reading];
    uint64_t sum = 0;

    for (uint64_t at = 1; at <= reuse->count && at <= capacity; at++)
        sum += hits[at];
    return sum;
}

static uint64_t stack_bytes(const struct reuse *reuse,
                            const struct reuse_stack *stack)
{
    return 8 * (uint64_t)stack->capacity + 4 * (uint64_t)reuse->item_capacity;
}

uint64_t reuse_bytes(const struct reuse *reuse)
{
    uint64_t items = reuse->item_capacity;
    uint64_t counters = REUSE_READING_COUNT * sizeof *reuse->hits[0];

    return items * (sizeof *reuse->items + counters) +
           4 * (uint64_t)reuse->slot_count + stack_bytes(reuse, &reuse->head) +
           stack_bytes(reuse, &reuse->tail) +
           4 * (uint64_t)reuse->place_capacity;
}
