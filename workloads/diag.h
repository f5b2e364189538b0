/*
 * Complaints about input: scenario files, parameters, traces.
 *
 * A complaint names its place (file, line, column), shows the line with a
 * caret, says in the user's words what was expected and what was found, and
 * offers a way out as a hint:
 *
 *     my.yaml:6:9: error: 'rate' needs a rate such as '12/s', got '12 s'
 *         6 |   rate: 12 s
 *           |         ^~~~
 *       hint: did you mean '12/s'?
 *
 * Control bytes of the input are shown as '?', so that no file can command the
 * terminal; long lines are shown about the caret.
 *
 * A struct diag collects up to DIAG_LIMIT errors and as many warnings, as
 * text; who owns it decides where the text goes. Nothing here prints.
 */
#ifndef WORKLOADS_DIAG_H
#define WORKLOADS_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIAG_LIMIT 10

enum diag_level { DIAG_ERROR, DIAG_WARNING };

/* Where. All borrowed for the call. file NULL: no place is shown; line 0: only
   the file is shown; text NULL: no source line is shown. */
struct diag_place {
    const char *file;
    uint64_t line;    /* from 1 */
    uint32_t column;  /* from 1, in bytes */
    uint32_t span;    /* bytes to underline, at least 1 is drawn */
    const char *text; /* the whole line, without its end */
    size_t text_length;
};

struct diag {
    char *text; /* 0-terminated, NULL while empty; owned */
    size_t length, capacity;
    uint32_t errors, warnings; /* counted also beyond the limit */
    bool no_memory; /* of diag_add_no_memory, or for text itself: what was
                       said of the input is not all, and may be wrong */
};

void diag_done(struct diag *diag);

/* Adds one complaint: lower case, no full stop. hint may be NULL. diag may be
   NULL: nobody listens. Without memory the text stays short, the counts do not.
   Messages are cut at 1,023 bytes. */
__attribute__((format(printf, 5, 6))) void
diag_add(struct diag *diag, enum diag_level level,
         const struct diag_place *place, const char *hint, const char *format,
         ...);

/* The error that memory ran out; place may be NULL, and so may diag. */
void diag_add_no_memory(struct diag *diag, const struct diag_place *place);

/*
 * The candidate nearest to a misspelt word, by edit distance with swaps, or
 * NULL when none is near enough to be worth saying: a third of the letters may
 * differ. Capitals do not count, nor blanks or dashes for underscores. The
 * first of equally near ones wins. candidates ends with NULL.
 */
const char *diag_nearest(const char *word, size_t length,
                         const char *const *candidates);

#endif
