#include "sim/report/json_parts.h"

#define DIGITS 9

void set_difference(struct object *object, const struct verdict *verdict)
{
    set(object, "difference", number_json(verdict->difference));
    set(object, "lo", number_json(verdict->lo));
    set(object, "hi", number_json(verdict->hi));
    set(object, "ratio", number_json(verdict->effect_ratio));
}

void set_pairs(struct object *object, const struct verdict *verdict)
{
    set(object, "pairs", count_json(verdict->pairs));
    if (!verdict->unpaired) {
        set(object, "better_pairs", count_json(verdict->better_pairs));
        set(object, "worse_pairs", count_json(verdict->worse_pairs));
    }
    if (verdict->replications_needed > 0)
        set(object, "replications_needed",
            count_json(verdict->replications_needed));
}

/* A document as text, in growing memory. */
struct text {
    char *letters;
    size_t length, room;
    bool failed;
};

/* For json_dump_callback, which does not always heed what comes back: so the
   failure is kept. */
static int collect(const char *letters, size_t count, void *data)
{
    struct text *text = data;

    if (text->room - text->length < count) {
        size_t room = 2 * text->room + count + 4096;
        char *grown = realloc(text->letters, room);

        if (!grown) {
            text->failed = true;
            return -1;
        }
        text->letters = grown;
        text->room = room;
    }
    memcpy(text->letters + text->length, letters, count);
    text->length += count;
    return 0;
}

bool json_dump_whole(json_t *json, FILE *out)
{
    struct text text = {0};
    bool whole =
        json &&
        json_dump_callback(json, collect, &text,
                           JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS)) == 0 &&
        !text.failed;

    if (whole) {
        fwrite(text.letters, 1, text.length, out);
        fputc('\n', out);
    }
    free(text.letters);
    json_decref(json);
    return whole;
}
