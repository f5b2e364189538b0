/* What struck, how long nodes were in service, and after what time it was
   seen. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

#include <math.h>
#include <string.h>

static const struct {
    enum measure_id id;
    const char *one, *many;
} kinds[] = {
    {M_STRIKES_CRASH, "crash", "crashes"},
    {M_STRIKES_HOST_DOWN, "machine down", "machines down"},
    {M_STRIKES_SLOW, "node slow", "nodes slow"},
    {M_STRIKES_HANG, "node hung", "nodes hung"},
    {M_STRIKES_BLACK_HOLE, "black hole", "black holes"},
    {M_STRIKES_FAIL_FAST, "node failing fast", "nodes failing fast"},
    {M_STRIKES_MEMORY_LEAK, "memory leak", "memory leaks"},
    {M_STRIKES_OUT_OF_MEMORY, "node out of memory", "nodes out of memory"},
    {M_STRIKES_FLAPPING, "node flapping", "nodes flapping"},
    {M_STRIKES_PARTITION, "node cut off", "nodes cut off"},
    {M_STRIKES_PROBE_LOSS, "node with checks lost", "nodes with checks lost"},
    {M_STRIKES_REPORT_LOSS, "node with reports lost",
     "nodes with reports lost"},
    {M_STRIKES_REPORT_DELAY, "node with reports late",
     "nodes with reports late"},
    {M_STRIKES_TIER_OUTAGE, "outage of the tier", "outages of the tier"},
};

static void add_strikes(struct line *line, const struct measure_fold *of)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (of[kinds[i].id].mean > 0) {
            double mean = of[kinds[i].id].mean;
            char text[NUMBER_SIZE];

            number_short(text, mean);
            line_add(line, "%s%s %s",
                     line->length > 0 ? ", " : "faults: ", text,
                     mean == 1 ? kinds[i].one : kinds[i].many);
        }
}

/* After how long a balancer came to hold unhealthy what ailed; whatever was
   over before is no part of the mean. */
static void write_seen(char text[NUMBER_SIZE],
                       const struct policy_result *policy)
{
    double seen_s = policy->fold.measures[M_DETECTION].mean;

    text[0] = '\0';
    if (!isnan(seen_s))
        number_short(text, seen_s);
}

/* label NULL: it holds for all policies. */
static void add_seen(struct line *line, const char *label, const char *seen)
{
    line_add(line, "; ");
    if (label)
        line_add(line, "%s: ", label);
    if (seen[0])
        line_add(line, "seen after %s s, where it was seen", seen);
    else
        line_add(line, "seen by no balancer");
}

static void add_all_seen(struct line *line,
                         const struct experiment_result *result)
{
    char first[NUMBER_SIZE], seen[NUMBER_SIZE];
    uint32_t alike = 0;

    write_seen(first, &result->policies[0]);
    for (uint32_t i = 0; i < result->policy_count; i++) {
        write_seen(seen, &result->policies[i]);
        alike += strcmp(seen, first) == 0;
    }
    if (alike == result->policy_count) {
        add_seen(line, NULL, first);
        return;
    }
    for (uint32_t i = 0; i < result->policy_count; i++) {
        write_seen(seen, &result->policies[i]);
        add_seen(line, result->policies[i].label, seen);
    }
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
    add_all_seen(&line, result);
    notes_add(notes, &line);
}
