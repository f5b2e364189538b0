#include "sim/core/request.h"
#include "tests/check.h"

static struct request_slab slab;

static void plain_slab(void)
{
    request_slab_init(&slab, false, 0);
}

static uint32_t take(struct request_slab *from)
{
    uint32_t index = REQUEST_NONE;

    CHECK(request_slab_take(from, &index) != NULL);
    return index;
}

static void forget_slab(void)
{
    request_slab_done(&slab);
}

static void slot_given_back_is_used_again(void)
{
    uint32_t first = take(&slab);
    uint32_t epoch = request_at(&slab, first)->epoch;

    request_slab_give(&slab, request_at(&slab, first), first);
    CHECK_UINT(take(&slab), first);
    CHECK_UINT(request_at(&slab, first)->epoch, epoch + 1);
}

static void slots_are_distinct_and_never_move(void)
{
    struct request *first = request_at(&slab, take(&slab));

    for (uint64_t i = 0; i < 5000; i++)
        request_at(&slab, take(&slab))->number = i + 1;
    first->number = 0;
    for (uint32_t i = 0; i < 5001; i++)
        CHECK_UINT(request_at(&slab, i)->number, i);
    CHECK(request_at(&slab, 0) == first);
    CHECK_UINT(slab.in_use, 5001);
}

static void requests_know_their_index(void)
{
    static struct request stranger;

    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t index = take(&slab);

        CHECK_UINT(request_index(&slab, request_at(&slab, index)), index);
    }
    CHECK_UINT(request_index(&slab, &stranger), REQUEST_NONE);
}

/* The design allows 96 bytes for each request in the system. */
static void slot_fits_in_96_bytes(void)
{
    CHECK_UINT(sizeof(struct request), 96);
}

static void columns_exist_when_asked_for(void)
{
    struct request_slab wide;
    uint32_t index;

    request_slab_init(&wide, true, 3);
    index = take(&wide);
    request_key_at(&wide, index)->hash = 42;
    request_tried_at(&wide, index)[2] = 7;
    request_retry_at(&wide, index)->attempts = 3;
    CHECK_UINT(request_key_at(&wide, index)->hash, 42);
    CHECK_UINT(request_tried_at(&wide, index)[2], 7);
    CHECK_UINT(request_retry_at(&wide, index)->attempts, 3);
    request_slab_done(&wide);
}

static void list_by_arrival_loses_any_member(void)
{
    uint32_t a = take(&slab), b = take(&slab);
    uint32_t c = take(&slab);

    request_list_enter(&slab, a);
    request_list_enter(&slab, b);
    request_list_enter(&slab, c);
    request_list_leave(&slab, b);
    CHECK_UINT(slab.oldest, a);
    CHECK_UINT(request_at(&slab, a)->younger, c);
    request_list_leave(&slab, a);
    CHECK_UINT(slab.oldest, c);
    CHECK_UINT(slab.youngest, c);
    request_list_leave(&slab, c);
    CHECK_UINT(slab.oldest, REQUEST_NONE);
    CHECK_UINT(slab.youngest, REQUEST_NONE);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a slot given back is used again", slot_given_back_is_used_again},
        {"slots are distinct and never move",
         slots_are_distinct_and_never_move},
        {"a slot fits in 96 bytes", slot_fits_in_96_bytes},
        {"columns exist when asked for", columns_exist_when_asked_for},
        {"the list by arrival loses any member",
         list_by_arrival_loses_any_member},
        {"requests know their index", requests_know_their_index},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("request", NULL, NULL, plain_slab, forget_slab, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
