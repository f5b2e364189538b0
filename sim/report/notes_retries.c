/* Time-outs of attempts, retries, hedges and deadlines, where they acted. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

struct part {
    enum measure_id measure;
    const char *after; /* the number */
};

/* Numbers above 0, each with its words, set apart by commas. */
static void add_parts(struct line *line, const struct measure_fold *of,
                      const struct part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double mean = of[parts[i].measure].mean;

        if (mean > 0) {
            char text[NUMBER_SIZE];

            line_add(line, "%s%s %s", line->length > 0 ? ", " : "",
                     number_short(text, mean), parts[i].after);
        }
    }
}

#define ADD_PARTS(line, of, ...)                            \
    add_parts(line, of, (const struct part[]){__VA_ARGS__}, \
              sizeof((const struct part[]){__VA_ARGS__}) /  \
                  sizeof(struct part))

static void say(struct notes *notes, const char *what,
                const struct policy_result *policy, const struct line *parts)
{
    struct line line = {0};

    if (parts->length == 0)
        return;
    line_add(&line, "%s: %s, per replication: %s", what, policy->label,
             parts->text);
    notes_add(notes, &line);
}

static void note_limits(const struct policy_result *policy, struct notes *notes)
{
    const struct measure_fold *of = policy->fold.measures;
    struct line parts = {0};

    ADD_PARTS(
        &parts, of, {M_ERRORS_TTFT, "attempts without a first token in time"},
        {M_ERRORS_INTER_TOKEN,
         "attempts whose next token did not come in time"},
        {M_ERRORS_ATTEMPT, "out of the time of an attempt"},
        {M_ERRORS_QUEUE, "too long in a queue"},
        {M_ERRORS_PATIENCE, "left by impatient clients"},
        {M_EXPIRED_DOOR, "requests not sent for their deadline"},
        {M_EXPIRED_QUEUE, "dropped by nodes, too late for their deadline"},
        {M_DEADLINES_PASSED, "ended at their deadline"});
    say(notes, "out of time", policy, &parts);
}

static void note_tries(const struct policy_result *policy, struct notes *notes)
{
    const struct measure_fold *of = policy->fold.measures;
    char text[NUMBER_SIZE];
    struct line parts = {0};

    if (of[M_AMPLIFICATION].mean > 1)
        line_add(&parts, "%s attempts a request",
                 number_short(text, of[M_AMPLIFICATION].mean));
    ADD_PARTS(&parts, of, {M_BUDGET_REFUSALS, "retries refused by the budget"},
              {M_HEDGES_SENT, "hedges sent"}, {M_HEDGES_WON, "of them faster"},
              {M_HEDGES_NO_BUDGET, "hedges refused by their budget"},
              {M_HEDGES_SATURATED, "hedges refused for the load"});
    if (of[M_HEDGES_WASTED].mean > 0)
        line_add(&parts, "; %s of the time in service was for losers",
                 number_percent(text, of[M_HEDGES_WASTED].mean));
    say(notes, "tries", policy, &parts);
}

void note_retries(const struct report_input *input, struct notes *notes)
{
    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        note_limits(&input->result->policies[i], notes);
        note_tries(&input->result->policies[i], notes);
    }
}
