#include "sim/report/csv_parts.h"

#include "sim/report/number.h"

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
