/* Checks: what a policy is told may be absent, strange or at its limits. */
#include "sim/conformance/trial.h"

#include "policies/params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 9 };

/* ---- reports ---- */

enum lie {
    LIE_ABSENT,
    LIE_NAN,
    LIE_NEGATIVE,
    LIE_HUGE,
    LIE_INFINITE,
    LIE_OLD,
    LIE_AHEAD,
    LIE_MIXED,
    LIES
};

static const char *const lie_names[LIES] = {
    "absent",   "NaN",         "negative",          "huge",
    "infinite", "an hour old", "of a time to come", "each node's otherwise",
};

static double lie_value(enum lie lie, double truth)
{
    switch (lie) {
    case LIE_NAN:
        return NAN;
    case LIE_NEGATIVE:
        return -1e9;
    case LIE_HUGE:
        return 1e300;
    case LIE_INFINITE:
        return INFINITY;
    case LIE_ABSENT:
        return -1;
    default:
        return truth;
    }
}

static int64_t lie_count(enum lie lie, int64_t truth)
{
    switch (lie) {
    case LIE_HUGE:
    case LIE_INFINITE:
        return INT64_MAX;
    case LIE_NEGATIVE:
        return INT64_MIN;
    case LIE_ABSENT:
    case LIE_NAN:
        return -1;
    default:
        return truth;
    }
}

static void report_lie(struct stage *stage, uint32_t slot, enum lie lie)
{
    struct lbp_node *node = stage_node(stage, slot);
    int64_t now_ns = stage->view->now_ns;

    if (lie == LIE_MIXED)
        lie = (enum lie)((uint32_t)slot % LIE_MIXED);
    node->gpu_use = lie_value(lie, 0.5);
    node->cpu_use = lie_value(lie, 0.1);
    node->memory_use = lie_value(lie, 0.5);
    node->kv_use = lie_value(lie, 0.5);
    node->requests_per_s = lie_value(lie, 10);
    node->errors_per_s = lie_value(lie, 0);
    node->queue_depth = lie_count(lie, 2);
    node->running = lie_count(lie, 2);
    node->reported_at_ns = lie == LIE_ABSENT  ? LBP_NO_TIME
                           : lie == LIE_OLD   ? now_ns - 3600000000000
                           : lie == LIE_AHEAD ? now_ns + 3600000000000
                                              : now_ns;
    stage_reported(stage, slot);
}

/* Reports of the traffic itself would be true ones: there are none. */
static void live_with_lies(struct trial *trial, enum lie lie)
{
    struct traffic traffic;
    struct stage stage;
    struct stage_options options = {
        .slot_count = NODES, .with_reports = true, .seed = 111};
    char when[80];

    snprintf(when, sizeof when, "when reports were %s", lie_names[lie]);
    trial_doing(trial, "%s", when);
    if (!trial_open(trial, &stage, &options))
        return;
    traffic_start(&traffic, &stage, 112 + (uint64_t)lie);
    traffic.truth_is_told = false;
    for (uint32_t step = 0; step < 200; step++) {
        report_lie(&stage, step % NODES, lie);
        if (step < NODES) /* until all have lied */
            continue;
        traffic_step(&traffic);
    }
    trial_fail_unsound(trial, &traffic, when);
    if (traffic.not_picked > 100)
        trial_fail(trial, "named no node in %llu of 191 asks %s",
                   (unsigned long long)traffic.not_picked, when);
    traffic_drain(&traffic);
    stage_close(&stage);
}

void check_reports(struct trial *trial)
{
    for (int lie = 0; lie < LIES; lie++)
        live_with_lies(trial, (enum lie)lie);
}

/* ---- requests ---- */

enum { ODDITIES = 10, LONG_KEY = 65536 };

/* One field or two of a request as it may be, too. */
static const char *make_odd(struct lbp_request *request, uint32_t oddity,
                            const char *long_text)
{
    switch (oddity) {
    case 0:
        request->key = NULL;
        request->key_length = 0;
        request->key_hash = 0;
        return "without key";
    case 1:
        request->key = NULL;
        request->key_length = 0;
        return "with a key's hash and no key";
    case 2:
        request->key_length = 0;
        return "with an empty key";
    case 3:
        request->key = request->text = long_text;
        request->key_length = request->text_length = LONG_KEY;
        return "with a key of 64 KiB";
    case 4:
        request->blocks = NULL;
        request->block_count = request->block_tokens = 0;
        return "without blocks";
    case 5:
        request->text = NULL;
        request->text_length = 0;
        return "without text";
    case 6:
        request->session_hash = request->tenant_hash = 0;
        return "without session and tenant";
    case 7:
        request->input_tokens = request->output_tokens_hint = UINT32_MAX;
        request->work_hint_ns = INT64_MAX;
        return "as large as can be";
    case 8:
        request->input_tokens = request->output_tokens_hint = 0;
        request->work_hint_ns = 0;
        request->deadline_ns = LBP_NO_TIME;
        return "of nothing";
    default:
        request->attempt = 1000;
        request->priority = INT32_MIN;
        request->model = request->request_class = UINT16_MAX;
        request->deadline_ns = request->arrived_at_ns - 1;
        return "too late, again and of no class";
    }
}

static void ask_odd(struct trial *trial, struct traffic *traffic,
                    uint32_t oddity, const char *long_text)
{
    struct stage *stage = traffic->stage;
    struct stage_attempt attempt;
    enum lbp_status status;
    const char *words;
    uint32_t slot;

    stage_mask_all(stage);
    stage_request(stage, &attempt, oddity);
    words = make_odd(&attempt.ask.request, oddity, long_text);
    trial_doing(trial, "asked for a request %s", words);
    status = stage_ask(stage, &attempt, &slot, NULL);
    if (!stage_is_sound(stage, status, slot)) {
        trial_fail(trial,
                   "picked slot %u, which was not eligible, for a "
                   "request %s",
                   slot, words);
        return;
    }
    if (status == LBP_NO_NODE)
        trial_fail(trial, "found no node for a request %s", words);
    if (status != LBP_PICKED)
        return;
    stage_send(stage, &attempt, slot);
    stage_advance(stage, 1000000);
    stage_done(stage, &attempt, LBP_OK);
}

void check_requests(struct trial *trial)
{
    struct traffic traffic;
    struct stage stage;
    struct stage_options options = {.slot_count = NODES, .seed = 121};
    char *long_text = fence_make(LONG_KEY);

    for (uint32_t i = 0; i < LONG_KEY; i++) /* no text in any language */
        long_text[i] = (char)(i * 7 + (i >> 8));
    if (!trial_open(trial, &stage, &options))
        return;
    traffic_start(&traffic, &stage, 122);
    for (uint32_t round = 0; round < 5; round++)
        for (uint32_t oddity = 0; oddity < ODDITIES; oddity++) {
            ask_odd(trial, &traffic, oddity, long_text);
            traffic_step(&traffic);
        }
    traffic_drain(&traffic);
    stage_close(&stage);
}

/* ---- parameters ---- */

/* The ends of a kind's range: what was not limited is as far as it goes. */
static double bound(const struct lbp_param *param, bool high)
{
    double value = high ? param->max : param->min;

    if (param->min == param->max) /* no range */
        value = high ? 1e308 : param->kind <= LBP_SHARE ? -1e308 : 0;
    if (isinf(value))
        value = value > 0 ? 1e308 : -1e308;
    return value;
}

static uint32_t count_choices(const char *choices)
{
    uint32_t count = 1;

    for (; *choices; choices++)
        count += *choices == '|';
    return count;
}

/* Values to try: two ends, each choice, both ways of a switch, two texts. */
static uint32_t count_values(const struct lbp_param *param)
{
    return param->kind == LBP_CHOICE ? count_choices(param->choices) : 2;
}

static uint64_t whole(double value)
{
    return value >= 18446744073709549568.0 ? UINT64_MAX
           : value > 0                     ? (uint64_t)value
                                           : 0;
}

static int64_t nanoseconds(double seconds)
{
    return seconds * 1e9 >= 9223372036854774784.0 ? INT64_MAX
                                                  : (int64_t)(seconds * 1e9);
}

static void store(const struct lbp_param *param, void *config, uint32_t index)
{
    static const char *const texts[] = {"", "a text of a user, 30 % of it"};
    char *field = (char *)config + param->offset;
    double end = param->kind <= LBP_DURATION ? bound(param, index == 1) : 0;
    uint64_t count = whole(end);
    int64_t duration_ns = nanoseconds(end);
    bool on = index == 1;

    switch (param->kind) {
    case LBP_REAL:
    case LBP_SHARE:
        memcpy(field, &end, sizeof end);
        break;
    case LBP_COUNT:
        memcpy(field, &count, sizeof count);
        break;
    case LBP_DURATION:
        memcpy(field, &duration_ns, sizeof duration_ns);
        break;
    case LBP_SWITCH:
        memcpy(field, &on, sizeof on);
        break;
    case LBP_CHOICE:
        memcpy(field, &index, sizeof index);
        break;
    case LBP_TEXT:
        memcpy(field, &texts[index], sizeof texts[index]);
        break;
    }
}

/* Giving up for lack of memory is a good answer to a huge value, too. */
static void live_with(struct trial *trial, const void *config, const char *what)
{
    struct traffic traffic;
    struct stage stage;
    struct stage_options options = {
        .slot_count = 4, .memory_limit = (size_t)64 << 20, .seed = 131};
    char when[CONFORMANCE_TEXT / 2];

    snprintf(when, sizeof when, "with %.150s", what);
    trial_doing(trial, "%s", when);
    if (trial->ops->check && trial->ops->check(config))
        return; /* the host will tell the user */
    if (stage_open(&stage, trial->ops, config, &options)) {
        traffic_start(&traffic, &stage, 132);
        for (uint32_t step = 0; step < 100; step++)
            traffic_step(&traffic);
        trial_fail_unsound(trial, &traffic, when);
        traffic_drain(&traffic);
    } else if (!stage.heap.refused) {
        trial_fail(trial, "gave up %s, though there was memory", when);
    }
    stage_close(&stage);
}

void check_parameters(struct trial *trial)
{
    const struct lbp_ops *ops = trial->ops;
    void *config = malloc(ops->config_size + 1);

    if (!ops->params || !ops->params->name) {
        trial_skip(trial, "it has none");
        free(config);
        return;
    }
    for (const struct lbp_param *p = ops->params; config && p->name; p++) {
        for (uint32_t i = 0; i < count_values(p); i++) {
            char what[CONFORMANCE_TEXT / 2];
            size_t length = (size_t)snprintf(what, sizeof what, "%s=", p->name);

            memcpy(config, trial->config, ops->config_size);
            store(p, config, i);
            lbp_params_write(p, config, what + length, sizeof what - length);
            live_with(trial, config, what);
        }
    }
    free(config);
}
