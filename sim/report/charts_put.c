#include "sim/report/charts_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_TAIL = 10 /* letters behind a usual cut */ };

void chart_add_arg(struct chart *chart, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vsnprintf(chart->args[chart->arg_count++], sizeof chart->args[0], format,
              values);
    va_end(values);
}

bool chart_lacks_rows(const struct charts_csv *table, struct chart *chart)
{
    if (table->row_count == 0)
        snprintf(chart->skip, sizeof chart->skip, "%s is missing", table->file);
    else if (table->row_count == 1)
        snprintf(chart->skip, sizeof chart->skip, "%s has no rows",
                 table->file);
    return table->row_count < 2;
}

bool chart_lacks_names(const struct charts_names *names, const char *what,
                       struct chart *chart)
{
    if (names->count == 0)
        snprintf(chart->skip, sizeof chart->skip, "no row names a %s", what);
    return names->count == 0;
}

uint32_t chart_take_letter(const char **text)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)*text;
    size_t more = *byte < 0x80   ? 0
                  : *byte < 0xC0 ? 4
                  : *byte < 0xE0 ? 1
                  : *byte < 0xF0 ? 2
                  : *byte < 0xF8 ? 3
                                 : 4;
    uint32_t letter = more ? *byte & (0x3Fu >> more) : *byte;

    ++*text;
    if (more > 3)
        return CHART_NO_LETTER;
    for (size_t i = 1; i <= more; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return CHART_NO_LETTER;
        letter = letter << 6 | (byte[i] & 0x3Fu);
    }
    if (letter < least[more] || letter > 0x10FFFF ||
        (letter >= 0xD800 && letter < 0xE000))
        return CHART_NO_LETTER;
    *text += more;
    return letter;
}

bool chart_is_exotic(uint32_t letter)
{
    return letter >= 0x0590 && (letter < 0x1E00 || letter >= 0x2800) &&
           letter != CHART_NO_LETTER;
}

static size_t count_letters(const char *text)
{
    size_t count = 0;

    while (*text) {
        chart_take_letter(&text);
        count++;
    }
    return count;
}

/* One letter of a quoted name, from text up to end. */
static void put_letter(const struct chart_input *input, FILE *data,
                       const char *text, const char *end)
{
    const char *next = text;
    uint32_t letter = chart_take_letter(&next);

    if (letter == '"')
        fputs("\xe2\x80\x9d", data);
    else if (letter == '\\')
        fputs("\\\\", data); /* quotes make it an escape */
    else if (letter < ' ' || letter == 0x7F)
        fputc(' ', data);
    else if (letter == CHART_NO_LETTER ||
             (input->plain_letters && chart_is_exotic(letter)))
        fputc('?', data);
    else
        fwrite(text, 1, (size_t)(end - text), data);
}

static const char *skip_letters(const char *text, size_t count)
{
    while (count-- > 0)
        chart_take_letter(&text);
    return text;
}

/* Of two long names: whether they are one when only so many letters stay
   behind the cut. */
static bool looks_like(const char *a, const char *b, size_t room, size_t tail)
{
    size_t head = room - tail - 1;
    size_t head_bytes = (size_t)(skip_letters(a, head) - a);

    return strncmp(a, b, head_bytes) == 0 &&
           strcmp(skip_letters(a, count_letters(a) - tail),
                  skip_letters(b, count_letters(b) - tail)) == 0;
}

static bool is_confused(const struct charts_names *names, const char *text,
                        size_t room, size_t tail)
{
    for (size_t i = 0; i < names->count; i++)
        if (count_letters(names->at[i]) > room &&
            strcmp(names->at[i], text) != 0 &&
            looks_like(text, names->at[i], room, tail))
            return true;
    return false;
}

/* Letters behind the cut of a long name: as many as tell it from the others. */
static size_t choose_tail(const struct chart_input *input, const char *text,
                          size_t room)
{
    const size_t tails[] = {NAME_TAIL, 0, room - 1, 5, 15, 20};

    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        if (!is_confused(&input->policy, text, room, tails[i]) &&
            !is_confused(&input->node, text, room, tails[i]))
            return tails[i];
    return NAME_TAIL;
}

void chart_put_letters(const struct chart_input *input, FILE *data,
                       const char *text)
{
    size_t letters = count_letters(text);
    size_t room = input->wide_names ? CHART_NAME_WIDE : CHART_NAME_USUAL;
    bool whole = letters <= room;
    size_t tail = whole ? 0 : choose_tail(input, text, room);
    size_t cut = room - tail - 1;

    for (size_t i = 0; i < letters; i++) {
        const char *end = text;

        chart_take_letter(&end);
        if (whole || i < cut || i >= letters - tail)
            put_letter(input, data, text, end);
        else if (i == cut)
            fputs("\xe2\x80\xa6", data);
        text = end;
    }
}

void chart_make_plain(char *text)
{
    char *write = text;

    for (const char *read = text, *end = text; *read; read = end) {
        uint32_t letter = chart_take_letter(&end);

        if (letter == CHART_NO_LETTER || chart_is_exotic(letter))
            *write++ = '?';
        else
            while (read < end)
                *write++ = *read++;
    }
    *write = '\0';
}

size_t chart_longest_name(const struct charts_names *names, bool wide)
{
    size_t longest = 0, room = wide ? CHART_NAME_WIDE : CHART_NAME_USUAL;

    for (size_t i = 0; i < names->count; i++) {
        size_t letters = count_letters(names->at[i]);

        longest = letters > longest ? letters : longest;
    }
    return longest < room ? longest : room;
}

/* Whether one of the nodes behind node, less than step away, was down. */
static bool falls_soon(const struct chart_input *input, size_t node,
                       size_t step)
{
    for (size_t i = node + 1; i < node + step && i < input->node.count; i++)
        if (input->node_down[i])
            return true;
    return false;
}

size_t chart_next_name(const struct chart_input *input, size_t before,
                       size_t room)
{
    size_t count = input->node.count;
    size_t step = count > room ? (count + room - 1) / room : 1;
    size_t node = before == SIZE_MAX ? 0 : before + step;

    while (node < count && !input->node_down[node] &&
           falls_soon(input, node, step))
        node++;
    return node < count ? node : count;
}

void chart_end_block(FILE *data)
{
    fputs("\n\n", data);
}

/* The row of a policy in policies.csv, or one past the end. */
static size_t policy_row(const struct chart_input *input, size_t policy)
{
    const struct charts_csv *table = &input->policies;
    size_t column = charts_csv_column(table, "policy");
    size_t row = 1;

    while (row < table->row_count && strcmp(charts_csv_cell(table, row, column),
                                            input->policy.at[policy]) != 0)
        row++;
    return row;
}

double chart_measure(const struct chart_input *input, size_t policy,
                     const char *measure, const char *suffix)
{
    size_t row = policy_row(input, policy);
    char name[80];

    if (row >= input->policies.row_count)
        return (double)NAN;
    snprintf(name, sizeof name, "%s%s", measure, suffix);
    return charts_csv_number(&input->policies, row,
                             charts_csv_column(&input->policies, name));
}

/* ", 98.5 % answered" beside a name whose requests were not all answered. */
static void put_answered(FILE *data, double success)
{
    if (success < 0.9995)
        fprintf(data, ", %.3g %% answered", 100 * success);
}

void chart_put_key(const struct chart_input *input, FILE *data, size_t policy)
{
    fputc('"', data);
    chart_put_letters(input, data, input->policy.at[policy]);
    put_answered(data, chart_measure(input, policy, "success_ratio", ""));
    fputs("\"\n", data);
}

void chart_list_add(struct chart_list *list, double value)
{
    size_t length = strlen(list->text);

    if (sizeof list->text - length > 24) /* a number and a blank fit */
        snprintf(list->text + length, sizeof list->text - length, "%s%.9g",
                 length ? " " : "", value);
}

bool chart_add_series(struct chart *chart, struct chart_series *series,
                      size_t policy)
{
    if (series->count >= CHART_CURVES_MAX) {
        snprintf(chart->left_out, sizeof chart->left_out,
                 "shows the first %d policies with answers", CHART_CURVES_MAX);
        return false;
    }
    chart_list_add(&series->styles, (double)policy + 1);
    series->count++;
    return true;
}

void chart_tell_gaps(struct chart *chart, size_t infinite, size_t missing,
                     const char *words)
{
    size_t size = sizeof chart->left_out;

    if (*chart->left_out)
        return;
    if (infinite > 0)
        snprintf(chart->left_out, size,
                 "%zu infinite point%s at the upper edge", infinite,
                 infinite == 1 ? "" : "s");
    else if (missing > 0)
        snprintf(chart->left_out, size, "%zu point%s %s", missing,
                 missing == 1 ? "" : "s", words);
}
