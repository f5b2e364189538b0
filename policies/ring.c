#include "policies/ring.h"

#include "policies/hash.h"

#include <string.h>

#define RING_SIZE 4294967296.0
#define NUMBER_DIGITS 10 /* of the largest 32-bit number */
#define INDEX_MAX_BITS 24

/* How many points the nodes of a view get. */
struct quota {
    uint64_t weight;  /* of all members */
    uint64_t per_one; /* points for one unit of weight, or */
    bool limited;     /* a share of LBP_RING_MAX_POINTS */
};

static uint32_t member_weight(const struct lbp_node *node)
{
    return node->key_length > 0 ? node->weight : 0;
}

static struct quota quota_of(const struct lbp_view *view, uint32_t replicas)
{
    struct quota quota = {.per_one = replicas};

    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        quota.weight += member_weight(lbp_node_at(view, slot));
    quota.limited = quota.weight > LBP_RING_MAX_POINTS / replicas;
    return quota;
}

static uint32_t points_of(const struct quota *quota,
                          const struct lbp_node *node)
{
    uint64_t weight = member_weight(node);
    uint64_t points;

    if (!quota->limited)
        return (uint32_t)(weight * quota->per_one);
    points = weight * LBP_RING_MAX_POINTS / quota->weight;
    return weight > 0 && points == 0 ? 1 : (uint32_t)points;
}

uint32_t lbp_ring_points(const struct lbp_view *view, uint32_t replicas,
                         uint32_t slot)
{
    struct quota quota = quota_of(view, replicas);

    return points_of(&quota, lbp_node_at(view, slot));
}

/* Do the points of a slot in old still stand in the new ring? */
static bool stays(const struct lbp_ring *old, uint32_t slot,
                  const struct lbp_ring_node *now)
{
    return old && slot < old->slot_count && now->points > 0 &&
           old->nodes[slot].points == now->points &&
           old->nodes[slot].generation == now->generation;
}

bool lbp_ring_is_current(const struct lbp_ring *ring,
                         const struct lbp_view *view, uint32_t replicas)
{
    struct quota quota = quota_of(view, replicas);

    if (ring->slot_count != view->slot_count)
        return false;
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        const struct lbp_node *node = lbp_node_at(view, slot);
        struct lbp_ring_node now = {node->generation, points_of(&quota, node)};

        if (now.points != ring->nodes[slot].points ||
            (now.points > 0 && !stays(ring, slot, &now)))
            return false;
    }
    return true;
}

/* Writes a number in decimal; yields its length. */
static size_t write_number(char *text, uint32_t number)
{
    char digits[NUMBER_DIGITS];
    size_t length = 0;

    do {
        digits[length++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    for (size_t i = 0; i < length; i++)
        text[i] = digits[length - 1 - i];
    return length;
}

/* The points of one node; name is room for key, '#' and a number. */
static void place_node(const struct lbp_node *node, uint32_t slot,
                       uint32_t count, char *name, struct lbp_pair *points)
{
    size_t stem = (size_t)node->key_length + 1;

    memcpy(name, node->key, node->key_length);
    name[node->key_length] = '#';
    for (uint32_t j = 0; j < count; j++) {
        size_t length = stem + write_number(name + stem, j);

        points[j] = (struct lbp_pair){lbp_hash_md5_32(name, length), slot};
    }
}

/* The order of the ring: hash, then key of the node, then slot. */
static bool stands_before(const struct lbp_view *view, struct lbp_pair a,
                          struct lbp_pair b)
{
    const struct lbp_node *one, *other;
    uint32_t shorter;
    int order;

    if (a.key != b.key)
        return a.key < b.key;
    one = lbp_node_at(view, a.value);
    other = lbp_node_at(view, b.value);
    shorter = one->key_length < other->key_length ? one->key_length
                                                  : other->key_length;
    order = memcmp(one->key, other->key, shorter);
    if (order != 0)
        return order < 0;
    if (one->key_length != other->key_length)
        return one->key_length < other->key_length;
    return a.value < b.value;
}

/* Puts points that coincide in order; they are few, and side by side. */
static void order_equal_points(const struct lbp_view *view,
                               struct lbp_pair *points, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct lbp_pair point = points[i];
        uint32_t at = i;

        for (; at > 0 && points[at - 1].key == point.key &&
               stands_before(view, point, points[at - 1]);
             at--)
            points[at] = points[at - 1];
        points[at] = point;
    }
}

/* Computes the points of all nodes that are new to the ring, in ring order. */
static void place_newcomers(const struct lbp_ring *ring,
                            const struct lbp_view *view,
                            const struct lbp_ring *old, char *name,
                            struct lbp_pair *fresh, uint32_t count)
{
    struct lbp_pair *next = fresh;

    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        if (stays(old, slot, &ring->nodes[slot]))
            continue;
        if (ring->nodes[slot].points > 0)
            place_node(lbp_node_at(view, slot), slot, ring->nodes[slot].points,
                       name, next);
        next += ring->nodes[slot].points;
    }
    lbp_order_pairs(fresh, fresh + count, count);
    order_equal_points(view, fresh, count);
}

/* Merges the points of old that stay with the fresh ones. */
static void merge_points(struct lbp_ring *ring, const struct lbp_view *view,
                         const struct lbp_ring *old,
                         const struct lbp_pair *fresh, uint32_t fresh_count)
{
    const struct lbp_pair *fresh_end = fresh + fresh_count;
    struct lbp_pair *next = ring->points;
    uint32_t old_count = old ? old->point_count : 0;

    for (uint32_t i = 0; i < old_count; i++) {
        struct lbp_pair point = old->points[i];

        if (point.value >= ring->slot_count ||
            !stays(old, point.value, &ring->nodes[point.value]))
            continue;
        while (fresh < fresh_end && stands_before(view, *fresh, point))
            *next++ = *fresh++;
        *next++ = point;
    }
    while (fresh < fresh_end)
        *next++ = *fresh++;
}

static void fill_index(struct lbp_ring *ring)
{
    uint64_t size = (uint64_t)1 << (32 - ring->shift);
    uint32_t at = 0;

    for (uint64_t prefix = 0; prefix < size; prefix++) {
        while (at < ring->point_count &&
               ring->points[at].key >> ring->shift < prefix)
            at++;
        ring->index[prefix] = at;
    }
}

/* Two to four entries of the index for each point, within bounds. */
static unsigned index_bits(uint32_t point_count)
{
    unsigned bits = 1;

    while (bits < INDEX_MAX_BITS &&
           (uint64_t)1 << bits < 2 * (uint64_t)point_count)
        bits++;
    return bits;
}

/* One block of memory, its parts in place and the nodes known. */
static struct lbp_ring *ring_allocate(const struct lbp_view *view,
                                      uint32_t replicas,
                                      const struct lbp_host *host)
{
    struct quota quota = quota_of(view, replicas);
    size_t slots = view->slot_count, count = 0, size;
    struct lbp_ring *ring;
    unsigned bits;

    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        count += points_of(&quota, lbp_node_at(view, slot));
    bits = index_bits((uint32_t)count);
    size = sizeof *ring + count * sizeof *ring->points +
           slots * sizeof *ring->nodes +
           ((size_t)1 << bits) * sizeof *ring->index;
    ring = host->allocate(host->context, size);
    if (!ring)
        return NULL;
    ring->points = (struct lbp_pair *)(ring + 1);
    ring->nodes = (struct lbp_ring_node *)(ring->points + count);
    ring->index = (uint32_t *)(ring->nodes + slots);
    ring->point_count = (uint32_t)count;
    ring->slot_count = view->slot_count;
    ring->shift = 32 - bits;
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        const struct lbp_node *node = lbp_node_at(view, slot);

        ring->nodes[slot] =
            (struct lbp_ring_node){node->generation, points_of(&quota, node)};
    }
    return ring;
}

/* What building needs besides the ring: points of newcomers, and one name. */
static void measure_newcomers(const struct lbp_ring *ring,
                              const struct lbp_view *view,
                              const struct lbp_ring *old, uint32_t *ret_points,
                              size_t *ret_name_size)
{
    *ret_points = 0;
    *ret_name_size = 0;
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        size_t length = lbp_node_at(view, slot)->key_length;

        if (stays(old, slot, &ring->nodes[slot]))
            continue;
        *ret_points += ring->nodes[slot].points;
        if (length + 1 + NUMBER_DIGITS > *ret_name_size)
            *ret_name_size = length + 1 + NUMBER_DIGITS;
    }
}

struct lbp_ring *lbp_ring_build(const struct lbp_view *view, uint32_t replicas,
                                const struct lbp_ring *old,
                                const struct lbp_host *host)
{
    struct lbp_ring *ring = ring_allocate(view, replicas, host);
    struct lbp_pair *fresh;
    uint32_t fresh_count;
    size_t name_size;

    if (!ring)
        return NULL;
    measure_newcomers(ring, view, old, &fresh_count, &name_size);
    fresh = host->allocate(
        host->context, 2 * (size_t)fresh_count * sizeof *fresh + name_size + 1);
    if (!fresh) {
        lbp_ring_destroy(ring, host);
        return NULL;
    }
    place_newcomers(ring, view, old, (char *)(fresh + 2 * (size_t)fresh_count),
                    fresh, fresh_count);
    merge_points(ring, view, old, fresh, fresh_count);
    fill_index(ring);
    host->release(host->context, fresh);
    return ring;
}

void lbp_ring_destroy(struct lbp_ring *ring, const struct lbp_host *host)
{
    host->release(host->context, ring);
}

/* Length of the arc that ends in a point: the hashes that it owns. The first
   point also owns what lies behind the last. */
static double arc(const struct lbp_ring *ring, uint32_t at)
{
    if (at > 0)
        return (double)(ring->points[at].key - ring->points[at - 1].key);
    return RING_SIZE - ring->points[ring->point_count - 1].key +
           ring->points[0].key;
}

void lbp_ring_shares(const struct lbp_ring *ring, double *ret_shares)
{
    for (uint32_t slot = 0; slot < ring->slot_count; slot++)
        ret_shares[slot] = 0;
    for (uint32_t at = 0; at < ring->point_count; at++)
        ret_shares[ring->points[at].value] += arc(ring, at) / RING_SIZE;
}

double lbp_ring_max_over_mean(const struct lbp_ring *ring, const double *shares)
{
    double largest = 0;
    uint32_t count = 0;

    for (uint32_t slot = 0; slot < ring->slot_count; slot++) {
        count += ring->nodes[slot].points > 0;
        if (shares[slot] > largest)
            largest = shares[slot];
    }
    return largest * count; /* the mean is 1 / count */
}

static bool is_on(const struct lbp_ring *ring, uint32_t slot,
                  uint32_t generation)
{
    return slot < ring->slot_count && ring->nodes[slot].points > 0 &&
           ring->nodes[slot].generation == generation;
}

/* Adds the arc of the given length, owned by one slot before and one after. */
static void add_arc(struct lbp_ring_change *change,
                    const struct lbp_ring *before, const struct lbp_ring *after,
                    uint32_t from, uint32_t to, double length)
{
    uint32_t old_generation = before->nodes[from].generation;
    uint32_t new_generation = after->nodes[to].generation;

    if (from == to && old_generation == new_generation)
        return;
    change->moved += length / RING_SIZE;
    if (is_on(after, from, old_generation) && is_on(before, to, new_generation))
        change->needless += length / RING_SIZE;
}

/* The slot that owns hashes up to the point at, past the end the first. */
static uint32_t owner(const struct lbp_ring *ring, uint32_t at)
{
    return ring->points[at < ring->point_count ? at : 0].value;
}

/* Walks both rings at once, from one point of either to the next. */
struct lbp_ring_change lbp_ring_compare(const struct lbp_ring *before,
                                        const struct lbp_ring *after)
{
    struct lbp_ring_change change = {0, 0};
    uint32_t i = 0, k = 0;
    double done = -1; /* the last hash that is accounted for */

    while (i < before->point_count || k < after->point_count) {
        double next_before =
            i < before->point_count ? before->points[i].key : RING_SIZE;
        double next_after =
            k < after->point_count ? after->points[k].key : RING_SIZE;
        double end = next_before < next_after ? next_before : next_after;

        add_arc(&change, before, after, owner(before, i), owner(after, k),
                end - done);
        done = end;
        i += next_before <= end;
        k += next_after <= end;
    }
    add_arc(&change, before, after, owner(before, i), owner(after, k),
            RING_SIZE - 1 - done);
    return change;
}
