/*
 * The table of settings: everything that a scenario may say, once.
 *
 * A row gives the path, what kind of value it takes, its range, its default,
 * whose default that is, a line of help, and where the value goes. The rows
 * drive reading, checks, --set, the effective scenario, the hash, `lbsim
 * settings`, the reference page and the JSON Schema, so a new setting is a new
 * row and the field it fills.
 *
 * Rows stand depth first: the children of a block follow it. "nodes[]" is a
 * list of blocks; `defaults` takes what nodes[] takes.
 */
#ifndef SIM_SCENARIO_SETTINGS_H
#define SIM_SCENARIO_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum setting_kind {
    SETTING_BLOCK,    /* a map of settings */
    SETTING_LIST,     /* a list of blocks */
    SETTING_PATTERN,  /* defaults */
    SETTING_DURATION, /* int64_t ns, or double s: see setting_store */
    SETTING_SIZE,
    SETTING_RATE,
    SETTING_SHARE,
    SETTING_COUNT,
    SETTING_NUMBER,
    SETTING_SWITCH,
    SETTING_CHOICE,
    SETTING_TEXT,
    SETTING_WARM_UP, /* what follows is read by hand */
    SETTING_RESAMPLE,
    SETTING_MEASURE,
    SETTING_GOALS,
    SETTING_TOLERANCES,
    SETTING_POLICIES,
    SETTING_KEYS,
    SETTING_MOVES,
    SETTING_INCLUDE,
    SETTING_NAMES,
    SETTING_ROUTES,
    SETTING_RANGES,
    SETTING_SWEEP,
    SETTING_KIND_COUNT
};

enum setting_store {
    STORE_NOWHERE,
    STORE_INT64,  /* ns */
    STORE_DOUBLE, /* durations in s */
    STORE_UINT32, /* also enums: the index of the choice */
    STORE_UINT64,
    STORE_BOOL, /* also of a choice of two; of a block: it was given */
    STORE_TEXT
};

enum setting_flag {
    SETTING_REQUIRED = 1,  /* when its block is there */
    SETTING_ABOVE_MIN = 2, /* min itself is outside */
    SETTING_MECHANISM = 4, /* a block that is off unless named */
    SETTING_PER_GROUP = 8, /* has no place in defaults */
    SETTING_NO_RESULT = 16 /* changes no result of a run: not in the hash */
};

struct setting {
    const char *path;
    enum setting_kind kind;
    enum setting_store store;
    size_t offset;   /* in struct draft, group_draft or fault_draft */
    double min, max; /* inclusive; durations in s, sizes in bytes */
    unsigned flags;
    const char *preset;  /* as a user would write it; NULL: none, or worked
                            out: then `like` says from what */
    const char *like;    /* whose default, or how it is worked out */
    const char *choices; /* "a|b|c" */
    const char *help;    /* one line */
    const char *of_kind; /* means something only where the `kind` beside it is
                            this: else its default is not shown; NULL: always */
};

/* [*ret_count], in order. */
const struct setting *settings_table(size_t *ret_count);

/* The row of a path such as "workload.arrivals.rate", "nodes[].count",
   "nodes[gpu].engine.slots" or "defaults.engine.slots"; NULL: unknown. */
const struct setting *settings_find(const char *path);

/* The first row below a block (NULL: the top), and the next of the same
   block; NULL: no more. */
const struct setting *settings_first_child(const struct setting *block);
const struct setting *settings_next(const struct setting *block,
                                    const struct setting *row);
const struct setting *settings_child(const struct setting *block,
                                     const char *key, size_t length);

/* The last word of its path, without "[]". */
size_t settings_key(const struct setting *row, const char **ret_key);

/* Where a block stands, as a user would say it: "at the top level",
   "in workload.arrivals", "in nodes[].engine" (or "in defaults.engine"). */
void settings_block_name(const struct setting *block, bool in_defaults,
                         char *out, size_t size);

/* "a duration such as '250 ms'", for messages and pages. */
const char *settings_kind_words(enum setting_kind kind);

/* The same for one row: a choice shows its words, "one of gpu, cpu". */
void settings_takes(const struct setting *row, char *out, size_t size);

/* "more than 0, at most 1000", with units; empty: no range. */
void settings_range_words(const struct setting *row, char *out, size_t size);

/* What a user may have meant by an unknown key of a block; writes a hint. */
void settings_hint(const struct setting *block, bool in_defaults,
                   const char *key, size_t length, char *out, size_t size);

/*
 * Pages of the reference: NULL: no such path (or no memory). path NULL: all
 * rows in short; a block: its rows; a setting: all about it. Owned by the
 * caller, released with free().
 */
char *settings_text(const char *path);
char *settings_markdown(void);

/* What to say about an unknown path; writes a hint or an empty text. */
void settings_path_hint(const char *path, char *out, size_t size);

#endif
