/* The rows themselves; settings.c looks them up and shows them. */
#include "sim/scenario/draft.h"

#define OF_DRAFT(field) offsetof(struct draft, field)
#define OF_RUN(field) offsetof(struct draft, scenario.field)
#define OF_TRACE(field) offsetof(struct draft, scenario.trace.field)
#define OF_BALANCER(field) offsetof(struct draft, scenario.balancer.field)
#define OF_CLASS(field) offsetof(struct class_draft, field)
#define OF_GROUP(field) offsetof(struct group_draft, spec.field)
#define OF_OVERLAY(field) offsetof(struct overlay_draft, field)
#define OF_TIER(field) offsetof(struct draft, scenario.tier.field)
#define OF_OUTAGE(field) offsetof(struct tier_outage, field)
#define OF_FAULT(field) offsetof(struct fault_draft, spec.field)

#define ARTICLES "the articles on operating inference clusters"

enum { YEARS_100 = 100 * 365 }; /* in days */
#define LONG_S (YEARS_100 * 86400.0)
#define DECADE_S (0.1 * LONG_S)
#define MANY 1e9

/* A distribution has the same rows wherever it stands; its quantity has a kind
   and a range of its own. */
#define DIST_ROWS(where, of, member, quantity, least, most, what)            \
    {where, SETTING_BLOCK, .flags = SETTING_MECHANISM, .help = what},        \
        {where ".dist",                                                      \
         SETTING_CHOICE,                                                     \
         STORE_UINT32,                                                       \
         of(member.kind),                                                    \
         .flags = SETTING_REQUIRED,                                          \
         .choices = "none|constant|uniform|exponential|lognormal|pareto|"    \
                    "bounded_pareto|hyperexponential|geometric|weibull|"     \
                    "gamma|empirical",                                       \
         .help = "the law that values are drawn from"},                      \
        {where ".value",                                                     \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.value),                                                   \
         least,                                                              \
         most,                                                               \
         .help = "constant: the value"},                                     \
        {where ".mean",                                                      \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.mean),                                                    \
         least,                                                              \
         most,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "mean, before at_least and at_most"},                       \
        {where ".median",                                                    \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.median),                                                  \
         least,                                                              \
         most,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "lognormal: the median"},                                   \
        {where ".p99",                                                       \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.p99),                                                     \
         least,                                                              \
         most,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "lognormal: the 99th percentile"},                          \
        {where ".sigma",                                                     \
         SETTING_NUMBER,                                                     \
         STORE_DOUBLE,                                                       \
         of(member.sigma),                                                   \
         0,                                                                  \
         20,                                                                 \
         .help = "lognormal: standard deviation of the logarithm"},          \
        {where ".scv",                                                       \
         SETTING_NUMBER,                                                     \
         STORE_DOUBLE,                                                       \
         of(member.scv),                                                     \
         0,                                                                  \
         1e6,                                                                \
         .help = "squared coefficient of variation"},                        \
        {where ".shape",                                                     \
         SETTING_NUMBER,                                                     \
         STORE_DOUBLE,                                                       \
         of(member.shape),                                                   \
         0,                                                                  \
         1000,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "pareto: exponent of the tail; weibull, gamma: shape"},     \
        {where ".scale",                                                     \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.scale),                                                   \
         least,                                                              \
         most,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "weibull, gamma: scale; empirical: what a 1 in the file "   \
                 "stands for, 1 or 1 s"},                                    \
        {where ".min",                                                       \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.min),                                                     \
         least,                                                              \
         most,                                                               \
         .help = "uniform, pareto: least value"},                            \
        {where ".max",                                                       \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.max),                                                     \
         least,                                                              \
         most,                                                               \
         .help = "uniform, bounded_pareto: greatest value"},                 \
        {where ".ratio",                                                     \
         SETTING_NUMBER,                                                     \
         STORE_DOUBLE,                                                       \
         of(member.ratio),                                                   \
         1,                                                                  \
         1e12,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "bounded_pareto: max / min"},                               \
        {where ".at_least",                                                  \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.at_least),                                                \
         least,                                                              \
         most,                                                               \
         .help = "draws below are set to this"},                             \
        {where ".file", SETTING_TEXT, STORE_TEXT, of(member.file),           \
         .help = "empirical: values, one a line or a column of a CSV file"}, \
        {where ".column",                                                    \
         SETTING_TEXT,                                                       \
         STORE_TEXT,                                                         \
         of(member.columns.column),                                          \
         .like = "the only one",                                             \
         .help = "empirical: the column of the values"},                     \
        {where ".weights",                                                   \
         SETTING_TEXT,                                                       \
         STORE_TEXT,                                                         \
         of(member.columns.weights),                                         \
         .like = "all values count alike",                                   \
         .help = "empirical: the column that says how much each counts"},    \
        {where ".interpolate",                                               \
         SETTING_SWITCH,                                                     \
         STORE_BOOL,                                                         \
         of(member.columns.interpolate),                                     \
         .like = "false",                                                    \
         .help = "empirical: draw between the values too, not them alone"},  \
    {                                                                        \
        where ".at_most", quantity, STORE_DOUBLE, of(member.at_most), least, \
            most, .help = "draws above are set to this"                      \
    }

static const struct setting table[] = {
    {"lbsim", SETTING_COUNT, STORE_UINT64, OF_DRAFT(version), 1, 1,
     SETTING_REQUIRED | SETTING_NO_RESULT,
     .help = "version of the scenario format, 1"},
    {"include", SETTING_INCLUDE, .flags = SETTING_NO_RESULT,
     .help =
         "a scenario, or a list, that lies under this one; relative to it. Blocks "
         "merge, lists are replaced whole, 'off' takes a mechanism away"},
    {"name", SETTING_TEXT, STORE_TEXT, OF_RUN(name), .flags = SETTING_NO_RESULT,
     .like = "the file's name", .help = "name shown with the results"},
    {"duration", SETTING_DURATION, STORE_INT64, OF_RUN(duration_ns), 0, LONG_S,
     SETTING_ABOVE_MIN, .like = "a trace: its length; else it must be given",
     .help = "when arrivals stop"},
    {"warm_up", SETTING_WARM_UP, .preset = "0 s",
     .help = "what is not measured: a duration, '10 %', '100 requests' or "
             "auto (MSER-5)"},
    {"drain", SETTING_DURATION, STORE_INT64, OF_RUN(drain_ns), 0, LONG_S,
     .like = "the total time-out, else 10 min",
     .help = "how long a run goes on after the last arrival, at most"},
    {"replications", SETTING_COUNT, STORE_UINT32, OF_RUN(replications), 1,
     100000, SETTING_NO_RESULT, "1", .help = "runs per policy, paired by seed"},
    {"seed", SETTING_COUNT, STORE_UINT64, OF_RUN(seed), 0, 9.2e18, 0, "1",
     .help = "root of all chance"},
    {"confidence", SETTING_SHARE, STORE_DOUBLE, OF_RUN(confidence), 0.5, 0.9999,
     SETTING_NO_RESULT, "95 %", .help = "confidence of intervals and verdicts"},
    {"min_effect", SETTING_SHARE, STORE_DOUBLE, OF_RUN(min_effect), 0, 1,
     SETTING_NO_RESULT, "1 %",
     .help = "smallest difference worth calling better or worse"},
    {"objective", SETTING_MEASURE, .flags = SETTING_NO_RESULT,
     .preset = "latency_all_p99_s", .help = "the measure that verdicts are on"},
    {"goals", SETTING_GOALS, .flags = SETTING_NO_RESULT,
     .help = "bounds of measures, such as {latency_all_p99: 20 s}"},
    {"report", SETTING_BLOCK, .help = "what is shown"},
    {"report.node_percentiles", SETTING_SWITCH, STORE_BOOL,
     OF_RUN(node_percentiles), 0, 0, SETTING_NO_RESULT, "false",
     .help = "latency percentiles of each node too"},

    {"workload", SETTING_BLOCK, .help = "what arrives"},
    {"workload.arrivals", SETTING_BLOCK, STORE_BOOL, OF_DRAFT(has_arrivals),
     .flags = SETTING_MECHANISM, .help = "made arrivals; or give a trace"},
    {"workload.arrivals.process", SETTING_CHOICE, STORE_UINT32,
     OF_RUN(workload.arrivals.process), .preset = "poisson",
     .choices = "poisson|deterministic|gamma|mmpp|diurnal|closed",
     .help = "open: gaps of a law, hidden states, a rate by the clock; closed: "
             "clients wait for answers"},
    {"workload.arrivals.rate", SETTING_RATE, STORE_DOUBLE,
     OF_RUN(workload.arrivals.rate_per_s), 0, MANY, SETTING_ABOVE_MIN,
     .help = "mean arrivals, without spikes"},
    {"workload.arrivals.cv", SETTING_NUMBER, STORE_DOUBLE,
     OF_RUN(workload.arrivals.cv), 0, 1000, SETTING_ABOVE_MIN,
     .help = "gamma: coefficient of variation of the gaps, 1 is poisson"},
    {"workload.arrivals.amplitude", SETTING_SHARE, STORE_DOUBLE,
     OF_RUN(workload.arrivals.amplitude), 0, 1,
     .help = "diurnal: how far a sine swings above and below the rate"},
    {"workload.arrivals.period", SETTING_DURATION, STORE_INT64,
     OF_RUN(workload.arrivals.period_ns), 0, DECADE_S, SETTING_ABOVE_MIN,
     .like = "a sine: 24 h; points: they hold once",
     .help = "diurnal: after which it repeats"},
    {"workload.arrivals.phase", SETTING_DURATION, STORE_INT64,
     OF_RUN(workload.arrivals.phase_ns), 0, DECADE_S, .like = "0 s",
     .help = "diurnal: how far the sine, which climbs from its mean, has come "
             "when the run starts"},
    {"workload.arrivals.clients", SETTING_COUNT, STORE_UINT32,
     OF_RUN(workload.arrivals.clients), 1, 1e6,
     .help = "closed: how many think, ask, wait for the answer, think again"},
    {"workload.arrivals.points[]", SETTING_LIST,
     .help = "diurnal: the rate at times, in straight lines between them"},
    {"workload.arrivals.points[].at", SETTING_DURATION, STORE_INT64,
     offsetof(struct arrivals_point, at_ns), 0, DECADE_S, SETTING_REQUIRED,
     .help = "when; two at one time are a step"},
    {"workload.arrivals.points[].rate", SETTING_RATE, STORE_DOUBLE,
     offsetof(struct arrivals_point, rate_per_s), 0, MANY, SETTING_REQUIRED,
     .help = "the rate then, 0/s is allowed"},
    {"workload.arrivals.spikes[]", SETTING_LIST,
     .help = "poisson, deterministic, gamma: times of more or less traffic"},
    {"workload.arrivals.spikes[].at", SETTING_DURATION, STORE_INT64,
     offsetof(struct spike_draft, spec.at_ns), 0, DECADE_S, SETTING_REQUIRED,
     .help = "when it begins"},
    {"workload.arrivals.spikes[].duration", SETTING_DURATION, STORE_INT64,
     offsetof(struct spike_draft, spec.duration_ns), 0, DECADE_S,
     SETTING_REQUIRED | SETTING_ABOVE_MIN, .help = "how long, ramps included"},
    {"workload.arrivals.spikes[].factor", SETTING_NUMBER, STORE_DOUBLE,
     offsetof(struct spike_draft, spec.factor), 0, 1e6,
     .help = "how many times the rate at its height; below 1 it is a dip"},
    {"workload.arrivals.spikes[].rate", SETTING_RATE, STORE_DOUBLE,
     offsetof(struct spike_draft, rate_per_s), 0, MANY,
     .help = "the rate at its height instead"},
    {"workload.arrivals.spikes[].ramp", SETTING_DURATION, STORE_INT64,
     offsetof(struct spike_draft, spec.ramp_ns), 0, DECADE_S, 0, "0 s",
     .help = "how long it climbs, and falls, in a straight line"},
    {"workload.arrivals.spikes[].every", SETTING_DURATION, STORE_INT64,
     offsetof(struct spike_draft, spec.every_ns), 0, DECADE_S,
     SETTING_ABOVE_MIN, .like = "it comes once",
     .help = "from one beginning to the next"},
    {"workload.arrivals.states[]", SETTING_LIST,
     .help = "mmpp: hidden states, each with a rate"},
    {"workload.arrivals.states[].rate", SETTING_RATE, STORE_DOUBLE,
     offsetof(struct arrivals_state, rate_per_s), 0, MANY, SETTING_REQUIRED,
     .help = "arrivals in this state, 0/s is allowed"},
    {"workload.arrivals.states[].stay", SETTING_DURATION, STORE_DOUBLE,
     offsetof(struct arrivals_state, stay_s), 0, DECADE_S, SETTING_ABOVE_MIN,
     .help = "mean time in it; then all others are equally likely"},
    {"workload.arrivals.states[].moves", SETTING_MOVES,
     .help = "rates of leaving for each state instead, 0/s for itself"},
    DIST_ROWS("workload.arrivals.think", OF_DRAFT, think, SETTING_DURATION, 0,
              LONG_S, "closed: time from an answer to the next request"),
    {"workload.trace", SETTING_BLOCK, STORE_BOOL, OF_RUN(has_trace),
     .flags = SETTING_MECHANISM, .help = "recorded traffic; or give arrivals"},
    {"workload.trace.file", SETTING_TEXT, STORE_TEXT, OF_TRACE(path),
     .flags = SETTING_REQUIRED,
     .help = "looked for beside the scenario, then in $LBSIM_DATA"},
    {"workload.trace.format", SETTING_CHOICE, STORE_UINT32, OF_TRACE(format),
     .preset = "auto", .choices = "auto|canonical|azure_llm|vidur|splitwise",
     .help = "auto: told by the header's columns"},
    {"workload.trace.rate_scale", SETTING_NUMBER, STORE_DOUBLE,
     OF_TRACE(rate_scale), 0, 1e6, SETTING_ABOVE_MIN,
     .help = "2 plays it twice as fast"},
    {"workload.trace.rate", SETTING_RATE, STORE_DOUBLE, OF_TRACE(rate_per_s), 0,
     MANY, SETTING_ABOVE_MIN, .help = "play it at this mean rate instead"},
    {"workload.trace.start", SETTING_DURATION, STORE_INT64, OF_TRACE(start_ns),
     0, LONG_S, 0, "0 s", .help = "where to begin, in the file's own time"},
    {"workload.trace.duration", SETTING_DURATION, STORE_INT64,
     OF_TRACE(duration_ns), 0, LONG_S, SETTING_ABOVE_MIN, .like = "to the end",
     .help = "how much of it to take, in the file's own time"},
    {"workload.trace.resample", SETTING_RESAMPLE,
     .like = "none for one replication, blocks of 5 min for more",
     .help =
         "none, or {blocks: 5 min}: further replications draw blocks of it"},
    {"workload.trace.memory", SETTING_SIZE, STORE_UINT64,
     OF_TRACE(memory_bytes), 4096, 1e15, SETTING_NO_RESULT, "1 GiB",
     .help = "for its columns; a longer file is read again as it is played"},
    {"workload.trace.bad_rows", SETTING_CHOICE, STORE_UINT32,
     OF_TRACE(bad_rows), .preset = "strict", .choices = "strict|skip",
     .help = "the first bad row is an error, or bad rows are left out"},
    {"workload.trace.bad_rows_limit", SETTING_SHARE, STORE_DOUBLE,
     OF_TRACE(bad_rows_limit), 0, 1, SETTING_NO_RESULT, "1 %",
     .help = "share of rows that may be bad"},
    {"workload.trace.sort", SETTING_SWITCH, STORE_BOOL, OF_TRACE(sort),
     .preset = "false", .help = "sort rows by time instead of refusing"},
    {"workload.trace.zero_output", SETTING_CHOICE, STORE_BOOL,
     OF_TRACE(keep_zero_output), .preset = "drop", .choices = "drop|keep",
     .help = "azure_llm: requests without output are failed ones, or prefill "
             "only"},
    DIST_ROWS("workload.input_tokens", OF_DRAFT, input_tokens, SETTING_NUMBER,
              0, MANY, "tokens of a prompt"),
    DIST_ROWS("workload.output_tokens", OF_DRAFT, output_tokens, SETTING_NUMBER,
              0, MANY, "tokens of an answer"),
    DIST_ROWS("workload.work", OF_DRAFT, work, SETTING_DURATION, 0, LONG_S,
              "service time on a node of speed 1, instead of engine.service"),
    DIST_ROWS(
        "workload.noise", OF_DRAFT, noise, SETTING_NUMBER, 0, MANY,
        "factor on the service time, scaled to mean 1; its mean need not be given"),
    {"workload.noise.per", SETTING_CHOICE, STORE_UINT32,
     OF_RUN(workload.noise_per), .preset = "request",
     .choices = "request|attempt",
     .help = "whether a second attempt takes the same or draws anew"},
    {"workload.keys", SETTING_BLOCK, .flags = SETTING_MECHANISM,
     .help = "which prompt is asked: what hashing and caches go by"},
    {"workload.keys.dist", SETTING_CHOICE, STORE_UINT32, OF_DRAFT(keys.kind),
     .flags = SETTING_REQUIRED, .choices = "none|zipf|unique",
     .help = "repeating prompts by Zipf's law, or no prompt twice"},
    {"workload.keys.exponent", SETTING_NUMBER, STORE_DOUBLE,
     OF_DRAFT(keys.exponent), 0, 100, 0, .like = "zipf: 1",
     .help = "zipf: 0 asks all alike"},
    {"workload.keys.distinct", SETTING_COUNT, STORE_UINT64,
     OF_DRAFT(keys.distinct), 1, 1e8, 0, .like = "zipf: it must be given",
     .help = "zipf: how many prompts repeat"},
    {"workload.keys.repeat_share", SETTING_SHARE, STORE_DOUBLE,
     OF_DRAFT(keys.repeat_share), 0, 1, 0, .like = "zipf: 100 %",
     .help = "zipf: share of requests that ask one of these; others are new"},
    {"workload.classes[]", SETTING_LIST,
     .help = "kinds of requests; shares sum to 100 %, and what a class does "
             "not say of sizes is the workload's own"},
    {"workload.classes[].name", SETTING_TEXT, STORE_TEXT, OF_CLASS(spec.name),
     .flags = SETTING_REQUIRED, .help = "its name"},
    {"workload.classes[].share", SETTING_SHARE, STORE_DOUBLE,
     OF_CLASS(spec.share), 0, 1, SETTING_REQUIRED, .help = "of all requests"},
    DIST_ROWS("workload.classes[].input_tokens", OF_CLASS, input_tokens,
              SETTING_NUMBER, 0, MANY, "tokens of a prompt"),
    DIST_ROWS("workload.classes[].output_tokens", OF_CLASS, output_tokens,
              SETTING_NUMBER, 0, MANY, "tokens of an answer"),
    DIST_ROWS("workload.classes[].work", OF_CLASS, work, SETTING_DURATION, 0,
              LONG_S,
              "service time on a node of speed 1, instead of "
              "engine.service"),
    DIST_ROWS("workload.classes[].noise", OF_CLASS, noise, SETTING_NUMBER, 0,
              MANY, "factor on the service time, scaled to mean 1"),
    {"workload.classes[].max_output_tokens", SETTING_COUNT, STORE_UINT32,
     OF_CLASS(spec.max_output_tokens), 1, 4e9, .like = "not said",
     .help = "longest answer that clients allow, as routing may know it"},
    {"workload.classes[].priority", SETTING_COUNT, STORE_UINT32,
     OF_CLASS(spec.priority), 0, 2147483647, 0, "0",
     .help = "higher is more urgent, for policies and engines that go by it"},
    {"workload.classes[].deadline", SETTING_DURATION, STORE_INT64,
     OF_CLASS(spec.deadline_ns), 0, LONG_S, SETTING_ABOVE_MIN, .like = "none",
     .help = "from arrival: what policies are told, and results count"},
    {"workload.classes[].model", SETTING_TEXT, STORE_TEXT, OF_CLASS(model),
     .like = "any will do",
     .help = "that it asks for: one of those that groups list"},
    {"workload.normalise", SETTING_BLOCK, STORE_BOOL, OF_RUN(has_normalise),
     .flags = SETTING_MECHANISM,
     .help = "spellings of one prompt of a trace become one key"},
    {"workload.normalise.nfkc", SETTING_SWITCH, STORE_BOOL,
     OF_RUN(normalise.nfkc), .preset = "true",
     .help = "Unicode NFKC: wide letters, ligatures, accents; what cannot be "
             "seen vanishes"},
    {"workload.normalise.case", SETTING_SWITCH, STORE_BOOL,
     OF_RUN(normalise.fold_case), .preset = "true",
     .help = "small and capital letters are one"},
    {"workload.normalise.punctuation", SETTING_SWITCH, STORE_BOOL,
     OF_RUN(normalise.punctuation), .preset = "true",
     .help = "strip it; a mark between two digits stays"},
    {"workload.normalise.white_space", SETTING_SWITCH, STORE_BOOL,
     OF_RUN(normalise.white_space), .preset = "true",
     .help = "one space between words, none at the ends"},
    {"workload.normalise.synonyms", SETTING_TEXT, STORE_TEXT,
     OF_RUN(normalise.synonyms),
     .help = "file of 'term,canonical'; the longest term wins, on whole words"},
    {"workload.normalise.translation", SETTING_TEXT, STORE_TEXT,
     OF_RUN(normalise.translation),
     .help = "file of 'phrase,translation', for whole prompts"},
    {"workload.overlay[]", SETTING_LIST,
     .help = "more traffic on top: each takes what workload takes, but for "
             "classes, normalise and overlay"},
    {"workload.overlay[].name", SETTING_TEXT, STORE_TEXT, OF_OVERLAY(name),
     .like = "'overlay' and its number", .help = "name shown with the results"},
    {"workload.overlay[].at", SETTING_DURATION, STORE_INT64, OF_OVERLAY(at_ns),
     0, LONG_S, .like = "0 s", .help = "when its time begins"},
    {"workload.overlay[].duration", SETTING_DURATION, STORE_INT64,
     OF_OVERLAY(duration_ns), 0, LONG_S, SETTING_ABOVE_MIN,
     .like = "to the end of the run, or of its trace",
     .help = "how long it arrives"},
    {"workload.overlay[].class", SETTING_TEXT, STORE_TEXT,
     OF_OVERLAY(class_name), .like = "by the shares of all",
     .help = "the class that its requests are of"},

    {"defaults", SETTING_PATTERN,
     .help = "what each group takes from here "
             "unless it says so itself"},
    {"nodes[]", SETTING_LIST, .flags = SETTING_REQUIRED,
     .help = "groups of equal nodes"},
    {"nodes[].group", SETTING_TEXT, STORE_TEXT, OF_GROUP(name),
     .flags = SETTING_REQUIRED | SETTING_PER_GROUP, .help = "its name"},
    {"nodes[].count", SETTING_COUNT, STORE_UINT32, OF_GROUP(count), 0, 1e6,
     SETTING_PER_GROUP, "1", .help = "nodes in the group, 0 is allowed"},
    {"nodes[].kind", SETTING_CHOICE, STORE_UINT32, OF_GROUP(kind),
     .preset = "gpu", .choices = "gpu|cpu",
     .help = "what is busy when it works"},
    {"nodes[].weight", SETTING_COUNT, STORE_UINT32, OF_GROUP(weight), 0, 65535,
     0, "1", .help = "relative capacity as told to policies; 0 takes nothing"},
    {"nodes[].engine", SETTING_BLOCK, .help = "how it serves"},
    {"nodes[].engine.kind", SETTING_CHOICE, STORE_UINT32, OF_GROUP(engine.kind),
     .preset = "slots", .choices = "slots|sharing",
     .help = "slots: so many at once, each as if alone; sharing: all at once, "
             "each slower the more there are"},
    {"nodes[].engine.slots", SETTING_COUNT, STORE_UINT32,
     OF_GROUP(engine.slots), 1, 1e6, 0, "1",
     .help = "slots: requests served at once"},
    {"nodes[].engine.limit", SETTING_COUNT, STORE_UINT32,
     OF_GROUP(engine.limit), 1, 1e6, 0, .like = "no limit",
     .help = "sharing: requests served at once, the others wait"},
    {"nodes[].engine.slowdown", SETTING_BLOCK, .flags = SETTING_MECHANISM,
     .help = "sharing: with n in service each takes base + per_request * n "
             "times as long as alone"},
    {"nodes[].engine.slowdown.base", SETTING_NUMBER, STORE_DOUBLE,
     OF_GROUP(engine.slowdown_base), 0, 1e6, 0, "0",
     .help = "whatever their number"},
    {"nodes[].engine.slowdown.per_request", SETTING_NUMBER, STORE_DOUBLE,
     OF_GROUP(engine.slowdown_per_request), 0, 1e6, 0, "1",
     .help = "for each request in service"},
    {"nodes[].engine.order", SETTING_CHOICE, STORE_UINT32,
     OF_GROUP(engine.order), .preset = "fcfs",
     .choices = "fcfs|sjf|priority|edf",
     .help = "who is served next: the first to come, the shortest (noise "
             "unseen), the most urgent, the earliest deadline"},
    {"nodes[].engine.aging", SETTING_DURATION, STORE_INT64,
     OF_GROUP(engine.aging_ns), 0, LONG_S, SETTING_ABOVE_MIN,
     .like = "waiting earns nothing",
     .help = "priority: each such wait since arrival is worth 1"},
    {"nodes[].engine.queue_limit", SETTING_COUNT, STORE_UINT32,
     OF_GROUP(engine.queue_limit), 0, 1e9, 0, .like = "no limit",
     .help = "requests that may wait; the node refuses more"},
    {"nodes[].engine.speed", SETTING_NUMBER, STORE_DOUBLE,
     OF_GROUP(engine.speed), 0, 1e6, SETTING_ABOVE_MIN, "1",
     .help = "relative to the reference node"},
    {"nodes[].engine.service", SETTING_BLOCK, STORE_BOOL,
     OF_GROUP(engine.service.given), .flags = SETTING_MECHANISM,
     .help = "service time by tokens at speed 1, of requests without work"},
    {"nodes[].engine.service.base", SETTING_DURATION, STORE_DOUBLE,
     OF_GROUP(engine.service.base_s), 0, LONG_S, 0, "0 s",
     .help = "of every request"},
    {"nodes[].engine.service.per_input_token", SETTING_DURATION, STORE_DOUBLE,
     OF_GROUP(engine.service.per_input_token_s), 0, LONG_S, 0, "0 s",
     .help = "of each token of the prompt"},
    {"nodes[].engine.service.per_output_token", SETTING_DURATION, STORE_DOUBLE,
     OF_GROUP(engine.service.per_output_token_s), 0, LONG_S, 0, "0 s",
     .help = "of each token of the answer"},
    {"nodes[].cards", SETTING_COUNT, STORE_UINT32, OF_GROUP(cards), 1, 1024, 0,
     "1", .help = "accelerators of a node, over which its slots are spread"},
    {"nodes[].result_cache", SETTING_BLOCK, STORE_BOOL,
     OF_GROUP(result_cache.given), .flags = SETTING_MECHANISM,
     .help = "whole answers by prompt, least recently used leaves first"},
    {"nodes[].result_cache.entries", SETTING_COUNT, STORE_UINT64,
     OF_GROUP(result_cache.entries), 1, 1e9, 0, .like = "no limit",
     .help = "answers it holds"},
    {"nodes[].result_cache.bytes", SETTING_SIZE, STORE_UINT64,
     OF_GROUP(result_cache.bytes), 1, 1e15, 0, .like = "no limit",
     .help = "room for answers"},
    {"nodes[].result_cache.bytes_per_token", SETTING_NUMBER, STORE_DOUBLE,
     OF_GROUP(result_cache.bytes_per_token), 0, MANY, SETTING_ABOVE_MIN, "4",
     "English text", .help = "size of an answer per output token"},
    {"nodes[].result_cache.ttl", SETTING_DURATION, STORE_INT64,
     OF_GROUP(result_cache.ttl_ns), 0, LONG_S, SETTING_ABOVE_MIN,
     .like = "answers do not age", .help = "how long an answer is good"},
    {"nodes[].result_cache.hit_time", SETTING_DURATION, STORE_INT64,
     OF_GROUP(result_cache.hit_time_ns), 0, LONG_S, 0, "5 ms",
     "a local look-up", .help = "time of an answer from the cache"},
    {"nodes[].result_cache.fill", SETTING_CHOICE, STORE_UINT32,
     OF_GROUP(result_cache.fill), .preset = "at_answer",
     .choices = "at_answer|at_miss", .help = "when an answer enters the cache"},
    {"nodes[].result_cache.coalesce", SETTING_SWITCH, STORE_BOOL,
     OF_GROUP(result_cache.coalesce), .preset = "false",
     .help = "one works on a missing answer, those that ask for the same wait "
             "for it"},
    {"nodes[].memory", SETTING_BLOCK, STORE_BOOL, OF_GROUP(memory_given),
     .flags = SETTING_MECHANISM, .help = "memory use as nodes report it"},
    {"nodes[].memory.base", SETTING_SHARE, STORE_DOUBLE, OF_GROUP(memory_base),
     0, 1, 0, "0 %", .help = "of an idle node"},
    {"nodes[].memory.per_request", SETTING_SHARE, STORE_DOUBLE,
     OF_GROUP(memory_per_request), 0, 1, 0, "0 %",
     .help = "of each request in service"},
    {"nodes[].cpu_per_request", SETTING_SHARE, STORE_DOUBLE,
     OF_GROUP(cpu_per_request), 0, 1,
     .like = "cpu use of gpu nodes is not reported",
     .help = "gpu nodes: cpu use of each request in service"},
    {"nodes[].cost_per_hour", SETTING_NUMBER, STORE_DOUBLE,
     OF_GROUP(cost_per_hour), 0, MANY, .like = "no cost is worked out",
     .help = "what a node costs, in any currency, the same one for all groups"},
    {"nodes[].keys", SETTING_KEYS,
     .like = "names that change with the replication",
     .help = "fixed, or a list of the nodes' names: what hash policies place"},

    {"nodes[].models", SETTING_NAMES, .like = "every model",
     .help = "models that it serves; one that classes want or the table names "
             "must stand in the list of some group"},
    {"nodes[].misroute", SETTING_CHOICE, STORE_UINT32, OF_GROUP(misroute),
     .preset = "refuse", .choices = "refuse|run|load",
     .help = "a request for a model that it does not list: an error at once, "
             "served like any other, or served once the model is loaded"},
    {"nodes[].model_load", SETTING_BLOCK, .flags = SETTING_MECHANISM,
     .help = "misroute: load: models that come and go"},
    {"nodes[].model_load.time", SETTING_DURATION, STORE_INT64,
     OF_GROUP(load_ns), 0, LONG_S, SETTING_REQUIRED,
     .help = "to load a model, one after the other"},
    {"nodes[].model_load.resident", SETTING_COUNT, STORE_UINT32,
     OF_GROUP(load_resident), 1, 63, .like = "as many as it lists",
     .help = "models in memory; the least recently used makes room"},
    {"nodes[].max_context", SETTING_COUNT, STORE_UINT32, OF_GROUP(max_context),
     1, 4e9, .like = "no limit is known",
     .help = "tokens of prompt and answer that a node can hold, for routing"},

    {"balancer", SETTING_BLOCK, .help = "the front door"},
    {"balancer.count", SETTING_COUNT, STORE_UINT32, OF_BALANCER(count), 1, 1000,
     0, "1", .help = "balancers, each with its own view"},
    {"balancer.assign", SETTING_CHOICE, STORE_UINT32, OF_BALANCER(assign),
     .preset = "hash", .choices = "hash|round_robin",
     .help = "how requests come to balancers"},
    {"balancer.network_delay", SETTING_DURATION, STORE_INT64,
     OF_BALANCER(network_delay_ns), 0, 3600, 0, "0 s",
     .help = "between balancer and node, one way"},
    {"balancer.report_interval", SETTING_DURATION, STORE_INT64,
     OF_BALANCER(report_interval_ns), 0, LONG_S, .like = "no reports",
     .help = "how often nodes tell their load; 0 s: always fresh"},
    {"balancer.report_phase", SETTING_CHOICE, STORE_UINT32,
     OF_BALANCER(report_phase), .preset = "random", .choices = "random|same",
     .help = "each node at times of its own, or all at once, as when one "
             "scraper asks them"},
    {"balancer.report_delay", SETTING_DURATION, STORE_INT64,
     OF_BALANCER(report_delay_ns), 0, 3600, 0, "0 s",
     .help = "how long a report is under way; it tells when it was true"},
    {"balancer.report_loss", SETTING_SHARE, STORE_DOUBLE,
     OF_BALANCER(report_loss), 0, 1, 0, "0 %",
     .help = "reports that do not arrive, for each balancer on its own"},
    {"balancer.health", SETTING_BLOCK, STORE_BOOL, OF_BALANCER(health.given),
     .flags = SETTING_MECHANISM, .help = "active checks of every node"},
    {"balancer.health.interval", SETTING_DURATION, STORE_INT64,
     OF_BALANCER(health.interval_ns), 0, 86400, SETTING_ABOVE_MIN, "5 s",
     ARTICLES, .help = "between two checks of a node"},
    {"balancer.health.timeout", SETTING_DURATION, STORE_INT64,
     OF_BALANCER(health.timeout_ns), 0, 86400, SETTING_ABOVE_MIN, "1 s",
     ARTICLES, .help = "a check without an answer by then has failed"},
    {"balancer.health.unhealthy_after", SETTING_COUNT, STORE_UINT32,
     OF_BALANCER(health.unhealthy_after), 1, 1000, 0, "3", ARTICLES,
     .help = "failed checks in a row"},
    {"balancer.health.healthy_after", SETTING_COUNT, STORE_UINT32,
     OF_BALANCER(health.healthy_after), 1, 1000, 0, "2", ARTICLES,
     .help = "good checks in a row"},
    {"balancer.health.mode", SETTING_CHOICE, STORE_UINT32,
     OF_BALANCER(health.mode), .preset = "fixed_rate",
     .choices = "fixed_rate|after_result",
     .help = "the interval runs from check to check, or from the result"},
    {"balancer.retry", SETTING_BLOCK, STORE_BOOL, OF_BALANCER(retry.given),
     .flags = SETTING_MECHANISM,
     .help = "after a refusal, reset or connect time-out, on another node"},
    {"balancer.retry.attempts", SETTING_COUNT, STORE_UINT32,
     OF_BALANCER(retry.attempts), 1, 100, 0, "2", ARTICLES,
     .help = "attempts of a request, the first counted"},
    {"balancer.retry.on_misroute", SETTING_SWITCH, STORE_BOOL,
     OF_BALANCER(retry.on_misroute), .preset = "false",
     .help = "also when a node refuses a model; proxies pass such errors on"},
    {"balancer.timeout", SETTING_BLOCK, .help = "when the balancer gives up"},
    {"balancer.timeout.total", SETTING_DURATION, STORE_INT64,
     OF_BALANCER(timeout.total_ns), 0, LONG_S, SETTING_ABOVE_MIN,
     .like = "none", .help = "from the intended arrival to the whole answer"},
    {"balancer.timeout.connect", SETTING_DURATION, STORE_INT64,
     OF_BALANCER(timeout.connect_ns), 0, LONG_S, SETTING_ABOVE_MIN, "1 s",
     .help = "to reach a node that is down with seen_as: connect_timeout"},
    {"balancer.timeout.cancel", SETTING_SWITCH, STORE_BOOL,
     OF_BALANCER(timeout.cancel), .preset = "true",
     .help = "a time-out frees the node; false leaves it working"},

    {"routing", SETTING_BLOCK, STORE_BOOL, OF_RUN(routing.given),
     .flags = SETTING_MECHANISM,
     .help = "which nodes may take a request, by its class; a policy's entry "
             "may say 'routing: off'"},
    {"routing.table", SETTING_ROUTES, .flags = SETTING_REQUIRED,
     .help = "class to rows of model and groups: the first row counts whose "
             "model is on an eligible node with max_context enough"},
    {"routing.default_class", SETTING_TEXT, STORE_TEXT, OF_DRAFT(default_class),
     .like = "none: the request fails",
     .help = "whose rows are tried when none of its own will do"},
    {"classifier", SETTING_BLOCK, STORE_BOOL, OF_RUN(classifier.given),
     .flags = SETTING_MECHANISM,
     .help = "tells the class of a request, and errs"},
    {"classifier.accuracy", SETTING_SHARE, STORE_DOUBLE,
     OF_RUN(classifier.accuracy), 0, 1, 0, "95 %",
     .help = "share of requests taken for what they are; others are taken for "
             "another class, each one alike"},
    {"result_tier", SETTING_BLOCK, STORE_BOOL, OF_TIER(given),
     .flags = SETTING_MECHANISM,
     .help = "a cache of whole answers in front of the nodes, shared by all "
             "balancers: a hit is answered without a pick"},
    {"result_tier.entries", SETTING_COUNT, STORE_UINT64, OF_TIER(entries), 1,
     1e9, 0, .like = "no limit", .help = "answers it holds"},
    {"result_tier.bytes", SETTING_SIZE, STORE_UINT64, OF_TIER(bytes), 1, 1e15,
     0, .like = "no limit", .help = "room for answers"},
    {"result_tier.bytes_per_token", SETTING_NUMBER, STORE_DOUBLE,
     OF_TIER(bytes_per_token), 0, MANY, SETTING_ABOVE_MIN, "4", "English text",
     .help = "size of an answer per output token"},
    {"result_tier.ttl", SETTING_DURATION, STORE_INT64, OF_TIER(ttl_ns), 0,
     LONG_S, SETTING_ABOVE_MIN, .like = "answers do not age",
     .help = "how long an answer is good"},
    {"result_tier.hit_time", SETTING_DURATION, STORE_INT64,
     OF_TIER(hit_time_ns), 0, LONG_S, 0, "5 ms", "a look-up over the network",
     .help = "from the arrival to the answer of a hit"},
    {"result_tier.miss_time", SETTING_DURATION, STORE_INT64,
     OF_TIER(miss_time_ns), 0, LONG_S, 0, "1 ms",
     "a round trip in one data centre",
     .help = "what a miss costs before the policy is asked"},
    {"result_tier.timeout", SETTING_DURATION, STORE_INT64, OF_TIER(timeout_ns),
     0, LONG_S, 0, "50 ms", NULL,
     .help = "what a look-up costs during an outage, before it is given up"},
    {"result_tier.fill", SETTING_CHOICE, STORE_UINT32, OF_TIER(fill),
     .preset = "at_answer", .choices = "at_answer|at_miss",
     .help = "when an answer enters the tier"},
    {"result_tier.outages[]", SETTING_LIST,
     .help = "when look-ups fail and nothing is stored, in order of time"},
    {"result_tier.outages[].at", SETTING_DURATION, STORE_INT64,
     OF_OUTAGE(at_ns), 0, LONG_S, SETTING_REQUIRED, .help = "when it begins"},
    {"result_tier.outages[].for", SETTING_DURATION, STORE_INT64,
     OF_OUTAGE(for_ns), 0, LONG_S, SETTING_REQUIRED | SETTING_ABOVE_MIN,
     .help = "how long it lasts"},
    {"result_tier.outages[].cold", SETTING_SWITCH, STORE_BOOL, OF_OUTAGE(cold),
     .preset = "true",
     .help = "it comes back empty; false: only the way to it was broken"},

    {"faults[]", SETTING_LIST, .help = "accidents"},
    {"faults[].kind", SETTING_CHOICE, STORE_UINT32, OF_FAULT(kind),
     .flags = SETTING_REQUIRED, .choices = "crash|host_down",
     .help = "the process dies, or the whole machine"},
    {"faults[].target", SETTING_TEXT, STORE_TEXT,
     offsetof(struct fault_draft, target), .flags = SETTING_REQUIRED,
     .help = "the node, such as \"gpu[2]\", counted from 0 in its group"},
    {"faults[].at", SETTING_DURATION, STORE_INT64, OF_FAULT(at_ns), 0, LONG_S,
     SETTING_REQUIRED, .help = "when"},
    {"faults[].restart_after", SETTING_DURATION, STORE_INT64,
     OF_FAULT(restart_after_ns), 0, LONG_S, SETTING_ABOVE_MIN,
     .like = "it stays down", .help = "until it is back, with cold caches"},
    {"faults[].seen_as", SETTING_CHOICE, STORE_UINT32, OF_FAULT(seen_as),
     .choices = "refused|connect_timeout|silent",
     .like = "crash: refused, host_down: silent",
     .help = "what a balancer meets at the dead node"},
    {"faults[].inside_lost_after", SETTING_DURATION, STORE_INT64,
     OF_FAULT(inside_lost_after_ns), 0, LONG_S, 0, "10 s",
     .help = "connect_timeout: when requests inside are given up"},

    {"policies[]", SETTING_POLICIES, .flags = SETTING_REQUIRED,
     .help = "policies to compare, the first is the reference: a name, or "
             "{name: {parameter: value}}; {mine: {so: ./my.so, parameter: "
             "value}} is a shared object, beside the scenario"},
    {"policies[].routing", SETTING_CHOICE, STORE_UINT32,
     offsetof(struct policy_spec, routing), .choices = "off|table",
     .like = "table, where there is a routing table",
     .help = "whether this policy chooses among the nodes of the routing "
             "table, or among all as if there were none"},
    {"policies[].hints", SETTING_CHOICE, STORE_UINT32,
     offsetof(struct policy_spec, hints), .preset = "none",
     .choices = "none|history|exact",
     .help = "what this policy is told of a request's output and work before "
             "it is answered: nothing, what similar ones took, or the truth"},
};

const struct setting *settings_table(size_t *ret_count)
{
    *ret_count = sizeof table / sizeof table[0];
    return table;
}
