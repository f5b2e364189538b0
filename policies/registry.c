#include "policies/registry.h"

#include <string.h>

extern const struct lbp_ops policy_random;
extern const struct lbp_ops policy_round_robin;
extern const struct lbp_ops policy_smooth_weighted;
extern const struct lbp_ops policy_least_conn;
extern const struct lbp_ops policy_two_choices;
extern const struct lbp_ops policy_resource_score;
extern const struct lbp_ops policy_ring_hash;
extern const struct lbp_ops policy_predict;
extern const struct lbp_ops policy_peak_ewma;
extern const struct lbp_ops policy_least_time;

static const struct lbp_ops *const policies[] = {
    &policy_random,     &policy_round_robin, &policy_smooth_weighted,
    &policy_least_conn, &policy_two_choices, &policy_resource_score,
    &policy_ring_hash,  &policy_predict,     &policy_peak_ewma,
    &policy_least_time,
};

#define POLICY_COUNT (sizeof policies / sizeof policies[0])

const struct lbp_ops *lbp_registry_find(const char *name, size_t length)
{
    for (size_t i = 0; i < POLICY_COUNT; i++)
        if (strlen(policies[i]->name) == length &&
            memcmp(policies[i]->name, name, length) == 0)
            return policies[i];
    return NULL;
}

const struct lbp_ops *const *lbp_registry_list(uint32_t *ret_count)
{
    *ret_count = POLICY_COUNT;
    return policies;
}

struct other_name {
    const char *other; /* in small letters, with '_' */
    const char *ours;
};

static const struct other_name other_names[] = {
    {"rr", "round_robin"},
    {"roundrobin", "round_robin"},
    {"wrr", "smooth_weighted"},
    {"swrr", "smooth_weighted"},
    {"weighted", "smooth_weighted"},
    {"weighted_round_robin", "smooth_weighted"},
    {"weighted_rr", "smooth_weighted"},
    {"smooth_wrr", "smooth_weighted"},
    {"lc", "least_conn"},
    {"wlc", "least_conn"},
    {"leastconn", "least_conn"},
    {"least_connection", "least_conn"},
    {"least_connections", "least_conn"},
    {"least_request", "least_conn"},
    {"least_requests", "least_conn"},
    {"least_loaded", "least_conn"},
    {"least_outstanding_requests", "least_conn"},
    {"jsq", "least_conn"},
    {"shortest_queue", "least_conn"},
    {"p2c", "two_choices"},
    {"po2", "two_choices"},
    {"po2c", "two_choices"},
    {"power_of_two", "two_choices"},
    {"power_of_two_choices", "two_choices"},
    {"two_random_choices", "two_choices"},
    {"random_two", "two_choices"},
    {"random_two_choices", "two_choices"},
    {"ewma", "peak_ewma"},
    {"latency", "peak_ewma"},
    {"least_latency", "peak_ewma"},
    {"fastest", "peak_ewma"},
    {"fastest_response", "peak_ewma"},
    {"hash", "ring_hash"},
    {"chash", "ring_hash"},
    {"ketama", "ring_hash"},
    {"maglev", "ring_hash"},
    {"consistent", "ring_hash"},
    {"consistent_hash", "ring_hash"},
    {"consistent_hashing", "ring_hash"},
    {"ringhash", "ring_hash"},
    {"rand", "random"},
    {"uniform", "random"},
};

/* Small letters, and '_' for what else parts words. */
static char plain(char letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return (char)(letter - 'A' + 'a');
    return letter == '-' || letter == ' ' || letter == '.' ? '_' : letter;
}

static bool is_meant(const char *name, size_t length, const char *by)
{
    size_t i = 0;

    while (i < length && by[i] && plain(name[i]) == by[i])
        i++;
    return i == length && !by[i];
}

const char *lbp_registry_meant(const char *name, size_t length)
{
    for (size_t i = 0; i < POLICY_COUNT; i++)
        if (is_meant(name, length, policies[i]->name))
            return policies[i]->name;
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (is_meant(name, length, other_names[i].other) &&
            lbp_registry_find(other_names[i].ours, strlen(other_names[i].ours)))
            return other_names[i].ours;
    return NULL;
}
