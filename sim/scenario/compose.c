/* Files and what they include, as one tree; see draft.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "sim/scenario/draft.h"
#include "sim/scenario/loader.h"
#include "sim/scenario/yaml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { INCLUDE_DEPTH_MAX = 8, INCLUDES_MAX = 64 };

/* Files being read, the innermost first. */
struct chain {
    const char *real_path;
    const struct chain *outer;
};

struct composer {
    struct load *load;
    const char *root_folder; /* real path: includes do not leave it */
    uint32_t included;
};

static const struct tree *
with_includes(struct composer *composer, const struct tree *root,
              const char *folder, const struct chain *chain, uint32_t depth);

__attribute__((format(printf, 4, 5))) static void
complain_file(struct load *load, const char *path, const struct tree *at,
              const char *format, ...)
{
    struct diag_place place = {.file = path};
    char message[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (at) {
        load_complain(load, at, NULL, "'%s' %s", path, message);
        return;
    }
    load->errors++;
    diag_add(load->diag, DIAG_ERROR, &place, NULL, "%s", message);
}

/* A byte more than allowed shows that there is more. */
static char *read_stream(struct load *load, FILE *file,
                         const struct stat *status, size_t *ret_length)
{
    size_t room = SCENARIO_SIZE_MAX;
    char *text;

    if (S_ISREG(status->st_mode) && (uint64_t)status->st_size < room)
        room = (size_t)status->st_size;
    text = pool_allocate(load->pool, room + 1);
    if (text)
        *ret_length = fread(text, 1, room + 1, file);
    return text;
}

struct source *compose_read_file(struct load *load, const char *path,
                                 const struct tree *at)
{
    struct source *source = pool_allocate(load->pool, sizeof *source);
    struct stat status;
    FILE *file;
    size_t length = 0;
    char *text = NULL;
    bool broken;

    if (!source)
        return NULL;
    file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0) {
        load->pool->out_of_memory |= errno == ENOMEM; /* says so at the end */
        complain_file(load, path, at, "cannot be read: %s", strerror(errno));
        if (file)
            fclose(file);
        return NULL;
    }
    if (S_ISDIR(status.st_mode)) {
        complain_file(load, path, at, "is a folder, not a scenario file");
        fclose(file);
        return NULL;
    }
    text = read_stream(load, file, &status, &length);
    broken = ferror(file);
    fclose(file);
    if (!text)
        return NULL;
    if (broken || length > SCENARIO_SIZE_MAX) {
        complain_file(load, path, at,
                      broken ? "cannot be read to its end"
                             : "is larger than 1 MiB, which is more than a "
                               "scenario needs");
        return NULL;
    }
    *source = (struct source){.kind = SOURCE_FILE,
                              .name = pool_print(load->pool, "%s", path),
                              .text = text,
                              .length = length,
                              .first_line = 1};
    return source->name ? source : NULL;
}

/* Bytes of the letter that starts here; 0: not UTF-8 (overlong forms,
   surrogates and what lies beyond U+10FFFF are not). */
static size_t letter_length(const unsigned char *at, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t letter;
    size_t length;

    if (at[0] < 0x80)
        return 1;
    length = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    if (at[0] < 0xC2 || at[0] > 0xF4 || length > left)
        return 0;
    letter = at[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        letter = letter << 6 | (at[i] & 0x3F);
    }
    if (letter < least[length] || letter > 0x10FFFF ||
        (letter >= 0xD800 && letter < 0xE000))
        return 0;
    return length;
}

static void complain_bytes(struct load *load, const struct source *source,
                           size_t offset, const char *hint, const char *message)
{
    struct diag_place place = source_place(source, offset, 1);

    load->errors++;
    diag_add(load->diag, DIAG_ERROR, &place, hint, "%s", message);
}

static bool is_plain_utf8(struct load *load, const struct source *source)
{
    const unsigned char *text = (const unsigned char *)source->text;
    size_t length = source->length, step;

    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        complain_bytes(load, source, 0,
                       "save it as UTF-8 without byte order mark",
                       "the file begins with a byte order mark");
        return false;
    }
    if (length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 ||
                        memcmp(text, "\xFE\xFF", 2) == 0)) {
        complain_bytes(load, source, 0, "save it as UTF-8",
                       "the file is UTF-16, expected UTF-8");
        return false;
    }
    for (size_t i = 0; i < length; i += step) {
        step = letter_length(text + i, length - i);
        if (step == 0 || text[i] == 0) {
            complain_bytes(load, source, i, "save it as UTF-8",
                           text[i] == 0 ? "a zero byte: this is not text"
                                        : "not UTF-8 from here on");
            return false;
        }
    }
    return true;
}

/*
 * Brackets that are opened and never closed cost the YAML library a kilobyte
 * each before it says so. No text that can be read has this many more open
 * than closed, even with those in quotes and comments counted.
 */
static bool is_nearly_balanced(struct load *load, const struct source *source)
{
    enum { OPEN_MAX = 1000 };
    int32_t open = 0;

    for (size_t i = 0; i < source->length; i++) {
        char byte = source->text[i];

        open += (byte == '[' || byte == '{') - (byte == ']' || byte == '}');
        if (open < 0)
            open = 0;
        if (open > OPEN_MAX) {
            complain_bytes(load, source, i, NULL,
                           "more than 1000 brackets are open here");
            return false;
        }
    }
    return true;
}

static const struct tree *parse_source(struct load *load,
                                       const struct source *source)
{
    const struct tree *root;
    uint32_t shown = load->diag->errors;

    if (!is_plain_utf8(load, source) || !is_nearly_balanced(load, source))
        return NULL;
    root = yaml_parse(load->pool, source, 0, false, load->diag);
    load->errors += load->diag->errors - shown;
    if (root && root->kind != TREE_MAP) {
        load_complain(load, root,
                      "a scenario begins with 'lbsim: 1'; see "
                      "scenarios/quickstart.yaml",
                      "expected settings such as 'duration: 10 min'; got %s",
                      tree_kind_words(root));
        return NULL;
    }
    return root;
}

static char *folder_of(struct pool *pool, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return pool_copy(pool, ".", 1);
    return pool_copy(pool, path, slash == path ? 1 : (size_t)(slash - path));
}

/* The real path in the pool; NULL: there is no such file. */
static const char *real_path(struct pool *pool, const char *path)
{
    char *real = realpath(path, NULL);
    const char *copy = real ? pool_copy(pool, real, strlen(real)) : NULL;

    free(real);
    return copy;
}

static bool lies_in(const char *real, const char *folder)
{
    size_t length = folder ? strlen(folder) : 0;

    return length > 0 && strncmp(real, folder, length) == 0 &&
           (real[length] == '/' || folder[length - 1] == '/');
}

/* Beside the including file, else in $LBSIM_DATA; NULL: complained. */
static const char *find_include(struct composer *composer,
                                const struct tree *at, const char *folder,
                                const char **ret_real)
{
    struct load *load = composer->load;
    const char *data = getenv("LBSIM_DATA"), *data_real, *path, *real;

    path = at->text[0] == '/'
               ? at->text
               : pool_print(load->pool, "%s/%s", folder, at->text);
    if (strcmp(folder, ".") == 0 && at->text[0] != '/')
        path = at->text;
    real = path ? real_path(load->pool, path) : NULL;
    data_real = data && *data ? real_path(load->pool, data) : NULL;
    if (!real && data_real && at->text[0] != '/') {
        path = pool_print(load->pool, "%s/%s", data, at->text);
        real = path ? real_path(load->pool, path) : NULL;
    }
    if (!real) {
        load_complain(load, at,
                      data_real ? NULL : "$LBSIM_DATA is searched too, if set",
                      "'%.200s' is neither beside this file nor in "
                      "$LBSIM_DATA",
                      at->text);
        return NULL;
    }
    if (!lies_in(real, composer->root_folder) && !lies_in(real, data_real)) {
        load_complain(load, at, "move it there",
                      "'%.200s' lies outside the scenario's folder and "
                      "$LBSIM_DATA",
                      at->text);
        return NULL;
    }
    *ret_real = real;
    return path;
}

static bool is_open(const struct chain *chain, const char *real)
{
    for (; chain; chain = chain->outer)
        if (chain->real_path && strcmp(chain->real_path, real) == 0)
            return true;
    return false;
}

static const struct tree *
read_include(struct composer *composer, const struct tree *at,
             const char *folder, const struct chain *chain, uint32_t depth)
{
    struct load *load = composer->load;
    struct chain inner = {.outer = chain};
    const struct source *source;
    const struct tree *root;
    const char *path;

    if (at->kind != TREE_SCALAR || at->length == 0) {
        load_complain(load, at, NULL, "'include' needs %s; got %s",
                      settings_kind_words(SETTING_INCLUDE),
                      tree_kind_words(at));
        return NULL;
    }
    path = find_include(composer, at, folder, &inner.real_path);
    if (!path)
        return NULL;
    if (is_open(chain, inner.real_path)) {
        load_complain(load, at, NULL, "'%.200s' includes itself", at->text);
        return NULL;
    }
    if (depth >= INCLUDE_DEPTH_MAX || ++composer->included > INCLUDES_MAX) {
        load_complain(load, at, NULL,
                      "too many includes: at most %d deep and %d in all",
                      INCLUDE_DEPTH_MAX, INCLUDES_MAX);
        return NULL;
    }
    source = compose_read_file(load, path, at);
    root = source ? parse_source(load, source) : NULL;
    return root ? with_includes(composer, root, folder_of(load->pool, path),
                                &inner, depth + 1)
                : NULL;
}

/* Lays what the root includes under it; of a list, the later over the
   earlier. */
static const struct tree *
with_includes(struct composer *composer, const struct tree *root,
              const char *folder, const struct chain *chain, uint32_t depth)
{
    const struct tree *include = tree_find(root, "include");
    const struct tree *under = NULL;
    struct pool *pool = composer->load->pool;
    uint32_t count;

    if (!include || !folder)
        return root;
    count = include->kind == TREE_LIST ? include->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct tree *part = read_include(
            composer, include->kind == TREE_LIST ? include->values[i] : include,
            folder, chain, depth);

        if (!part)
            return NULL;
        under = tree_merge(pool, under, part);
    }
    return tree_merge(pool, under, root);
}

const struct tree *compose(struct load *load, const char *name,
                           const char *text, size_t length,
                           const char *const *overrides, size_t override_count)
{
    struct composer composer = {.load = load};
    struct chain chain = {.real_path = real_path(load->pool, name)};
    struct source *source = pool_allocate(load->pool, sizeof *source);
    const struct tree *root;

    load->loaded->folder = folder_of(load->pool, name);
    if (!source || !load->loaded->folder)
        return NULL;
    composer.root_folder = real_path(load->pool, load->loaded->folder);
    *source = (struct source){.kind = SOURCE_FILE,
                              .name = pool_print(load->pool, "%s", name),
                              .text = text,
                              .length = length,
                              .first_line = 1};
    root = parse_source(load, source);
    if (root)
        root = with_includes(&composer, root, load->loaded->folder, &chain, 0);
    return root ? override_all(load, root, overrides, override_count) : NULL;
}
