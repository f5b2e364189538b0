/* Late reports: what is in flight since each, against a plain ledger. */
#include "sim/frontdoor/late_counts.h"

#include "tests/check.h"

#include <stdlib.h>

#define NODES 3
#define DEPTH 4
#define SENT_MAX 4000

static struct arena arena;
static struct late_counts *late;

static void begin(void)
{
    arena = (struct arena){0};
    late = late_counts_create(&arena, NODES, DEPTH);
}

static void end(void)
{
    arena_done(&arena);
}

static void report_counts_what_came_after_its_mark(void)
{
    late_counts_sent(late, 1);
    late_counts_made(late, 1, 10);
    late_counts_sent(late, 1);
    late_counts_sent(late, 1);
    late_counts_sent(late, 0); /* another node's */
    CHECK_UINT(late_counts_arrived(late, 1), 2);
    CHECK(!late_counts_over(late, 1, 9, false)); /* it knew of that one */
    CHECK(late_counts_over(late, 1, 11, false));
    CHECK(late_counts_over(late, 1, 12, false));
    CHECK(late_counts_over(late, 0, 12, false));
}

static void several_may_be_on_their_way(void)
{
    for (int64_t t = 10; t <= 40; t += 10) {
        late_counts_made(late, 2, t);
        late_counts_sent(late, 2);
    }
    CHECK_UINT(late_counts_arrived(late, 2), 4);
    CHECK(late_counts_over(late, 2, 31, false)); /* of the third */
    CHECK_UINT(late_counts_arrived(late, 2), 2);
    CHECK_UINT(late_counts_arrived(late, 2), 1);
    CHECK_UINT(late_counts_arrived(late, 2), 1);
}

static void lost_report_leaves_its_count_to_the_one_before(void)
{
    late_counts_sent(late, 0);
    late_counts_made(late, 0, 10);
    late_counts_sent(late, 0);
    late_counts_made(late, 0, 20);
    late_counts_sent(late, 0);
    late_counts_lost(late, 0);
    CHECK(late_counts_over(late, 0, 1, false)); /* still not reported */
    CHECK(late_counts_over(late, 0, 12, false));
    CHECK_UINT(late_counts_arrived(late, 0), 1);
}

/* At the instant of a report one is sent before and one behind it: whichever
   ends first, the other is counted where it belongs. */
static void one_instant_has_two_sides(void)
{
    for (int first = 0; first < 2; first++) {
        int64_t t = 10 + first;

        CHECK(!late_counts_made_at(late, 0, t));
        late_counts_sent(late, 0);
        late_counts_made(late, 0, t);
        CHECK(late_counts_made_at(late, 0, t));
        late_counts_sent(late, 0);
        CHECK(late_counts_over(late, 0, t, first));
        CHECK_UINT(late_counts_arrived(late, 0), first ? 0 : 1);
        CHECK(late_counts_over(late, 0, t, !first) == !first);
    }
}

/* --- a life, with everything that was sent in a list -----------------------
 */

/* Several steps share an instant; the ledger goes by steps. */
#define STEPS_AN_INSTANT 3

struct sent {
    int64_t step;
    bool open, after_report;
};

static struct sent list[SENT_MAX];
static uint32_t list_size;
static int64_t made_steps[SENT_MAX]; /* of all reports */
static uint32_t made, settled;
static int64_t known_step; /* when the last to arrive was made */

static uint32_t count_open_since(int64_t step)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < list_size; i++)
        count += list[i].open && list[i].step > step;
    return count;
}

static void send_one(int64_t step)
{
    list[list_size++] = (struct sent){
        step, true, late_counts_made_at(late, 1, step / STEPS_AN_INSTANT)};
    late_counts_sent(late, 1);
}

static void make_one(int64_t step)
{
    made_steps[made++] = step;
    late_counts_made(late, 1, step / STEPS_AN_INSTANT);
}

static void settle_one(bool lost, uint32_t *since)
{
    if (lost) {
        late_counts_lost(late, 1);
    } else {
        known_step = made_steps[settled];
        *since = late_counts_arrived(late, 1);
    }
    settled++;
}

static void finish_one(uint32_t which, uint32_t *since)
{
    struct sent *sent = &list[which % list_size];
    bool counted;

    if (!sent->open)
        return;
    sent->open = false;
    counted = late_counts_over(late, 1, sent->step / STEPS_AN_INSTANT,
                               sent->after_report);
    CHECK(counted == (sent->step > known_step));
    *since -= counted;
}

static void counts_are_those_of_a_ledger(void)
{
    uint32_t chance = 12345, since = 0;

    list_size = made = settled = 0;
    known_step = -1;
    for (int64_t step = 0; step < SENT_MAX; step++) {
        uint32_t dice;

        chance = chance * 1664525 + 1013904223; /* Numerical Recipes */
        dice = chance >> 24;
        if (dice < 100) {
            send_one(step);
            since++;
        } else if (dice < 190 && list_size > 0) {
            finish_one(chance >> 8, &since);
        } else if (dice < 225 && made - settled < DEPTH &&
                   !late_counts_made_at(late, 1, step / STEPS_AN_INSTANT)) {
            make_one(step);
        } else if (made > settled) {
            settle_one(dice < 235, &since);
        }
        CHECK_UINT(since, count_open_since(known_step));
    }
    CHECK(made > 300 && settled > 300);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a report counts what came after its mark",
         report_counts_what_came_after_its_mark},
        {"several may be on their way", several_may_be_on_their_way},
        {"a lost report leaves its count to the one before",
         lost_report_leaves_its_count_to_the_one_before},
        {"one instant has two sides", one_instant_has_two_sides},
        {"counts are those of a ledger", counts_are_those_of_a_ledger},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("late counts", NULL, NULL, begin, end, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
