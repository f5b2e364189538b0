/* Notes on what policies are, and what they were told. */
#include "sim/report/notes_lines.h"

#include <inttypes.h>

void note_shared_objects(const struct report_input *input, struct notes *notes)
{
    const struct scenario *scenario = input->scenario;

    for (uint32_t i = 0; i < scenario->policy_count; i++) {
        const struct policy_spec *policy = &scenario->policies[i];
        struct line line = {0};

        if (!policy->so)
            continue;
        line_add(&line, "shared object: %s is %s, XXH64 %016" PRIx64,
                 policy->label, policy->so, policy->so_hash);
        notes_add(notes, &line);
    }
}

void note_oracles(const struct report_input *input, struct notes *notes)
{
    const struct scenario *scenario = input->scenario;
    struct line line = {0};
    uint32_t count = 0;

    for (uint32_t i = 0; i < scenario->policy_count; i++)
        if (scenario->policies[i].hints == POLICY_HINTS_EXACT)
            line_add(&line, "%s%s", count++ ? ", " : "not of this world: ",
                     scenario->policies[i].label);
    if (count == 0)
        return;
    line_add(&line,
             " %s told output and work of each request before it was answered; "
             "a bound, not a choice",
             count == 1 ? "was" : "were");
    notes_add(notes, &line);
}
