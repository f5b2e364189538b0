#include "policies/conn_rows.h"

/* Keeps what is rarely needed out of the way of what is done at each pick. */
#define RARE __attribute__((noinline, cold))

#define MAX_SLOTS 64
#define ROWS 64
#define LAST_ROW (ROWS - 1)
#define ROWS_BELOW 16 /* the lowest count, when the window moves */

/*
 * Row r holds those of base + r requests in flight. Row 0 also takes those of
 * fewer, the last one those of more.
 */
struct conn_rows {
    uint64_t usable;   /* slots that take anything */
    uint64_t asked_of; /* usable and eligible at the last pick */
    uint32_t lowest;   /* none of asked_of stands in a row below */
    uint32_t base;
    int64_t weight; /* of every usable slot, hundredths */
    int64_t turn;   /* picks made, for `ties: rotate` */
    enum lbp_ties ties;
    uint64_t rows[ROWS];
    int64_t credits[MAX_SLOTS];
    uint8_t row_of[MAX_SLOTS];
};

static inline uint64_t bit_of(uint32_t slot)
{
    return (uint64_t)1 << slot;
}

static inline uint32_t first_of(uint64_t slots)
{
    return (uint32_t)__builtin_ctzll(slots);
}

static inline void place(struct conn_rows *rows, uint32_t slot, uint32_t row)
{
    rows->rows[row] |= bit_of(slot);
    rows->row_of[slot] = (uint8_t)row;
}

static inline uint32_t row_for(const struct conn_rows *rows, uint32_t in_flight)
{
    uint32_t row = in_flight - rows->base;

    if (row <= LAST_ROW) /* nearly always */
        return row;
    return in_flight > rows->base ? LAST_ROW : 0;
}

/* Creation. */

bool conn_rows_suit(const struct conn_setup *setup)
{
    uint32_t common = 0;

    if (setup->view->slot_count > MAX_SLOTS)
        return false;
    for (uint32_t slot = 0; slot < setup->view->slot_count; slot++) {
        uint32_t weight = conn_rule_weight(setup, slot);

        if (common > 0 && weight > 0 && weight != common)
            return false;
        common = weight > 0 ? weight : common;
    }
    return true;
}

static void meet_node(struct conn_rows *rows, const struct conn_setup *setup,
                      uint32_t slot)
{
    uint32_t weight = conn_rule_weight(setup, slot);

    rows->credits[slot] = setup->credits[slot];
    if (weight == 0)
        return;
    rows->weight = weight;
    rows->usable |= bit_of(slot);
    place(rows, slot, row_for(rows, setup->view->in_flight[slot]));
}

struct conn_rows *conn_rows_create(const struct conn_setup *setup)
{
    struct conn_rows *rows =
        setup->host->allocate(setup->host->context, sizeof *rows);

    if (!rows)
        return NULL;
    *rows = (struct conn_rows){.ties = setup->ties, .turn = setup->turn};
    for (uint32_t slot = 0; slot < setup->view->slot_count; slot++)
        meet_node(rows, setup, slot);
    return rows;
}

void conn_rows_destroy(struct conn_rows *rows, const struct lbp_host *host)
{
    host->release(host->context, rows);
}

uint32_t conn_rows_weight(const struct conn_rows *rows, uint32_t slot)
{
    return (rows->usable & bit_of(slot)) ? (uint32_t)rows->weight : 0;
}

int64_t conn_rows_credit(const struct conn_rows *rows, uint32_t slot)
{
    return rows->credits[slot];
}

int64_t conn_rows_turn(const struct conn_rows *rows)
{
    return rows->turn;
}

/* Keeping up with counts and eligibility. */

void conn_rows_count(struct conn_rows *rows, uint32_t slot, uint32_t in_flight)
{
    uint32_t row = row_for(rows, in_flight);

    if (!(rows->usable & bit_of(slot)))
        return;
    rows->rows[rows->row_of[slot]] ^= bit_of(slot);
    place(rows, slot, row);
    if (row < rows->lowest)
        rows->lowest = row;
}

/* Some became eligible, and may stand lower than any of the others. */
static RARE void welcome(struct conn_rows *rows, uint64_t newcomers)
{
    for (; newcomers; newcomers &= newcomers - 1) {
        uint32_t row = rows->row_of[first_of(newcomers)];

        if (row < rows->lowest)
            rows->lowest = row;
    }
}

/* Moves the window to where the lowest count of the slots has its own row. */
static RARE void move_window(struct conn_rows *rows,
                             const struct lbp_view *view, uint64_t slots)
{
    uint32_t least = UINT32_MAX;

    for (; slots; slots &= slots - 1)
        if (view->in_flight[first_of(slots)] < least)
            least = view->in_flight[first_of(slots)];
    rows->base = least > ROWS_BELOW ? least - ROWS_BELOW : 0;
    rows->lowest = least - rows->base;
    for (uint32_t row = 0; row < ROWS; row++)
        rows->rows[row] = 0;
    for (slots = rows->usable; slots; slots &= slots - 1) {
        uint32_t slot = first_of(slots);

        place(rows, slot, row_for(rows, view->in_flight[slot]));
    }
}

/* Those of the slots, some, that have the fewest requests in flight. */
static uint64_t find_tied(struct conn_rows *rows, const struct lbp_view *view,
                          uint64_t slots)
{
    uint32_t row;

    if (slots & ~rows->asked_of)
        welcome(rows, slots & ~rows->asked_of);
    rows->asked_of = slots;
    for (row = rows->lowest; !(rows->rows[row] & slots); row++)
        continue;
    rows->lowest = row;
    if (row == LAST_ROW || (row == 0 && rows->base > 0))
        move_window(rows, view, slots);
    return rows->rows[rows->lowest] & slots;
}

/* Choosing among those that tie. */

/* Every one of them earns its weight; the richest pays for all. */
static uint32_t take_turn(struct conn_rows *rows, uint64_t tied)
{
    int64_t weight = rows->weight, earned = 0, most = INT64_MIN;
    uint32_t winner = 0;

    for (; tied; tied &= tied - 1) {
        uint32_t slot = first_of(tied);
        int64_t credit = rows->credits[slot] + weight;
        /* Anybody's guess, and said so: one comparison makes both choices. */
        bool richer = __builtin_expect_with_probability(credit > most, 1, 0.5);

        rows->credits[slot] = credit;
        earned += weight;
        winner = richer ? slot : winner;
        most = richer ? credit : most;
    }
    rows->credits[winner] = most - earned;
    return winner;
}

/* The one picked longest ago: whoever is picked goes below all others. */
static uint32_t rotate(struct conn_rows *rows, uint64_t tied)
{
    uint32_t winner = first_of(tied);

    for (; tied; tied &= tied - 1)
        if (rows->credits[first_of(tied)] > rows->credits[winner])
            winner = first_of(tied);
    rows->credits[winner] = -++rows->turn;
    return winner;
}

static uint32_t nth_of(uint64_t slots, uint64_t rank)
{
    while (rank-- > 0)
        slots &= slots - 1;
    return first_of(slots);
}

/* By another rule than our own. */
static RARE void pick_by(struct conn_rows *rows, const struct lbp_host *host,
                         uint64_t tied, struct conn_choice *choice)
{
    choice->slot = first_of(tied);
    if (rows->ties == LBP_TIES_ROTATE) {
        choice->slot = rotate(rows, tied);
    } else if (rows->ties == LBP_TIES_RANDOM && choice->tied) {
        uint64_t count = (uint64_t)__builtin_popcountll(tied);

        choice->draws = 1;
        choice->slot = nth_of(tied, host->random_below(host->context, count));
    }
}

void conn_rows_pick(struct conn_rows *rows, const struct lbp_view *view,
                    const struct lbp_request *request,
                    const struct lbp_host *host, struct conn_choice *ret_choice)
{
    uint64_t usable = rows->usable; /* none: there may be no word to read */
    uint64_t slots = usable ? usable & request->eligible[0] : 0, tied;

    *ret_choice = (struct conn_choice){.slot = LBP_NO_SLOT};
    if (!slots)
        return;
    tied = find_tied(rows, view, slots);
    ret_choice->tied = (tied & (tied - 1)) != 0;
    if (rows->ties != LBP_TIES_OWN)
        pick_by(rows, host, tied, ret_choice);
    else
        ret_choice->slot =
            ret_choice->tied ? take_turn(rows, tied) : first_of(tied);
}
