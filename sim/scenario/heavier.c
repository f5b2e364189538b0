#include "sim/scenario/heavier.h"

#include "sim/scenario/draft.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { TEXT_SIZE = 200 };

/* Where overrides go; prefix is "workload", or that of an overlay. */
struct scaling {
    double factor;
    char prefix[60];
    bool (*add)(void *context, const char *override);
    void *context;
};

__attribute__((format(printf, 2, 3))) static bool
hand_out(const struct scaling *scaling, const char *format, ...)
{
    char rest[100], text[TEXT_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(rest, sizeof rest, format, arguments);
    va_end(arguments);
    snprintf(text, sizeof text, "%s.%s", scaling->prefix, rest);
    return scaling->add(scaling->context, text);
}

static bool scale_trace(const struct scaling *scaling,
                        const struct trace_spec *trace)
{
    if (!isnan(trace->rate_per_s))
        return hand_out(scaling, "trace.rate=%.12g/s",
                        scaling->factor * trace->rate_per_s);
    return hand_out(scaling, "trace.rate_scale=%.12g",
                    scaling->factor *
                        (isnan(trace->rate_scale) ? 1 : trace->rate_scale));
}

static bool scale_points(const struct scaling *scaling,
                         const struct arrivals_spec *spec)
{
    for (uint32_t i = 0; i < spec->point_count; i++)
        if (!hand_out(scaling, "arrivals.points[%u].rate=%.12g/s", i,
                      scaling->factor * spec->points[i].rate_per_s))
            return false;
    return true;
}

static bool scale_states(const struct scaling *scaling,
                         const struct arrivals_spec *spec)
{
    for (uint32_t i = 0; i < spec->state_count; i++)
        if (!hand_out(scaling, "arrivals.states[%u].rate=%.12g/s", i,
                      scaling->factor * spec->states[i].rate_per_s))
            return false;
    return true;
}

/* A spike by a factor follows the rate; one by its own rate does not. */
static bool scale_spikes(const struct scaling *scaling,
                         const struct arrivals_spec *spec,
                         const struct tree *arrivals)
{
    const struct tree *list = tree_find(arrivals, "spikes");

    for (uint32_t i = 0; list && i < spec->spike_count; i++)
        if (tree_find(list->values[i], "rate") &&
            !hand_out(scaling, "arrivals.spikes[%u].rate=%.12g/s", i,
                      scaling->factor * spec->spikes[i].factor *
                          spec->rate_per_s))
            return false;
    return true;
}

static bool scale_arrivals(const struct scaling *scaling,
                           const struct arrivals_spec *spec,
                           const struct tree *arrivals)
{
    if (spec->process == ARRIVALS_CLOSED)
        return hand_out(scaling, "arrivals.clients=%.0f",
                        ceil(scaling->factor * spec->clients * (1 - 1e-12)));
    if (spec->process == ARRIVALS_MMPP)
        return scale_states(scaling, spec);
    if (spec->point_count > 0)
        return scale_points(scaling, spec);
    return hand_out(scaling, "arrivals.rate=%.12g/s",
                    scaling->factor * spec->rate_per_s) &&
           scale_spikes(scaling, spec, arrivals);
}

static bool scale_traffic(const struct scaling *scaling,
                          const struct draft *draft, const struct tree *map)
{
    return draft->scenario.has_trace
               ? scale_trace(scaling, &draft->scenario.trace)
               : scale_arrivals(scaling, &draft->scenario.workload.arrivals,
                                tree_find(map, "arrivals"));
}

bool scenario_heavier(const struct scenario *scenario, double factor,
                      bool (*add)(void *context, const char *override),
                      void *context)
{
    const struct loaded *loaded = scenario->owned;
    const struct tree *workload = tree_find(loaded->root, "workload");
    struct scaling scaling = {
        .factor = factor, .prefix = "workload", .add = add, .context = context};
    bool fine = scale_traffic(&scaling, &loaded->draft, workload);

    for (uint32_t i = 0; fine && i < scenario->workload.overlay_count; i++) {
        snprintf(scaling.prefix, sizeof scaling.prefix, "workload.overlay[%u]",
                 i);
        fine = scale_traffic(&scaling, &loaded->overlays[i].draft,
                             tree_find(workload, "overlay")->values[i]);
    }
    return fine;
}

const char *scenario_load_words(const struct scenario *scenario)
{
    const struct arrivals_spec *arrivals = &scenario->workload.arrivals;

    if (scenario->workload.overlay_count > 0)
        return "all sources of traffic";
    if (scenario->has_trace)
        return "the speed of the trace";
    if (arrivals->process == ARRIVALS_CLOSED)
        return "the number of clients";
    if (arrivals->process == ARRIVALS_MMPP)
        return "the rates of all states";
    if (arrivals->process == ARRIVALS_DIURNAL)
        return "the whole curve of the rate";
    return arrivals->spike_count > 0 ? "the rate and its spikes" : "the rate";
}
