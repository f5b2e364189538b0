/*
 * Normal forms of prompts: what makes "What is TCP?" and "  what is TCP!" one
 * question to hashing and to result caches.
 *
 * The steps, each of them optional, in this order:
 *
 * 1. nfkc: Unicode's compatibility form NFKC, which makes wide letters,
 * ligatures and composed accents one; invisible characters (soft hyphens,
 * joiners, marks of direction) vanish. case: full case folding.
 * 2. punctuation (Unicode's categories P; symbols such as + and $ stay): a
 *    single mark between two digits stays, so that 3.5 is not 35; an apostrophe
 *    between letters vanishes ("don't"); other marks inside a word become a
 *    space ("TCP/IP"); all others vanish.
 * 3. white_space: runs of white space and of control characters become one
 *    space, none is left at the ends.
 * 4. translation: a prompt that is a phrase of the table, as a whole, becomes
 *    its translation. The others stay; those with letters that are not Latin
 *    are counted as untranslated and go by their own words.
 * 5. synonyms: terms of the table, longest first from left to right, become
 *    their canonical words. A term is matched on whole words, which stand
 *    between white space.
 *
 * The steps are repeated until nothing changes, which is nearly always at once,
 * so a normal form is its own: normalising twice is normalising once. Only a
 * text that does not settle within 8 rounds (tables whose terms join across
 * replacements can do that) stays as it is then, and is counted.
 *
 * Bytes that are no UTF-8 become U+FFFD, one for each maximal piece, as the
 * Unicode standard recommends (chapter 3.9). Zero bytes are control characters.
 *
 * Prefix caches of engines go by token ids, never by these forms.
 */
#ifndef WORKLOADS_NORMALISE_H
#define WORKLOADS_NORMALISE_H

#include "workloads/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All false and NULL: texts stay as they are, to the byte. */
struct normalise_spec {
    bool nfkc, fold_case, punctuation, white_space;
    /* Files as found, or NULL: rows of two fields, "term,canonical" and
       "phrase,translation", which may also be the first row's words; comma
       separated, or by tabs when the name holds ".tsv"; plain, gzip or zstd. */
    const char *synonyms, *translation;
};

/* Immutable once open: any number of threads may use one. */
struct normaliser;

/* NULL: diag says what is wrong with a table, or that memory failed. */
struct normaliser *normaliser_open(const struct normalise_spec *spec,
                                   struct diag *diag);
void normaliser_close(struct normaliser *normaliser);

/* What happened to a text. */
enum normalise_flag {
    NORMALISE_CHANGED = 1,      /* its normal form differs */
    NORMALISE_INVALID = 2,      /* it held bytes that are no UTF-8 */
    NORMALISE_TRANSLATED = 4,   /* it was a phrase of the table */
    NORMALISE_UNTRANSLATED = 8, /* letters that are not Latin remained */
    NORMALISE_UNSETTLED = 16    /* see above */
};

struct normalised {
    const char *text; /* not 0-terminated; until the room is used again */
    size_t length;
    unsigned flags;
};

/* Where one user's texts are worked on. All zero is an empty room. */
struct normalise_room {
    struct normalise_bytes {
        char *bytes;
        size_t length, capacity;
    } text, next, last;
    int32_t *points; /* code points */
    size_t point_count, point_capacity;
    unsigned flags;
};
void normalise_room_done(struct normalise_room *room);

/* The normal form of a text. false: no memory. text must not lie in room. */
bool normaliser_apply(const struct normaliser *normaliser,
                      struct normalise_room *room, const char *text,
                      size_t length, struct normalised *ret);

#endif
