/*
 * Azure LLM inference traces of 2023 and 2024.
 *
 * Patel et al., "Splitwise: Efficient generative LLM inference using phase
 * splitting", ISCA 2024; Stojkovic et al., "DynamoLLM", HPCA 2025. Calendar
 * times: 2023 with seven fraction digits and no zone, 2024 with a zone and
 * no fraction at all when the microseconds are zero.
 */
#include "workloads/formats/format.h"

const struct format format_azure_llm = {
    .id = TRACE_AZURE_LLM,
    .columns = {"TIMESTAMP", "ContextTokens", "GeneratedTokens", NULL, NULL},
    .time_example = "2023-11-16 18:15:46.6805900",
    .zero_is_failed = true,
    .parse_time = decimal_parse_calendar,
};
