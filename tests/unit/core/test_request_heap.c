/* The heap of requests against a plain search for the smallest. */
#include "sim/core/request_heap.h"

#include "tests/check.h"

#define COUNT 200

static struct request_slab slab;
static struct request_heap heap;

/* Numbers in the order of their making. */
static uint32_t make_request(uint64_t number)
{
    uint32_t index;
    struct request *request = request_slab_take(&slab, &index);

    request->number = number;
    return index;
}

static void empty_heap(void)
{
    request_slab_init(&slab, false, 0);
    heap = (struct request_heap){0};
}

static void forget_heap(void)
{
    request_heap_done(&heap);
    request_slab_done(&slab);
}

static void keys_order_as_their_values(void)
{
    static const int64_t integers[] = {INT64_MIN, -7, -1, 0, 1, INT64_MAX};
    static const double reals[] = {0, 1e-300, 0.5, 1, 1e9, 1.7e308};

    for (int i = 1; i < 6; i++) {
        CHECK(heap_key_of_integer(integers[i - 1]) <
              heap_key_of_integer(integers[i]));
        CHECK(heap_key_of_real(reals[i - 1]) < heap_key_of_real(reals[i]));
        CHECK_NEAR(heap_real_of_key(heap_key_of_real(reals[i])), reals[i], 0);
    }
}

static void equals_leave_in_order_of_arrival(void)
{
    uint32_t c = make_request(3), a = make_request(1), b = make_request(2);

    CHECK(request_heap_push(&heap, &slab, c, 5));
    CHECK(request_heap_push(&heap, &slab, a, 5));
    CHECK(request_heap_push(&heap, &slab, b, 5));
    CHECK_UINT(request_heap_remove(&heap, &slab, 0), a);
    CHECK_UINT(request_heap_remove(&heap, &slab, 0), b);
    CHECK_UINT(request_heap_remove(&heap, &slab, 0), c);
}

static void first_may_be_put_off(void)
{
    uint32_t a = make_request(0), b = make_request(1), c = make_request(2);

    request_heap_push(&heap, &slab, a, 1);
    request_heap_push(&heap, &slab, b, 2);
    request_heap_push(&heap, &slab, c, 4);
    request_heap_postpone_first(&heap, &slab, 3);
    CHECK_UINT(heap.entries[0].request, b);
    request_heap_postpone_first(&heap, &slab, 3);
    CHECK_UINT(heap.entries[0].request, a); /* the elder of equals */
}

/* 20,000 steps: in, out at the front, out anywhere. */
static void any_one_may_leave(void)
{
    uint32_t inside[COUNT];
    uint64_t keys[COUNT];
    uint32_t count = 0;
    uint64_t random = 7;

    for (uint64_t step = 0; step < 20000; step++) {
        uint32_t which;

        random = random * 6364136223846793005u + 1442695040888963407u;
        if (count < COUNT && random >> 62 != 0) {
            keys[count] = random >> 40 & 63;
            inside[count] = make_request(step);
            request_heap_push(&heap, &slab, inside[count], keys[count]);
            count++;
            continue;
        }
        if (count == 0)
            continue;
        which = 0; /* the smallest, the eldest of equals */
        for (uint32_t i = 1; i < count; i++)
            if (keys[i] < keys[which] ||
                (keys[i] == keys[which] &&
                 request_at(&slab, inside[i])->number <
                     request_at(&slab, inside[which])->number))
                which = i;
        CHECK_UINT(heap.entries[0].request, inside[which]);
        if (random >> 33 & 1)
            which = (uint32_t)(random >> 34) % count;
        CHECK_UINT(request_heap_remove(&heap, &slab,
                                       request_at(&slab, inside[which])->place),
                   inside[which]);
        request_slab_give(&slab, request_at(&slab, inside[which]),
                          inside[which]);
        count--;
        inside[which] = inside[count];
        keys[which] = keys[count];
    }
    CHECK_UINT(heap.count, count);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"keys order as their values", keys_order_as_their_values},
        {"equals leave in order of arrival", equals_leave_in_order_of_arrival},
        {"the first may be put off", first_may_be_put_off},
        {"any one may leave", any_one_may_leave},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("request heap", NULL, NULL, empty_heap, forget_heap, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
