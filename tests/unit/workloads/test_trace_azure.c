/*
 * The published Azure traces of 2023 against figures that an independent
 * program found in them: counts and sums are exact, quantiles nearest rank.
 * The data is no part of the project: it is looked for in $LBSIM_DATA, then in
 * a folder beside the project, and without it the tests say loudly that they
 * did nothing.
 */
#include "test_trace_files.h"

enum { QUANTILES = 5 };
static const double shares[QUANTILES] = {0.5, 0.9, 0.95, 0.99, 0.999};

struct sizes {
    uint64_t sum;
    uint32_t min, max, quantiles[QUANTILES];
};

struct profile {
    const char *name;
    uint64_t rows;
    int64_t duration_ns, largest_gap_ns;
    double rate_per_s, mean_input, mean_output;
    struct sizes input, output;
};

static const struct profile conversation = {
    .name = "AzureLLMInferenceTrace_conv.csv",
    .rows = 19366,
    .duration_ns = 3501721937000,
    .largest_gap_ns = 4314579000,
    .rate_per_s = 5.530136415,
    .mean_input = 1154.697408,
    .mean_output = 211.125942,
    .input = {22361870, 2, 14050, {1020, 2735, 4083, 4142, 6212}},
    .output = {4088665, 7, 1000, {129, 424, 451, 601, 954}},
};

static const struct profile code = {
    .name = "AzureLLMInferenceTrace_code.csv",
    .rows = 8819,
    .duration_ns = 3435948056000,
    .largest_gap_ns = 217168952000,
    .rate_per_s = 2.566395026,
    .mean_input = 2047.848282,
    .mean_output = 27.882526,
    .input = {18059974, 3, 7437, {1469, 5194, 7315, 7436, 7437}},
    .output = {245896, 6, 1899, {13, 55, 90, 252, 831}},
};

static bool find_data(const char *name, char *path, size_t size)
{
    const char *folder = getenv("LBSIM_DATA");

    if (folder) {
        snprintf(path, size, "%s/azure-llm-2023/%s", folder, name);
        if (access(path, R_OK) == 0)
            return true;
    }
    snprintf(path, size, "../shared/data/azure-llm-2023/%s", name);
    if (access(path, R_OK) == 0)
        return true;
    printf("\nSKIPPED: %s is neither in $LBSIM_DATA nor beside the project\n",
           name);
    return false;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static void check_sizes(uint32_t *values, uint64_t count,
                        const struct sizes *expected)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < count; i++)
        sum += values[i];
    CHECK_UINT(sum, expected->sum);
    qsort(values, (size_t)count, sizeof *values, compare);
    CHECK_UINT(values[0], expected->min);
    CHECK_UINT(values[count - 1], expected->max);
    for (int i = 0; i < QUANTILES; i++) {
        uint64_t rank = (uint64_t)ceil(shares[i] * (double)count);

        CHECK_UINT(values[rank - 1], expected->quantiles[i]);
    }
}

static void check_play(const struct trace *trace, const struct profile *profile)
{
    struct trace_cursor *cursor =
        trace_cursor_create(trace, TRACE_RESAMPLE_NONE, INT64_MAX, 1, 1);
    uint32_t *input = calloc((size_t)profile->rows + 1, sizeof *input);
    uint32_t *output = calloc((size_t)profile->rows + 1, sizeof *output);
    struct trace_row row, last = {0};
    int64_t largest_gap_ns = 0;
    uint64_t count = 0;

    for (; trace_cursor_next(cursor, &row); last = row) {
        if (count == 0)
            CHECK_INT(row.at_ns, 0);
        if (row.at_ns - last.at_ns > largest_gap_ns)
            largest_gap_ns = row.at_ns - last.at_ns;
        if (count < profile->rows) {
            input[count] = row.input_tokens;
            output[count] = row.output_tokens;
        }
        count++;
    }
    CHECK(!trace_cursor_failed(cursor));
    CHECK_UINT(count, profile->rows);
    CHECK_INT(last.at_ns, profile->duration_ns);
    CHECK_INT(largest_gap_ns, profile->largest_gap_ns);
    check_sizes(input, profile->rows, &profile->input);
    check_sizes(output, profile->rows, &profile->output);
    free(input);
    free(output);
    trace_cursor_destroy(cursor);
}

static void check_profile(const struct profile *profile)
{
    char path[400];

    for (int streamed = 0; streamed < 2; streamed++) {
        struct trace_spec spec;
        struct trace *trace;

        if (!find_data(profile->name, path, sizeof path))
            return;
        spec = plain_spec(path);
        spec.memory_bytes = streamed ? 0 : GIB;
        trace = open_sound(&spec);
        if (!trace)
            return;

        const struct trace_books *books = trace_books(trace);

        CHECK_UINT(books->rows_read, profile->rows);
        CHECK_UINT(books->rows_kept, profile->rows);
        CHECK_NEAR(books->rate_per_s, profile->rate_per_s, 5e-10);
        CHECK_NEAR(books->mean_input_tokens, profile->mean_input, 5e-7);
        CHECK_NEAR(books->mean_output_tokens, profile->mean_output, 5e-7);
        CHECK_INT(books->span_ns,
                  profile->duration_ns + llround((double)profile->duration_ns /
                                                 (double)(profile->rows - 1)));
        CHECK(!books->has_keys);
        check_play(trace, profile);
        trace_close(trace);
    }
}

static void conversation_is_as_profiled(void)
{
    check_profile(&conversation);
}

static void code_is_as_profiled(void)
{
    check_profile(&code);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"conversation is as profiled", conversation_is_as_profiled},
        {"code is as profiled", code_is_as_profiled},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace_azure", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
