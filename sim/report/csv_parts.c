#include "sim/report/csv_parts.h"

#include "sim/report/number.h"
#include "sim/report/report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

void csv_write_plain(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

void csv_write_text(FILE *out, const char *text)
{
    bool quote = text[strcspn(text, ",\"\n\r#")] != 0;

    if (quote)
        fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
    if (quote)
        fputc('"', out);
}

void csv_field(FILE *out, double value)
{
    char text[NUMBER_SIZE];

    fprintf(out, ",%s", number_exact(text, value));
}

void csv_text_field(FILE *out, const char *text)
{
    fputc(',', out);
    csv_write_text(out, text);
}

void csv_write_head(const struct report_input *input, FILE *out)
{
    const char *end = outcome_end_text(input->result->end);

    fprintf(out, "# lbsim %s\n# scenario: ", LBSIM_VERSION);
    csv_write_plain(out, input->scenario->name);
    fprintf(out, " (hash %016" PRIx64 ")\n", input->scenario->hash);
    fprintf(out, "# seed: %" PRIu64 "\n# replications: %u\n",
            input->scenario->seed, input->result->replications);
    if (end)
        fprintf(out, "# partial: %s\n", end);
}

uint32_t csv_policy_rows(const struct report_input *input)
{
    return input->result->replications > 0 ? input->result->policy_count : 0;
}
