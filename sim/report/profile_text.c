/* The page of a profile. Every figure stands on a line that says what it is. */
#include "sim/report/profile_report.h"

#include <inttypes.h>
#include <math.h>

#define LABEL_WIDTH 46
#define LABELS_SHOWN 20

static void print_count(FILE *out, const char *label, uint64_t count)
{
    fprintf(out, "  %-*s %" PRIu64 "\n", LABEL_WIDTH, label, count);
}

/* Exact, without the zeros at its end. */
static void print_seconds(FILE *out, const char *label, int64_t ns)
{
    char text[40];
    int length = snprintf(text, sizeof text, "%" PRId64 ".%09" PRId64,
                          ns / 1000000000, ns % 1000000000);

    while (text[length - 1] == '0')
        length--;
    if (text[length - 1] == '.')
        length--;
    fprintf(out, "  %-*s %.*s s\n", LABEL_WIDTH, label, length, text);
}

static void print_number(FILE *out, const char *label, double value,
                         const char *unit)
{
    if (isnan(value))
        fprintf(out, "  %-*s none\n", LABEL_WIDTH, label);
    else
        fprintf(out, "  %-*s %.9g%s\n", LABEL_WIDTH, label,
                value == 0 ? 0.0 : value, unit);
}

static void print_part(FILE *out, const char *label, uint64_t part,
                       uint64_t whole)
{
    fprintf(out, "  %-*s %" PRIu64, LABEL_WIDTH, label, part);
    if (whole > 0)
        fprintf(out, " of %" PRIu64 ", %.6f", whole,
                (double)part / (double)whole);
    fputc('\n', out);
}

static void print_bins(const struct profile_bins *bins, FILE *out)
{
    char label[60];

    snprintf(label, sizeof label, "index of dispersion at %" PRId64 " s",
             bins->width_ns / 1000000000);
    if (isnan(bins->dispersion)) {
        print_number(out, label, bins->dispersion, "");
        return;
    }
    fprintf(out,
            "  %-*s %.6f (%" PRIu64 " whole bins, mean %.6f, most %" PRIu64
            ", empty %" PRIu64 ")\n",
            LABEL_WIDTH, label, bins->dispersion, bins->count, bins->mean,
            bins->most, bins->empty);
}

/* A trace that begins slowly is seen at a glance; a scenario may take a part of
   it (workload.trace.start and .duration). */
static void print_tenths(const double *tenths_per_s, FILE *out)
{
    fprintf(out, "  %-*s", LABEL_WIDTH, "rate in each tenth of that time");
    for (int i = 0; i < PROFILE_TENTHS; i++)
        fprintf(out, isnan(tenths_per_s[i]) ? " none" : " %.4g",
                tenths_per_s[i]);
    fputs(" /s\n", out);
}

static void print_arrivals(const struct profile_arrivals *arrivals, FILE *out)
{
    fputs("\narrivals\n", out);
    print_seconds(out, "from the first to the last", arrivals->span_ns);
    print_number(out, "mean rate", arrivals->rate_per_s, " /s");
    print_tenths(arrivals->tenths_per_s, out);
    print_count(out, "distinct times", arrivals->distinct_times);
    print_count(out, "rows earlier than the row before",
                arrivals->backward_rows);
    print_count(out, "gaps of exactly 0", arrivals->zero_gaps);
    print_count(out, "most rows at one time", arrivals->most_at_once);
    print_seconds(out, "largest gap", arrivals->largest_gap_ns);
    print_seconds(out, "median of the gaps above 0", arrivals->median_gap_ns);
    print_number(out, "coefficient of variation of the gaps", arrivals->gap_cv,
                 " (Poisson: 1)");
    print_number(out, "lag-1 autocorrelation of the gaps",
                 arrivals->gap_autocorrelation, "");
    for (int i = 0; i < PROFILE_WIDTHS; i++)
        print_bins(&arrivals->bins[i], out);
}

static void print_figures(const char *name, const struct figures *figures,
                          FILE *out)
{
    fprintf(out, "  %-15s %12" PRIu64 " %12.6g %12.6g %7" PRIu64, name,
            figures->sum, figures->mean, figures->deviation, figures->min);
    for (int i = 0; i < FIGURES_QUANTILES; i++)
        fprintf(out, " %7" PRIu64, figures->nearest_rank[i]);
    fprintf(out, " %7" PRIu64 "\n", figures->max);
}

static void print_linear(const char *name, const struct figures *figures,
                         FILE *out)
{
    fprintf(out, "  %-15s %12s %12s %12s %7s", name, "", "", "", "");
    for (int i = 0; i < FIGURES_QUANTILES; i++)
        fprintf(out, " %7.6g", figures->linear[i]);
    fputc('\n', out);
}

static void print_tokens(const struct profile_tokens *tokens, FILE *out)
{
    fprintf(out,
            "\ntokens\n  %-15s %12s %12s %12s %7s %7s %7s %7s %7s %7s %7s\n",
            "", "sum", "mean", "std", "min", "P50", "P90", "P95", "P99",
            "P99.9", "max");
    print_figures("input", &tokens->input, out);
    print_figures("output", &tokens->output, out);
    print_figures("input + output", &tokens->total, out);
    print_linear("input, linear", &tokens->input, out);
    print_linear("output, linear", &tokens->output, out);
    print_count(out, "rows without input", tokens->zero_input);
    print_count(out, "rows without output", tokens->zero_output);
    print_count(out, "distinct pairs of input and output",
                tokens->distinct_pairs);
    print_number(out, "Pearson's r of input and output", tokens->pearson, "");
    print_number(out, "Spearman's rho of input and output", tokens->spearman,
                 "");
}

static void print_label(FILE *out, const struct profile *profile,
                        const struct profile_label *label)
{
    double rows = (double)label->rows;

    fprintf(out, "  %-24.40s %10" PRIu64 " %.6f %12.6g %12.6g\n", label->name,
            label->rows, rows / (double)profile->rows,
            (double)label->input_tokens / rows,
            (double)label->output_tokens / rows);
}

/* The first LABELS_SHOWN words; JSON has all. */
static void print_labels(FILE *out, const char *title,
                         const struct profile *profile,
                         const struct profile_labels *labels)
{
    uint64_t beyond = labels->others;

    fprintf(out, "\n%-26s %10s %8s %12s %12s\n", title, "rows", "share",
            "mean input", "mean output");
    for (size_t i = 0; i < labels->count; i++)
        if (i < LABELS_SHOWN)
            print_label(out, profile, &labels->items[i]);
        else
            beyond += labels->items[i].rows;
    if (beyond > 0)
        print_part(out, "of others, not shown", beyond, profile->rows);
    print_part(out, "without one", labels->without, profile->rows);
}

static void print_blocks(const struct profile *profile, FILE *out)
{
    const struct profile_blocks *blocks = &profile->blocks;
    uint64_t references = profile->keys.references, all = blocks->requests;

    fputs("\nprefix blocks\n", out);
    print_count(out, "tokens of a block", blocks->block_tokens);
    print_part(out, "requests with as many blocks as input needs",
               blocks->expected_counts, all);
    print_count(out, "smallest id", blocks->smallest);
    print_count(out, "largest id", blocks->largest);
    fprintf(out, "  %-*s %s\n", LABEL_WIDTH, "ids appear in rising order",
            blocks->in_order ? "yes" : "no");
    print_count(out, "repeats inside one request", blocks->repeats);
    print_count(out, "ids behind two different predecessors", blocks->torn);
    print_count(out, "longest list", blocks->longest);

    fputs("\nan endless cache of blocks\n", out);
    print_part(out, "hits, any position", blocks->known, references);
    print_part(out, "hits, leading run only", blocks->leading, references);
    print_part(out, "tokens of leading hits", blocks->leading_tokens,
               profile->tokens.input.sum);
    print_part(out, "leading hits among whole blocks", blocks->leading_whole,
               blocks->whole);
    print_number(out, "mean over requests of leading hits / blocks",
                 blocks->mean_leading_ratio, "");
    print_part(out, "requests of known blocks alone", blocks->all_known, all);
    print_part(out, "requests with a list that occurred before",
               blocks->same_list, all);
    print_part(out, "requests with a leading hit", blocks->one_leading, all);
    print_part(out, "requests with two leading hits", blocks->two_leading, all);
}

static void print_access(const struct profile_access *access, FILE *out)
{
    fputs("\nlines of an access log\n", out);
    print_count(out, "distinct clients", access->clients);
    print_count(out, "response bytes, sum", access->bytes);
    print_count(out, "response bytes, largest", access->largest);
    for (int i = 0; i < PROFILE_STATUSES; i++) {
        char label[40];

        snprintf(label, sizeof label, "status %d", i);
        if (access->statuses[i] > 0)
            print_count(out, label, access->statuses[i]);
    }
}

static void print_keys(const struct profile *profile, FILE *out)
{
    const struct profile_keys *keys = &profile->keys;

    fprintf(out, "\nreferences to %s\n",
            profile->has_blocks ? "blocks" : "keys");
    print_count(out, "references", keys->references);
    print_count(out, "distinct", keys->distinct);
    print_part(out, "used once only", keys->once, keys->distinct);
    print_part(out, "uses of the most used", keys->most, keys->references);
    print_number(out, "Zipf exponent, least squares, all ranks",
                 keys->zipf.least_squares, "");
    print_number(out, "Zipf exponent, least squares, first 1000",
                 keys->zipf.least_squares_1000, "");
    print_number(out, "Zipf exponent, maximum likelihood",
                 keys->zipf.maximum_likelihood, "");
    if (profile->has_sizes) {
        print_count(out, "bytes, sum", profile->bytes);
        print_count(out, "references with another size than first",
                    profile->resized);
    }
}

static void print_capacity(uint64_t capacity, FILE *out)
{
    if (capacity == UINT64_MAX)
        fprintf(out, "  %12s", "endless");
    else
        fprintf(out, "  %12" PRIu64, capacity);
}

static void print_hits(uint64_t hits, uint64_t references, FILE *out)
{
    fprintf(out, "  %10" PRIu64 " %.6f", hits,
            references > 0 ? (double)hits / (double)references : 0);
}

static void print_lru(const struct profile *profile, FILE *out)
{
    if (profile->has_blocks)
        fprintf(out,
                "\nLRU caches of blocks: A flat, B head first, C tail "
                "first\n  %12s  %19s  %19s  %19s\n",
                "capacity", "A hits, ratio", "B hits, ratio", "C hits, ratio");
    else
        fprintf(out, "\nLRU caches of keys\n  %12s  %19s\n", "capacity",
                "hits, ratio");
    for (size_t i = 0; i < profile->lru_count; i++) {
        const struct profile_lru *lru = &profile->lru[i];

        print_capacity(lru->capacity, out);
        for (int j = 0; j < (profile->has_blocks ? REUSE_READING_COUNT : 1);
             j++)
            print_hits(lru->hits[j], profile->keys.references, out);
        fputc('\n', out);
    }
}

static void print_byte_lru(const struct profile *profile, FILE *out)
{
    if (profile->byte_lru_count == 0)
        return;
    fprintf(out, "\nLRU caches of bytes\n  %12s  %19s  %19s\n", "capacity",
            "hits, ratio", "bytes hit, ratio");
    for (size_t i = 0; i < profile->byte_lru_count; i++) {
        const struct profile_byte_lru *lru = &profile->byte_lru[i];

        print_capacity(lru->capacity, out);
        print_hits(lru->hits, profile->keys.references, out);
        print_hits(lru->hit_bytes, profile->bytes, out);
        fputc('\n', out);
    }
}

void profile_write_text(const struct profile *profile, const char *path,
                        FILE *out)
{
    fprintf(out, "%s: %" PRIu64 " row%s, %s\n", path, profile->rows,
            profile->rows == 1 ? "" : "s",
            profile_format_names[profile->format]);
    if (profile->dropped > 0)
        print_count(out, "rows left out as failed or bad", profile->dropped);
    if (profile->has_tokens)
        print_count(out, "rows identical to an earlier one",
                    profile->identical);
    if (profile->has_times)
        print_arrivals(&profile->arrivals, out);
    if (profile->has_tokens)
        print_tokens(&profile->tokens, out);
    if (profile->has_classes)
        print_labels(out, "classes", profile, &profile->classes);
    if (profile->has_models)
        print_labels(out, "models", profile, &profile->models);
    if (profile->has_blocks)
        print_blocks(profile, out);
    if (profile->format == PROFILE_ACCESS_LOG)
        print_access(&profile->access, out);
    if (profile->has_blocks || profile->has_keys) {
        print_keys(profile, out);
        print_lru(profile, out);
        print_byte_lru(profile, out);
    }
}
