/* What balancers concluded from traffic, where they concluded anything. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

/* A number of the measure, if there were any: "2.00 trials". */
static void add(struct line *line, const struct measure_fold *of,
                enum measure_id measure, const char *before, const char *after)
{
    if (of[measure].mean > 0) {
        char text[NUMBER_SIZE];

        line_add(line, "%s%s%s", before, number_short(text, of[measure].mean),
                 after);
    }
}

static void add_causes(struct line *line, const struct measure_fold *of)
{
    static const struct {
        enum measure_id measure;
        const char *after;
    } causes[] = {
        {M_OUTLIER_5XX, " for failures in a row"},
        {M_OUTLIER_GATEWAY, " for gateway failures in a row"},
        {M_OUTLIER_LOCAL, " for failed connections in a row"},
        {M_OUTLIER_SUCCESS_RATE, " for their success rate"},
        {M_OUTLIER_FAILURES, " for their share of failures"},
        {M_OUTLIER_LATENCY, " for their latency"},
    };
    const char *before = ": ";

    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        add(line, of, causes[i].measure, before, causes[i].after);
        if (of[causes[i].measure].mean > 0)
            before = ", ";
    }
}

static void add_all(struct line *line, const struct measure_fold *of)
{
    add(line, of, M_MAX_FAILS_EJECTIONS, "; max_fails left nodes out ",
        " times");
    add(line, of, M_MAX_FAILS_TRIALS, ", ", " trials");
    add(line, of, M_OBSERVE_ACTIONS, "; observe acted ", " times");
    add(line, of, M_OUTLIER_EJECTIONS, "; outliers ejected ", "");
    add_causes(line, of);
    add(line, of, M_OUTLIER_OVER_CAP, "; ",
        " times an outlier stayed for max_ejection_percent");
    if (of[M_OUTLIER_EJECTIONS].mean == 0)
        add(line, of, M_OUTLIER_NOT_ENFORCED, "; ",
            " times an outlier stayed as enforcing had it");
    add(line, of, M_EJECTION_FLAPS, "; ",
        " ejections came within a minute of a return");
    add(line, of, M_BREAKER_OPENS, "; breakers opened ", " times");
    add(line, of, M_BREAKER_FALSE_OPENS, ", ",
        " of them on nodes that were well");
    add(line, of, M_BREAKER_TRIALS, ", ", " trials");
    if (of[M_EJECTED].mean > 0) {
        char text[NUMBER_SIZE];

        line_add(line, "; nodes were out for %s of the window",
                 number_percent(text, of[M_EJECTED].mean));
    }
}

void note_passive(const struct report_input *input, struct notes *notes)
{
    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        const struct policy_result *policy = &input->result->policies[i];
        struct line what = {0};
        struct line line = {0};

        add_all(&what, policy->fold.measures);
        if (what.length == 0)
            continue;
        line_add(&line, "ejections: %s, per replication: %s", policy->label,
                 what.text + 2);
        notes_add(notes, &line);
    }
}
