#include "sim/report/check_report.h"

#include "sim/report/check_parts.h"

bool check_report_write(enum check_format format,
                        const struct check_report *report, FILE *out)
{
    static bool (*const writers[CHECK_FORMAT_COUNT])(
        const struct check_report *, FILE *) = {
        [CHECK_FORMAT_TABLE] = check_write_table,
        [CHECK_FORMAT_JSON] = check_write_json,
        [CHECK_FORMAT_CSV] = check_write_csv,
        [CHECK_FORMAT_MARKDOWN] = check_write_markdown,
        [CHECK_FORMAT_JUNIT] = check_write_junit,
        [CHECK_FORMAT_GITHUB] = check_write_github,
        [CHECK_FORMAT_GITLAB] = check_write_gitlab,
        [CHECK_FORMAT_AZURE] = check_write_azure,
        [CHECK_FORMAT_LINES] = check_write_lines,
    };

    return writers[format](report, out);
}
