/* What a workload says of its requests, before any is drawn: which law each
   class draws from, and means. */
#include "workloads/workload.h"

#include <math.h>

static const struct dist *own_law(const struct workload_spec *spec,
                                  enum workload_law law)
{
    switch (law) {
    case LAW_INPUT_TOKENS:
        return &spec->input_tokens;
    case LAW_OUTPUT_TOKENS:
        return &spec->output_tokens;
    case LAW_WORK:
        return &spec->work;
    default:
        return &spec->noise;
    }
}

static const struct dist *class_law(const struct workload_class *of,
                                    enum workload_law law)
{
    switch (law) {
    case LAW_INPUT_TOKENS:
        return &of->input_tokens;
    case LAW_OUTPUT_TOKENS:
        return &of->output_tokens;
    case LAW_WORK:
        return &of->work;
    default:
        return &of->noise;
    }
}

const struct dist *workload_law(const struct workload_spec *spec,
                                uint32_t request_class, enum workload_law law)
{
    if (spec->class_count > 0) {
        const struct dist *dist = class_law(&spec->classes[request_class], law);

        if (dist->kind != DIST_NONE)
            return dist;
    }
    return own_law(spec, law);
}

bool workload_has_law(const struct workload_spec *spec, enum workload_law law)
{
    for (uint32_t i = 0; i < spec->class_count; i++)
        if (workload_law(spec, i, law)->kind != DIST_NONE)
            return true;
    for (uint32_t i = 0; i < spec->overlay_count; i++)
        if (workload_has_law(&spec->overlays[i].spec, law))
            return true;
    return own_law(spec, law)->kind != DIST_NONE;
}

bool workload_has_patience(const struct workload_spec *spec)
{
    for (uint32_t i = 0; i < spec->class_count; i++)
        if (spec->classes[i].patience.kind != DIST_NONE)
            return true;
    for (uint32_t i = 0; i < spec->overlay_count; i++)
        if (workload_has_patience(&spec->overlays[i].spec))
            return true;
    return spec->patience.kind != DIST_NONE;
}

bool workload_all_have_law(const struct workload_spec *spec,
                           enum workload_law law)
{
    for (uint32_t i = 0; i < spec->class_count; i++)
        if (workload_law(spec, i, law)->kind == DIST_NONE)
            return false;
    for (uint32_t i = 0; i < spec->overlay_count; i++)
        if (!workload_all_have_law(&spec->overlays[i].spec, law))
            return false;
    return spec->class_count > 0 || own_law(spec, law)->kind != DIST_NONE;
}

/* Of a count that dist describes, or else the trace. */
static double mean_of(const struct dist *dist, double mean_in_trace)
{
    return dist->kind != DIST_NONE ? dist_effective_mean(dist) : mean_in_trace;
}

/* Whether rows of a trace say by themselves of which class they are. */
static bool rows_name_classes(const struct workload_spec *spec)
{
    return spec->trace && spec->one_class == 0 && spec->class_count > 0 &&
           trace_has_classes(spec->trace);
}

/* The rows of a class: those that name it, and its share of those that name
   none. Sums of tokens are alike. */
struct class_rows {
    double rows, input_tokens, output_tokens;
};

static struct class_rows rows_of_class(const struct workload_spec *spec,
                                       uint32_t request_class)
{
    const struct trace_books *books = trace_books(spec->trace);
    const struct trace_label_sums *own = &books->by_class[1 + request_class];
    const struct trace_label_sums *none = &books->by_class[0];
    double share = spec->classes[request_class].share;

    if (none->rows == 0 || isnan(share))
        share = 0;
    return (struct class_rows){
        (double)own->rows + share * (double)none->rows,
        (double)own->input_tokens + share * (double)none->input_tokens,
        (double)own->output_tokens + share * (double)none->output_tokens};
}

double workload_class_share(const struct workload_spec *spec,
                            uint32_t request_class)
{
    if (!rows_name_classes(spec))
        return spec->classes[request_class].share;
    return rows_of_class(spec, request_class).rows /
           (double)trace_books(spec->trace)->rows_kept;
}

/* Mean tokens of a class, or of all, as the trace has them. */
static void trace_tokens(const struct workload_spec *spec,
                         uint32_t request_class, double *ret_input,
                         double *ret_output)
{
    const struct trace_books *books = trace_books(spec->trace);
    struct class_rows of = {0};

    *ret_input = books->mean_input_tokens;
    *ret_output = books->mean_output_tokens;
    if (rows_name_classes(spec))
        of = rows_of_class(spec, request_class);
    if (of.rows > 0) {
        *ret_input = of.input_tokens / of.rows;
        *ret_output = of.output_tokens / of.rows;
    }
}

/* Of the requests whose laws are those of a class. */
static void means_of(const struct workload_spec *spec, uint32_t request_class,
                     int64_t duration_ns, struct workload_means *ret)
{
    struct arrivals_rates rates = {0};
    double input_tokens = 0, output_tokens = 0;

    if (spec->trace) {
        rates.mean_per_s = rates.peak_per_s =
            trace_books(spec->trace)->rate_per_s;
        trace_tokens(spec, request_class, &input_tokens, &output_tokens);
    } else {
        rates = arrivals_rates(&spec->arrivals, duration_ns);
    }
    *ret = (struct workload_means){
        .rate_per_s = rates.mean_per_s,
        .peak_per_s = rates.peak_per_s,
        .input_tokens = mean_of(
            workload_law(spec, request_class, LAW_INPUT_TOKENS), input_tokens),
        .output_tokens =
            mean_of(workload_law(spec, request_class, LAW_OUTPUT_TOKENS),
                    output_tokens),
        .work_s =
            mean_of(workload_law(spec, request_class, LAW_WORK), (double)NAN),
        .noise = mean_of(workload_law(spec, request_class, LAW_NOISE), 1),
    };
}

void workload_class_means(const struct workload_spec *spec,
                          uint32_t request_class, int64_t duration_ns,
                          struct workload_means *ret)
{
    means_of(spec, request_class, duration_ns, ret);
    ret->rate_per_s *= workload_class_share(spec, request_class);
    ret->peak_per_s *= workload_class_share(spec, request_class);
}

/* Of one source, over all its classes. */
static void means_of_part(const struct workload_spec *spec, int64_t duration_ns,
                          struct workload_means *ret)
{
    struct workload_means sum = {0}, of_class;

    if (spec->one_class > 0 || spec->class_count == 0) {
        means_of(spec, spec->one_class > 0 ? spec->one_class - 1 : 0,
                 duration_ns, ret);
        return;
    }
    for (uint32_t i = 0; i < spec->class_count; i++) {
        double share = workload_class_share(spec, i);

        if (!(share > 0))
            continue; /* 0 times infinity is not a number */
        means_of(spec, i, duration_ns, &of_class);
        sum.rate_per_s = of_class.rate_per_s;
        sum.peak_per_s = of_class.peak_per_s;
        sum.input_tokens += share * of_class.input_tokens;
        sum.output_tokens += share * of_class.output_tokens;
        sum.work_s += share * of_class.work_s;
        sum.noise += share * of_class.noise;
    }
    *ret = sum;
}

/* Of all requests of two sources together; rates are of the whole run. */
static void add_means(struct workload_means *sum,
                      const struct workload_means *part)
{
    double rate = sum->rate_per_s + part->rate_per_s;
    double share = part->rate_per_s / rate;

    if (part->rate_per_s == 0)
        return;
    sum->input_tokens += share * (part->input_tokens - sum->input_tokens);
    sum->output_tokens += share * (part->output_tokens - sum->output_tokens);
    sum->work_s += share * (part->work_s - sum->work_s);
    sum->noise += share * (part->noise - sum->noise);
    sum->rate_per_s = rate;
    sum->peak_per_s += part->peak_per_s;
}

void workload_spec_means(const struct workload_spec *spec, int64_t duration_ns,
                         struct workload_means *ret)
{
    means_of_part(spec, duration_ns, ret);
    for (uint32_t i = 0; i < spec->overlay_count; i++) {
        const struct workload_overlay *overlay = &spec->overlays[i];
        int64_t own_ns = workload_overlay_length_ns(overlay, duration_ns);
        struct workload_means part;

        if (own_ns == 0)
            continue;
        means_of_part(&overlay->spec, own_ns, &part);
        part.rate_per_s *= (double)own_ns / (double)duration_ns;
        add_means(ret, &part);
    }
}

int64_t workload_overlay_length_ns(const struct workload_overlay *overlay,
                                   int64_t duration_ns)
{
    int64_t left_ns = duration_ns - overlay->at_ns;

    if (left_ns <= 0)
        return 0;
    return overlay->duration_ns < left_ns ? overlay->duration_ns : left_ns;
}
