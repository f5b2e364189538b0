/*
 * world.h - the least host that a policy can live in.
 *
 * It has nodes, counts, an eligible set and one request; an allocator that
 * counts, can be told to fail, and aborts the program when pick allocates;
 * and chance that is either a script or a small generator.
 */
#ifndef TESTS_UNIT_POLICIES_WORLD_H
#define TESTS_UNIT_POLICIES_WORLD_H

#include "policies/lbp.h"
#include "policies/params.h"
#include "policies/registry.h"
#include "policies/ties.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD_MAX 4200
#define WORLD_KEY 24
#define WORLD_NOTES 65536 /* attempts in flight at once, at most */
#define WORLD_NO_NOTE UINT32_MAX

struct world {
    struct lbp_node nodes[WORLD_MAX];
    char keys[WORLD_MAX][WORLD_KEY];
    uint32_t in_flight[WORLD_MAX];
    uint64_t eligible[WORLD_MAX / 64 + 1];
    struct lbp_view view;
    struct lbp_host host;
    const struct lbp_ops *ops;
    void *state;
    uint64_t chance;        /* state of the generator */
    const uint64_t *script; /* draws to hand out instead, or NULL */
    uint32_t draws;
    uint32_t allocations; /* that are not released */
    uint32_t fail_after;  /* allocations that succeed before one fails */
    bool picking;
    const char *key; /* of the next request, may be NULL */
    /* Of the next request and its answer. */
    uint32_t input_tokens, output_hint, output_tokens;
    int64_t work_hint_ns;
    /* The policy's words about attempts: a queue for each slot, whose oldest
       is answered first. */
    uint64_t notes[WORLD_NOTES][2];
    uint32_t note_next[WORLD_NOTES];
    uint32_t oldest_note[WORLD_MAX], newest_note[WORLD_MAX];
    uint32_t notes_used, free_note;
    uint64_t spare_note[2];
};

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): good enough for tests. */
static inline uint64_t world_next(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline uint64_t world_random_below(void *context, uint64_t bound)
{
    struct world *world = context;
    uint64_t drawn = world->script ? world->script[world->draws]
                                   : world_next(&world->chance);

    world->draws++;
    return bound ? drawn % bound : drawn;
}

static inline void *world_allocate(void *context, size_t size)
{
    struct world *world = context;
    char *memory;

    if (world->picking) {
        fprintf(stderr, "%s allocates in pick\n", world->ops->name);
        abort();
    }
    if (world->fail_after == 0)
        return NULL;
    world->fail_after--;
    memory = malloc(size ? size : 1);
    if (memory) {
        memset(memory, 0xA5, size); /* nobody may count on zeroes */
        world->allocations++;
    }
    return memory;
}

static inline void world_release(void *context, void *memory)
{
    struct world *world = context;

    world->allocations -= memory != NULL;
    free(memory);
}

static inline void world_set_node(struct world *world, uint32_t slot,
                                  const char *key, uint32_t weight)
{
    struct lbp_node *node = &world->nodes[slot];

    snprintf(world->keys[slot], WORLD_KEY, "%s", key);
    *node = (struct lbp_node){
        .key = world->keys[slot],
        .key_length = (uint32_t)strlen(world->keys[slot]),
        .generation = node->generation + 1,
        .weight = weight,
        .weight_factor = 1,
        .reported_at_ns = LBP_NO_TIME,
    };
    world->in_flight[slot] = 0;
    world->oldest_note[slot] = world->newest_note[slot] = WORLD_NO_NOTE;
}

static inline void world_set_eligible(struct world *world, uint32_t slot,
                                      bool eligible)
{
    uint64_t bit = (uint64_t)1 << slot % 64;

    if (eligible)
        world->eligible[slot / 64] |= bit;
    else
        world->eligible[slot / 64] &= ~bit;
}

static inline uint32_t world_eligible_count(const struct world *world)
{
    uint32_t count = 0;

    for (uint32_t word = 0; word * 64 < world->view.slot_count; word++)
        count += (uint32_t)__builtin_popcountll(world->eligible[word]);
    return count;
}

/* count nodes named n0, n1, ... of weight 1, all eligible and idle. */
static inline struct world *world_create(uint32_t count)
{
    struct world *world = calloc(1, sizeof *world);
    char key[WORLD_KEY];

    if (!world)
        abort();
    world->fail_after = UINT32_MAX;
    world->free_note = WORLD_NO_NOTE;
    world->host = (struct lbp_host){
        .size = sizeof world->host,
        .context = world,
        .random_below = world_random_below,
        .allocate = world_allocate,
        .release = world_release,
    };
    world->view = (struct lbp_view){
        .size = sizeof world->view,
        .slot_count = count,
        .node_stride = sizeof world->nodes[0],
        .nodes = world->nodes,
        .balancer_count = 1,
        .in_flight = world->in_flight,
        .in_flight_since_report = world->in_flight, /* none has reported */
    };
    for (uint32_t slot = 0; slot < count; slot++) {
        snprintf(key, sizeof key, "n%u", slot);
        world_set_node(world, slot, key, 1);
        world_set_eligible(world, slot, true);
    }
    return world;
}

static inline bool world_tell_members(struct world *world)
{
    return !world->ops->on_members ||
           world->ops->on_members(world->state, &world->view);
}

union world_config {
    char bytes[256];
    max_align_t align;
};

/* Presets but for `settings`, "name=value" by spaces. */
static inline void world_configure(const struct lbp_ops *ops,
                                   union world_config *config,
                                   const char *settings)
{
    lbp_params_preset(ops, config->bytes);
    while (*settings) {
        size_t name = strcspn(settings, "=");
        size_t value = strcspn(settings + name + 1, " ");
        const struct lbp_param *param = lbp_params_find(ops, settings, name);

        if (!param || !lbp_params_set(param, config->bytes, settings + name + 1,
                                      value, NULL, 0))
            abort();
        settings += name + 1 + value;
        settings += *settings == ' ';
    }
}

/* What a policy says is wrong between such settings; "" when nothing is. */
static inline const char *world_complaint(const char *policy,
                                          const char *settings)
{
    const struct lbp_ops *ops = lbp_registry_find(policy, strlen(policy));
    union world_config config;
    const char *wrong;

    world_configure(ops, &config, settings);
    wrong = ops->check(config.bytes);
    return wrong ? wrong : "";
}

/* Starts a policy with such settings, and tells it the members. */
static inline void world_start(struct world *world, const struct lbp_ops *ops,
                               const char *settings)
{
    union world_config config;

    world->ops = ops;
    world_configure(ops, &config, settings);
    world->state = ops->create(config.bytes, &world->host);
    if (!world->state || !world_tell_members(world))
        abort();
}

static inline void world_start_named(struct world *world, const char *name,
                                     const char *settings)
{
    world_start(world, lbp_registry_find(name, strlen(name)), settings);
}

static inline void world_destroy(struct world *world)
{
    if (world->ops)
        world->ops->destroy(world->state);
    free(world);
}

/* Destroys it, if there is one, and forgets it. */
static inline void world_forget(struct world **world)
{
    if (*world)
        world_destroy(*world);
    *world = NULL;
}

/* A new one in its place, with as many nodes as weights; LBP_NO_SLOT ends
   them. */
static inline void world_renew(struct world **world, const uint32_t *weights)
{
    uint32_t count = 0;

    while (weights[count] != LBP_NO_SLOT)
        count++;
    world_forget(world);
    *world = world_create(count);
    for (uint32_t slot = 0; slot < count; slot++)
        (*world)->nodes[slot].weight = weights[slot];
}

static inline struct lbp_request world_request(struct world *world)
{
    return (struct lbp_request){
        .size = sizeof(struct lbp_request),
        .key = world->key,
        .key_length = world->key ? (uint32_t)strlen(world->key) : 0,
        .input_tokens = world->input_tokens,
        .output_tokens_hint = world->output_hint,
        .work_hint_ns = world->work_hint_ns,
        .deadline_ns = LBP_NO_TIME,
        .note = world->spare_note,
        .eligible = world->eligible,
        .eligible_count = world_eligible_count(world),
    };
}

/* Puts a fresh note behind those of a slot. */
static inline uint64_t *world_add_note(struct world *world, uint32_t slot)
{
    uint32_t note = world->free_note;

    if (note != WORLD_NO_NOTE)
        world->free_note = world->note_next[note];
    else if (world->notes_used < WORLD_NOTES)
        note = world->notes_used++;
    else
        abort();
    world->notes[note][0] = world->notes[note][1] = 0;
    world->note_next[note] = WORLD_NO_NOTE;
    if (world->newest_note[slot] == WORLD_NO_NOTE)
        world->oldest_note[slot] = note;
    else
        world->note_next[world->newest_note[slot]] = note;
    world->newest_note[slot] = note;
    return world->notes[note];
}

/* Takes the oldest note of a slot out, which stays readable; one of zeroes for
   a test that counted in flight by hand. */
static inline uint64_t *world_take_note(struct world *world, uint32_t slot)
{
    uint32_t note = world->oldest_note[slot];

    if (note == WORLD_NO_NOTE) {
        world->spare_note[0] = world->spare_note[1] = 0;
        return world->spare_note;
    }
    world->oldest_note[slot] = world->note_next[note];
    if (world->oldest_note[slot] == WORLD_NO_NOTE)
        world->newest_note[slot] = WORLD_NO_NOTE;
    world->note_next[note] = world->free_note;
    world->free_note = note;
    return world->notes[note];
}

/* Asks for a node; LBP_NO_SLOT stands for LBP_NO_NODE. */
static inline uint32_t world_ask(struct world *world,
                                 struct lbp_explanation *explanation)
{
    struct lbp_request request = world_request(world);
    uint32_t slot = LBP_NO_SLOT;
    enum lbp_status status;

    world->picking = true;
    status = world->ops->pick(world->state, &world->view, &request, &slot,
                              explanation);
    world->picking = false;
    if (status == LBP_PICKED)
        return slot;
    return status == LBP_NO_NODE ? LBP_NO_SLOT : LBP_NO_SLOT - 1;
}

static inline uint32_t world_pick(struct world *world)
{
    return world_ask(world, NULL);
}

static inline void world_send(struct world *world, uint32_t slot)
{
    struct lbp_request request = world_request(world);

    world->in_flight[slot]++;
    request.note = world_add_note(world, slot);
    if (world->ops->on_sent)
        world->ops->on_sent(world->state, &world->view, &request, slot);
}

static inline void world_finish(struct world *world, uint32_t slot,
                                enum lbp_outcome outcome)
{
    struct lbp_request request = world_request(world);
    struct lbp_result result = {.size = sizeof result,
                                .outcome = outcome,
                                .first_token_at_ns = LBP_NO_TIME,
                                .done_at_ns = world->view.now_ns,
                                .output_tokens = world->output_tokens};

    world->in_flight[slot]--;
    request.note = world_take_note(world, slot);
    if (world->ops->on_done)
        world->ops->on_done(world->state, &world->view, &request, slot,
                            &result);
}

/* A pick that is sent and stays in flight. */
static inline uint32_t world_dispatch(struct world *world)
{
    uint32_t slot = world_pick(world);

    if (slot < world->view.slot_count)
        world_send(world, slot);
    return slot;
}

#endif
