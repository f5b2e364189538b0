#include "sim/cli/command.h"

#include "sim/cli/frame.h"
#include "sim/report/sweep_report.h"
#include "sim/scenario/vary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sweep_options {
    struct frame frame;
    struct texts varied;   /* as scenario_vary() takes */
    struct texts measures; /* names of --measure */
};

/* ---- options ---- */

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What is varied (wins over `sweep:` of the file):", 2},
    {"vary", OPTION_VARY, "PATH=VALUES", 0,
     "A list [8/s, 12/s], a range '8/s..20/s step 2/s' or '1..1000 points 7 "
     "log'; repeated: a grid",
     2},
    {"together", OPTION_TOGETHER, "PATH=VALUES", 0,
     "Moves in step with the --vary or --crossover before it; may be repeated",
     2},
    {0, 0, 0, 0, "Where the ranking flips (at every point of the grid):", 3},
    {"crossover", OPTION_CROSSOVER, "PATH=FROM..TO", 0,
     "Search for the value at which two policies trade places; 'FROM..TO log' "
     "halves ratios",
     3},
    {"between", OPTION_BETWEEN, "A,B", 0,
     "The two policies; default: the first two", 3},
    {"within", OPTION_WITHIN, "WIDTH", 0,
     "A bracket as narrow as this will do: a quantity, or a share of the range "
     "(on a log scale: of the value)",
     3},
    {"scan", OPTION_SCAN, "N", 0,
     "Values looked at first, to see whether it flips more than once; default: "
     "5",
     3},
    {"most-replications", OPTION_MOST_REPLICATIONS, "N", 0,
     "At one value, if fewer leave the sign uncertain; default: eight times "
     "those of the scenario",
     3},
    {0, 0, 0, 0, "What comes out:", 5},
    {"measure", OPTION_MEASURE, "NAME", 0,
     "Show and keep this measure of each point too, or rank by it in a "
     "crossover; may be repeated",
     5},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "table (default), json or csv, on standard output", 5},
    {"output", 'o', "DIR", 0,
     "Also write a result folder, which `lbsim plot` draws", 5},
    {0},
};

static const char *option_name(int key)
{
    for (const struct argp_option *row = rows; row->doc; row++)
        if (row->key == key)
            return row->name;
    return "";
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct sweep_options *options = state->input;
    bool fine = true;

    switch (key) {
    case OPTION_VARY:
    case OPTION_TOGETHER:
    case OPTION_CROSSOVER:
    case OPTION_BETWEEN:
    case OPTION_WITHIN:
    case OPTION_SCAN:
    case OPTION_MOST_REPLICATIONS:
        fine =
            texts_add(&options->varied, "--%s %s", option_name(key), argument);
        break;
    case OPTION_MEASURE:
        fine = texts_add(&options->measures, "%s", argument);
        break;
    default:
        return frame_parse(key, argument, state, &options->frame);
    }
    if (!fine)
        argp_failure(state, EXIT_FAILED, 0, "out of memory");
    return 0;
}

/* ---- what is varied ---- */

/* Options that take no path go behind those that do: what they mean may depend
   on them, wherever they stand on the command line. */
static size_t order_texts(const struct texts *texts, const char **ret)
{
    size_t count = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < texts->count; i++) {
            const char *text = texts->items[i];
            bool has_path = strncmp(text, "--vary ", 7) == 0 ||
                            strncmp(text, "--together ", 11) == 0 ||
                            strncmp(text, "--crossover ", 12) == 0;

            if (has_path == (pass == 0))
                ret[count++] = text;
        }
    return count;
}

static bool vary(const struct sweep_options *options, struct scenario *scenario,
                 struct diag *diag)
{
    const char **texts = calloc(options->varied.count + 1, sizeof *texts);
    size_t count = texts ? order_texts(&options->varied, texts) : 0;
    bool fine = texts && scenario_vary(scenario, texts, count, diag);

    if (!texts)
        diag_add_no_memory(diag, NULL);
    free(texts);
    return fine;
}

/* What other commands go by changes no result of a sweep. */
static void warn_without_effect(const struct scenario *scenario,
                                struct diag *diag)
{
    static const char *const without[] = {"check.", "plan.", "name"};
    const struct sweep_spec *spec = &scenario->sweep;

    for (uint32_t i = 0; i < spec->axis_count; i++)
        for (uint32_t j = 0; j < spec->axes[i].path_count; j++)
            for (size_t k = 0; k < sizeof without / sizeof *without; k++)
                if (strncmp(spec->axes[i].paths[j].path, without[k],
                            strlen(without[k])) == 0)
                    diag_add(diag, DIAG_WARNING, NULL, NULL,
                             "'%.100s' has no effect on what a sweep runs: "
                             "all points are the same along it",
                             spec->axes[i].paths[j].path);
}

static bool has_something(const struct scenario *scenario, struct diag *diag)
{
    const struct crossover_spec *spec = &scenario->sweep.crossover;

    if (spec->given && scenario->policy_count < 2) {
        diag_add(diag, DIAG_ERROR, NULL, NULL,
                 "a crossover is between two policies, and there is one");
        return false;
    }
    if (spec->given || scenario->sweep.axis_count > 0)
        return true;
    diag_add(diag, DIAG_ERROR, NULL,
             "such as --vary 'workload.arrivals.rate=8/s..20/s step 2/s', or "
             "--crossover PATH=FROM..TO",
             "nothing is varied: neither the scenario nor the command line "
             "says what to sweep");
    return false;
}

/* ---- measures ---- */

struct kept {
    enum measure_id ids[SWEEP_MEASURES_MAX];
    uint32_t count;
    uint32_t asked; /* behind the objective */
};

static void keep(struct kept *kept, enum measure_id id)
{
    for (uint32_t i = 0; i < kept->count; i++)
        if (kept->ids[i] == id)
            return;
    if (kept->count < SWEEP_MEASURES_MAX)
        kept->ids[kept->count++] = id;
}

/* The objective first, which the table shows. */
static bool choose_measures(const struct sweep_options *options,
                            struct scenario *scenario, struct kept *ret,
                            struct diag *diag)
{
    static const enum measure_id usual[] = {
        M_LATENCY_MEAN, M_LATENCY_ALL_P50, M_LATENCY_ALL_P99, M_SUCCESS,
        M_THROUGHPUT,   M_RESULT_HIT,      M_SUCCESS,         M_GPU_USE,
        M_CPU_USE,      M_BALANCE_CV,      M_COST_PER_1000};

    *ret = (struct kept){0};
    keep(ret, scenario->objective);
    for (size_t i = 0; i < options->measures.count; i++) {
        const char *name = options->measures.items[i];
        enum measure_id id = measure_find(name, strlen(name));

        if (id == MEASURE_COUNT) {
            diag_add(diag, DIAG_ERROR, NULL,
                     "`lbsim settings objective` lists all",
                     "--measure: unknown measure '%.60s'", name);
            return false;
        }
        keep(ret, id);
    }
    ret->asked = ret->count - 1;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        keep(ret, usual[i]);
    return true;
}

/* A crossover is by the measure that was named, if one was. */
static bool rank_by_measure(const struct sweep_options *options,
                            struct scenario *scenario, struct diag *diag)
{
    char text[200];
    const char *texts[] = {text};

    if (!scenario->sweep.crossover.given || options->measures.count == 0)
        return true;
    if (options->measures.count > 1) {
        diag_add(diag, DIAG_ERROR, NULL, NULL,
                 "--measure: a crossover is by one measure");
        return false;
    }
    snprintf(text, sizeof text, "--measure %.150s", options->measures.items[0]);
    return scenario_vary(scenario, texts, 1, diag);
}

/* ---- results ---- */

static bool put_table(const void *report, FILE *out)
{
    return sweep_table_write(report, out);
}

static bool put_json(const void *report, FILE *out)
{
    return sweep_json_write(report, out);
}

static bool put_points(const void *report, FILE *out)
{
    sweep_csv_write(report, out);
    return true;
}

static bool put_crossovers(const void *report, FILE *out)
{
    sweep_csv_write_crossovers(report, out);
    return true;
}

static bool put_probes(const void *report, FILE *out)
{
    sweep_csv_write_probes(report, out);
    return true;
}

static bool put_csv(const void *context, FILE *out)
{
    const struct sweep_report *report = context;

    return report->base->sweep.crossover.given ? put_crossovers(report, out)
                                               : put_points(report, out);
}

static const struct frame_writer formats[] = {
    {"table", put_table}, {"json", put_json}, {"csv", put_csv}, {0}};

/* Before a point is whole there is nothing to write. What a former command
   kept stays: points of other threads may need it. */
static bool write_folder(struct session *session,
                         const struct sweep_report *report)
{
    static const struct frame_writer of_points[] = {
        {"sweep.csv", put_points}, {"sweep.json", put_json}, {0}};
    static const struct frame_writer of_crossovers[] = {
        {"crossovers.csv", put_crossovers},
        {"probes.csv", put_probes},
        {"sweep.json", put_json},
        {0}};
    bool crossover = report->base->sweep.crossover.given;

    return report->result->whole == 0 ||
           frame_keep(session, report->base,
                      crossover ? of_crossovers : of_points, report, false);
}

/* What was found says what it took when it was run: no share then. */
static void tell_speed(const struct sweep_result *result)
{
    double share = result->simulated_s / result->cpu_s;

    fprintf(stderr,
            "lbsim: %" PRIu64 " point%s, %" PRIu64
            " events in %.2f s on %u thread%s",
            result->whole, result->whole == 1 ? "" : "s", result->events,
            result->elapsed_s, result->threads,
            result->threads == 1 ? "" : "s");
    if (result->events > 0 && share <= 1)
        fprintf(stderr, " (%.0f ns of CPU an event, %.1f %% in simulations)",
                1e9 * result->cpu_s / (double)result->events, 100 * share);
    fputc('\n', stderr);
}

static int status_of(const struct sweep_result *result)
{
    const char *end = outcome_end_text(result->end);

    if (end)
        command_complain("%s: %" PRIu64 " of %" PRIu64 " point%s finished", end,
                         result->whole, result->point_count,
                         result->point_count == 1 ? "" : "s");
    return session_end_status(result->end);
}

static int report_sweep(const struct sweep_options *options,
                        struct session *session,
                        const struct sweep_report *report)
{
    bool fine = frame_print(&options->frame, report);

    fine = write_folder(session, report) && fine;
    if (!options->frame.experiment.quiet && report->result->whole > 0)
        tell_speed(report->result);

    int status = status_of(report->result);
    return fine ? status : EXIT_FAILED;
}

/* ---- the run ---- */

static int complain_status(enum experiment_status status,
                           const struct scenario *base,
                           const struct sweep_result *result)
{
    struct experiment_result failed = {
        .error_policy = result->error_policy,
        .error_replication = result->error_replication,
    };
    char text[500];

    sweep_point_text(&base->sweep, result->error_point, text, sizeof text);
    if (*text)
        command_complain("at point %" PRIu64 ", %s:", result->error_point + 1,
                         text);
    return session_complain(status, base, &failed);
}

/* A sweep under way. */
struct sweeping {
    const struct sweep_options *options;
    struct scenario *base;
    struct kept kept;
    struct sweep_setup setup;
};

static int run_points(void *context, struct session *session)
{
    struct sweeping *sweeping = context;
    const struct scenario *base = sweeping->base;
    struct sweep_result result;
    struct sweep_report input = {base, &result, sweeping->kept.asked};
    enum experiment_status outcome =
        session_sweep(session, &sweeping->setup, &result);
    int status;

    if (outcome != EXPERIMENT_OK) {
        status = complain_status(outcome, base, &result);
    } else if (result.diag.errors > 0 || result.diag.no_memory) {
        command_tell(&result.diag);
        status = command_load_status(&result.diag);
    } else if (session_is_shard(session)) {
        status = session_end_shard(session);
    } else {
        status = report_sweep(sweeping->options, session, &input);
    }
    sweep_done(&result);
    return status;
}

static int check_and_run(struct sweeping *sweeping)
{
    const struct frame *frame = &sweeping->options->frame;
    struct diag diag = {0};
    bool fine = sweep_check(sweeping->base, frame->experiment.threads, &diag);
    int status;

    if (fine) {
        sweeping->setup = (struct sweep_setup){
            .base = sweeping->base,
            .measures = sweeping->kept.ids,
            .measure_count = sweeping->kept.count,
        };
        status = frame_session(frame, run_points, sweeping);
    } else {
        command_tell(&diag);
        status = command_load_status(&diag);
    }
    diag_done(&diag);
    return status;
}

static int sweep_scenario(void *context, struct scenario *scenario)
{
    const struct sweep_options *options = context;
    struct sweeping sweeping = {.options = options, .base = scenario};
    struct diag diag = {0};
    bool fine = vary(options, scenario, &diag) &&
                has_something(scenario, &diag) &&
                rank_by_measure(options, scenario, &diag) &&
                choose_measures(options, scenario, &sweeping.kept, &diag);

    if (fine)
        warn_without_effect(scenario, &diag);
    command_tell(&diag);

    int status = fine ? check_and_run(&sweeping) : command_load_status(&diag);
    diag_done(&diag);
    return status;
}

int command_sweep(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Run a scenario at every point of a grid of settings, or find "
               "where the ranking of two policies flips.",
        .children = frame_children,
    };
    struct sweep_options options = {.frame = {.formats = formats}};

    command_parse(&argp, argc, argv, &options);
    int status =
        frame_run(&options.frame, FRAME_TRACE, sweep_scenario, &options);
    texts_done(&options.varied);
    texts_done(&options.measures);
    return status;
}
