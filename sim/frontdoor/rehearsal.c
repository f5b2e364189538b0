#include "sim/frontdoor/rehearsal.h"

#include <stdlib.h>
#include <string.h>

#define STEP_NS 1000000   /* between two requests */
#define INPUT_TOKENS 100  /* of each */
#define INSIDE_PER_NODE 4 /* so that in-flight counts and weights matter */

bool rehearsal_init(struct rehearsal *rehearsal, struct balancer_setup setup,
                    bool with_keys)
{
    *rehearsal = (struct rehearsal){0};
    request_slab_init(&rehearsal->slab, with_keys, 0);
    foresight_make_room(&rehearsal->slab, setup.policy);
    setup.arena = &rehearsal->arena;
    setup.deadline_after_ns = 0;
    return balancer_init(&rehearsal->balancer, &setup);
}

void rehearsal_done(struct rehearsal *rehearsal)
{
    balancer_done(&rehearsal->balancer);
    request_slab_done(&rehearsal->slab);
    arena_done(&rehearsal->arena);
}

/* The request of that number, asking for the key of that number; NULL: no
   memory. */
static struct request *take(struct rehearsal *rehearsal, uint64_t number,
                            int64_t now_ns, uint32_t *ret_index)
{
    struct request *request = request_slab_take(&rehearsal->slab, ret_index);
    uint32_t epoch;

    if (!request)
        return NULL;
    epoch = request->epoch;
    *request = (struct request){
        .arrived_at_ns = now_ns,
        .sent_at_ns = now_ns,
        .number = number,
        .input_tokens = INPUT_TOKENS,
        .output_tokens = INPUT_TOKENS,
        .epoch = epoch,
        .state = REQUEST_AT_DOOR,
    };
    if (rehearsal->slab.with_keys)
        *request_key_at(&rehearsal->slab, *ret_index) = (struct request_key){
            .hash = keys_hash(number), .number_or_length = number};
    return request;
}

/* false: no memory. *ret_node: LBP_NO_SLOT when none was picked. */
static bool ask_key(struct rehearsal *rehearsal, uint64_t key, int64_t now_ns,
                    uint32_t *ret_node, bool *ret_broken)
{
    uint32_t index;
    struct request *request = take(rehearsal, key, 0, &index);

    if (!request)
        return false;
    if (balancer_pick(&rehearsal->balancer, &rehearsal->slab, request, index,
                      now_ns, ret_node, ret_broken) != LBP_PICKED ||
        *ret_broken)
        *ret_node = LBP_NO_SLOT;
    request_slab_give(&rehearsal->slab, request, index);
    return true;
}

bool rehearsal_ask_keys(struct rehearsal *rehearsal, uint32_t count,
                        uint64_t *ret_picks)
{
    size_t size = rehearsal->balancer.node_count * sizeof *ret_picks;
    bool broken = false;

    memset(ret_picks, 0, size);
    for (uint32_t i = 0; !broken && i < count; i++) {
        uint32_t node = LBP_NO_SLOT;

        if (!ask_key(rehearsal, i, 0, &node, &broken))
            return false;
        if (node != LBP_NO_SLOT)
            ret_picks[node]++;
    }
    if (broken)
        memset(ret_picks, 0, size);
    return true;
}

bool rehearsal_ask_each(struct rehearsal *rehearsal, uint32_t count,
                        int64_t now_ns, uint32_t *ret_nodes)
{
    for (uint32_t i = 0; i < count; i++) {
        bool broken = false;

        ret_nodes[i] = LBP_NO_SLOT;
        if (!ask_key(rehearsal, i, now_ns, &ret_nodes[i], &broken))
            return false;
    }
    return true;
}

/* --- a play --------------------------------------------------------------- */

/* Requests inside nodes that answer, oldest first: a ring of capacity. */
struct inside {
    uint32_t *indices;
    uint32_t capacity, first, count;
};

struct play {
    struct rehearsal *rehearsal;
    struct inside inside;
    uint32_t stuck_group;
    int64_t now_ns;
    uint64_t *picks;
    uint64_t trail;
};

/* As a node would tell that serves as many as it has slots. */
static void report(struct play *play, uint32_t node)
{
    struct balancer *balancer = &play->rehearsal->balancer;
    struct lbp_node word = balancer->nodes[node];
    uint32_t slots = word.slots > 0 ? word.slots : 1;
    uint32_t in_flight = balancer->in_flight[node];
    uint32_t running = in_flight < slots ? in_flight : slots;
    double use = (double)running / slots;

    word.reported_at_ns = play->now_ns;
    word.gpu_use = use;
    word.cpu_use = use;
    word.memory_use = use;
    word.running = running;
    word.queue_depth = in_flight - running;
    balancer_reported(balancer, node, &word, play->now_ns);
}

static void answer_oldest(struct play *play)
{
    struct rehearsal *rehearsal = play->rehearsal;
    struct inside *inside = &play->inside;
    uint32_t index = inside->indices[inside->first];
    struct request *request = request_at(&rehearsal->slab, index);
    uint32_t node = request->node;

    inside->first++;
    if (inside->first == inside->capacity)
        inside->first = 0;
    inside->count--;
    balancer_attempt_over(&rehearsal->balancer, &rehearsal->slab, request,
                          index, play->now_ns, LBP_OK, LBP_NO_TIME);
    request_slab_give(&rehearsal->slab, request, index);
    if (rehearsal->balancer.policy_ops->needs & LBP_NEEDS_REPORTS)
        report(play, node);
}

static void send(struct play *play, struct request *request, uint32_t index,
                 uint32_t node)
{
    struct balancer *balancer = &play->rehearsal->balancer;
    struct inside *inside = &play->inside;
    uint32_t last;

    request->node = node;
    request->state = REQUEST_TO_NODE;
    play->picks[node]++;
    play->trail = (play->trail ^ node) * 0x100000001B3u; /* FNV-1a */
    balancer_sent(balancer, request, play->now_ns);
    if (balancer->policy_ops->needs & LBP_NEEDS_REPORTS)
        report(play, node);
    if (balancer->nodes[node].group == play->stuck_group)
        return;
    last = inside->first + inside->count;
    inside->indices[last < inside->capacity ? last : last - inside->capacity] =
        index;
    inside->count++;
}

static bool play_one(struct play *play, uint64_t number)
{
    struct rehearsal *rehearsal = play->rehearsal;
    uint32_t node = LBP_NO_SLOT;
    uint32_t index;
    bool broken;
    struct request *request = take(rehearsal, number, play->now_ns, &index);

    if (!request)
        return false;
    if (balancer_pick(&rehearsal->balancer, &rehearsal->slab, request, index,
                      play->now_ns, &node, &broken) == LBP_PICKED &&
        !broken)
        send(play, request, index, node);
    else
        request_slab_give(&rehearsal->slab, request, index);
    return !broken;
}

bool rehearsal_play(struct rehearsal *rehearsal, uint32_t count,
                    uint32_t stuck_group, uint64_t *ret_picks,
                    uint64_t *ret_trail)
{
    uint32_t nodes = rehearsal->balancer.node_count;
    struct play play = {
        .rehearsal = rehearsal,
        .inside = {.capacity = nodes * INSIDE_PER_NODE,
                   .indices = calloc((size_t)nodes * INSIDE_PER_NODE + 1,
                                     sizeof(uint32_t))},
        .stuck_group = stuck_group,
        .picks = ret_picks,
        .trail = 0xCBF29CE484222325u,
    };
    bool fine = play.inside.indices != NULL;

    memset(ret_picks, 0, nodes * sizeof *ret_picks);
    if (rehearsal->balancer.policy_ops->needs & LBP_NEEDS_REPORTS)
        for (uint32_t i = 0; fine && i < nodes; i++)
            report(&play, i);
    for (uint32_t i = 0; fine && i < count; i++) {
        play.now_ns += STEP_NS;
        if (play.inside.count == play.inside.capacity)
            answer_oldest(&play);
        fine = play_one(&play, i);
    }
    free(play.inside.indices);
    *ret_trail = play.trail;
    return fine;
}
