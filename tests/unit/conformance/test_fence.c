/* Memory ends where it ends, and the allocator keeps its books. */
#include "sim/conformance/fence.h"
#include "sim/core/child.h"

#include "tests/check.h"

#define LIMIT_NS 20000000000

/* One element past an array of 10. Not through the array, whose end compilers
   know. */
static void step_over(void *context)
{
    volatile uint64_t *array = fence_make(10 * sizeof *array);

    array[9] = 1;
    *(int *)context = 1;
    array[10] = 1;
}

static void step_over_block(void *context)
{
    struct fence_heap heap = {.limit = 1000};
    volatile char *block = fence_allocate(&heap, 32);

    block[31] = 1;
    *(int *)context = 1;
    block[32] = 1;
}

static void one_step_too_far_is_fatal(void)
{
    char how[100] = "";
    int *reached = child_share(sizeof *reached);

    CHECK_INT(child_run(step_over, reached, LIMIT_NS, how, sizeof how),
              CHILD_DIED);
    CHECK_INT(*reached, 1);
    *reached = 0;
    CHECK_INT(child_run(step_over_block, reached, LIMIT_NS, how, sizeof how),
              CHILD_DIED);
    CHECK_INT(*reached, 1);
    child_unshare(reached, sizeof *reached);
}

static void the_allocator_keeps_its_books(void)
{
    struct fence_heap heap = {.limit = 100, .fill = 0x5a};
    unsigned char *one = fence_allocate(&heap, 60);
    unsigned char *two = fence_allocate(&heap, 40);

    CHECK_UINT(heap.live, 2);
    CHECK_UINT(heap.bytes, 100);
    CHECK(one && one[0] == 0x5a && one[59] == 0x5a);
    CHECK(!heap.refused);
    CHECK(fence_allocate(&heap, 1) == NULL); /* beyond the limit */
    CHECK(heap.refused);
    fence_release(&heap, one);
    fence_release(&heap, NULL);
    CHECK_UINT(heap.live, 1);
    CHECK_UINT(heap.bytes, 40);
    CHECK(!heap.overrun);
    fence_release(&heap, two);
    CHECK_UINT(heap.live, 0);
    CHECK_UINT(heap.given, 2);
    CHECK_UINT(heap.asked, 3);
}

static void the_chosen_allocation_fails(void)
{
    struct fence_heap heap = {.limit = 1000, .fail_at = 2};
    void *one = fence_allocate(&heap, 8);

    CHECK(one != NULL);
    CHECK(fence_allocate(&heap, 8) == NULL);
    CHECK(heap.refused);
    fence_release(&heap, one);
}

/* Sizes that are no multiple of 16 have some bytes before the fence: they are
   looked at when the block comes back. */
static void the_slack_is_looked_at(void)
{
    struct fence_heap heap = {.limit = 1000};
    char *block = fence_allocate(&heap, 33);

    fence_inspect(&heap);
    CHECK(!heap.overrun);
    block[33] = 1;
    fence_inspect(&heap);
    CHECK(heap.overrun);
    fence_release(&heap, block);
}

static void what_was_not_given_is_noticed(void)
{
    struct fence_heap heap = {.limit = 1000};
    static _Alignas(16) char foreign[200];

    fence_release(&heap, foreign + 96);
    CHECK(heap.strange_release);
    heap.strange_release = false;
    fence_release(&heap, foreign + 97);
    CHECK(heap.strange_release);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"one step too far is fatal", one_step_too_far_is_fatal},
        {"the allocator keeps its books", the_allocator_keeps_its_books},
        {"the chosen allocation fails", the_chosen_allocation_fails},
        {"the slack is looked at", the_slack_is_looked_at},
        {"what was not given is noticed", what_was_not_given_is_noticed},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("fence", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
