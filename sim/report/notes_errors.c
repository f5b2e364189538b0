/* What requests met instead of an answer. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"
#include "sim/scenario/describe.h"

static void add_error(struct line *line, const struct policy_result *policy,
                      double mean, const char *what)
{
    char text[NUMBER_SIZE];

    if (!(mean > 0))
        return;
    if (line->length == 0)
        line_add(line, "errors: %s, per replication: ", policy->label);
    else
        line_add(line, ", ");
    line_add(line, "%s %s", number_short(text, mean), what);
}

/* Attempts of whose loss no error told: a silent node answers nothing, and
   what else went into dead nodes is counted by its error. */
static double lost_in_silence(const struct policy_fold *fold)
{
    double lost = fold->measures[M_LOST_IN_WINDOW].mean;
    double told = fold->measures[M_ERRORS_REFUSED].mean +
                  fold->measures[M_ERRORS_RESET].mean +
                  fold->measures[M_ERRORS_CONNECT].mean;

    /* Below, the two means differ by no more than their rounding. */
    return lost - told > 1e-9 * lost ? lost - told : 0;
}

static void add_detection(struct line *line, const struct measure_fold *of)
{
    char text[NUMBER_SIZE];

    if (!(of[M_LOST_IN_WINDOW].mean > 0 && of[M_DETECTION].mean >= 0))
        return;
    number_short(text, of[M_DETECTION].mean);
    line_add(line, "; found dead after %s s", text);
}

/* What requests met: a failed one without its cause leaves the reader to
   guess. Attempts, as one request may fail at several nodes. */
void note_errors(const struct report_input *input, struct notes *notes)
{
    static const struct {
        enum measure_id id;
        const char *what;
    } causes[] = {
        {M_ERRORS_REFUSED, "attempts refused by a dead node"},
        {M_ERRORS_RESET, "attempts lost inside a dying node"},
        {M_ERRORS_CONNECT, "attempts that could not connect"},
        {M_ERRORS_FULL, "attempts refused by a full node"},
        {M_MEMORY_SHORT, "attempts that found memory full"},
        {M_ERRORS_5XX, "attempts answered with an error by a failing node"},
        {M_SWALLOWED, "attempts swallowed by a black hole"},
        {M_ERRORS_NO_NODE, "requests without an eligible node"},
        {M_ERRORS_MODEL, "attempts refused by a node without their model"},
        {M_ERRORS_NO_MODEL, "requests for whose model there was no node"},
    };

    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        const struct policy_result *policy = &input->result->policies[i];
        const struct measure_fold *of = policy->fold.measures;
        struct line line = {0};

        for (size_t j = 0; j < sizeof causes / sizeof *causes; j++)
            add_error(&line, policy, of[causes[j].id].mean,
                      causes[j].id == M_ERRORS_RESET &&
                              scenario_nodes_change(input->scenario)
                          ? "attempts lost inside a node that died or left"
                          : causes[j].what);
        add_error(&line, policy, lost_in_silence(&policy->fold),
                  "attempts lost without a word in a dead node");
        add_detection(&line, of);
        if (line.length > 0)
            notes_add(notes, &line);
    }
}
