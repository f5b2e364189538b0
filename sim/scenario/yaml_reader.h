/*
 * Inside the YAML reader: events of the library into a tree. Not for others.
 */
#ifndef SIM_SCENARIO_YAML_READER_H
#define SIM_SCENARIO_YAML_READER_H

#include "sim/scenario/tree.h"

#include <libfyaml.h>

/* A name given to a value by &name. The latest of a name counts. */
struct yaml_anchor {
    const char *name;
    const struct tree *tree; /* NULL: still being read */
    struct yaml_anchor *next;
};

enum { YAML_ANCHORS_MAX = 1000 }; /* aliases are looked up one by one */

struct yaml_reader {
    struct pool *pool;
    const struct source *source;
    size_t start; /* of the YAML text in source->text */
    struct diag *diag;
    struct fy_parser *parser;
    struct yaml_anchor *anchors;
    uint32_t values, anchor_count; /* read so far */
    bool failed;
};

/* The first error ends the reading; later ones are not heard. hint may be
   NULL. */
void yaml_complain(struct yaml_reader *reader, size_t offset, size_t span,
                   const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Makes the value that the event begins, taking the events that belong to it.
   Takes the event over and frees it. fallback: where an empty value stands;
   level: how many blocks it is in. NULL: complained, a syntax error, or no
   memory. */
const struct tree *yaml_read_value(struct yaml_reader *reader,
                                   struct fy_event *event, size_t fallback,
                                   uint32_t level);

/* Sets place and line of a value by the token that begins it; NULL: it has
   none and stands at fallback. */
void yaml_set_place(struct yaml_reader *reader, struct tree *tree,
                    struct fy_token *token, size_t fallback);

#endif
