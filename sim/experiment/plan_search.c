#include "sim/experiment/plan_search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum cell {
    CELL_OPEN,
    CELL_HOPELESS,
    CELL_BELOW, /* a mix with more nodes is not good enough */
    CELL_DEAR,  /* not cheaper than one that is good enough */
    CELL_MET,   /* asked */
    CELL_MISSED,
    CELL_UNSURE,
    CELL_NOT_RUN
};

struct priced {
    double price;
    uint32_t nodes, cell;
};

/* A mix is a cell, its number: that of the last group counts fastest. */
struct state {
    const struct plan_search *search;
    uint32_t cells, open;
    uint32_t stride[PLAN_GROUPS_MAX];
    uint8_t *kind;        /* [cells] enum cell */
    uint32_t *kinds;      /* [cells] of mixes; NULL: all are the same */
    struct priced *order; /* [cells] the cheapest first */
    uint32_t *rank;       /* [cells] its place in order */
    uint32_t *open_below; /* [cells] open ones without more nodes, itself too */
    uint32_t *dearer;     /* [cells] open ones of its rank or later */
    uint32_t best;        /* cell; cells: none */
    struct plan_found *found;
};

uint64_t plan_grid_mixes(const struct plan_grid *grid)
{
    uint64_t mixes = 1;

    for (uint32_t g = 0; g < grid->groups; g++) {
        mixes *= (uint64_t)grid->most[g] - grid->least[g] + 1;
        if (mixes > PLAN_MIXES_MAX)
            return PLAN_MIXES_MAX + 1;
    }
    return mixes;
}

/* ---- cells ---- */

static uint32_t width(const struct state *state, uint32_t group)
{
    const struct plan_grid *grid = &state->search->grid;

    return grid->most[group] - grid->least[group] + 1;
}

/* How many more nodes of the group than the least. */
static uint32_t step(const struct state *state, uint32_t cell, uint32_t group)
{
    assert(state->stride[group] > 0);
    return cell / state->stride[group] % width(state, group);
}

static void counts_of(const struct state *state, uint32_t cell, uint32_t *ret)
{
    for (uint32_t g = 0; g < state->search->grid.groups; g++)
        ret[g] = state->search->grid.least[g] + step(state, cell, g);
}

static bool is_below(const struct state *state, uint32_t cell, uint32_t other)
{
    for (uint32_t g = 0; g < state->search->grid.groups; g++)
        if (step(state, cell, g) > step(state, other, g))
            return false;
    return true;
}

/* Whether an answer about a mix is one about another with no more nodes. */
static bool speaks_for(const struct state *state, uint32_t more, uint32_t fewer)
{
    return (!state->kinds || state->kinds[more] == state->kinds[fewer]) &&
           is_below(state, fewer, more);
}

static void close_as(struct state *state, uint32_t cell, enum cell kind)
{
    if (state->kind[cell] == CELL_OPEN)
        state->open--;
    state->kind[cell] = (uint8_t)kind;
}

/* Ties go to fewer nodes, then to more of the groups named first. */
static int by_price(const void *a, const void *b)
{
    const struct priced *x = a, *y = b;

    if (x->price < y->price || x->price > y->price)
        return x->price < y->price ? -1 : 1;
    if (x->nodes != y->nodes)
        return x->nodes < y->nodes ? -1 : 1;
    return x->cell < y->cell ? 1 : -1;
}

static void price_cell(struct state *state, uint32_t cell)
{
    const struct plan_grid *grid = &state->search->grid;
    struct priced priced = {.cell = cell, .nodes = grid->other_nodes};
    uint32_t counts[PLAN_GROUPS_MAX];

    counts_of(state, cell, counts);
    for (uint32_t g = 0; g < grid->groups; g++) {
        priced.nodes += counts[g];
        priced.price += grid->price[g] * counts[g];
    }
    state->order[cell] = priced;
    if (state->kinds)
        state->kinds[cell] =
            state->search->kind_of(state->search->context, counts);
    if (priced.nodes == 0 ||
        state->search->is_hopeless(state->search->context, counts)) {
        close_as(state, cell, CELL_HOPELESS);
        state->found->hopeless++;
    }
}

static bool prepare(struct state *state)
{
    const struct plan_grid *grid = &state->search->grid;
    uint32_t cells = state->cells;

    state->kind = calloc(cells, sizeof *state->kind);
    state->order = calloc(cells, sizeof *state->order);
    state->rank = calloc(cells, sizeof *state->rank);
    state->open_below = calloc(cells, sizeof *state->open_below);
    state->dearer = calloc((size_t)cells + 1, sizeof *state->dearer);
    if (state->search->kind_of)
        state->kinds = calloc(cells, sizeof *state->kinds);
    if ((state->search->kind_of && !state->kinds) || !state->kind ||
        !state->order || !state->rank || !state->open_below || !state->dearer)
        return false;
    for (uint32_t g = grid->groups, stride = 1; g-- > 0;) {
        state->stride[g] = stride;
        stride *= width(state, g);
    }
    state->open = cells;
    state->best = cells;
    for (uint32_t cell = 0; cell < cells; cell++)
        price_cell(state, cell);
    qsort(state->order, cells, sizeof *state->order, by_price);
    for (uint32_t i = 0; i < cells; i++)
        state->rank[state->order[i].cell] = i;
    return true;
}

static void release(struct state *state)
{
    free(state->kind);
    free(state->kinds);
    free(state->order);
    free(state->rank);
    free(state->open_below);
    free(state->dearer);
}

/* ---- which one to ask ---- */

/* Sums along one group after the other: then each cell holds that of all cells
   without more nodes. */
static void count_open_below(struct state *state)
{
    for (uint32_t cell = 0; cell < state->cells; cell++)
        state->open_below[cell] = state->kind[cell] == CELL_OPEN;
    for (uint32_t g = 0; g < state->search->grid.groups; g++)
        for (uint32_t cell = 0; cell < state->cells; cell++)
            if (step(state, cell, g) > 0)
                state->open_below[cell] +=
                    state->open_below[cell - state->stride[g]];
}

static void count_dearer(struct state *state)
{
    state->dearer[state->cells] = 0;
    for (uint32_t i = state->cells; i-- > 0;)
        state->dearer[i] = state->dearer[i + 1] +
                           (state->kind[state->order[i].cell] == CELL_OPEN);
}

/* What the less welcome answer closes, then what both do together. */
static uint64_t worth(const struct state *state, uint32_t cell)
{
    uint32_t when_missed = state->open_below[cell];
    uint32_t when_met = state->dearer[state->rank[cell]];
    uint32_t least = when_missed < when_met ? when_missed : when_met;

    return (uint64_t)least << 32 | (when_missed + when_met) / 2;
}

static uint32_t choose(struct state *state)
{
    uint32_t chosen = state->cells;
    uint64_t most = 0;

    count_open_below(state);
    count_dearer(state);
    for (uint32_t i = 0; i < state->cells; i++) {
        uint32_t cell = state->order[i].cell;

        if (state->kind[cell] == CELL_OPEN && worth(state, cell) > most) {
            most = worth(state, cell);
            chosen = cell;
        }
    }
    assert(chosen < state->cells);
    return chosen;
}

/* ---- answers ---- */

static bool is_bad(const struct state *state, uint32_t cell)
{
    return state->kind[cell] == CELL_MISSED || state->kind[cell] == CELL_UNSURE;
}

/* Mixes asked before that the answer about this one contradicts. One that
   cannot be told counts: it spoke for others as one that is missed does. */
static void look_for_contradiction(struct state *state, uint32_t cell)
{
    bool met = state->kind[cell] == CELL_MET;
    struct plan_contradiction *at = &state->found->contradiction;

    for (uint32_t i = 0; i < state->cells && !state->found->contradicted; i++) {
        uint32_t other = state->order[i].cell;
        uint32_t fewer = met ? cell : other, more = met ? other : cell;

        if (met ? !is_bad(state, other) : state->kind[other] != CELL_MET)
            continue;
        if (!speaks_for(state, more, fewer))
            continue;
        state->found->contradicted = true;
        at->told = state->kind[more] == CELL_MISSED;
        counts_of(state, fewer, at->fewer);
        counts_of(state, more, at->more);
    }
}

static void learn(struct state *state, uint32_t cell)
{
    if (state->kind[cell] == CELL_MET) {
        if (state->best == state->cells ||
            state->rank[cell] < state->rank[state->best])
            state->best = cell;
        for (uint32_t i = state->rank[state->best]; i < state->cells; i++)
            if (state->kind[state->order[i].cell] == CELL_OPEN)
                close_as(state, state->order[i].cell, CELL_DEAR);
        return;
    }
    if (state->kind[cell] == CELL_NOT_RUN)
        return;
    for (uint32_t i = 0; i <= cell && !state->found->contradicted; i++)
        if (state->kind[i] == CELL_OPEN && speaks_for(state, cell, i))
            close_as(state, i, CELL_BELOW);
}

static bool was_asked(const struct state *state, uint32_t cell)
{
    return state->kind[cell] >= CELL_MET;
}

/* false: there was no answer. */
static bool ask(struct state *state, uint32_t cell)
{
    static const enum cell kinds[] = {[PLAN_MET] = CELL_MET,
                                      [PLAN_MISSED] = CELL_MISSED,
                                      [PLAN_CANNOT_TELL] = CELL_UNSURE,
                                      [PLAN_NOT_RUN] = CELL_NOT_RUN};
    const struct plan_search *search = state->search;
    uint32_t counts[PLAN_GROUPS_MAX];
    enum plan_answer answer;

    if (state->found->asked == search->limit) {
        state->found->end = PLAN_LIMITED;
        return false;
    }
    counts_of(state, cell, counts);
    answer = search->ask(search->context, counts);
    if (answer == PLAN_STOPPED) {
        state->found->end = PLAN_ABANDONED;
        return false;
    }
    state->found->asked++;
    state->found->untried += answer == PLAN_NOT_RUN;
    close_as(state, cell, kinds[answer]);
    look_for_contradiction(state, cell);
    learn(state, cell);
    return true;
}

/* ---- the search ---- */

/* The cell of a mix, or cells where it is not in the grid. */
static uint32_t cell_of(const struct state *state, const uint32_t *counts)
{
    const struct plan_grid *grid = &state->search->grid;
    uint32_t cell = 0;

    for (uint32_t g = 0; g < grid->groups; g++) {
        if (counts[g] < grid->least[g] || counts[g] > grid->most[g])
            return state->cells;
        cell += (counts[g] - grid->least[g]) * state->stride[g];
    }
    return cell;
}

/* A quarter more of each until it is enough: the first that is bounds the
   price, which leaves little of a large grid. */
static bool ask_guess(struct state *state)
{
    uint32_t counts[PLAN_GROUPS_MAX] = {0};
    uint32_t groups = state->search->grid.groups;

    if (!state->search->guess)
        return true;
    memcpy(counts, state->search->guess, groups * sizeof *counts);
    for (uint32_t cell = cell_of(state, counts); cell < state->cells;
         cell = cell_of(state, counts)) {
        if (state->kind[cell] == CELL_OPEN && !ask(state, cell))
            return false;
        if (state->kind[cell] == CELL_MET)
            return true;
        for (uint32_t g = 0; g < groups; g++)
            counts[g] += (counts[g] + 3) / 4;
    }
    return true;
}

static bool close_in(struct state *state)
{
    while (state->open > 0)
        if (!ask(state, choose(state)))
            return false;
    return true;
}

/* One node more of a group must not make a good mix bad. */
static bool ask_neighbours(struct state *state)
{
    uint32_t best = state->best;

    for (uint32_t g = 0; g < state->search->grid.groups; g++) {
        uint32_t cell = best + state->stride[g];

        if (step(state, best, g) + 1 < width(state, g) &&
            speaks_for(state, cell, best) && !was_asked(state, cell) &&
            state->kind[cell] != CELL_HOPELESS && !ask(state, cell))
            return false;
    }
    return true;
}

/* Nodes of one group alone, or with the least of the others: as many as are
   cheaper than the best. A mix of unequal nodes can be worse than either. */
static bool ask_alone(struct state *state)
{
    for (uint32_t g = 0; g < state->search->grid.groups; g++) {
        uint32_t cell = (width(state, g) - 1) * state->stride[g];

        while (cell > 0 && state->rank[cell] >= state->rank[state->best])
            cell -= state->stride[g];
        if (state->kind[cell] == CELL_BELOW && !ask(state, cell))
            return false;
    }
    return true;
}

/* All of one group, the least of the others; and the other way round. */
static bool ask_corners(struct state *state)
{
    uint32_t top = state->cells - 1;

    for (uint32_t g = 0; g < state->search->grid.groups; g++) {
        uint32_t alone = (width(state, g) - 1) * state->stride[g];
        uint32_t corners[] = {alone, top - alone};

        for (int i = 0; i < 2; i++)
            if (state->kind[corners[i]] == CELL_BELOW &&
                !ask(state, corners[i]))
                return false;
    }
    return true;
}

/* What was inferred from mixes with more nodes may be wrong. */
static bool ask_all_cheaper(struct state *state)
{
    for (uint32_t i = 0; i < state->cells; i++) {
        uint32_t cell = state->order[i].cell;

        if (state->best < state->cells && i >= state->rank[state->best])
            break;
        if ((state->kind[cell] == CELL_BELOW ||
             state->kind[cell] == CELL_OPEN) &&
            !ask(state, cell))
            return false;
    }
    return true;
}

static bool look_everywhere(struct state *state)
{
    if (!ask_guess(state) || !close_in(state))
        return false;
    if (state->best < state->cells ? !ask_neighbours(state) || !ask_alone(state)
                                   : !ask_corners(state))
        return false;
    return !state->found->contradicted || ask_all_cheaper(state);
}

static void conclude(struct state *state)
{
    struct plan_found *found = state->found;

    found->any = state->best < state->cells;
    if (found->any)
        counts_of(state, state->best, found->best);
    for (uint32_t cell = 0; cell < state->cells; cell++)
        found->inferred +=
            state->kind[cell] == CELL_BELOW || state->kind[cell] == CELL_DEAR;
}

bool plan_search_run(const struct plan_search *search, struct plan_found *ret)
{
    struct state state = {.search = search, .found = ret};

    *ret = (struct plan_found){.mixes = plan_grid_mixes(&search->grid)};
    assert(ret->mixes <= PLAN_MIXES_MAX);
    state.cells = (uint32_t)ret->mixes;
    bool fine = prepare(&state);
    if (fine && look_everywhere(&state))
        ret->end = state.best < state.cells ? PLAN_FOUND
                   : ret->untried > 0       ? PLAN_UNTRIED
                                            : PLAN_INFEASIBLE;
    if (fine)
        conclude(&state);
    release(&state);
    return fine;
}
