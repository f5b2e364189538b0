/*
 * Checks: what a policy remembers and must not.
 *
 * Each compares two lives of a policy that a host must be free to exchange:
 * afterwards, a node must get about as much in both. What a policy may keep is
 * left room for: a turn that has moved on, a draw that fell otherwise.
 */
#include "sim/conformance/trial.h"

enum { NODES = 8, MEASURED = 400, PRESSED = 500 };

/* Whether two shares of MEASURED decisions are as far apart as a policy with a
   memory that it must not have would make them. */
static bool differ(uint32_t usual, uint32_t after)
{
    return after > 2 * usual + 20 || (usual >= 10 && after < usual / 2 - 3);
}

struct shares {
    struct trial *trial;
    uint64_t seed;
    uint32_t slot;
    void (*before)(struct traffic *traffic, uint32_t slot);
    int64_t wait_ns; /* before it is measured */
};

/* What the slot gets, after `before` or without. */
static bool measure(const struct shares *shares, bool with, uint32_t *ret_share)
{
    struct traffic traffic;
    struct stage stage;
    struct stage_options options = {.slot_count = NODES, .seed = shares->seed};

    if (!trial_open(shares->trial, &stage, &options))
        return false;
    traffic_start(&traffic, &stage, shares->seed + 1);
    if (with)
        shares->before(&traffic, shares->slot);
    stage.view->now_ns = 0x7000000000000; /* a time that both have passed */
    stage_advance(&stage, shares->wait_ns);
    for (uint32_t slot = 0; slot < NODES; slot++)
        if (stage.view->report_interval_ns >= 0)
            stage_report(&stage, slot);
    traffic.chance = shares->seed + 2;
    *ret_share = traffic_share(&traffic, MEASURED, shares->slot);
    stage_close(&stage);
    return true;
}

static void compare(const struct shares *shares, const char *what)
{
    uint32_t usual, after;

    if (!measure(shares, false, &usual) || !measure(shares, true, &after))
        return;
    if (differ(usual, after))
        trial_fail(shares->trial,
                   "slot %u gets %u of %d requests, and %u after %s",
                   shares->slot, usual, MEASURED, after, what);
}

/* ---- asks that were not sent ---- */

static void ask_in_vain(struct traffic *traffic, uint32_t slot)
{
    struct stage *stage = traffic->stage;
    struct stage_attempt attempt;
    uint32_t picked;

    for (uint32_t i = 0; i < PRESSED; i++) {
        stage_mask_none(stage);
        stage_mask_set(stage, slot, true);
        stage_request(stage, &attempt, i % 200);
        stage_ask(stage, &attempt, &picked, NULL);
        stage_advance(stage, 1000000);
    }
    stage_mask_all(stage);
}

void check_counts(struct trial *trial)
{
    struct shares shares = {.trial = trial, .seed = 71, .before = ask_in_vain};

    for (shares.slot = 0; shares.slot < NODES; shares.slot += 3)
        compare(&shares, "500 asks for it that were not sent");
}

/* ---- attempts that the host gave up ---- */

static void give_up(struct traffic *traffic, uint32_t slot)
{
    traffic_press(traffic, PRESSED, slot, LBP_CANCELLED, 1000000);
}

void check_cancelled(struct trial *trial)
{
    struct shares shares = {.trial = trial,
                            .seed = 81,
                            .before = give_up,
                            .wait_ns = 3600000000000};

    for (shares.slot = 0; shares.slot < NODES; shares.slot += 3)
        compare(&shares, "500 attempts there that were cancelled");
}

/* ---- another node in the slot ---- */

static void be_replaced(struct stage *stage, uint32_t slot)
{
    stage_leave(stage, slot);
    stage_mask_all(stage);
    stage_members(stage);
    stage_join(stage, slot);
    stage_mask_all(stage);
    stage_members(stage);
}

/* A life in which the slot serves so badly that nobody would ask it again. */
static bool measure_newcomer(struct trial *trial, uint32_t slot, bool bad,
                             uint32_t *ret_share)
{
    struct traffic traffic;
    struct stage stage;
    struct stage_options options = {.slot_count = NODES, .seed = 91};

    if (!trial_open(trial, &stage, &options))
        return false;
    traffic_start(&traffic, &stage, 92);
    if (bad) {
        traffic_press(&traffic, 60, slot, LBP_OK, 60000000000);
        traffic_press(&traffic, 60, slot, LBP_TIMEOUT, 60000000000);
    }
    stage.view->now_ns = 0x7000000000000;
    be_replaced(&stage, slot);
    stage_advance(&stage, 1000000000);
    for (uint32_t i = 0; i < NODES; i++)
        if (stage.view->report_interval_ns >= 0)
            stage_report(&stage, i);
    traffic.chance = 93;
    *ret_share = traffic_share(&traffic, MEASURED, slot);
    stage_close(&stage);
    return true;
}

void check_generation(struct trial *trial)
{
    for (uint32_t slot = 0; slot < NODES; slot += 3) {
        uint32_t usual, after;

        if (!measure_newcomer(trial, slot, false, &usual) ||
            !measure_newcomer(trial, slot, true, &after))
            return;
        if (differ(usual, after))
            trial_fail(trial,
                       "a new node in slot %u gets %u of %d requests, and %u "
                       "when the one before it was bad",
                       slot, usual, MEASURED, after);
    }
}
