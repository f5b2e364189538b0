/*
 * Traces in the form of two simulators of language model serving, seconds from
 * the first request.
 *
 * Vidur (Agrawal et al., MLSys 2024): processed traces, some of sizes alone.
 * Their times were written from doubles. Splitwise-sim (Patel et al., ISCA
 * 2024): prompts and tokens of answers among other columns.
 */
#include "workloads/formats/format.h"

static enum decimal_status parse_seconds(const char *text, size_t length,
                                         int64_t *ret_ns,
                                         enum decimal_zone *ret_zone)
{
    *ret_zone = DECIMAL_ZONE_ABSENT;
    return decimal_parse_rounded_seconds(text, length, ret_ns);
}

const struct format format_vidur = {
    .id = TRACE_VIDUR,
    .columns = {"arrived_at", "num_prefill_tokens", "num_decode_tokens"},
    .time_example = "4.314579",
    .may_lack_time = true,
    .zero_is_failed = true,
    .parse_time = parse_seconds,
};

const struct format format_splitwise = {
    .id = TRACE_SPLITWISE,
    .columns = {"arrival_timestamp", "prompt_size", "token_size"},
    .time_example = "4.314579",
    .zero_is_failed = true,
    .parse_time = parse_seconds,
};
