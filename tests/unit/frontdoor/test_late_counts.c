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
    CHECK(!late_counts_over(late, 1, 9)); /* it knew of that one */
    CHECK(late_counts_over(late, 1, 11));
    CHECK(late_counts_over(late, 1, 12));
    CHECK(!late_counts_over(late, 1, 12));
    CHECK(late_counts_over(late, 0, 12));
}

static void several_may_be_on_their_way(void)
{
    for (int64_t t = 10; t <= 40; t += 10) {
        late_counts_made(late, 2, t);
        late_counts_sent(late, 2);
    }
    CHECK_UINT(late_counts_arrived(late, 2), 4);
    CHECK(late_counts_over(late, 2, 31)); /* of the third */
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
    CHECK(late_counts_over(late, 0, 1)); /* still not reported */
    CHECK(late_counts_over(late, 0, 12));
    CHECK_UINT(late_counts_arrived(late, 0), 1);
}

/* What a retry sent at the instant of a report, right before it, leaves. */
static void one_instant_leaves_the_mark_it_entered(void)
{
    late_counts_sent(late, 0);
    late_counts_made(late, 0, 10);
    CHECK(late_counts_over(late, 0, 10));
    CHECK_UINT(late_counts_arrived(late, 0), 0);
}

/* --- a life, with everything that was sent in a list -----------------------
 */

struct sent {
    int64_t at_ns;
    bool open;
};

static struct sent list[SENT_MAX];
static uint32_t list_size;
static int64_t made_ns[SENT_MAX]; /* of all reports */
static uint32_t made, settled;
static int64_t known_ns; /* when the last to arrive was made */

static uint32_t count_open_since(int64_t at_ns)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < list_size; i++)
        count += list[i].open && list[i].at_ns >= at_ns;
    return count;
}

static void settle_one(bool lost, uint32_t *since)
{
    if (lost) {
        late_counts_lost(late, 1);
    } else {
        known_ns = made_ns[settled];
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
    counted = late_counts_over(late, 1, sent->at_ns);
    CHECK(counted == (sent->at_ns >= known_ns));
    *since -= counted;
}

static void counts_are_those_of_a_ledger(void)
{
    uint32_t chance = 12345, since = 0;

    list_size = made = settled = 0;
    known_ns = INT64_MIN;
    for (int64_t now = 1; now < SENT_MAX; now++) {
        uint32_t dice;

        chance = chance * 1664525 + 1013904223; /* Numerical Recipes */
        dice = chance >> 24;
        if (dice < 100) {
            list[list_size++] = (struct sent){now, true};
            late_counts_sent(late, 1);
            since++;
        } else if (dice < 190 && list_size > 0) {
            finish_one(chance >> 8, &since);
        } else if (dice < 225 && made - settled < DEPTH) {
            made_ns[made++] = now;
            late_counts_made(late, 1, now);
        } else if (made > settled) {
            settle_one(dice < 235, &since);
        }
        CHECK_UINT(since, count_open_since(known_ns));
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
        {"one instant leaves the mark it entered",
         one_instant_leaves_the_mark_it_entered},
        {"counts are those of a ledger", counts_are_those_of_a_ledger},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("late counts", NULL, NULL, begin, end, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
