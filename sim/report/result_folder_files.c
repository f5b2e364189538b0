/* The files of a result folder. */
#include "sim/report/result_folder.h"

#include "sim/report/csv.h"
#include "sim/report/json.h"

struct contents {
    const struct report_input *input;
    const char *effective;
};

static bool write_summary(const struct contents *contents, FILE *out)
{
    return json_write_result(contents->input, out);
}

static bool write_speed(const struct contents *contents, FILE *out)
{
    return json_write_speed(contents->input, out);
}

static bool write_policies(const struct contents *contents, FILE *out)
{
    csv_write_policies(contents->input, out);
    return true;
}

static bool write_values(const struct contents *contents, FILE *out)
{
    csv_write_values(contents->input, out);
    return true;
}

static bool write_nodes(const struct contents *contents, FILE *out)
{
    csv_write_nodes(contents->input, out);
    return true;
}

static bool write_groups(const struct contents *contents, FILE *out)
{
    csv_write_groups(contents->input, out);
    return true;
}

static bool write_series(const struct contents *contents, FILE *out)
{
    csv_write_series(contents->input, out);
    return true;
}

static bool write_latency(const struct contents *contents, FILE *out)
{
    csv_write_latency(contents->input, out);
    return true;
}

static bool write_classes(const struct contents *contents, FILE *out)
{
    csv_write_classes(contents->input, out);
    return true;
}

static bool write_class_series(const struct contents *contents, FILE *out)
{
    csv_write_class_series(contents->input, out);
    return true;
}

static bool has_classes(const struct scenario *scenario)
{
    return scenario->workload.class_count > 0;
}

static bool write_sources(const struct contents *contents, FILE *out)
{
    csv_write_sources(contents->input, out);
    return true;
}

static bool has_overlays(const struct scenario *scenario)
{
    return scenario->workload.overlay_count > 0;
}

static bool write_cards(const struct contents *contents, FILE *out)
{
    csv_write_cards(contents->input, out);
    return true;
}

static bool has_cards(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].cards > 1)
            return true;
    return false;
}

static bool write_faults(const struct contents *contents, FILE *out)
{
    csv_write_faults(contents->input, out);
    return true;
}

static bool has_faults(const struct scenario *scenario)
{
    return scenario->fault_count > 0;
}

static bool write_scenario(const struct contents *contents, FILE *out)
{
    fputs(contents->effective, out);
    return true;
}

static const struct {
    const char *name;
    bool (*write)(const struct contents *contents, FILE *out); /* false: no
                                                                  memory */
    bool (*is_wanted)(const struct scenario *scenario); /* NULL: always */
} files[] = {
    {"policies.csv", write_policies, NULL},
    {"values.csv", write_values, NULL},
    {"nodes.csv", write_nodes, NULL},
    {"groups.csv", write_groups, NULL},
    {"cards.csv", write_cards, has_cards},
    {"classes.csv", write_classes, has_classes},
    {"class_series.csv", write_class_series, has_classes},
    {"sources.csv", write_sources, has_overlays},
    {"faults.csv", write_faults, has_faults},
    {"series.csv", write_series, NULL},
    {"latency.csv", write_latency, NULL},
    {"scenario.yaml", write_scenario, NULL},
    {"speed.json", write_speed, NULL},
    {"summary.json", write_summary, NULL},
};

/* One row of files, for its place in the folder. */
struct one_file {
    const struct contents *contents;
    size_t index;
};

static bool write_one(const void *context, FILE *out)
{
    const struct one_file *file = context;

    return files[file->index].write(file->contents, out);
}

bool result_folder_write(struct result_folder *folder,
                         const struct report_input *input,
                         const char *effective, char *reterr, size_t size)
{
    struct contents contents = {input, effective};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct one_file file = {&contents, i};

        if ((!files[i].is_wanted || files[i].is_wanted(input->scenario)) &&
            !result_folder_add(folder, files[i].name, write_one, &file, reterr,
                               size))
            return false;
    }
    return true;
}
