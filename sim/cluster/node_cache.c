#include "sim/cluster/node_cache.h"

/* 0: it has no key. */
static uint64_t hash_of(const struct node_world *world, uint32_t index)
{
    return world->slab->with_keys ? request_key_at(world->slab, index)->hash
                                  : 0;
}

/* false: no memory. */
static bool learn(struct node *node, const struct request *request,
                  uint64_t hash, int64_t now_ns)
{
    double bytes = node->bytes_per_token * request->output_tokens;

    return result_cache_store(node->cache, hash,
                              bytes < 1 ? 1 : (uint64_t)bytes, now_ns);
}

/* The answer is there: it leaves after the hit time. false: no memory. */
static bool answer(struct node *node, const struct node_world *world,
                   uint32_t index, int64_t now_ns)
{
    struct request *request = request_at(world->slab, index);

    request->state = REQUEST_HIT;
    request->flags |= REQUEST_CACHED;
    request->started_at_ns = now_ns;
    return delay_line_push(node->hits, world->tree, now_ns, index,
                           request->epoch);
}

enum node_answer node_cache_ask(struct node *node,
                                const struct node_world *world, uint32_t index,
                                int64_t now_ns)
{
    uint64_t hash = hash_of(world, index);

    if (hash == 0)
        return NODE_QUEUED;
    if (result_cache_find(node->cache, hash, now_ns)) {
        node->hit_count++;
        return answer(node, world, index, now_ns) ? NODE_HIT : NODE_NO_MEMORY;
    }
    if (node->coalesces &&
        coalesce_follow(&node->coalesce, world->slab, hash, index)) {
        node->coalesced_count++;
        return NODE_FOLLOWS;
    }
    node->miss_count++;
    return NODE_QUEUED;
}

bool node_cache_note_start(struct node *node, const struct node_world *world,
                           const struct request *request, uint32_t index,
                           int64_t now_ns)
{
    uint64_t hash = hash_of(world, index);

    if (hash == 0)
        return true;
    if (node->coalesces && !coalesce_lead(&node->coalesce, hash, index))
        return false;
    return node->cache_fill != CACHE_FILL_AT_MISS ||
           learn(node, request, hash, now_ns);
}

/* false: no memory. */
static bool answer_followers(struct node *node, const struct node_world *world,
                             uint64_t hash, uint32_t index, int64_t now_ns)
{
    uint32_t follower = coalesce_end(&node->coalesce, hash, index);

    while (follower != REQUEST_NONE) {
        uint32_t next = request_at(world->slab, follower)->next;

        if (!answer(node, world, follower, now_ns))
            return false;
        follower = next;
    }
    return true;
}

bool node_cache_note_answer(struct node *node, const struct node_world *world,
                            const struct request *request, uint32_t index,
                            int64_t now_ns)
{
    uint64_t hash = hash_of(world, index);

    if (hash == 0)
        return true;
    if (node->cache_fill == CACHE_FILL_AT_ANSWER &&
        !learn(node, request, hash, now_ns))
        return false;
    return !node->coalesces ||
           answer_followers(node, world, hash, index, now_ns);
}

bool node_cache_keep(struct node *node, const struct node_world *world,
                     uint32_t index)
{
    uint64_t hash = hash_of(world, index);

    return node->coalesces && hash != 0 &&
           coalesce_keep(&node->coalesce, hash, index);
}

uint32_t node_cache_leave(struct node *node, const struct node_world *world,
                          uint32_t index, bool queued_only)
{
    return coalesce_leave(&node->coalesce, world->slab, hash_of(world, index),
                          index, queued_only);
}

/* Those that waited for the answer of one that is lost already. */
static void lose_followers(struct node *node, const struct node_world *world,
                           struct lost_list *lost)
{
    uint32_t index = lost->head;

    while (node->coalesce.count > 0 && index != REQUEST_NONE) {
        uint32_t follower =
            coalesce_end(&node->coalesce, hash_of(world, index), index);

        while (follower != REQUEST_NONE) {
            uint32_t next = request_at(world->slab, follower)->next;

            engine_lose(lost, world->slab, follower);
            follower = next;
        }
        index = request_at(world->slab, index)->next;
    }
}

void node_cache_lose(struct node *node, const struct node_world *world,
                     uint32_t node_index, struct lost_list *lost)
{
    lose_followers(node, world, lost);
    for (uint32_t i = 0; i < node->hits->count; i++) {
        const struct delay_entry *entry = delay_line_at(node->hits, i);
        const struct request *request = request_at(world->slab, entry->request);

        if (request->epoch == entry->epoch && request->node == node_index &&
            request->state == REQUEST_HIT)
            engine_lose(lost, world->slab, entry->request);
    }
}
