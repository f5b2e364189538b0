#include "policies/conn_table.h"

#include "policies/conn_tree.h"
#include "policies/order.h"

#include <string.h>

/* Keeps what is rarely needed out of the way of what is done at each pick. */
#define RARE __attribute__((noinline))

#define PIECES 8 /* of memory that a table consists of */
#define PIECE_ALIGNMENT sizeof(match_key)

static RARE void play_unplayed(struct conn_table *table)
{
    if (table->unplayed == LBP_NO_SLOT)
        return;
    tree_play(table, table->unplayed);
    table->unplayed = LBP_NO_SLOT;
}

/* Creation. */

static uint32_t words_for(uint32_t slot_count)
{
    return slot_count / 64 + (slot_count % 64 > 0);
}

/* Twice the nodes and some: at least a third of the entries stays free. */
static uint32_t level_capacity(uint32_t slot_count)
{
    uint32_t capacity = 64;

    while (capacity < 2 * (uint64_t)slot_count)
        capacity *= 2;
    return capacity;
}

/* Cuts size bytes, rounded up to keep the next piece aligned, off *memory. */
static void *cut(char **memory, size_t size)
{
    void *piece = *memory;

    *memory += (size + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

/* One block of memory with everything in it; NULL: no memory. */
static struct conn_table *table_allocate(uint32_t slot_count,
                                         const struct lbp_host *host)
{
    size_t count = slot_count, words = words_for(slot_count);
    size_t levels = level_capacity(slot_count);
    size_t size = sizeof(struct conn_table) +
                  count * (sizeof(struct node) + sizeof(struct band) +
                           2 * sizeof(match_key) + sizeof(uint32_t)) +
                  levels * sizeof(struct level) + 2 * words * sizeof(uint64_t) +
                  PIECES * PIECE_ALIGNMENT;
    char *memory = host->allocate(host->context, size);
    struct conn_table *table = (void *)memory;

    if (!table)
        return NULL;
    memset(memory, 0, size);
    cut(&memory, sizeof *table);
    table->winners = cut(&memory, 2 * count * sizeof *table->winners);
    table->nodes = cut(&memory, count * sizeof *table->nodes);
    table->bands = cut(&memory, count * sizeof *table->bands);
    table->levels = cut(&memory, levels * sizeof *table->levels);
    table->usable = cut(&memory, words * sizeof *table->usable);
    table->inside = cut(&memory, words * sizeof *table->inside);
    table->tied = cut(&memory, count * sizeof *table->tied);
    table->slot_count = slot_count;
    table->word_count = (uint32_t)words;
    table->level_mask = (uint32_t)levels - 1;
    table->level_limit = (uint32_t)(levels - levels / 3);
    return table;
}

/* Lists (weight, slot) of the nodes that take anything; yields how many. */
static uint32_t list_weights(const struct conn_setup *setup,
                             struct lbp_pair *weights)
{
    uint32_t count = 0;

    for (uint32_t slot = 0; slot < setup->view->slot_count; slot++) {
        uint32_t weight = conn_rule_weight(setup, slot);

        if (weight > 0)
            weights[count++] = (struct lbp_pair){weight, slot};
    }
    return count;
}

/* Makes a band of count nodes of equal weight, and yields its end in the row
   of trees. */
static match_key *make_band(struct conn_table *table,
                            const struct lbp_pair *weights, uint32_t count,
                            match_key *winners)
{
    uint32_t number = table->band_count++;
    struct band *band = &table->bands[number];

    *band = (struct band){.weight = weights->key,
                          .winners = winners,
                          .leaves = count,
                          .in_flight = OUT};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = weights[i].value;

        winners[band->leaves + i] = slot;
        table->nodes[slot].band = number;
        table->nodes[slot].leaf = band->leaves + i;
        table->usable[slot / 64] |= (uint64_t)1 << slot % 64;
    }
    return winners + 2 * (size_t)band->leaves;
}

/* Makes one band of each run of equal weights in the sorted list. */
static void make_bands(struct conn_table *table, const struct lbp_pair *weights,
                       uint32_t count)
{
    match_key *winners = table->winners;

    for (uint32_t start = 0, end; start < count; start = end) {
        for (end = start; end < count; end++)
            if (weights[end].key != weights[start].key)
                break;
        winners = make_band(table, weights + start, end - start, winners);
    }
}

struct conn_table *conn_table_create(const struct conn_setup *setup)
{
    const struct lbp_host *host = setup->host;
    uint32_t slot_count = setup->view->slot_count, count;
    struct conn_table *table = table_allocate(slot_count, host);
    struct lbp_pair *weights = host->allocate(
        host->context, (2 * (size_t)slot_count + 1) * sizeof *weights);

    if (!table || !weights) {
        conn_table_destroy(table, host);
        table = NULL;
        goto out;
    }
    for (uint32_t slot = 0; slot < slot_count; slot++)
        table->nodes[slot] = (struct node){
            .credit = setup->credits[slot], .in_flight = OUT, .band = NO_BAND};
    count = list_weights(setup, weights);
    lbp_order_pairs(weights, weights + count, count);
    make_bands(table, weights, count);
    levels_clear(table);
    table->ties = setup->ties;
    table->turn = setup->turn;
    table->unplayed = LBP_NO_SLOT;
    table->stale = true;
out:
    host->release(host->context, weights);
    return table;
}

void conn_table_destroy(struct conn_table *table, const struct lbp_host *host)
{
    host->release(host->context, table);
}

uint32_t conn_table_weight(const struct conn_table *table, uint32_t slot)
{
    uint32_t band = table->nodes[slot].band;

    return band == NO_BAND ? 0 : (uint32_t)table->bands[band].weight;
}

int64_t conn_table_credit(const struct conn_table *table, uint32_t slot)
{
    return full_credit(table, slot);
}

int64_t conn_table_turn(const struct conn_table *table)
{
    return table->turn;
}

/* Keeping up with counts and eligibility. */

static void build_trees(struct conn_table *table)
{
    for (uint32_t band = 0; band < table->band_count; band++)
        tree_build(table, &table->bands[band]);
}

/* Reads every count anew; credits are kept. */
static RARE void rebuild(struct conn_table *table, const struct lbp_view *view,
                         const uint64_t *eligible)
{
    for (uint32_t slot = 0; slot < table->slot_count; slot++) {
        table->nodes[slot].credit = full_credit(table, slot);
        table->nodes[slot].in_flight = OUT;
    }
    levels_clear(table);
    for (uint32_t word = 0; word < table->word_count; word++) {
        uint64_t bits = eligible[word] & table->usable[word];

        table->inside[word] = bits;
        for (; bits; bits &= bits - 1) {
            uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);

            level_enter(table, &table->nodes[slot], view->in_flight[slot]);
        }
    }
    build_trees(table);
    table->unplayed = LBP_NO_SLOT;
    table->stale = false;
}

static uint64_t changed_bits(const struct conn_table *table,
                             const uint64_t *eligible, uint32_t word)
{
    return (eligible[word] & table->usable[word]) ^ table->inside[word];
}

/* Puts a slot in, or takes it out; its path is to be played. */
static RARE void turn_over(struct conn_table *table,
                           const struct lbp_view *view, uint32_t slot)
{
    struct node *node = &table->nodes[slot];

    if (node->in_flight == OUT)
        level_enter(table, node, view->in_flight[slot]);
    else
        level_leave(table, node);
}

/*
 * Brings the tree in line with the eligible set. Few changes are played one
 * by one; after many it costs less to build all trees again.
 */
static RARE void follow_eligible(struct conn_table *table,
                                 const struct lbp_view *view,
                                 const uint64_t *eligible)
{
    uint32_t changes = 0;
    bool one_by_one;

    for (uint32_t word = 0; word < table->word_count; word++)
        changes +=
            (uint32_t)__builtin_popcountll(changed_bits(table, eligible, word));
    if (table->levels_used + changes > table->level_limit) {
        rebuild(table, view, eligible);
        return;
    }
    one_by_one = changes <= 1 + table->slot_count / 16;
    play_unplayed(table);
    for (uint32_t word = 0; word < table->word_count; word++) {
        uint64_t bits = changed_bits(table, eligible, word);

        table->inside[word] ^= bits;
        for (; bits; bits &= bits - 1) {
            uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);

            turn_over(table, view, slot);
            if (one_by_one)
                tree_play(table, slot);
        }
    }
    if (!one_by_one)
        build_trees(table);
}

static void catch_up(struct conn_table *table, const struct lbp_view *view,
                     const uint64_t *eligible)
{
    uint64_t changed = 0;

    if (table->stale) {
        rebuild(table, view, eligible);
        return;
    }
    for (uint32_t word = 0; word < table->word_count; word++)
        changed |= changed_bits(table, eligible, word);
    if (changed)
        follow_eligible(table, view, eligible);
    else
        play_unplayed(table);
}

void conn_table_count(struct conn_table *table, uint32_t slot,
                      uint32_t in_flight)
{
    struct node *node = &table->nodes[slot];

    if (table->stale || node->in_flight == OUT)
        return; /* read when it becomes eligible */
    if (table->levels_used >= table->level_limit) {
        table->stale = true; /* the next pick rebuilds */
        return;
    }
    if (table->unplayed != slot && table->unplayed != LBP_NO_SLOT)
        play_unplayed(table);
    table->unplayed = LBP_NO_SLOT; /* a slot itself is played right below */
    level_leave(table, node);
    level_enter(table, node, in_flight);
    tree_play(table, slot);
}

/* Picking. */

static uint32_t root(const struct conn_table *table, uint32_t band)
{
    return slot_of(table->bands[band].winners[1]);
}

static struct level *root_level(struct conn_table *table, uint32_t band)
{
    return &table->levels[table->nodes[root(table, band)].level];
}

/* Lists the bands whose best have the lowest quotient; yields how many. */
static uint32_t list_tied_bands(struct conn_table *table)
{
    const struct band *lowest = NULL;
    uint32_t count = 0;

    for (uint32_t number = 0; number < table->band_count; number++) {
        const struct band *band = &table->bands[number];

        if (band->in_flight == OUT)
            continue;
        if (lowest) { /* a / v against b / w, as a w against b v */
            uint64_t here = band->in_flight * (uint64_t)lowest->weight;
            uint64_t there = lowest->in_flight * (uint64_t)band->weight;

            if (here > there)
                continue;
            if (here < there)
                count = 0;
        }
        lowest = band;
        table->tied[count++] = number;
    }
    return count;
}

/* How many nodes stand at the lowest quotient, and what a turn earns them. */
static uint32_t count_tied(struct conn_table *table, uint32_t bands,
                           int64_t *ret_earned)
{
    uint32_t nodes = 0;

    *ret_earned = 0;
    for (uint32_t i = 0; i < bands; i++) {
        uint32_t band = table->tied[i];
        uint32_t members = root_level(table, band)->members;

        nodes += members;
        *ret_earned += members * table->bands[band].weight;
    }
    return nodes;
}

/* The best of the roots that tie: most credit, then lowest slot. */
static uint32_t richest_root(const struct conn_table *table, uint32_t bands)
{
    uint32_t best = root(table, table->tied[0]);
    int64_t best_credit = full_credit(table, best);

    for (uint32_t i = 1; i < bands; i++) {
        uint32_t slot = root(table, table->tied[i]);
        int64_t credit = full_credit(table, slot);

        if (credit > best_credit || (credit == best_credit && slot < best)) {
            best = slot;
            best_credit = credit;
        }
    }
    return best;
}

/* The rank-th node that ties, by slot. Looks at every node. */
static uint32_t nth_tied(const struct conn_table *table, uint32_t rank)
{
    const struct band *lowest = &table->bands[table->tied[0]];
    uint32_t slot = 0;

    for (;; slot++) {
        const struct node *node = &table->nodes[slot];

        if (node->in_flight != OUT &&
            node->in_flight * (uint64_t)lowest->weight ==
                lowest->in_flight * (uint64_t)table->bands[node->band].weight &&
            rank-- == 0)
            return slot;
    }
}

/* Takes credit off a node; its path is played when that is needed. */
static void charge(struct conn_table *table, uint32_t slot, int64_t cost)
{
    table->nodes[slot].credit -= cost;
    table->unplayed = slot;
}

/* Every node that ties earns its weight; the richest pays for all. */
static uint32_t take_turn(struct conn_table *table, uint32_t bands,
                          int64_t earned)
{
    uint32_t winner;

    for (uint32_t i = 0; i < bands; i++)
        root_level(table, table->tied[i])->turns++;
    winner = richest_root(table, bands);
    charge(table, winner, earned);
    return winner;
}

/* Among several bands, or by another rule than our own. */
static RARE void pick_across(struct conn_table *table,
                             const struct lbp_host *host,
                             struct conn_choice *choice)
{
    uint32_t bands = list_tied_bands(table), tied;
    int64_t earned;

    if (bands == 0)
        return;
    tied = count_tied(table, bands, &earned);
    choice->tied = tied > 1;
    if (choice->tied && table->ties == LBP_TIES_OWN) {
        choice->slot = take_turn(table, bands, earned);
    } else if (choice->tied && table->ties == LBP_TIES_RANDOM) {
        choice->draws = 1;
        choice->slot =
            nth_tied(table, (uint32_t)host->random_below(host->context, tied));
    } else {
        choice->slot = richest_root(table, bands);
        if (table->ties == LBP_TIES_ROTATE) /* longest ago: most credit */
            charge(table, choice->slot,
                   table->nodes[choice->slot].credit + ++table->turn);
    }
}

/* The usual case, one band and our own rule: the same in few steps. */
static void pick_within(struct conn_table *table, struct conn_choice *choice)
{
    const struct band *band = table->bands;
    struct level *level;

    if (band->in_flight == OUT)
        return;
    choice->slot = slot_of(band->winners[1]);
    level = &table->levels[table->nodes[choice->slot].level];
    choice->tied = level->members > 1;
    if (!choice->tied)
        return;
    level->turns++;
    charge(table, choice->slot, level->members * band->weight);
}

void conn_table_pick(struct conn_table *table, const struct lbp_view *view,
                     const struct lbp_request *request,
                     const struct lbp_host *host,
                     struct conn_choice *ret_choice)
{
    *ret_choice = (struct conn_choice){.slot = LBP_NO_SLOT};
    catch_up(table, view, request->eligible);
    if (table->band_count == 1 && table->ties == LBP_TIES_OWN)
        pick_within(table, ret_choice);
    else
        pick_across(table, host, ret_choice);
}
