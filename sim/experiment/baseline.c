/* The text of a baseline as data. */
#include "sim/experiment/baseline.h"

#include "sim/core/arena.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define REPLICATIONS_MAX 100000
#define NAMES_MAX 1000 /* policies, and measures of one */

/* Where the lines of a kind may stand. */
enum part { PART_HEAD, PART_SETTINGS, PART_POLICIES, PART_END };

struct owner {
    struct baseline baseline; /* first: freed through it */
    struct arena arena;
    char *text; /* with its lines cut into words */
    uint32_t setting_room, tolerance_room, policy_room, measure_room;
};

struct reader {
    struct owner *owner;
    struct baseline *baseline;
    struct diag *diag;
    const char *file;
    const char *whole; /* as given, for complaints */
    size_t length;
    size_t begin, end; /* the line being read */
    uint64_t line;
    unsigned head_seen; /* one bit a word of the head */
    enum part part;
    size_t results_begin; /* of the first policy; 0: none yet */
    bool failed;
};

/* ---- complaints ---- */

__attribute__((format(printf, 5, 6))) static bool
complain(struct reader *reader, size_t column, size_t span, const char *hint,
         const char *format, ...)
{
    char message[600];
    va_list arguments;
    struct diag_place place = {
        .file = reader->file,
        .line = reader->line,
        .column = (uint32_t)column + 1,
        .span = span > 0 ? (uint32_t)span : 1,
        .text = reader->whole + reader->begin,
        .text_length = reader->end - reader->begin,
    };

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    diag_add(reader->diag, DIAG_ERROR, &place, hint, "%s", message);
    reader->failed = true;
    return false;
}

static bool no_memory(struct reader *reader)
{
    diag_add_no_memory(reader->diag, NULL);
    reader->failed = true;
    return false;
}

/* ---- words of a line ---- */

/* What is left of it; words are separated by single blanks. */
struct words {
    char *at;      /* in owner->text, ends with 0 */
    size_t column; /* of at */
};

static char *take_word(struct words *words)
{
    char *word = words->at;
    size_t length = strcspn(word, " ");

    words->column += length + (word[length] != 0);
    words->at += length + (word[length] != 0);
    word[length] = 0;
    return word;
}

static bool take_count(struct reader *reader, struct words *words,
                       const char *what, uint64_t least, uint64_t most,
                       uint64_t *ret)
{
    size_t column = words->column;
    char *word = take_word(words);
    size_t length = strlen(word);

    errno = 0;
    *ret = length > 0 && length < 20 && strspn(word, "0123456789") == length
               ? strtoull(word, NULL, 10)
               : UINT64_MAX;
    if (*ret < least || *ret > most || errno != 0)
        return complain(reader, column, length, NULL,
                        "'%s' needs a whole number from %" PRIu64 " to %" PRIu64
                        ", got '%.40s'",
                        what, least, most, word);
    return true;
}

static bool nothing_left(struct reader *reader, const struct words *words)
{
    if (*words->at == 0)
        return true;
    return complain(reader, words->column, strlen(words->at), NULL,
                    "expected the end of the line, got '%.40s'", words->at);
}

static bool take_text(struct reader *reader, struct words *words,
                      const char *what, const char **ret)
{
    *ret = words->at;
    if (*words->at)
        return true;
    return complain(reader, words->column, 1, NULL, "'%s' says nothing", what);
}

static bool take_value(struct reader *reader, struct words *words, double *ret)
{
    size_t column = words->column;
    char *word = take_word(words), *end = word;
    size_t length = strlen(word);

    *ret = NAN;
    if (strcmp(word, "none") == 0)
        return true;
    *ret = INFINITY;
    if (strcmp(word, "unbounded") == 0)
        return true;
    if (length > 0 && length < 40 && strspn(word, "0123456789.eE+-") == length)
        *ret = strtod(word, &end);
    if (!isfinite(*ret) || *end != 0)
        return complain(reader, column, length, NULL,
                        "expected a number, none or unbounded, got '%.40s'",
                        word);
    return true;
}

/* ---- lists that grow ---- */

/* Room for one more in a list of the arena: doubled when full. */
static bool grow(struct reader *reader, void **list, uint32_t count,
                 uint32_t *room, size_t size)
{
    uint32_t more = *room ? 2 * *room : 16;
    void *larger;

    if (count < *room)
        return true;
    larger = arena_allocate(&reader->owner->arena, more, size);
    if (!larger)
        return no_memory(reader);
    if (count > 0)
        memcpy(larger, *list, count * size);
    *list = larger;
    *room = more;
    return true;
}

/* ---- kinds of lines ---- */

static bool read_scenario(struct reader *reader, struct words *words)
{
    return take_text(reader, words, "scenario", &reader->baseline->scenario);
}

static bool read_program(struct reader *reader, struct words *words)
{
    return take_text(reader, words, "program", &reader->baseline->program);
}

static bool read_seed(struct reader *reader, struct words *words)
{
    return take_count(reader, words, "seed", 0, INT64_MAX,
                      &reader->baseline->seed) &&
           nothing_left(reader, words);
}

static bool read_replications(struct reader *reader, struct words *words)
{
    uint64_t count;

    if (!take_count(reader, words, "replications", 1, REPLICATIONS_MAX, &count))
        return false;
    reader->baseline->replications = (uint32_t)count;
    reader->baseline->once = strcmp(words->at, "once") == 0;
    reader->baseline->runs = reader->baseline->once ? 1 : (uint32_t)count;
    return reader->baseline->once || nothing_left(reader, words);
}

static bool read_setting(struct reader *reader, struct words *words)
{
    struct baseline *baseline = reader->baseline;
    void *list = baseline->settings;

    if (!strchr(words->at, '='))
        return complain(reader, words->column, strlen(words->at), NULL,
                        "'setting' needs a path=value, got '%.60s'", words->at);
    if (!grow(reader, &list, baseline->setting_count,
              &reader->owner->setting_room, sizeof *baseline->settings))
        return false;
    baseline->settings = list;
    baseline->settings[baseline->setting_count++] = words->at;
    return true;
}

static bool take_amount(struct reader *reader, struct words *words, double *ret)
{
    size_t column = words->column;

    if (!take_value(reader, words, ret))
        return false;
    if (isfinite(*ret) && *ret >= 0)
        return true;
    return complain(reader, column, 1, NULL, "expected 0 or more");
}

static bool read_false_alarms(struct reader *reader, struct words *words)
{
    return take_amount(reader, words, &reader->baseline->false_alarms) &&
           nothing_left(reader, words);
}

static bool read_tolerance(struct reader *reader, struct words *words)
{
    struct baseline *baseline = reader->baseline;
    struct baseline_tolerance tolerance = {.name = take_word(words)};
    void *list = baseline->tolerances;

    if (*tolerance.name == 0)
        return complain(reader, words->column, 1, NULL,
                        "'tolerance' needs the name of a measure");
    if (!take_amount(reader, words, &tolerance.ratio) ||
        !take_amount(reader, words, &tolerance.amount) ||
        !nothing_left(reader, words) ||
        !grow(reader, &list, baseline->tolerance_count,
              &reader->owner->tolerance_room, sizeof tolerance))
        return false;
    baseline->tolerances = list;
    baseline->tolerances[baseline->tolerance_count++] = tolerance;
    return true;
}

static bool read_policy(struct reader *reader, struct words *words)
{
    struct baseline *baseline = reader->baseline;
    void *list = baseline->policies;
    const char *label;

    if (!take_text(reader, words, "policy", &label))
        return false;
    if (baseline->policy_count == NAMES_MAX ||
        baseline_find_policy(baseline, label))
        return complain(reader, words->column, strlen(label), NULL,
                        baseline->policy_count == NAMES_MAX
                            ? "more policies than there can be: '%.60s'"
                            : "policy '%.60s' stands here twice",
                        label);
    if (!grow(reader, &list, baseline->policy_count,
              &reader->owner->policy_room, sizeof *baseline->policies))
        return false;
    if (baseline->policy_count == 0)
        reader->results_begin = reader->begin;
    baseline->policies = list;
    baseline->policies[baseline->policy_count++] =
        (struct baseline_policy){.label = label, .line = reader->line};
    reader->owner->measure_room = 0;
    return true;
}

static struct baseline_policy *last_policy(struct reader *reader)
{
    return &reader->baseline->policies[reader->baseline->policy_count - 1];
}

static bool read_params(struct reader *reader, struct words *words)
{
    struct baseline_policy *policy = last_policy(reader);

    if (policy->params)
        return complain(reader, 0, 6, NULL, "'params' stands here twice");
    return take_text(reader, words, "params", &policy->params);
}

static bool read_values(struct reader *reader, struct words *words,
                        struct baseline_measure *measure)
{
    uint32_t runs = reader->baseline->runs, count = 0;
    size_t room = strlen(words->at) / 2 + 1; /* a value and its blank */
    double *values;

    if (room < runs)
        return complain(reader, words->column, 1, NULL,
                        "expected %" PRIu32 " values, one a replication", runs);
    values = arena_allocate(&reader->owner->arena, runs, sizeof *values);
    if (!values)
        return no_memory(reader);
    while (*words->at) {
        if (count == runs)
            return complain(reader, words->column, strlen(words->at), NULL,
                            "more than %" PRIu32 " values, one a replication",
                            runs);
        if (!take_value(reader, words, &values[count++]))
            return false;
    }
    if (count < runs)
        return complain(reader, reader->end - reader->begin, 1, NULL,
                        "%" PRIu32 " values, expected %" PRIu32
                        ", one a replication",
                        count, runs);
    measure->values = values;
    return true;
}

static bool read_measure(struct reader *reader, struct words *words)
{
    struct baseline_policy *policy = last_policy(reader);
    struct baseline_measure measure = {.line = reader->line};
    void *list = policy->measures;
    size_t column = words->column;

    measure.name = take_word(words);
    if (*measure.name == 0)
        return complain(reader, column, 1, NULL, "'measure' needs a name");
    if (policy->measure_count == NAMES_MAX ||
        baseline_find_measure(policy, measure.name))
        return complain(reader, column, strlen(measure.name), NULL,
                        policy->measure_count == NAMES_MAX
                            ? "more measures than there can be: '%.60s'"
                            : "measure '%.60s' stands here twice",
                        measure.name);
    if (!take_value(reader, words, &measure.mean))
        return false;
    if (isinf(measure.mean))
        measure.mean = NAN;
    column = words->column;
    if (strcmp(take_word(words), ":") != 0)
        return complain(reader, column, 1, NULL,
                        "expected ':' between the mean and the values");
    if (!read_values(reader, words, &measure) ||
        !grow(reader, &list, policy->measure_count,
              &reader->owner->measure_room, sizeof measure))
        return false;
    policy->measures = list;
    policy->measures[policy->measure_count++] = measure;
    return true;
}

static bool read_end(struct reader *reader, struct words *words)
{
    char sum[17];
    uint64_t results = 0;

    snprintf(sum, sizeof sum, "%016" PRIx64,
             baseline_hash(reader->whole, reader->begin));
    if (strcmp(words->at, sum) != 0)
        return complain(reader, words->column, strlen(words->at),
                        "make it anew with `lbsim baseline`",
                        "the file was changed by hand or by a merge: its sum "
                        "is %s, this says '%.20s'",
                        sum, words->at);
    if (reader->results_begin > 0)
        results = baseline_hash(reader->whole + reader->results_begin,
                                reader->begin - reader->results_begin);
    reader->baseline->results_hash = results;
    return true;
}

static const struct line_kind {
    const char *keyword;
    enum part part;
    bool (*read)(struct reader *reader, struct words *words);
} kinds[] = {
    {"scenario", PART_HEAD, read_scenario},
    {"program", PART_HEAD, read_program},
    {"seed", PART_HEAD, read_seed},
    {"replications", PART_HEAD, read_replications},
    {"setting", PART_SETTINGS, read_setting},
    {"false_alarms", PART_SETTINGS, read_false_alarms},
    {"tolerance", PART_SETTINGS, read_tolerance},
    {"policy", PART_POLICIES, read_policy},
    {"params", PART_POLICIES, read_params},
    {"measure", PART_POLICIES, read_measure},
    {"end", PART_END, read_end},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], HEAD_WORDS = 4 };

/* ---- lines ---- */

static bool is_in_place(struct reader *reader, const struct line_kind *kind,
                        unsigned index)
{
    static const char *const parts[] = {"the head", "the settings",
                                        "the policies", "the end"};
    size_t span = strlen(kind->keyword);

    if (kind->part < reader->part)
        return complain(reader, 0, span, NULL, "'%s' has no place among %s",
                        kind->keyword, parts[reader->part]);
    if (kind->part == PART_HEAD && (reader->head_seen >> index & 1))
        return complain(reader, 0, span, NULL, "'%s' stands here twice",
                        kind->keyword);
    for (unsigned i = 0; kind->part > PART_HEAD && i < HEAD_WORDS; i++)
        if (!(reader->head_seen >> i & 1))
            return complain(reader, 0, span, NULL,
                            "'%s' is missing before this line",
                            kinds[i].keyword);
    if (kind->part == PART_POLICIES && kind->read != read_policy &&
        reader->baseline->policy_count == 0)
        return complain(reader, 0, span, NULL, "'%s' is of no policy",
                        kind->keyword);
    if (reader->baseline->policy_count > 0 && kind->read != read_params &&
        !last_policy(reader)->params)
        return complain(reader, 0, span, NULL,
                        "'params' is missing before this line");
    return true;
}

static bool read_line(struct reader *reader, char *line)
{
    struct words words = {.at = line};
    char *keyword;

    if (line[0] == 0 || line[0] == '#')
        return true;
    keyword = take_word(&words);
    for (unsigned i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].keyword, keyword) != 0)
            continue;
        if (!is_in_place(reader, &kinds[i], i))
            return false;
        if (kinds[i].part == PART_HEAD)
            reader->head_seen |= 1u << i;
        reader->part = kinds[i].part;
        return kinds[i].read(reader, &words);
    }
    return complain(reader, 0, strlen(keyword),
                    "a conflict of a merge is solved by `lbsim baseline`",
                    "no line of a baseline begins with '%.40s'", keyword);
}

static bool read_schema(struct reader *reader, const char *line)
{
    reader->line = 1;
    reader->end = strcspn(line, "\n");
    if (strcmp(line, BASELINE_SCHEMA) == 0)
        return true;
    if (strncmp(line, "lbsim.baseline/", 15) == 0)
        return complain(reader, 0, reader->end,
                        "`lbsim check --update` makes it anew",
                        "the schema is '%.40s', and this program reads '%s'",
                        line, BASELINE_SCHEMA);
    return complain(reader, 0, reader->end, "`lbsim baseline` makes one",
                    "is no baseline: it begins with '%.40s', not with '%s'",
                    line, BASELINE_SCHEMA);
}

/* Line by line; what ends without a new line was cut off. */
static bool read_lines(struct reader *reader)
{
    char *text = reader->owner->text;

    for (size_t begin = 0, end; begin < reader->length; begin = end + 1) {
        char *new_line = memchr(text + begin, '\n', reader->length - begin);

        end = new_line ? (size_t)(new_line - text) : reader->length;
        reader->begin = begin;
        reader->end = end;
        reader->line++;
        if (reader->part == PART_END)
            return complain(reader, 0, end - begin, NULL,
                            "nothing may follow the end");
        if (memchr(text + begin, 0, end - begin))
            return complain(reader, strlen(text + begin), 1, NULL,
                            "holds a byte 0, so it is no text");
        text[end] = 0;
        if (begin == 0) {
            if (!read_schema(reader, text))
                return false;
            continue;
        }
        if (!read_line(reader, text + begin))
            return false;
    }
    if (reader->part == PART_END)
        return true;
    return complain(reader, 0, 1, "make it anew with `lbsim baseline`",
                    "the file is cut off: its last line is not 'end'");
}

struct baseline *baseline_parse(const char *name, const char *text,
                                size_t length, struct diag *diag)
{
    struct diag_place place = {.file = name};
    struct owner *owner;
    struct reader reader = {.diag = diag, .file = name, .whole = text};

    if (length == 0 || length > BASELINE_SIZE_MAX) {
        diag_add(diag, DIAG_ERROR, &place, "`lbsim baseline` makes one",
                 length == 0 ? "is empty, so it is no baseline"
                             : "is too large for a baseline");
        return NULL;
    }
    owner = calloc(1, sizeof *owner);
    if (owner)
        owner->text = malloc(length + 1);
    if (!owner || !owner->text) {
        free(owner);
        diag_add_no_memory(diag, &place);
        return NULL;
    }
    memcpy(owner->text, text, length);
    owner->text[length] = 0;
    reader.owner = owner;
    reader.baseline = &owner->baseline;
    reader.length = length;
    owner->baseline.owned = owner;
    owner->baseline.path = name;
    if (read_lines(&reader))
        return &owner->baseline;
    baseline_destroy(&owner->baseline);
    return NULL;
}

void baseline_destroy(struct baseline *baseline)
{
    struct owner *owner = baseline ? baseline->owned : NULL;

    if (!owner)
        return;
    arena_done(&owner->arena);
    free(owner->text);
    free(owner);
}

const struct baseline_policy *
baseline_find_policy(const struct baseline *baseline, const char *label)
{
    for (uint32_t i = 0; i < baseline->policy_count; i++)
        if (strcmp(baseline->policies[i].label, label) == 0)
            return &baseline->policies[i];
    return NULL;
}

const struct baseline_measure *
baseline_find_measure(const struct baseline_policy *policy, const char *name)
{
    for (uint32_t i = 0; i < policy->measure_count; i++)
        if (strcmp(policy->measures[i].name, name) == 0)
            return &policy->measures[i];
    return NULL;
}

uint64_t baseline_hash(const char *text, size_t length)
{
    return XXH64(text, length, 0);
}
