/*
 * Sums of padded tokens, worked out by hand: lengths 512, 32, 480, 40, 64, 500,
 * 36, 48, 1000, 30, cut at eight.
 */
#include "sim/core/batch_cut.h"
#include "tests/check.h"

enum { COUNT = 10 };

static const uint32_t lengths[COUNT] = {512, 32, 480, 40,   64,
                                        500, 36, 48,  1000, 30};
static struct batch_item items[COUNT];

static void collect(void)
{
    for (uint32_t i = 0; i < COUNT; i++)
        items[i] =
            (struct batch_item){.request = i, .length = lengths[i], .place = i};
}

/* All batches of the cut; ends gets where each ends. */
static uint64_t padded_of_all(const struct batch_rule *rule, uint32_t *ends)
{
    uint64_t sum = 0;

    for (uint32_t from = 0; from < COUNT;) {
        uint32_t end = batch_end(rule, items, COUNT, from);

        sum += batch_padded(&items[from], end - from);
        *ends++ = from = end;
    }
    return sum;
}

static void padded_sums_are_those_of_the_specification(void)
{
    static const struct {
        struct batch_rule rule;
        uint32_t first_end;
        uint64_t sum;
    } rows[] = {
        {{.size = 8, .order = BATCH_ASCENDING}, 8, 6000},
        {{.size = 8, .order = BATCH_ARRIVAL}, 8, 6096},
        {{.size = 8, .order = BATCH_DESCENDING}, 8, 8064},
        {{.size = 8, .order = BATCH_ASCENDING, .ratio = 4}, 6, 4384},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t ends[COUNT];

        collect();
        batch_sort(&rows[i].rule, items, COUNT);
        CHECK_UINT(padded_of_all(&rows[i].rule, ends), rows[i].sum);
        CHECK_UINT(ends[0], rows[i].first_end);
        CHECK_UINT(ends[1], COUNT);
    }
}

static void order_is_stable(void)
{
    const struct batch_rule rules[] = {
        {.size = 8, .order = BATCH_ASCENDING},
        {.size = 8, .order = BATCH_DESCENDING},
        {.size = 8, .order = BATCH_ARRIVAL},
    };

    for (size_t r = 0; r < 3; r++) {
        for (uint32_t i = 0; i < COUNT; i++)
            items[i] =
                (struct batch_item){.request = i, .length = 7, .place = i};
        batch_sort(&rules[r], items, COUNT);
        for (uint32_t i = 0; i < COUNT; i++)
            CHECK_UINT(items[i].request, i);
    }
}

/* 100 to 400 is four times; 401 is more. A prompt of no token counts as one. */
static void ratio_holds_for_the_whole_batch(void)
{
    const struct batch_rule rule = {
        .size = 8, .order = BATCH_ARRIVAL, .ratio = 4};
    struct batch_item row[] = {{.length = 200},
                               {.length = 400},
                               {.length = 100},
                               {.length = 401},
                               {.length = 99}};

    CHECK_UINT(batch_end(&rule, row, 5, 0), 3);
    CHECK_UINT(batch_end(&rule, row, 5, 3), 4);
    row[0].length = 0;
    row[1].length = 4;
    row[2].length = 5;
    CHECK_UINT(batch_end(&rule, row, 3, 0), 2);
}

static void the_first_batch_goes_first(void)
{
    const struct batch_rule rule = {
        .size = 4, .order = BATCH_ASCENDING, .patience = 3};
    uint32_t from, end;

    collect();
    batch_sort(&rule, items, COUNT);
    end = batch_choose(&rule, items, COUNT, &from);
    CHECK_UINT(from, 0);
    CHECK_UINT(end, 4);
    CHECK_UINT(items[0].length, 30);
}

/* By length, cut at four: 30 32 36 40, 48 64 480 500, 512 1000. The one of 500
   (place 5) and the one of 1000 (place 8) have been skipped three times: the
   older one's batch goes, then the other's. Twice is not enough. */
static void who_was_skipped_thrice_leads(void)
{
    const struct batch_rule rule = {
        .size = 4, .order = BATCH_ASCENDING, .patience = 3};
    uint32_t from, end;

    collect();
    items[5].skipped = 2;
    items[8].skipped = 3;
    batch_sort(&rule, items, COUNT);
    end = batch_choose(&rule, items, COUNT, &from);
    CHECK_UINT(from, 8);
    CHECK_UINT(end, 10);
    collect();
    items[5].skipped = 4;
    items[8].skipped = 3;
    batch_sort(&rule, items, COUNT);
    end = batch_choose(&rule, items, COUNT, &from);
    CHECK_UINT(from, 4);
    CHECK_UINT(end, 8);
}

static void without_patience_nobody_leads(void)
{
    const struct batch_rule rule = {.size = 4, .order = BATCH_ASCENDING};
    uint32_t from;

    collect();
    items[8].skipped = 1000;
    batch_sort(&rule, items, COUNT);
    batch_choose(&rule, items, COUNT, &from);
    CHECK_UINT(from, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"padded sums are those of the specification",
         padded_sums_are_those_of_the_specification},
        {"the order is stable", order_is_stable},
        {"a ratio holds for the whole batch", ratio_holds_for_the_whole_batch},
        {"the first batch goes first", the_first_batch_goes_first},
        {"who was skipped thrice leads", who_was_skipped_thrice_leads},
        {"without patience nobody leads", without_patience_nobody_leads},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("batch_cut", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
