/* The books of what is in flight: by hand, and against a queue of first come,
   first served that is worked out step by step. */
#include "policies/outstanding.h"
#include "tests/unit/policies/world.h"

#include "tests/check.h"

#define S INT64_C(1000000000) /* one second */

static struct world *world;
static struct outstanding books;

static void open_books(uint32_t nodes, uint32_t slots)
{
    world = world_create(nodes);
    for (uint32_t i = 0; i < nodes; i++)
        world->nodes[i].slots = slots;
    books = (struct outstanding){0};
    CHECK(outstanding_update(&books, &world->view, 1, &world->host));
}

static void close_books(void)
{
    outstanding_done(&books, &world->host);
    CHECK_UINT(world->allocations, 0);
    free(world);
}

static double wait_s(double luck, int64_t now_ns)
{
    return outstanding_wait(&books.nodes[0], now_ns, luck) / S;
}

static double turns_s(int64_t now_ns)
{
    return outstanding_wait_by_turns(&books, 0, now_ns) / S;
}

/* One slot, services of 9, 4 and 2 s sent at 0, 1 and 3 s: at 3 s 6 + 4 + 2
   are left. The first ends at 10 instead of 9: nothing of it remains. */
static void one_slot_holds_the_work_that_is_left(void)
{
    uint64_t notes[3][2] = {{0}};
    struct outstanding_end end;

    open_books(1, 1);
    CHECK_NEAR(wait_s(0, 0), 0, 0);
    outstanding_enter(&books, 0, 0, 9 * S, notes[0]);
    outstanding_enter(&books, 0, S, 4 * S, notes[1]);
    outstanding_enter(&books, 0, 3 * S, 2 * S, notes[2]);
    CHECK_NEAR(wait_s(0, 3 * S), 12, 0);
    CHECK_NEAR(turns_s(3 * S), 12, 0);
    CHECK_NEAR(wait_s(1, 3 * S), 15, 0);
    CHECK_NEAR(wait_s(0.5, 3 * S), 13.5, 1e-12);
    CHECK_NEAR(wait_s(0, 10 * S), 6, 1e-5); /* overdue */
    CHECK(wait_s(0, 10 * S) > 6);
    CHECK_NEAR(turns_s(10 * S), 6, 1e-5);
    CHECK(outstanding_leave(&books, 0, 10 * S, notes[0], &end));
    CHECK(end.ran);
    CHECK_INT(end.taken_ns, 10 * S);
    CHECK_INT(end.service_ns, 9 * S);
    CHECK_NEAR(wait_s(0, 11 * S), 5, 0);
    CHECK(outstanding_leave(&books, 0, 13 * S, notes[1], &end));
    CHECK_INT(end.taken_ns, 3 * S);
    CHECK(outstanding_leave(&books, 0, 14 * S, notes[2], &end));
    CHECK_NEAR(wait_s(0, 14 * S), 0, 0);
    close_books();
}

/* Two slots, services 6, 3, 4 and 1 s at once. At 2 s: 4 + 1 are left of the
   running and 4 + 1 wait, so over 2 slots and for 3 of 4: 10 / 2 * 3 / 4. By
   turns: the third starts at 3 and ends at 7, the fourth at 6 and ends at 7,
   and so would the newcomer start: 5 s from now. */
static void several_slots_share_the_work(void)
{
    static const int64_t services[] = {6, 3, 4, 1};
    uint64_t notes[4][2] = {{0}};

    open_books(1, 2);
    outstanding_enter(&books, 0, 0, services[0] * S, notes[0]);
    CHECK_NEAR(wait_s(0, 0), 0, 0);
    CHECK_NEAR(turns_s(0), 0, 0);
    for (uint32_t i = 1; i < 4; i++)
        outstanding_enter(&books, 0, 0, services[i] * S, notes[i]);
    CHECK_NEAR(wait_s(0, 2 * S), 3.75, 1e-12);
    CHECK_NEAR(turns_s(2 * S), 5, 0);
    close_books();
}

/* A cancelled one leaves the middle of the queue; one that never entered is
   none of ours. */
static void any_may_leave(void)
{
    uint64_t notes[4][2] = {{0}}, none[2] = {0};
    struct outstanding_end end;

    open_books(1, 1);
    for (uint32_t i = 0; i < 4; i++)
        outstanding_enter(&books, 0, 0, (i + 1) * S, notes[i]);
    CHECK(!outstanding_leave(&books, 0, S, none, &end));
    CHECK(outstanding_leave(&books, 0, S, notes[2], &end));
    CHECK(!end.ran);
    CHECK_NEAR(turns_s(S), 0 + 2 + 4, 0);
    CHECK(outstanding_leave(&books, 0, S, notes[1], &end));
    CHECK(outstanding_leave(&books, 0, S, notes[0], &end));
    CHECK_NEAR(turns_s(S), 4, 0);
    CHECK_NEAR(wait_s(0, 2 * S), 3, 0);
    CHECK(outstanding_leave(&books, 0, S, notes[3], &end));
    CHECK(end.ran);
    CHECK_UINT(books.nodes[0].running + books.nodes[0].waiting, 0);
    CHECK_UINT(books.nodes[0].oldest, UINT32_MAX);
    close_books();
}

/* The table holds 4096 attempts; of 5000 all are counted all the same. */
static void full_table_still_counts(void)
{
    static uint64_t notes[5000][2];
    struct outstanding_end end;

    memset(notes, 0, sizeof notes);
    open_books(1, 1);
    for (uint32_t i = 0; i < 5000; i++)
        outstanding_enter(&books, 0, 0, S, notes[i]);
    CHECK_NEAR(wait_s(0, 0), 5000, 1e-6);
    CHECK_NEAR(turns_s(0), 5000, 1e-6);
    for (uint32_t i = 0; i < 5000; i++)
        CHECK(outstanding_leave(&books, 0, 0, notes[4999 - i], &end));
    CHECK_NEAR(wait_s(0, 0), 0, 0);
    CHECK(books.nodes[0].unlisted_ns == 0 && books.nodes[0].waiting_ns == 0);
    close_books();
}

/* Seven slots among three balancers are two for each, one among two is one. */
static void slots_may_be_shared(void)
{
    open_books(2, 7);
    world->nodes[1].slots = 1;
    CHECK(outstanding_update(&books, &world->view, 3, &world->host));
    CHECK_UINT(books.nodes[0].slots, 2);
    CHECK_UINT(books.nodes[1].slots, 1);
    close_books();
}

/* When a node joins, the others keep their books; when another takes over a
   slot, it starts with empty ones. */
static void members_come_and_go(void)
{
    uint64_t note[2] = {0};

    open_books(1, 1);
    outstanding_enter(&books, 0, 0, 5 * S, note);
    world->view.slot_count = 3;
    world_set_node(world, 1, "n1", 1);
    world_set_node(world, 2, "n2", 1);
    world->fail_after = 0;
    CHECK(!outstanding_update(&books, &world->view, 1, &world->host));
    CHECK_NEAR(wait_s(0, S), 4, 0);
    world->fail_after = UINT32_MAX;
    CHECK(outstanding_update(&books, &world->view, 1, &world->host));
    CHECK_NEAR(wait_s(0, S), 4, 0);
    CHECK_NEAR(outstanding_wait(&books.nodes[2], 0, 0), 0, 0);
    world_set_node(world, 0, "other", 1);
    CHECK(outstanding_update(&books, &world->view, 1, &world->host));
    CHECK_NEAR(wait_s(0, S), 0, 0);
    close_books();
}

/* 20,000 steps of a node with three slots, whose predictions are true: the
   wait by turns is when the newcomer will start, to the nanosecond. */
static void turns_foretell_a_true_queue(void)
{
    enum { STEPS = 20000 };
    static uint64_t notes[STEPS][2];
    static int64_t ends[STEPS];
    int64_t free_at[3] = {0}, now = 0;
    uint64_t chance = 5;
    struct outstanding_end end;

    memset(notes, 0, sizeof notes);
    open_books(1, 3);
    for (uint32_t i = 0; i < STEPS; i++) {
        int64_t service =
            1 + (int64_t)(world_next(&chance) % (uint64_t)(7 * S));
        uint32_t slot = free_at[1] < free_at[0];
        int64_t start;

        now += (int64_t)(world_next(&chance) % (uint64_t)(5 * S / 2));
        for (;;) { /* answers up to now, first ones first */
            uint32_t first = STEPS;

            for (uint32_t j = i > 60 ? i - 60 : 0; j < i; j++)
                if (notes[j][0] > 0 && ends[j] <= now &&
                    (first == STEPS || ends[j] < ends[first]))
                    first = j;
            if (first == STEPS)
                break;
            CHECK(
                outstanding_leave(&books, 0, ends[first], notes[first], &end));
        }
        slot = free_at[2] < free_at[slot] ? 2 : slot;
        start = free_at[slot] > now ? free_at[slot] : now;
        if (outstanding_wait_by_turns(&books, 0, now) != (double)(start - now))
            CHECK_NEAR(turns_s(now), (double)(start - now) / S, 0);
        free_at[slot] = ends[i] = start + service;
        outstanding_enter(&books, 0, now, service, notes[i]);
    }
    close_books();
}

/* Room to work out turns goes by attempts that can have a place, not by what a
   node says of itself. */
static void boundless_nodes_take_bounded_memory(void)
{
    uint64_t note[2] = {0};

    open_books(1, UINT32_MAX);
    CHECK_UINT(books.widest, books.attempt_count);
    CHECK_UINT(books.attempt_count, 1 << 20);
    outstanding_enter(&books, 0, 0, S, note);
    CHECK_NEAR(turns_s(0), 0, 0);
    close_books();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"one slot holds the work that is left",
         one_slot_holds_the_work_that_is_left},
        {"several slots share the work", several_slots_share_the_work},
        {"any may leave", any_may_leave},
        {"full table still counts", full_table_still_counts},
        {"slots may be shared", slots_may_be_shared},
        {"members come and go", members_come_and_go},
        {"turns foretell a true queue", turns_foretell_a_true_queue},
        {"boundless nodes take bounded memory",
         boundless_nodes_take_bounded_memory},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("outstanding", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
