/*
 * Our own format, "request-trace 1": arrival in decimal seconds from an
 * origin, tokens, and any number of columns more, of which only the key, the
 * prompt, the class and the model concern the reader.
 */
#include "workloads/formats/format.h"

static enum decimal_status parse_arrival(const char *text, size_t length,
                                         int64_t *ret_ns,
                                         enum decimal_zone *ret_zone)
{
    *ret_zone = DECIMAL_ZONE_ABSENT;
    return decimal_parse_seconds(text, length, ret_ns);
}

const struct format format_canonical = {
    .id = TRACE_CANONICAL,
    .columns = {"arrival_s", "input_tokens", "output_tokens", "key", "prompt",
                "class", "model"},
    .time_example = "3.0523",
    .parse_time = parse_arrival,
    .metadata_format = "request-trace 1",
};

const struct format *const format_all[] = {&format_canonical, &format_azure_llm,
                                           &format_vidur, &format_splitwise,
                                           NULL};
