/* What the front door did: who was turned away, who waited, who fared how. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

#include <math.h>

/* In words, in the order in which a request is asked. */
static const struct {
    enum measure_id id;
    const char *why;
} refusals[] = {
    {M_REFUSED_FAIL_FAST, "no node had been ready for long"},
    {M_REFUSED_RATE, "their bucket was empty"},
    {M_REFUSED_SHED, "the pool was too full for their kind"},
    {M_REFUSED_DEADLINE, "it was too late for an answer in time"},
    {M_REFUSED_LIMIT, "the limit in flight was reached"},
    {M_REFUSED_OVERFLOW, "pool_limits were reached"},
    {M_REFUSED_QUEUE, "the queue was full"},
    {M_EXPIRED, "they had waited for too long"},
};
enum { REFUSAL_WORDS = sizeof refusals / sizeof *refusals };

static void note_refusals(const struct policy_result *policy,
                          struct notes *notes)
{
    double arrived = policy->fold.measures[M_ARRIVED].mean;
    struct line line = {0};
    char share[NUMBER_SIZE];
    bool any = false;

    for (int i = 0; i < REFUSAL_WORDS; i++) {
        double count = policy->fold.measures[refusals[i].id].mean;

        if (!(count > 0) || !(arrived > 0))
            continue;
        if (!any)
            line_add(&line, "door: %s turned away", policy->label);
        line_add(&line, "%s %s as %s", any ? "," : "",
                 number_percent(share, count / arrived), refusals[i].why);
        any = true;
    }
    if (any)
        notes_add(notes, &line);
}

static void note_waits(const struct policy_result *policy, struct notes *notes)
{
    const struct measure_fold *of = policy->fold.measures;
    struct line line = {0};
    char count[NUMBER_SIZE], most[NUMBER_SIZE], mean[NUMBER_SIZE];
    char p99[NUMBER_SIZE];

    if (!(of[M_HELD].mean > 0))
        return;
    line_add(&line,
             "door: with %s requests waited %s times, %s s in the mean and %s "
             "s at P99, up to %s at once",
             policy->label, number_short(count, of[M_HELD].mean),
             number_short(mean, of[M_HELD_MEAN].mean),
             number_short(p99, of[M_HELD_P99].mean),
             number_short(most, of[M_DOOR_QUEUE_MOST].mean));
    notes_add(notes, &line);
}

static void note_limit(const struct policy_result *policy, struct notes *notes)
{
    double limit = policy->fold.measures[M_ADMISSION_LIMIT].mean;
    struct line line = {0};
    char text[NUMBER_SIZE];

    if (!(limit > 0))
        return;
    line_add(&line, "door: the limit in flight of %s was %s in the mean",
             policy->label, number_short(text, limit));
    notes_add(notes, &line);
}

/* Only where it is not all the same. */
static void note_tenants(const struct policy_result *policy,
                         struct notes *notes)
{
    double least = policy->fold.measures[M_TENANT_LEAST].mean;
    double median = policy->fold.measures[M_TENANT_MEDIAN].mean;
    double jain = policy->fold.measures[M_TENANT_JAIN].mean;
    struct line line = {0};
    char worst[NUMBER_SIZE], middle[NUMBER_SIZE];

    if (!(least < 1) || isnan(jain))
        return;
    line_add(&line,
             "tenants: %s answered %s of the one that is worst off, %s of the "
             "one in the middle; Jain's index %.3f",
             policy->label, number_percent(worst, least),
             number_percent(middle, median), jain);
    notes_add(notes, &line);
}

void note_admission(const struct report_input *input, struct notes *notes)
{
    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        const struct policy_result *policy = &input->result->policies[i];

        note_refusals(policy, notes);
        note_waits(policy, notes);
        note_limit(policy, notes);
        note_tenants(policy, notes);
    }
}
