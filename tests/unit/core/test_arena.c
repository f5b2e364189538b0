#include "sim/core/arena.h"
#include "tests/check.h"

#include <stdalign.h>
#include <stdint.h>

static struct arena arena;

static void forget_arena(void)
{
    arena_done(&arena);
}

static void pieces_are_zeroed_aligned_and_apart(void)
{
    unsigned char none = 0xFF, *last = &none;

    for (size_t size = 1; size < 3000; size += 7) {
        unsigned char *piece = arena_allocate(&arena, 1, size);

        CHECK(piece != NULL);
        CHECK_UINT((uintptr_t)piece % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            CHECK(piece[i] == 0);
        memset(piece, 0xFF, size);
        CHECK_UINT(*last, 0xFF);
        last = piece;
    }
}

static void piece_larger_than_a_block_is_whole(void)
{
    unsigned char *piece = arena_allocate(&arena, 1000000, 3);

    CHECK(piece != NULL);
    CHECK_UINT(piece[2999999], 0);
    memset(piece, 1, 3000000);
    CHECK(arena_allocate(&arena, 1, 8) != NULL);
}

static void nothing_has_an_address_too(void)
{
    CHECK(arena_allocate(&arena, 0, 8) != NULL);
}

static void product_beyond_memory_is_refused(void)
{
    CHECK(arena_allocate(&arena, SIZE_MAX / 4, 16) == NULL);
    CHECK(arena_allocate(&arena, SIZE_MAX, SIZE_MAX) == NULL);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"pieces are zeroed, aligned and apart",
         pieces_are_zeroed_aligned_and_apart},
        {"a piece larger than a block is whole",
         piece_larger_than_a_block_is_whole},
        {"nothing has an address too", nothing_has_an_address_too},
        {"a product beyond memory is refused",
         product_beyond_memory_is_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("arena", NULL, NULL, NULL, forget_arena, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
