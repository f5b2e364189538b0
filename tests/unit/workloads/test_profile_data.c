/*
 * Profiles of published traces against the figures of an independent program,
 * tests/data/traces/published_figures.txt: every one of them.
 *
 * The data is no part of the project: it is looked for in $LBSIM_DATA, then in
 * ../shared/data, and without it the test says loudly that it was skipped.
 */
#include "tests/check.h"
#include "workloads/profile.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#define FIGURES "tests/data/traces/published_figures.txt"
#define SKIPPED 77
#define MOST_EXPECTED 200

struct expected {
    char name[40];
    double value, tolerance;
};

/* The figures of one file. */
struct page {
    char file[200];
    struct expected expected[MOST_EXPECTED];
    size_t count;
    uint64_t capacities[64], bytes[64];
    size_t capacity_count, byte_count;
};

static const char *data_folder(void)
{
    const char *folder = getenv("LBSIM_DATA");

    if (folder && *folder)
        return folder;
    return access("../shared/data", R_OK) == 0 ? "../shared/data" : NULL;
}

static double count_of(uint64_t count)
{
    return (double)count;
}

static bool figure_of(const struct figures *figures, const char *name,
                      double *ret)
{
    static const char *const quantiles[] = {"p50", "p90", "p95", "p99", "p999"};

    for (int i = 0; i < FIGURES_QUANTILES; i++) {
        if (strcmp(name, quantiles[i]) == 0)
            *ret = count_of(figures->nearest_rank[i]);
        else if (strncmp(name, "linear_", 7) == 0 &&
                 strcmp(name + 7, quantiles[i]) == 0)
            *ret = figures->linear[i];
        else
            continue;
        return true;
    }
    if (strcmp(name, "sum") == 0)
        *ret = count_of(figures->sum);
    else if (strcmp(name, "mean") == 0)
        *ret = figures->mean;
    else if (strcmp(name, "std") == 0)
        *ret = figures->deviation;
    else if (strcmp(name, "min") == 0)
        *ret = count_of(figures->min);
    else if (strcmp(name, "max") == 0)
        *ret = count_of(figures->max);
    else
        return false;
    return true;
}

static bool bin_figure(const struct profile *profile, const char *name,
                       double *ret)
{
    const char *width = strrchr(name, '_');
    const struct profile_bins *bins;

    if (!width)
        return false;
    bins = &profile->arrivals.bins[strcmp(width, "_60") == 0];
    if (strncmp(name, "dispersion", 10) == 0)
        *ret = bins->dispersion;
    else if (strncmp(name, "bins_", 5) == 0)
        *ret = count_of(bins->count);
    else if (strncmp(name, "bin_mean", 8) == 0)
        *ret = bins->mean;
    else if (strncmp(name, "bin_most", 8) == 0)
        *ret = count_of(bins->most);
    else if (strncmp(name, "bin_empty", 9) == 0)
        *ret = count_of(bins->empty);
    else
        return false;
    return true;
}

/* "lru_a:100", "bytes_hits:100", "bytes_hit:100"; 0 is the endless cache. */
static bool cache_figure(const struct profile *profile, const char *name,
                         double *ret)
{
    const char *colon = strchr(name, ':');
    uint64_t capacity = colon ? strtoull(colon + 1, NULL, 10) : 0;

    for (size_t i = 0; colon && i < profile->byte_lru_count; i++) {
        const struct profile_byte_lru *lru = &profile->byte_lru[i];

        if (lru->capacity != capacity || strncmp(name, "bytes", 5) != 0)
            continue;
        *ret = count_of(name[9] == 's' ? lru->hits : lru->hit_bytes);
        return true;
    }
    for (size_t i = 0; colon && i < profile->lru_count; i++) {
        const struct profile_lru *lru = &profile->lru[i];

        if (lru->capacity != (capacity ? capacity : UINT64_MAX) ||
            strncmp(name, "lru_", 4) != 0)
            continue;
        *ret = count_of(lru->hits[name[4] - 'a']);
        return true;
    }
    return false;
}

/* Counts and ratios that stand in a field of their own. */
static const struct place {
    const char *name;
    size_t offset;
    enum { COUNT, TIME, REAL } kind;
} places[] = {
#define AT(name, field, kind)                       \
    {                                               \
        name, offsetof(struct profile, field), kind \
    }
    AT("rows", rows, COUNT),
    AT("identical", identical, COUNT),
    AT("bytes", bytes, COUNT),
    AT("clients", access.clients, COUNT),
    AT("access_bytes", access.bytes, COUNT),
    AT("largest_bytes", access.largest, COUNT),
    AT("resized", resized, COUNT),
    AT("span_ns", arrivals.span_ns, TIME),
    AT("largest_gap_ns", arrivals.largest_gap_ns, TIME),
    AT("median_gap_ns", arrivals.median_gap_ns, TIME),
    AT("rate_per_s", arrivals.rate_per_s, REAL),
    AT("distinct_times", arrivals.distinct_times, COUNT),
    AT("backward_rows", arrivals.backward_rows, COUNT),
    AT("zero_gaps", arrivals.zero_gaps, COUNT),
    AT("most_at_once", arrivals.most_at_once, COUNT),
    AT("gap_cv", arrivals.gap_cv, REAL),
    AT("gap_autocorrelation", arrivals.gap_autocorrelation, REAL),
    AT("zero_input", tokens.zero_input, COUNT),
    AT("zero_output", tokens.zero_output, COUNT),
    AT("distinct_pairs", tokens.distinct_pairs, COUNT),
    AT("pearson", tokens.pearson, REAL),
    AT("spearman", tokens.spearman, REAL),
    AT("expected_counts", blocks.expected_counts, COUNT),
    AT("smallest", blocks.smallest, COUNT),
    AT("largest", blocks.largest, COUNT),
    AT("longest", blocks.longest, COUNT),
    AT("repeats", blocks.repeats, COUNT),
    AT("torn", blocks.torn, COUNT),
    AT("known", blocks.known, COUNT),
    AT("leading", blocks.leading, COUNT),
    AT("leading_tokens", blocks.leading_tokens, COUNT),
    AT("whole", blocks.whole, COUNT),
    AT("leading_whole", blocks.leading_whole, COUNT),
    AT("mean_leading_ratio", blocks.mean_leading_ratio, REAL),
    AT("all_known", blocks.all_known, COUNT),
    AT("same_list", blocks.same_list, COUNT),
    AT("one_leading", blocks.one_leading, COUNT),
    AT("two_leading", blocks.two_leading, COUNT),
    AT("references", keys.references, COUNT),
    AT("distinct", keys.distinct, COUNT),
    AT("once", keys.once, COUNT),
    AT("most", keys.most, COUNT),
    AT("zipf_all", keys.zipf.least_squares, REAL),
    AT("zipf_1000", keys.zipf.least_squares_1000, REAL),
    AT("zipf_likelihood", keys.zipf.maximum_likelihood, REAL),
#undef AT
};

static bool plain_figure(const struct profile *profile, const char *name,
                         double *ret)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *at = (const char *)profile + places[i].offset;
        uint64_t count;
        int64_t ns;

        if (strcmp(places[i].name, name) != 0)
            continue;
        if (places[i].kind == COUNT) {
            memcpy(&count, at, sizeof count);
            *ret = count_of(count);
        } else if (places[i].kind == TIME) {
            memcpy(&ns, at, sizeof ns);
            *ret = (double)ns;
        } else {
            memcpy(ret, at, sizeof *ret);
        }
        return true;
    }
    return false;
}

static bool find_figure(const struct profile *profile, const char *name,
                        double *ret)
{
    const struct profile_tokens *tokens = &profile->tokens;

    if (strcmp(name, "in_order") == 0) {
        *ret = profile->blocks.in_order;
        return true;
    }
    if (strncmp(name, "status_", 7) == 0) {
        *ret = count_of(profile->access.statuses[atoi(name + 7)]);
        return true;
    }
    if (strncmp(name, "input_", 6) == 0)
        return figure_of(&tokens->input, name + 6, ret);
    if (strncmp(name, "output_", 7) == 0)
        return figure_of(&tokens->output, name + 7, ret);
    if (strncmp(name, "total_", 6) == 0)
        return figure_of(&tokens->total, name + 6, ret);
    return plain_figure(profile, name, ret) ||
           cache_figure(profile, name, ret) || bin_figure(profile, name, ret);
}

static void check_page(const struct page *page)
{
    char path[600];
    struct profile_spec spec = {.path = path,
                                .capacities = page->capacities,
                                .capacity_count = page->capacity_count,
                                .byte_capacities = page->bytes,
                                .byte_capacity_count = page->byte_count,
                                .memory_bytes = (uint64_t)1 << 30};
    struct profile profile;
    struct diag diag = {0};

    snprintf(path, sizeof path, "%s/%s", data_folder(), page->file);
    CHECK(profile_make(&spec, &profile, &diag));
    CHECK_TEXT(diag.text ? diag.text : "", "");
    for (size_t i = 0; diag.errors == 0 && i < page->count; i++) {
        const struct expected *expected = &page->expected[i];
        char what[120];
        double value = NAN;

        snprintf(what, sizeof what, "%.70s: %.40s", page->file, expected->name);
        CHECK(find_figure(&profile, expected->name, &value));
        check_near(what, value, expected->value, expected->tolerance, __LINE__,
                   __FILE__, __func__);
    }
    profile_done(&profile);
    diag_done(&diag);
}

static void take_figure(struct page *page, const char *line)
{
    struct expected *expected = &page->expected[page->count++];
    const char *colon;
    uint64_t capacity;

    CHECK(page->count < MOST_EXPECTED &&
          sscanf(line, "%39s %lf %lf", expected->name, &expected->value,
                 &expected->tolerance) == 3);
    colon = strchr(expected->name, ':');
    capacity = colon ? strtoull(colon + 1, NULL, 10) : 0;
    if (capacity > 0 && strncmp(expected->name, "lru_a", 5) == 0)
        page->capacities[page->capacity_count++] = capacity;
    if (capacity > 0 && strncmp(expected->name, "bytes_hits", 10) == 0)
        page->bytes[page->byte_count++] = capacity;
}

static void published_traces_have_their_figures(void)
{
    static struct page page;
    FILE *file = fopen(FIGURES, "r");
    char line[300];
    int pages = 0;

    CHECK(file != NULL);
    page.count = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (strncmp(line, "file ", 5) != 0) {
            take_figure(&page, line);
            continue;
        }
        if (page.count > 0)
            check_page(&page);
        page = (struct page){0};
        sscanf(line, "file %199s", page.file);
        pages++;
    }
    if (page.count > 0)
        check_page(&page);
    CHECK_INT(pages, 13);
    if (file)
        fclose(file);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"published traces have their figures",
         published_traces_have_their_figures},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("profile_data", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    if (!data_folder()) {
        printf("SKIPPED: no published traces in $LBSIM_DATA or beside the "
               "project\n");
        return SKIPPED;
    }
    return check_main(argc, argv, suites);
}
