/*
 * predict_config.h - what a user may say to the policy `predict`.
 */
#ifndef POLICIES_PREDICT_CONFIG_H
#define POLICIES_PREDICT_CONFIG_H

#include "policies/history.h"
#include "policies/lbp.h"

enum predict_mode { PREDICT_MODEL, PREDICT_SIMULATE };
enum predict_wait { PREDICT_WAIT_OWN, PREDICT_WAIT_REPORTED };

struct predict_config {
    uint32_t mode, wait;
    struct history_config history;
    int64_t service_preset_ns;
    uint64_t trend_samples;
    int64_t trend_interval_ns, horizon_ns;
    bool share_slots, oracle;
    uint32_t ties;
};

/* Ends with a row without name. */
extern const struct lbp_param predict_params[];

/* For struct lbp_ops. */
const char *predict_check(const void *config);
uint32_t predict_also_needs(const void *config);

#endif
