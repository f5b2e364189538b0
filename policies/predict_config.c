#include "policies/predict_config.h"

#include "policies/ties.h"

#define OF(field) offsetof(struct predict_config, field)

/* The presets below, as they are stored. */
#define QUANTILE_PRESET 0.5
#define TREND_SAMPLES_PRESET 8
#define TREND_INTERVAL_PRESET_NS 500000000

const struct lbp_param predict_params[] = {
    {
        .name = "mode",
        .help = "how a wait is predicted: work in flight over slots, or by "
                "letting the node's queue run forward",
        .kind = LBP_CHOICE,
        .offset = OF(mode),
        .preset = "model",
        .choices = "model|simulate",
    },
    {
        .name = "wait",
        .help = "whose word counts: this balancer's own books, or the queue "
                "that nodes report and what was sent since",
        .kind = LBP_CHOICE,
        .offset = OF(wait),
        .preset = "own",
        .choices = "own|reported",
    },
    {
        .name = "history",
        .help = "what similar requests tell of the output: a running mean, or "
                "a quantile",
        .kind = LBP_CHOICE,
        .offset = OF(history.kind),
        .preset = "mean",
        .choices = "mean|quantile",
    },
    {
        .name = "quantile",
        .help = "which one, for history: quantile",
        .kind = LBP_SHARE,
        .offset = OF(history.quantile),
        .min = 0.01,
        .max = 0.99,
        .preset = "50 %",
    },
    {
        .name = "smoothing",
        .help = "weight of the newest answer in the history",
        .kind = LBP_SHARE,
        .offset = OF(history.smoothing),
        .min = 0.0001,
        .max = 1,
        .preset = "2 %",
    },
    {
        .name = "output_preset",
        .help = "output tokens to expect before there was an answer",
        .kind = LBP_REAL,
        .offset = OF(history.preset),
        .min = 0,
        .max = 1e9,
        .preset = "128",
    },
    {
        .name = "service_preset",
        .help = "service time to expect of nodes that tell no rates, before "
                "there was an answer",
        .kind = LBP_DURATION,
        .offset = OF(service_preset_ns),
        .min = 0,
        .max = 86400,
        .preset = "1 s",
    },
    {
        .name = "horizon",
        .help = "how far ahead a node's load trend is carried on; 0 s: not",
        .kind = LBP_DURATION,
        .offset = OF(horizon_ns),
        .min = 0,
        .max = 3600,
        .preset = "1 s",
    },
    {
        .name = "trend_samples",
        .help = "samples of a node's load that its trend goes through",
        .kind = LBP_COUNT,
        .offset = OF(trend_samples),
        .min = 2,
        .max = 256,
        .preset = "8",
    },
    {
        .name = "trend_interval",
        .help = "time between two of these samples",
        .kind = LBP_DURATION,
        .offset = OF(trend_interval_ns),
        .min = 0.001,
        .max = 3600,
        .preset = "500 ms",
    },
    {
        .name = "share_slots",
        .help = "whether to count on an equal part of each node's slots only, "
                "because the other balancers send as much",
        .kind = LBP_SWITCH,
        .offset = OF(share_slots),
        .preset = "false",
    },
    {
        .name = "oracle",
        .help = "know length and work of each request beforehand, which "
                "nobody does: a bound; turns on hints: exact",
        .kind = LBP_SWITCH,
        .offset = OF(oracle),
        .preset = "false",
    },
    LBP_TIES_PARAM(struct predict_config),
    {.name = NULL},
};

static bool changes_trend(const struct predict_config *config)
{
    return config->trend_samples != TREND_SAMPLES_PRESET ||
           config->trend_interval_ns != TREND_INTERVAL_PRESET_NS;
}

const char *predict_check(const void *given)
{
    const struct predict_config *config = given;

    if (config->mode == PREDICT_SIMULATE &&
        config->wait == PREDICT_WAIT_REPORTED)
        return "mode: simulate needs wait: own, for a report does not say "
               "which requests wait";
    if (config->history.kind == HISTORY_MEAN &&
        config->history.quantile != QUANTILE_PRESET)
        return "quantile says which one for history: quantile; set that as "
               "well";
    if (config->horizon_ns == 0 && changes_trend(config))
        return "trend_samples and trend_interval need a horizon above 0 s";
    return NULL;
}

uint32_t predict_also_needs(const void *given)
{
    const struct predict_config *config = given;

    return config->wait == PREDICT_WAIT_REPORTED ? LBP_NEEDS_REPORTS : 0;
}
