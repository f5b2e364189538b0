/* What struck, how long nodes were in service, and after what time it was seen:
   where there is more than crashes by the clock, which errors tell of. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

#include <math.h>

static const struct {
    enum measure_id id;
    const char *what;
} kinds[] = {
    {M_STRIKES_CRASH, "crashes"},
    {M_STRIKES_HOST_DOWN, "machines down"},
    {M_STRIKES_SLOW, "nodes slow"},
    {M_STRIKES_HANG, "nodes hung"},
    {M_STRIKES_BLACK_HOLE, "black holes"},
    {M_STRIKES_FAIL_FAST, "nodes failing fast"},
    {M_STRIKES_MEMORY_LEAK, "memory leaks"},
    {M_STRIKES_OUT_OF_MEMORY, "nodes out of memory"},
    {M_STRIKES_FLAPPING, "nodes flapping"},
    {M_STRIKES_PARTITION, "nodes cut off"},
    {M_STRIKES_PROBE_LOSS, "nodes with checks lost"},
    {M_STRIKES_REPORT_LOSS, "nodes with reports lost"},
    {M_STRIKES_REPORT_DELAY, "nodes with reports late"},
    {M_STRIKES_TIER_OUTAGE, "outages of the tier"},
};

static void add_strikes(struct line *line, const struct measure_fold *of)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (of[kinds[i].id].mean > 0) {
            char text[NUMBER_SIZE];

            number_short(text, of[kinds[i].id].mean);
            line_add(line, "%s%s %s",
                     line->length > 0 ? ", " : "faults: ", text, kinds[i].what);
        }
}

/* What a balancer came to hold unhealthy while it ailed; whatever was over
   before is no part of the mean. */
static void add_seen(struct line *line, const struct policy_result *policy)
{
    const struct measure_fold *of = policy->fold.measures;
    char text[NUMBER_SIZE];

    if (isnan(of[M_DETECTION].mean)) {
        line_add(line, "; %s: seen by no balancer", policy->label);
        return;
    }
    number_short(text, of[M_DETECTION].mean);
    line_add(line, "; %s: seen after %s s, where it was seen", policy->label,
             text);
}

void note_faults(const struct report_input *input, struct notes *notes)
{
    const struct experiment_result *result = input->result;
    struct line line = {0};
    char text[NUMBER_SIZE];

    if (result->policy_count == 0 ||
        isnan(result->policies[0].fold.measures[M_AVAILABILITY].mean))
        return;
    add_strikes(&line, result->policies[0].fold.measures);
    if (line.length == 0)
        return;
    line_add(&line, " a replication; nodes in service %s of the time",
             number_percent(
                 text, result->policies[0].fold.measures[M_AVAILABILITY].mean));
    for (uint32_t i = 0; i < result->policy_count; i++)
        add_seen(&line, &result->policies[i]);
    notes_add(notes, &line);
}
