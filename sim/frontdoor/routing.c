#include "sim/frontdoor/routing.h"

#include <string.h>

/* --- making --------------------------------------------------------------- */

struct maker {
    const struct lbp_node *nodes;
    uint32_t node_count, words;
    struct arena *arena;
};

/* 0 stands for a limit that nobody knows. */
static uint32_t context_of(const struct lbp_node *node)
{
    return node->max_context > 0 ? node->max_context : UINT32_MAX;
}

static bool has_group(const struct routing_row *row, uint32_t group)
{
    for (uint32_t i = 0; i < row->group_count; i++)
        if (row->groups[i] == group)
            return true;
    return row->group_count == 0;
}

static bool row_has(const struct routing_row *row, const struct lbp_node *node)
{
    return (node->models >> row->model & 1) && has_group(row, node->group);
}

/* The least context above `above` among the row's nodes; 0: there is none. */
static uint32_t next_context(const struct maker *maker,
                             const struct routing_row *row, uint32_t above)
{
    uint32_t least = 0;

    for (uint32_t i = 0; i < maker->node_count; i++) {
        uint32_t context = context_of(&maker->nodes[i]);

        if (context > above && (least == 0 || context < least) &&
            row_has(row, &maker->nodes[i]))
            least = context;
    }
    return least;
}

static bool make_level(const struct maker *maker, const struct routing_row *row,
                       uint32_t context, struct routing_level *ret)
{
    uint64_t *nodes = arena_allocate(maker->arena, maker->words, sizeof *nodes);

    if (!nodes)
        return false;
    for (uint32_t i = 0; i < maker->node_count; i++)
        if (context_of(&maker->nodes[i]) >= context &&
            row_has(row, &maker->nodes[i]))
            nodes[i / 64] |= (uint64_t)1 << (i % 64);
    *ret = (struct routing_level){context, nodes};
    return true;
}

static bool make_path(const struct maker *maker, const struct routing_row *row,
                      struct routing_path *ret)
{
    struct routing_level *levels;
    uint32_t count = 0, context = 0;

    while ((context = next_context(maker, row, context)) > 0)
        count++;
    levels = arena_allocate(maker->arena, count + 1, sizeof *levels);
    if (!levels)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        context = next_context(maker, row, context);
        if (!make_level(maker, row, context, &levels[i]))
            return false;
    }
    *ret = (struct routing_path){row->model, count, levels};
    return true;
}

static bool make_paths(const struct maker *maker,
                       const struct routing_rows *rows,
                       struct routing_paths *ret)
{
    struct routing_path *paths =
        arena_allocate(maker->arena, rows->count + 1, sizeof *paths);

    if (!paths)
        return false;
    for (uint32_t i = 0; i < rows->count; i++)
        if (!make_path(maker, &rows->rows[i], &paths[i]))
            return false;
    *ret = (struct routing_paths){rows->count, paths};
    return true;
}

bool routing_init(struct routing *routing, const struct routing_spec *spec,
                  const struct lbp_node *nodes, uint32_t node_count,
                  struct arena *arena)
{
    struct maker maker = {nodes, node_count, (node_count + 63) / 64, arena};

    *routing = (struct routing){
        .words = maker.words,
        .class_count = spec->class_count,
        .classes =
            arena_allocate(arena, spec->class_count, sizeof *routing->classes),
    };
    if (!routing->classes)
        return false;
    for (uint32_t i = 0; i < spec->class_count; i++)
        if (!make_paths(&maker, &spec->classes[i], &routing->classes[i]))
            return false;
    if (spec->has_default)
        routing->fallback = routing->classes[spec->default_class];
    return true;
}

/* --- choosing ------------------------------------------------------------- */

/* What nodes are chosen from. */
struct choice {
    const uint64_t *from;   /* [words] */
    const uint64_t *barred; /* [model][words]; NULL: none */
    uint32_t words, tokens;
};

/* How many of the mask's nodes may be chosen; written to ret. */
static uint32_t intersect(const struct choice *choice, const uint64_t *mask,
                          uint32_t model, uint64_t *ret)
{
    const uint64_t *barred =
        choice->barred ? choice->barred + (size_t)model * choice->words : NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < choice->words; i++) {
        ret[i] = mask[i] & choice->from[i] & ~(barred ? barred[i] : 0);
        count += (uint32_t)__builtin_popcountll(ret[i]);
    }
    return count;
}

static uint32_t try_path(const struct routing_path *path,
                         const struct choice *choice, uint64_t *ret)
{
    for (uint32_t i = 0; i < path->level_count; i++)
        if (path->levels[i].max_context >= choice->tokens)
            return intersect(choice, path->levels[i].nodes, path->model, ret);
    return 0;
}

static uint32_t try_paths(const struct routing_paths *paths,
                          const struct choice *choice, uint64_t *ret,
                          uint32_t *ret_model)
{
    for (uint32_t i = 0; i < paths->count; i++) {
        uint32_t count = try_path(&paths->paths[i], choice, ret);

        if (count > 0) {
            *ret_model = paths->paths[i].model;
            return count;
        }
    }
    return 0;
}

uint32_t routing_choose(const struct routing *routing, uint32_t request_class,
                        uint32_t tokens, const uint64_t *from,
                        const uint64_t *barred, uint64_t *ret_nodes,
                        uint32_t *ret_model)
{
    struct choice choice = {from, barred, routing->words, tokens};
    uint32_t count = try_paths(&routing->classes[request_class], &choice,
                               ret_nodes, ret_model);

    if (count > 0)
        return count;
    return try_paths(&routing->fallback, &choice, ret_nodes, ret_model);
}

/* --- the classifier ------------------------------------------------------- */

void classifier_init(struct classifier *classifier,
                     const struct classifier_spec *spec, uint32_t class_count,
                     uint64_t seed, uint64_t replication)
{
    classifier->accuracy = spec->accuracy;
    classifier->class_count = class_count;
    for (uint32_t i = 0; i < CLASSIFIER_SOURCES_MAX; i++) {
        rng_lane_init_entity(&classifier->lanes[i].lane, seed, replication,
                             RNG_CLASSIFIER, i);
        classifier->lanes[i].next = 0;
    }
}

/* The draws of a request of that number. */
static struct rng draws_of(struct classifier_lane *at, uint64_t number)
{
    if (number != at->next) /* also backwards */
        rng_lane_skip(&at->lane, (rng_u128)number - at->next);
    at->next = number + 1;
    return rng_lane_next(&at->lane);
}

uint32_t classifier_guess(struct classifier *classifier, uint32_t source,
                          uint64_t number, uint32_t request_class)
{
    struct rng rng = draws_of(&classifier->lanes[source], number);
    uint32_t other;

    if (classifier->class_count < 2 || rng_uniform(&rng) < classifier->accuracy)
        return request_class;
    other = (uint32_t)rng_below(&rng, classifier->class_count - 1);
    return other + (other >= request_class);
}
