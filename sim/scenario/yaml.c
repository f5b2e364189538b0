#include "sim/scenario/yaml.h"

#include "sim/scenario/yaml_reader.h"

#include <string.h>

static void refuse_second_document(struct yaml_reader *reader,
                                   struct fy_event *event)
{
    struct fy_token *token = event->document_start.document_start;
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    size_t offset = mark ? mark->input_pos : 0;

    yaml_complain(reader, reader->start + offset, 3,
                  "write one scenario in a file",
                  "a second document begins here");
}

static bool begins_line(const struct yaml_reader *reader, size_t offset)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8 */
    const char *text = reader->source->text;
    size_t seen = offset - reader->start;

    return seen == 0 || text[offset - 1] == '\n' || text[offset - 1] == '\r' ||
           (seen == 3 && memcmp(text + reader->start, mark, 3) == 0);
}

/*
 * No scenario needs directives, and on one that ends with the text libfyaml
 * 0.7.12 goes round for ever: so the library never meets one.
 */
static void refuse_directives(struct yaml_reader *reader)
{
    const char *text = reader->source->text;

    for (size_t at = reader->start; at < reader->source->length; at++) {
        bool known;

        if (text[at] != '%' || !begins_line(reader, at))
            continue;
        known = strncmp(text + at, "%YAML", 5) == 0 ||
                strncmp(text + at, "%TAG", 4) == 0;
        yaml_complain(reader, at, 1,
                      known ? "leave this line out"
                            : "a share is written '30 %'; a text that begins "
                              "with '%' needs quotes",
                      "'%%' begins a directive of YAML here, and a scenario "
                      "has none");
        return;
    }
}

/* The one document between start and end of the stream. */
static const struct tree *read_stream(struct yaml_reader *reader)
{
    const struct tree *root = NULL;
    struct fy_event *event;
    uint32_t documents = 0;

    while (!reader->failed && (event = fy_parser_parse(reader->parser))) {
        enum fy_event_type type = event->type;

        if (type == FYET_DOCUMENT_START && documents++ > 0)
            refuse_second_document(reader, event);
        if (type == FYET_SCALAR || type == FYET_ALIAS ||
            type == FYET_SEQUENCE_START || type == FYET_MAPPING_START) {
            root = yaml_read_value(reader, event, reader->start, 0);
            if (!root)
                return NULL;
        } else {
            fy_parser_event_free(reader->parser, event);
        }
    }
    return root;
}

/* A way out of what the library says most often. */
static const char *hint_for(const char *message)
{
    static const struct {
        const char *part, *hint;
    } hints[] = {
        {"missing comma", "close the bracket before; a text with brackets, "
                          "such as \"gpu[2]\", needs quotes"},
        {"tab character", "indent with spaces"},
        {"multiline plain key",
         "the keys of one block begin in the same column"},
    };

    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (strstr(message, hints[i].part))
            return hints[i].hint;
    return NULL;
}

/* What the library complained about, in its words but at our place. */
static void pass_on_error(struct yaml_reader *reader, struct fy_diag *fy_diag)
{
    void *iterator = NULL;
    struct fy_diag_error *error = fy_diag_errors_iterate(fy_diag, &iterator);
    size_t offset = reader->start;
    const char *text = reader->source->text;
    int line = 1;

    if (!error || !error->msg) { /* it has words for all but this */
        reader->pool->out_of_memory = true;
        return;
    }
    while (line < error->line && offset < reader->source->length)
        line += text[offset++] == '\n';
    if (error->column > 1)
        offset += (size_t)error->column - 1;
    yaml_complain(reader, offset, 1, hint_for(error->msg), "%s", error->msg);
}

static struct tree *nothing(struct yaml_reader *reader)
{
    struct tree *tree = pool_allocate(reader->pool, sizeof *tree);

    if (!tree)
        return NULL;
    yaml_set_place(reader, tree, NULL, reader->start);
    tree->text = "";
    tree->depth = tree->weight = 1;
    return tree;
}

static const struct tree *parse_with(struct yaml_reader *reader,
                                     struct fy_diag *fy_diag,
                                     bool empty_is_fine)
{
    const struct tree *root;
    bool broken;

    refuse_directives(reader);
    root = read_stream(reader);
    broken = fy_parser_get_stream_error(reader->parser);
    if (broken || (!root && fy_diag_got_error(fy_diag)))
        pass_on_error(reader, fy_diag);
    if (reader->failed || reader->pool->out_of_memory)
        return NULL;
    if (root)
        return root;
    if (empty_is_fine)
        return nothing(reader);
    yaml_complain(
        reader, reader->start, 1,
        "a scenario begins with 'lbsim: 1'; see scenarios/quickstart.yaml",
        "there are no settings here");
    return NULL;
}

const struct tree *yaml_parse(struct pool *pool, const struct source *source,
                              size_t start, bool empty_is_fine,
                              struct diag *diag)
{
    struct yaml_reader reader = {
        .pool = pool, .source = source, .start = start, .diag = diag};
    struct fy_diag_cfg diag_config;
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG |
                                           FYPCF_DEFAULT_VERSION_1_2 |
                                           FYPCF_JSON_NONE};
    const struct tree *root = NULL;

    fy_diag_cfg_default(&diag_config);
    diag_config.fp = NULL;
    config.diag = fy_diag_create(&diag_config);
    if (config.diag) {
        fy_diag_set_collect_errors(config.diag, true);
        reader.parser = fy_parser_create(&config);
    }
    if (!reader.parser ||
        fy_parser_set_string(reader.parser, source->text + start,
                             source->length - start) != 0)
        pool->out_of_memory = true;
    else
        root = parse_with(&reader, config.diag, empty_is_fine);
    fy_parser_destroy(reader.parser);
    fy_diag_destroy(config.diag);
    return root;
}
