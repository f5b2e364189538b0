#include "sim/scenario/hints.h"

#include "sim/scenario/units.h"

#include <stdio.h>
#include <string.h>

/* --- words of others ------------------------------------------------------ */

static const struct {
    const char *block, *word, *whose, *ours, *note;
} foreign[] = {
    {"balancer.health", "inter", "HAProxy", "interval", ""},
    {"balancer.health", "rise", "HAProxy", "healthy_after", ""},
    {"balancer.health", "fall", "HAProxy", "unhealthy_after", ""},
    {"balancer.health", "healthy_threshold", "Envoy", "healthy_after", ""},
    {"balancer.health", "unhealthy_threshold", "Envoy", "unhealthy_after", ""},
    {"balancer.health", "passes", "nginx", "healthy_after", ""},
    {"balancer.health", "fails", "nginx", "unhealthy_after", ""},
    {"balancer.health", "periodSeconds", "Kubernetes", "interval", ""},
    {"balancer.health", "timeoutSeconds", "Kubernetes", "timeout", ""},
    {"balancer.health", "successThreshold", "Kubernetes", "healthy_after", ""},
    {"balancer.health", "failureThreshold", "Kubernetes", "unhealthy_after",
     ""},
    {"balancer.caps", "maxconn", "HAProxy", "max", ""},
    {"balancer.caps", "minconn", "HAProxy", "min", ""},
    {"balancer.caps", "fullconn", "HAProxy", "full", ""},
    {"balancer.caps", "maxqueue", "HAProxy", "node_queue", ""},
    {"balancer.max_fails", "max_fails", "nginx", "fails", ""},
    {"balancer.retry", "retries", "HAProxy", "attempts",
     ", which counts the first too"},
    {"balancer.retry", "num_retries", "Envoy", "attempts",
     ", which counts the first too"},
    {"balancer.retry", "retry_on", "Envoy", "on", ""},
    {"balancer.retry", "per_try_timeout", "Envoy", "balancer.timeout.attempt",
     ""},
    {"balancer.retry", "maxAttempts", "gRPC", "attempts", ""},
    {"balancer.pool_limits", "max_connections", "Envoy", "connections", ""},
    {"balancer.pool_limits", "max_pending_requests", "Envoy", "pending", ""},
    {"balancer.pool_limits", "max_requests", "Envoy", "requests", ""},
    {"balancer", "slowstart", "HAProxy", "slow_start", ", with 'window'"},
    {"balancer", "outlier_detection", "Envoy", "outlier", ""},
    {"balancer", "circuit_breakers", "Envoy", "pool_limits", ""},
    {"nodes[]", "maxconn", "HAProxy", "max_in_flight", ""},
    {"nodes[].autoscale", "minReplicas", "Kubernetes", "min", ""},
    {"nodes[].autoscale", "maxReplicas", "Kubernetes", "max", ""},
};

bool hints_foreign_word(const struct setting *block, const char *key,
                        size_t length, char *out, size_t size)
{
    for (size_t i = 0; block && i < sizeof foreign / sizeof *foreign; i++)
        if (strcmp(foreign[i].block, block->path) == 0 &&
            strlen(foreign[i].word) == length &&
            memcmp(foreign[i].word, key, length) == 0) {
            snprintf(out, size, "%s's '%s' is '%s' here%s", foreign[i].whose,
                     foreign[i].word, foreign[i].ours, foreign[i].note);
            return true;
        }
    return false;
}

/* --- one value for a block ------------------------------------------------ */

enum { REASON_SIZE = 300 };

static bool is_choice(const char *choices, const char *text, size_t length)
{
    while (*choices) {
        size_t one = strcspn(choices, "|");

        if (one == length && memcmp(choices, text, length) == 0)
            return true;
        choices += one + (choices[one] == '|');
    }
    return false;
}

static bool fits(const struct setting *row, const char *text, size_t length)
{
    char reason[REASON_SIZE];
    int64_t ns;
    uint64_t whole;
    double real;

    switch (row->kind) {
    case SETTING_DURATION:
        return units_parse_duration(text, length, &ns, reason, REASON_SIZE);
    case SETTING_SIZE:
        return units_parse_size(text, length, &whole, reason, REASON_SIZE);
    case SETTING_COUNT:
        return units_parse_count(text, length, &whole, reason, REASON_SIZE);
    case SETTING_RATE:
        return units_parse_rate(text, length, &real, reason, REASON_SIZE);
    case SETTING_NUMBER:
        return units_parse_number(text, length, &real, reason, REASON_SIZE);
    case SETTING_SHARE: /* a bare number is more often another's */
        return memchr(text, '%', length) &&
               units_parse_share(text, length, &real, reason, REASON_SIZE);
    case SETTING_CHOICE:
        return is_choice(row->choices, text, length) &&
               !is_choice("true|false", text, length); /* of the block */
    default:
        return false;
    }
}

/* The first that takes such a value, of the required ones if any does. */
static const struct setting *find_taker(const struct setting *block,
                                        const char *text, size_t length)
{
    const struct setting *found = NULL;

    for (const struct setting *row = settings_first_child(block); row;
         row = settings_next(block, row)) {
        if (!fits(row, text, length))
            continue;
        if (row->flags & SETTING_REQUIRED)
            return row;
        found = found ? found : row;
    }
    return found;
}

bool hints_bare_value(const struct setting *block, const char *text,
                      size_t length, char *out, size_t size)
{
    const struct setting *taker = find_taker(block, text, length);
    bool law = settings_child(block, "dist", 4) != NULL;
    const char *name, *key;
    size_t name_length = settings_key(block, &name), key_length;

    if (length == 4 && memcmp(text, "true", 4) == 0) {
        snprintf(out, size, "'%.*s: {}' takes all its defaults",
                 (int)name_length, name);
        return true;
    }
    if (!taker || length > 60)
        return false;
    key_length = settings_key(taker, &key);
    snprintf(out, size, "such as '%.*s: {%s%.*s: %.*s}'", (int)name_length,
             name,
             law && taker->kind != SETTING_CHOICE ? "dist: constant, " : "",
             (int)key_length, key, (int)length, text);
    return true;
}
