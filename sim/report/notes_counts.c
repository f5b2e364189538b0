/* Counts: how keys spread, what became of prompts, the books. */
#include "sim/report/names.h"
#include "sim/report/notes_lines.h"
#include "workloads/trace.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* How evenly a hash spreads keys, before traffic adds its own unevenness. */
void note_key_shares(const struct report_input *input, struct notes *notes)
{
    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        const struct policy_result *policy = &input->result->policies[i];
        const struct key_share *share = &policy->key_share;
        struct line line = {0};
        char name[NAMES_NODE_SIZE];

        if (isnan(share->max_over_mean))
            continue;
        line_add(&line,
                 "keys: %s places %.3g times its share by weight on %s, the "
                 "most of any node: asked for %u keys before any traffic%s",
                 policy->label, share->max_over_mean,
                 names_node(input->scenario, share->node, name, sizeof name),
                 share->keys,
                 input->result->replications > 1 ? ", in replication 1" : "");
        notes_add(notes, &line);
    }
}

static void add_prompts(struct line *line, uint64_t count, const char *what)
{
    if (count > 0)
        line_add(line, "; %" PRIu64 " %s", count, what);
}

void note_prompts(const struct report_input *input, struct notes *notes)
{
    const struct trace *trace = input->scenario->workload.trace;
    struct line line = {0};

    if (!trace || !trace_books(trace)->is_normalised)
        return;

    const struct trace_prompts *prompts = &trace_books(trace)->prompts;
    line_add(&line,
             "prompts: %" PRIu64 " of %" PRIu64 " changed by normalising; "
             "%" PRIu64 " raw keys became %" PRIu64,
             prompts->changed, prompts->prompts, prompts->raw_keys,
             prompts->keys);
    add_prompts(&line, prompts->translated, "were translated");
    add_prompts(&line, prompts->untranslated,
                "not in Latin script had no translation and go by their own "
                "words");
    add_prompts(&line, prompts->invalid, "held bytes that are no UTF-8");
    add_prompts(&line, prompts->unsettled,
                "did not settle: the tables do not "
                "come to an end on them");
    notes_add(notes, &line);
}

/* All terms: a reader should see that nothing was lost. */
static void books_text(const struct books *books, struct line *line)
{
    line_add(line, "%" PRIu64 " arrived %s %" PRIu64 " completed",
             books->arrived, books_balance(books) ? "=" : "IS NOT",
             books->completed);
    line_add(line,
             " + %" PRIu64 " degraded + %" PRIu64 " refused + %" PRIu64
             " failed",
             books->degraded, books->refused, books->failed);
    line_add(line, " + %" PRIu64 " timed out + %" PRIu64 " unfinished",
             books->timed_out, books->unfinished);
}

/* Policies with the same books share a line. */
void note_books(const struct report_input *input, struct notes *notes)
{
    const struct experiment_result *result = input->result;

    for (uint32_t i = 0; i < result->policy_count; i++) {
        const struct books *books = &result->policies[i].fold.books;
        struct line line = {0};
        bool told = false;

        for (uint32_t j = 0; j < i && !told; j++)
            told = memcmp(books, &result->policies[j].fold.books,
                          sizeof *books) == 0;
        if (told)
            continue;
        line_add(&line, "books: ");
        books_text(books, &line);
        line_add(&line, ":");
        for (uint32_t j = i; j < result->policy_count; j++)
            if (memcmp(books, &result->policies[j].fold.books, sizeof *books) ==
                0)
                line_add(&line, "%s %s", j > i ? "," : "",
                         result->policies[j].label);
        notes_add(notes, &line);
    }
}
