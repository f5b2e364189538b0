/* Classes and models that rows of a trace name. */
#include "test_trace_files.h"

static const char *const classes[] = {"chat", "code, long", "idle", NULL};
static const char *const models[] = {"big", "small", NULL};

static struct trace_spec labelled_spec(const char *path)
{
    struct trace_spec spec = plain_spec(path);

    spec.classes = (struct trace_words){classes, 3, "workload.classes"};
    spec.models = (struct trace_words){models, 2, "the 'models' of groups"};
    return spec;
}

/* Row i stands at i ms; a third of rows names no class, every second one a
   model, and the key is there to lie beside them. */
static uint8_t class_of(uint64_t i)
{
    return (uint8_t)(i % 3);
}

static uint8_t model_of(uint64_t i)
{
    return i % 2 ? (uint8_t)(1 + i / 2 % 2) : 0;
}

static void add_row(struct text *text, uint64_t i)
{
    static const char *const class_texts[] = {"", "chat", "\"code, long\""};
    static const char *const model_texts[] = {"", " big ", "small"};

    text_add(text, "%s,key-%d,%d.%03d,%d,%d,%s\n", model_texts[model_of(i)],
             (int)(i % 7), (int)(i / 1000), (int)(i % 1000), (int)(100 + i),
             (int)(1 + i), class_texts[class_of(i)]);
}

enum { ROWS = 10000 };

static struct scratch write_rows(bool backwards)
{
    struct text text = {0};
    struct scratch file;

    text_add(&text, "model,key,arrival_s,input_tokens,output_tokens,class\n");
    for (uint64_t i = 0; i < ROWS; i++)
        add_row(&text, backwards ? ROWS - 1 - i : i);
    file = scratch_write(text.bytes, text.length);
    free(text.bytes);
    return file;
}

static void check_row(const struct trace_row *row)
{
    uint64_t i = row->input_tokens - 100;

    CHECK_UINT(row->class_label, class_of(i));
    CHECK_UINT(row->model_label, model_of(i));
    CHECK_UINT(row->key_length, 5);
}

static void play(const struct trace *trace, enum trace_resample resample,
                 uint64_t replication, uint64_t expected_rows)
{
    struct trace_cursor *cursor = trace_cursor_create(
        trace, resample, ROWS * INT64_C(1000000), 42, replication);
    struct trace_row row;
    uint64_t rows = 0;

    while (trace_cursor_next(cursor, &row)) {
        check_row(&row);
        rows++;
    }
    CHECK(!trace_cursor_failed(cursor));
    CHECK_UINT(rows, expected_rows);
    trace_cursor_destroy(cursor);
}

/* 10000 rows: 3334 of i % 3 == 0, 3333 of the two others. */
static void check_books(const struct trace *trace)
{
    const struct trace_books *books = trace_books(trace);

    CHECK(trace_has_classes(trace) && trace_has_models(trace));
    CHECK_UINT(books->by_class[0].rows, 3334);
    CHECK_UINT(books->by_class[1].rows, 3333);
    CHECK_UINT(books->by_class[2].rows, 3333);
    CHECK_UINT(books->by_class[3].rows, 0);
    CHECK_UINT(books->by_model[0].rows, 5000);
    CHECK_UINT(books->by_model[1].rows, 2500);
    CHECK_UINT(books->by_model[2].rows, 2500);
    /* 1 + 4 + ... + 9997 = 3333 (1 + 9997) / 2. */
    CHECK_UINT(books->by_class[1].input_tokens, 3333 * 100 + 16661667);
    CHECK_UINT(books->by_class[1].output_tokens, 3333 + 16661667);
}

static void rows_carry_labels(void)
{
    struct scratch file = write_rows(false);

    for (int streamed = 0; streamed < 2; streamed++) {
        struct trace_spec spec = labelled_spec(file.path);
        struct trace *trace;

        spec.memory_bytes = streamed ? 0 : GIB;
        spec.block_ns = SECOND_NS;
        trace = open_sound(&spec);
        CHECK_UINT(trace_books(trace)->in_memory, !streamed);
        CHECK_UINT(trace_books(trace)->first_line_without_class, 2);
        check_books(trace);
        play(trace, TRACE_RESAMPLE_NONE, 1, ROWS);
        play(trace, TRACE_RESAMPLE_BLOCKS, 2, ROWS);
        trace_close(trace);
    }
    scratch_remove(&file);
}

static void labels_go_with_rows_that_are_sorted(void)
{
    struct scratch file = write_rows(true);
    struct trace_spec spec = labelled_spec(file.path);
    struct trace *trace;

    spec.sort = true;
    trace = open_sound(&spec);
    check_books(trace);
    play(trace, TRACE_RESAMPLE_NONE, 1, ROWS);
    trace_close(trace);
    scratch_remove(&file);
}

/* Two bytes a row more: what fits without labels does not with them. */
static void labels_count_as_memory(void)
{
    struct scratch file = write_rows(false);
    struct trace_spec spec = labelled_spec(file.path);
    struct trace *trace;

    spec.memory_bytes = 3 * (4096 * 20) + 80000;
    trace = open_sound(&spec);
    CHECK(!trace_books(trace)->in_memory);
    trace_close(trace);
    spec.classes.count = spec.models.count = 0;
    trace = open_sound(&spec);
    CHECK(trace_books(trace)->in_memory);
    trace_close(trace);
    scratch_remove(&file);
}

static void columns_without_a_list_are_not_looked_at(void)
{
    struct scratch file = write_rows(false);
    struct trace_spec spec = plain_spec(file.path);
    struct trace *trace = open_sound(&spec);
    const struct trace_books *books = trace_books(trace);

    CHECK(books->has_class_column && books->has_model_column);
    CHECK(!trace_has_classes(trace) && !trace_has_models(trace));
    CHECK_UINT(books->by_class[0].rows, ROWS);
    trace_close(trace);
    scratch_remove(&file);
}

static void refuse(const char *text, const char *complaint)
{
    for (int skip = 0; skip < 2; skip++) {
        struct scratch file = scratch_text(text);
        struct trace_spec spec = labelled_spec(file.path);

        spec.bad_rows = skip ? TRACE_SKIP : TRACE_STRICT;
        spec.bad_rows_limit = 1;
        check_refused(&spec, complaint);
        scratch_remove(&file);
    }
}

/* Even where bad rows are skipped. */
static void unknown_words_are_refused(void)
{
    refuse("arrival_s,input_tokens,output_tokens,class\n0,1,1,chat\n"
           "1,1,1,caht\n",
           ":3:7: error: 'class' is 'caht', which is not among "
           "workload.classes: chat, code, long, idle\n"
           "    3 | 1,1,1,caht\n"
           "      |       ^~~~\n"
           "  hint: did you mean 'chat'?");
    refuse("arrival_s,input_tokens,output_tokens,class\n0,1,1,embeddings\n",
           "hint: add it to workload.classes, or take the column out");
    refuse("arrival_s,model,input_tokens,output_tokens\n0,huge,1,1\n",
           ":2:3: error: 'model' is 'huge', which is not among the 'models' "
           "of groups: big, small");
    /* Longer and shorter than a name that is listed. */
    refuse("arrival_s,model,input_tokens,output_tokens\n0,bi,1,1\n",
           "'model' is 'bi'");
    refuse("arrival_s,model,input_tokens,output_tokens\n0,bigger,1,1\n",
           "'model' is 'bigger'");
    refuse("arrival_s,class,input_tokens,output_tokens,class\n0,chat,1,1,a\n",
           "there are two columns 'class'");
}

static void other_formats_have_no_labels(void)
{
    struct trace_spec spec = labelled_spec("tests/data/traces/azure_2023.csv");
    struct trace *trace = open_sound(&spec);

    CHECK(!trace_has_classes(trace) && !trace_has_models(trace));
    trace_close(trace);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"rows carry labels", rows_carry_labels},
        {"labels go with rows that are sorted",
         labels_go_with_rows_that_are_sorted},
        {"labels count as memory", labels_count_as_memory},
        {"columns without a list are not looked at",
         columns_without_a_list_are_not_looked_at},
        {"unknown words are refused", unknown_words_are_refused},
        {"other formats have no labels", other_formats_have_no_labels},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace_labels", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
