/*
 * Any bytes as the files of a result folder, of which charts are made. A line
 * "=== NAME" begins the file of that name; what stands before the first one is
 * of no file.
 *
 * Whatever they hold, every chart has data or a reason why it has none, and
 * what gnuplot is given is finite numbers and quoted names. gnuplot itself is
 * not started: it would be tested, not we.
 */
#include "sim/report/charts_data.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/target.h"

#include <string.h>
#include <unistd.h>

static const char *const names[] = {"summary.json", "policies.csv", "nodes.csv",
                                    "series.csv", "latency.csv"};
enum { NAME_COUNT = sizeof names / sizeof names[0] };

static void remove_files(void)
{
    char path[256];

    for (int i = 0; i < NAME_COUNT; i++) {
        snprintf(path, sizeof path, "%s/%s", scratch_folder(), names[i]);
        unlink(path);
    }
}

/* The text behind "=== NAME\n" at text, and the name; NULL: no such line. */
static const char *begins_file(const char *text, const char **ret_name)
{
    if (strncmp(text, "=== ", 4) != 0)
        return NULL;
    for (int i = 0; i < NAME_COUNT; i++) {
        size_t length = strlen(names[i]);

        if (strncmp(text + 4, names[i], length) == 0 &&
            text[4 + length] == '\n') {
            *ret_name = names[i];
            return text + 5 + length;
        }
    }
    return NULL;
}

static void write_files(const char *text, const char *end)
{
    const char *name = NULL, *begin = text;

    while (text < end) {
        const char *next_name = NULL;
        const char *body = begins_file(text, &next_name);
        const char *line_end = memchr(text, '\n', (size_t)(end - text));

        if (body) {
            if (name)
                scratch_write(name, begin, (size_t)(text - begin));
            name = next_name;
            begin = body;
            text = body;
        } else {
            text = line_end ? line_end + 1 : end;
        }
    }
    if (name && begin <= end)
        scratch_write(name, begin, (size_t)(end - begin));
}

typedef void prepare_chart(const struct chart_input *, struct chart *);

static void prepare(const struct chart_input *input, prepare_chart *prepare_it)
{
    char *text = NULL;
    size_t size = 0;
    struct chart chart = {.data = open_memstream(&text, &size)};

    FUZZ_MUST(chart.data);
    prepare_it(input, &chart);
    FUZZ_MUST(fclose(chart.data) == 0);
    FUZZ_MUST(*chart.skip || size > 0);
    FUZZ_MUST(chart.arg_count <= CHART_ARGS_MAX);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static prepare_chart *const charts[] = {chart_latency_cdf, chart_policies,
                                            chart_nodes, chart_heatmap,
                                            chart_timeline};
    struct chart_input input;
    char *text = malloc(size + 1);

    FUZZ_MUST(text);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    remove_files();
    write_files(text, text + size);
    FUZZ_MUST(chart_input_load(&input, scratch_folder()));
    for (size_t i = 0; i < sizeof charts / sizeof charts[0]; i++)
        prepare(&input, charts[i]);
    chart_input_done(&input);
    free(text);
    return 0;
}
