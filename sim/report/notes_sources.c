/* Where requests came from: closed loops, and traffic laid over other. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

#include "workloads/trace.h"

#include <inttypes.h>
#include <math.h>

/* What so many clients would ask if answers took no time; INFINITY: as often
   as they like. */
static double most_per_s(const struct arrivals_spec *spec)
{
    double think_s = dist_effective_mean(&spec->think);

    return think_s > 0 ? spec->clients / think_s : (double)INFINITY;
}

/* Source 0 is the main workload. Of several, each is counted from where its
   time begins; one alone goes by the measure. */
static double offered_per_s(const struct report_input *input,
                            const struct policy_result *policy, uint32_t source)
{
    const struct scenario *scenario = input->scenario;
    const struct workload_spec *workload = &scenario->workload;
    int64_t length_ns = scenario->duration_ns;

    if (workload->overlay_count == 0)
        return policy->fold.measures[M_OFFERED].mean;
    if (source > 0)
        length_ns = workload_overlay_length_ns(&workload->overlays[source - 1],
                                               length_ns);
    return (double)policy->fold.source_requests[source] /
           (1e-9 * (double)length_ns * policy->fold.replications);
}

/* A slow moment of a closed loop delays a few requests and prevents many, so
   its percentiles are those of the quiet times. */
static void note_clients(const struct report_input *input, uint32_t source,
                         const struct workload_spec *part, struct notes *notes)
{
    const struct workload_spec *workload = &input->scenario->workload;
    const struct arrivals_spec *spec = &part->arrivals;
    char text[NUMBER_SIZE];
    struct line line = {0};

    line_add(&line, "closed loop");
    if (workload->overlay_count > 0)
        line_add(&line, " of %s",
                 source > 0 ? workload->overlays[source - 1].name
                            : "the main workload");
    line_add(&line,
             ": the arrival rate was not held, %u client%s waited for answers; "
             "offered",
             spec->clients, spec->clients == 1 ? "" : "s");
    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        const struct policy_result *policy = &input->result->policies[i];

        line_add(&line, "%s %s %s/s", i > 0 ? "," : "", policy->label,
                 number_short(text, offered_per_s(input, policy, source)));
    }
    if (isfinite(most_per_s(spec)))
        line_add(&line, ", of %s/s if answers took no time",
                 number_short(text, most_per_s(spec)));
    line_add(&line, "; a stalled client asks nothing, so stalls hardly show in "
                    "percentiles");
    notes_add(notes, &line);
}

static bool is_closed(const struct workload_spec *part)
{
    return !part->trace && part->arrivals.process == ARRIVALS_CLOSED;
}

void note_closed_loop(const struct report_input *input, struct notes *notes)
{
    const struct workload_spec *workload = &input->scenario->workload;

    if (input->result->replications == 0)
        return;
    if (is_closed(workload))
        note_clients(input, 0, workload, notes);
    for (uint32_t i = 0; i < workload->overlay_count; i++) {
        const struct workload_overlay *overlay = &workload->overlays[i];

        if (is_closed(&overlay->spec) &&
            overlay->at_ns < input->scenario->duration_ns)
            note_clients(input, i + 1, &overlay->spec, notes);
    }
}

/* name: of the overlay; NULL: the main workload. */
static void note_trace(const struct trace *trace, const char *name,
                       struct notes *notes)
{
    struct line line = {0};
    char text[NUMBER_SIZE];
    uint64_t dropped = 0;
    const char *separator = " (";

    if (!trace)
        return;

    const struct trace_books *books = trace_books(trace);
    for (uint32_t i = 0; i < TRACE_DROP_COUNT; i++)
        dropped += books->dropped[i];
    line_add(&line, "trace%s%s", name ? " of " : "", name ? name : "");
    line_add(&line,
             ": %" PRIu64 " rows read = %" PRIu64 " kept + %" PRIu64 " dropped",
             books->rows_read, books->rows_kept, dropped);
    for (uint32_t i = 0; i < TRACE_DROP_COUNT; i++) {
        if (books->dropped[i] == 0)
            continue;
        line_add(&line, "%s%" PRIu64 " %s", separator, books->dropped[i],
                 trace_drop_names[i]);
        separator = ", ";
    }
    if (dropped > 0)
        line_add(&line, ")");
    if (books->rows_moved > 0)
        line_add(&line, "; %" PRIu64 " moved by sorting", books->rows_moved);
    line_add(&line, "; played at %s requests/s",
             number_short(text, books->rate_per_s));
    if (books->rate_scale != 1)
        line_add(&line, ", %s times as fast as recorded",
                 number_exact(text, books->rate_scale));
    notes_add(notes, &line);
}

static bool any_closed(const struct workload_spec *workload)
{
    bool any = is_closed(workload);

    for (uint32_t i = 0; i < workload->overlay_count; i++)
        any = any || is_closed(&workload->overlays[i].spec);
    return any;
}

/* A closed loop may bring other numbers under another policy: those of the
   first are told. */
void note_sources(const struct report_input *input, struct notes *notes)
{
    const struct workload_spec *workload = &input->scenario->workload;
    const struct policy_result *first;
    const uint64_t *requests;
    struct line line = {0};

    if (workload->overlay_count == 0 || input->result->policy_count == 0 ||
        input->result->replications == 0)
        return;
    first = &input->result->policies[0];
    requests = first->fold.source_requests;
    line_add(&line, "sources: %" PRIu64 " arrived of the main workload",
             requests[0]);
    for (uint32_t i = 0; i < workload->overlay_count; i++)
        line_add(&line, " + %" PRIu64 " of %s", requests[i + 1],
                 workload->overlays[i].name);
    if (any_closed(workload))
        line_add(&line, ", under %s", first->label);
    notes_add(notes, &line);
}

/* A trace of lengths alone says nothing of repeated prompts: what was assumed
   must stand beside what came of it. */
static void note_assumed_keys(const struct workload_spec *part,
                              const char *name, struct notes *notes)
{
    const struct keys_spec *keys = &part->keys.spec;
    struct line line = {0};

    if (!part->trace || keys->kind == KEYS_NONE)
        return;
    line_add(&line,
             "keys: assumed, not those of the trace%s%s: ", name ? " of " : "",
             name ? name : "");
    if (keys->kind == KEYS_ZIPF) {
        char text[NUMBER_SIZE];

        line_add(&line,
                 "%s of requests ask one of %" PRIu64
                 " prompts by Zipf's law with exponent %.9g",
                 number_percent(text, keys->repeat_share), keys->distinct,
                 keys->exponent);
    } else {
        line_add(&line, "no prompt comes twice");
    }
    notes_add(notes, &line);
}

void note_traces(const struct report_input *input, struct notes *notes)
{
    const struct workload_spec *workload = &input->scenario->workload;

    note_trace(workload->trace, NULL, notes);
    note_assumed_keys(workload, NULL, notes);
    for (uint32_t i = 0; i < workload->overlay_count; i++) {
        const struct workload_overlay *overlay = &workload->overlays[i];

        note_trace(overlay->spec.trace, overlay->name, notes);
        note_assumed_keys(&overlay->spec, overlay->name, notes);
    }
}
