/* What balancers believed of nodes: false ejections, panics, weights; what
   agents told them, and how many connections they had a node picked for. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

/* topic: how the line begins. */
static void add_to(struct line *line, const char *topic,
                   const struct policy_result *policy, const char *what,
                   enum measure_id measure)
{
    char text[NUMBER_SIZE];
    double mean = policy->fold.measures[measure].mean;

    if (!(mean > 0))
        return;
    if (line->length == 0)
        line_add(line, "%s: %s, per replication: ", topic, policy->label);
    else
        line_add(line, ", ");
    line_add(line, "%s %s", number_short(text, mean), what);
}

static void add(struct line *line, const struct policy_result *policy,
                const char *what, enum measure_id measure)
{
    add_to(line, "beliefs", policy, what, measure);
}

static void note_policy(const struct policy_result *policy, struct notes *notes)
{
    const struct measure_fold *of = policy->fold.measures;
    struct line line = {0};

    add(&line, policy, "ejections of nodes that were well", M_FALSE_EJECTIONS);
    if (of[M_FALSE_EJECTIONS].mean > 0)
        add(&line, policy, "flaps", M_FLAPS);
    add(&line, policy, "restarts by checks", M_CHECK_RESTARTS);
    add(&line, policy, "panics", M_PANICS);
    if (of[M_PANICS].mean > 0) {
        char text[NUMBER_SIZE];

        line_add(&line, " of %s s in all",
                 number_short(text, of[M_PANIC_TIME].mean));
    }
    add(&line, policy, "slow starts", M_SLOW_STARTS);
    add(&line, policy, "changes of weight", M_WEIGHT_CHANGES);
    if (line.length > 0)
        notes_add(notes, &line);
}

static void note_one(const char *topic, const char *what,
                     enum measure_id measure, const struct report_input *input,
                     struct notes *notes)
{
    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        struct line line = {0};

        add_to(&line, topic, &input->result->policies[i], what, measure);
        if (line.length > 0)
            notes_add(notes, &line);
    }
}

void note_beliefs(const struct report_input *input, struct notes *notes)
{
    for (uint32_t i = 0; i < input->result->policy_count; i++)
        note_policy(&input->result->policies[i], notes);
    note_one("agents", "changes of weight, state or cap", M_AGENT_CHANGES,
             input, notes);
    note_one("connections", "opened", M_CONNECTIONS, input, notes);
}
