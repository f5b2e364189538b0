#include "sim/scenario/effective_retry.h"

#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"

#include <inttypes.h>
#include <string.h>

#define BLOCK "balancer.retry."

static void write_causes(struct sheet *sheet, uint32_t causes)
{
    const char *before = "[";

    for (uint32_t c = 0; c < CAUSE_COUNT; c++)
        if (causes >> c & 1) {
            sheet_print(sheet, "%s%s", before, retry_cause_words[c]);
            before = ", ";
        }
    sheet_print(sheet, "]");
}

static void write_choice(struct sheet *sheet, const char *choices,
                         uint32_t index)
{
    while (index-- > 0)
        choices = strchr(choices, '|') + 1;
    sheet_print(sheet, "%.*s", (int)strcspn(choices, "|"), choices);
}

static void write_integer(struct sheet *sheet, const struct setting *row,
                          const char *field)
{
    uint32_t count;

    if (row->store == STORE_INT64) {
        char text[UNITS_TEXT_SIZE];
        int64_t ns;

        memcpy(&ns, field, sizeof ns);
        units_write_duration(ns, text);
        sheet_print(sheet, "%s", text);
        return;
    }
    memcpy(&count, field, sizeof count);
    if (row->kind == SETTING_CHOICE)
        write_choice(sheet, row->choices, count);
    else
        sheet_print(sheet, "%" PRIu32, count);
}

static void write_field(struct sheet *sheet, const struct setting *row,
                        const char *field)
{
    double real;
    bool yes;

    if (row->store == STORE_BOOL) {
        memcpy(&yes, field, sizeof yes);
        sheet_print(sheet, "%s", yes ? "true" : "false");
    } else if (row->store == STORE_DOUBLE) {
        memcpy(&real, field, sizeof real);
        if (row->kind == SETTING_SHARE)
            sheet_print(sheet, "%.9g %%", 100 * real);
        else
            sheet_print(sheet, "%.9g%s", real,
                        row->kind == SETTING_RATE ? "/s" : "");
    } else {
        write_integer(sheet, row, field);
    }
}

/* A time that is none has no value to show. */
static bool is_unsaid(const struct setting *row, const char *field)
{
    int64_t ns;

    if (row->store != STORE_INT64)
        return false;
    memcpy(&ns, field, sizeof ns);
    return ns == 0;
}

bool effective_retry(struct sheet *sheet, const struct setting *row,
                     const struct retry_spec *spec)
{
    size_t offset = offsetof(struct draft, scenario.balancer.retry);
    const char *field;

    if (spec->rule == RETRY_PLAIN ||
        strncmp(row->path, BLOCK, strlen(BLOCK)) != 0)
        return false;
    if (row->kind == SETTING_NAMES) {
        write_causes(sheet, spec->on);
        return true;
    }
    field = (const char *)spec + (row->offset - offset);
    if (is_unsaid(row, field))
        return false;
    write_field(sheet, row, field);
    return true;
}

bool effective_retry_has(const struct setting *row,
                         const struct retry_spec *spec)
{
    if (!spec->given)
        return false;
    if (strcmp(row->path, BLOCK "backoff") == 0)
        return spec->backoff_given;
    return strcmp(row->path, BLOCK "budget") == 0 && spec->budget.given;
}
