#include "workloads/normalise.h"

#include "workloads/normalise_points.h"
#include "workloads/normalise_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 8
#define LONGEST ((size_t)16 << 20) /* bytes that replacements may grow to */
#define SHOWN 60

struct normaliser {
    struct normalise_spec spec;
    struct normalise_table synonyms, translation;
};

void normalise_room_done(struct normalise_room *room)
{
    free(room->text.bytes);
    free(room->next.bytes);
    free(room->last.bytes);
    free(room->points);
    *room = (struct normalise_room){0};
}

static bool set_text(struct normalise_bytes *bytes, const char *text,
                     size_t length)
{
    bytes->length = 0;
    if (!normalise_bytes_reserve(bytes, length + 1))
        return false;
    if (length > 0)
        memcpy(bytes->bytes, text, length);
    bytes->length = length;
    return true;
}

static bool append(struct normalise_bytes *bytes, const char *text,
                   size_t length)
{
    if (!normalise_bytes_reserve(bytes, bytes->length + length + 1))
        return false;
    memcpy(bytes->bytes + bytes->length, text, length);
    bytes->length += length;
    return true;
}

static void swap(struct normalise_room *room)
{
    struct normalise_bytes text = room->text;

    room->text = room->next;
    room->next = text;
}

/* Each step takes room->text and leaves its outcome there. */

static bool step_points(const struct normaliser *normaliser,
                        struct normalise_room *room)
{
    const struct normalise_spec *spec = &normaliser->spec;

    if (!normalise_points_read(room, spec))
        return false;
    if (spec->punctuation)
        normalise_points_strip_punctuation(room);
    if (spec->white_space)
        normalise_points_collapse_space(room);
    if (!normalise_points_write(room))
        return false;
    swap(room);
    return true;
}

static bool step_translation(const struct normaliser *normaliser,
                             struct normalise_room *room)
{
    const struct normalise_entry *entry = normalise_table_find(
        &normaliser->translation, room->text.bytes, room->text.length);

    if (!entry)
        return true;
    room->flags |= NORMALISE_TRANSLATED;
    return set_text(&room->text, entry->text, entry->length);
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static size_t word_end(const struct normalise_bytes *text, size_t at)
{
    while (at < text->length && !is_blank(text->bytes[at]))
        at++;
    return at;
}

static size_t skip_blanks(const struct normalise_bytes *text, size_t at)
{
    while (at < text->length && is_blank(text->bytes[at]))
        at++;
    return at;
}

/* The longest term that begins at a word; NULL: none does. */
static const struct normalise_entry *
longest_term(const struct normalise_table *table,
             const struct normalise_bytes *text, size_t start, size_t *ret_end)
{
    const struct normalise_entry *found = NULL;
    size_t end = start;

    for (uint32_t words = 0; words < table->most_words; words++) {
        size_t next = skip_blanks(text, end);
        const struct normalise_entry *entry;

        if (next == text->length)
            break;
        end = word_end(text, next);
        entry = normalise_table_find(table, text->bytes + start, end - start);
        if (entry) {
            found = entry;
            *ret_end = end;
        }
    }
    return found;
}

static bool step_synonyms(const struct normaliser *normaliser,
                          struct normalise_room *room)
{
    const struct normalise_bytes *text = &room->text;
    size_t at = 0;

    room->next.length = 0;
    while (at < text->length && room->next.length <= LONGEST) {
        size_t start = skip_blanks(text, at);
        size_t end = word_end(text, start);
        const struct normalise_entry *entry =
            longest_term(&normaliser->synonyms, text, start, &end);

        if (!append(&room->next, text->bytes + at, start - at) ||
            !append(&room->next, entry ? entry->text : text->bytes + start,
                    entry ? entry->length : end - start))
            return false;
        at = end;
    }
    swap(room);
    return true;
}

static bool equal(const struct normalise_bytes *bytes, const char *text,
                  size_t length)
{
    return bytes->length == length &&
           (length == 0 || memcmp(bytes->bytes, text, length) == 0);
}

/* *ret_settled: the round changed nothing. */
static bool run_round(const struct normaliser *normaliser,
                      struct normalise_room *room, bool *ret_settled)
{
    if (!set_text(&room->last, room->text.bytes, room->text.length) ||
        !step_points(normaliser, room) || !step_translation(normaliser, room) ||
        (normaliser->synonyms.terms.count > 0 &&
         !step_synonyms(normaliser, room)))
        return false;
    *ret_settled = equal(&room->last, room->text.bytes, room->text.length);
    return true;
}

/* What the translation table had no answer for, and may have needed one. */
static bool is_untranslated(const struct normaliser *normaliser,
                            const struct normalise_room *room)
{
    return normaliser->spec.translation &&
           !(room->flags & NORMALISE_TRANSLATED) &&
           normalise_points_are_foreign(room);
}

bool normaliser_apply(const struct normaliser *normaliser,
                      struct normalise_room *room, const char *text,
                      size_t length, struct normalised *ret)
{
    bool settled = false;

    room->flags = 0;
    if (!set_text(&room->text, text, length))
        return false;
    for (int round = 0; round < ROUNDS && !settled; round++) {
        if (!run_round(normaliser, room, &settled))
            return false;
        if (room->text.length > LONGEST && room->text.length > length)
            break;
    }
    if (!settled)
        room->flags |= NORMALISE_UNSETTLED;
    if (is_untranslated(normaliser, room))
        room->flags |= NORMALISE_UNTRANSLATED;
    if (!equal(&room->text, text, length))
        room->flags |= NORMALISE_CHANGED;
    *ret =
        (struct normalised){room->text.bytes, room->text.length, room->flags};
    return true;
}

/* ---- opening ---- */

struct opening {
    struct normaliser *normaliser;
    struct normaliser plain; /* the same without tables */
    struct normalise_room room;
    struct diag *diag;
};

/* Both sides of a table's rows are brought into form without tables. */
static bool form_plain(void *context, const char *text, size_t length,
                       const char **ret_text, size_t *ret_length)
{
    struct opening *opening = context;
    struct normalised formed;

    if (!normaliser_apply(&opening->plain, &opening->room, text, length,
                          &formed))
        return false;
    *ret_text = formed.text;
    *ret_length = formed.length;
    return true;
}

static bool read_table(struct opening *opening, const char *path,
                       const char *const names[2], bool by_words,
                       struct normalise_table *table)
{
    struct normalise_table_reading reading = {.path = path,
                                              .names = names,
                                              .by_words = by_words,
                                              .form = form_plain,
                                              .context = opening,
                                              .diag = opening->diag};

    return !path || normalise_table_read(table, &reading);
}

static bool complain_of_circle(const struct opening *opening, const char *path,
                               const struct normalise_entry *entry)
{
    struct diag_place place = {.file = path,
                               .line = entry->line,
                               .column = entry->column,
                               .span = entry->span};

    diag_add(opening->diag, DIAG_ERROR, &place,
             "rows lead in a circle, or a term is part of what it becomes",
             "'%.*s' is itself replaced, again and again",
             entry->length < SHOWN ? (int)entry->length : SHOWN, entry->text);
    return false;
}

/* Puts every replacement through all tables, so that a text is done in one
   round, and a table that never comes to an end is found here. */
static bool settle_table(struct opening *opening, const char *path,
                         struct normalise_table *table)
{
    for (uint32_t i = 0; i < table->terms.count; i++) {
        struct normalise_entry *entry = &table->entries[i];
        struct normalise_bytes text = {.bytes = entry->text,
                                       .capacity = entry->length};
        struct normalised settled;
        bool sound = normaliser_apply(opening->normaliser, &opening->room,
                                      entry->text, entry->length, &settled);

        if (sound && (settled.flags & NORMALISE_UNSETTLED))
            return complain_of_circle(opening, path, entry);
        if (!sound || !set_text(&text, settled.text, settled.length)) {
            diag_add_no_memory(opening->diag, NULL);
            return false;
        }
        entry->text = text.bytes;
        entry->length = text.length;
    }
    return true;
}

static bool open_tables(struct opening *opening)
{
    static const char *const synonyms[] = {"term", "canonical"};
    static const char *const translation[] = {"phrase", "translation"};
    struct normaliser *normaliser = opening->normaliser;
    const struct normalise_spec *spec = &normaliser->spec;

    return read_table(opening, spec->synonyms, synonyms, true,
                      &normaliser->synonyms) &&
           read_table(opening, spec->translation, translation, false,
                      &normaliser->translation) &&
           settle_table(opening, spec->synonyms, &normaliser->synonyms) &&
           settle_table(opening, spec->translation, &normaliser->translation);
}

struct normaliser *normaliser_open(const struct normalise_spec *spec,
                                   struct diag *diag)
{
    struct opening opening = {
        .normaliser = calloc(1, sizeof *opening.normaliser), .diag = diag};
    bool sound;

    if (!opening.normaliser) {
        diag_add_no_memory(diag, NULL);
        return NULL;
    }
    opening.normaliser->spec = *spec;
    opening.plain.spec = *spec;
    opening.plain.spec.synonyms = opening.plain.spec.translation = NULL;
    sound = open_tables(&opening);
    normalise_room_done(&opening.room);
    if (sound)
        return opening.normaliser;
    normaliser_close(opening.normaliser);
    return NULL;
}

void normaliser_close(struct normaliser *normaliser)
{
    if (!normaliser)
        return;
    normalise_table_done(&normaliser->synonyms);
    normalise_table_done(&normaliser->translation);
    free(normaliser);
}
