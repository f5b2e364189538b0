/* Who asks. */
#include "workloads/tenants.h"

#include "tests/check.h"

#include <xxhash.h>

static struct tenants tenants;

/* Shares of a Zipf law of four: 12, 6, 4 and 3 of 25. With 100,000 draws a
   share of p is within 4 sqrt(p (1 - p) / 100,000) < 0.0064 but for one time
   in 16,000. */
static void shares_follow_zipf(void)
{
    static const struct tenants_spec spec = {true, 4, 1};
    static const double shares[] = {12 / 25.0, 6 / 25.0, 4 / 25.0, 3 / 25.0};
    uint32_t counts[4] = {0};

    tenants_init(&tenants, &spec, 7, 1);
    for (uint64_t i = 0; i < 100000; i++)
        counts[tenants_draw(&tenants, 0, i)]++;
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(counts[k] / 1e5, shares[k], 0.0064);
}

static void exponent_zero_is_even(void)
{
    static const struct tenants_spec spec = {true, 5, 0};
    uint32_t counts[5] = {0};

    tenants_init(&tenants, &spec, 7, 1);
    for (uint64_t i = 0; i < 100000; i++)
        counts[tenants_draw(&tenants, 0, i)]++;
    for (int k = 0; k < 5; k++)
        CHECK_NEAR(counts[k] / 1e5, 0.2, 0.0064);
}

/* In whatever order they are asked for. */
static void tenant_is_the_requests_own(void)
{
    static const struct tenants_spec spec = {true, 1000, 0.5};
    uint32_t forward[50];
    uint32_t differ = 0;

    tenants_init(&tenants, &spec, 7, 1);
    for (uint64_t i = 0; i < 50; i++)
        forward[i] = tenants_draw(&tenants, 0, i);
    for (uint64_t i = 50; i-- > 0;) {
        CHECK_UINT(tenants_draw(&tenants, 0, i), forward[i]);
        differ += tenants_draw(&tenants, 1, i) != forward[i];
    }
    CHECK(differ > 25); /* another source is another lane */
}

static void names_and_hashes(void)
{
    char name[TENANTS_NAME_SIZE];

    CHECK_UINT(tenants_name(12, name), 9);
    CHECK_TEXT(name, "tenant-12");
    CHECK_UINT(tenants_hash(12), XXH64("tenant-12", 9, 0));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"shares follow Zipf's law", shares_follow_zipf},
        {"exponent 0 is even", exponent_zero_is_even},
        {"the tenant is the request's own", tenant_is_the_requests_own},
        {"names and hashes", names_and_hashes},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("tenants", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
