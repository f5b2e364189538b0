/* Prompts of traces: when they are keys, and what a normaliser makes of them,
   in memory and read again. */
#include "test_trace_files.h"
#include "workloads/workload.h"

#include <xxhash.h>

static const struct normalise_spec all_steps = {
    .nfkc = true, .fold_case = true, .punctuation = true, .white_space = true};

/* Row by row "key<raw hash of text?" with the raw text's place in texts. */
static char *keys_played(const struct trace *trace, const char *const *raws)
{
    struct text text = {0};
    struct trace_cursor *cursor =
        trace_cursor_create(trace, TRACE_RESAMPLE_NONE, INT64_MAX, 1, 1);
    struct trace_row row;
    size_t at = 0;

    text_add(&text, "%s", "");
    while (cursor && trace_cursor_next(cursor, &row)) {
        text_add(&text, "%.*s|", (int)row.key_length, row.key ? row.key : "");
        CHECK(!row.key || row.key_hash == XXH64(row.key, row.key_length, 0));
        if (raws)
            CHECK_UINT(row.raw_hash,
                       raws[at] ? XXH64(raws[at], strlen(raws[at]), 0) : 0);
        else
            CHECK_UINT(row.raw_hash, 0);
        at++;
    }
    CHECK(cursor && !trace_cursor_failed(cursor));
    trace_cursor_destroy(cursor);
    return text.bytes;
}

static void check_keys(struct trace_spec spec, const char *expected,
                       const char *const *raws)
{
    for (int pass = 0; pass < 2; pass++) {
        struct trace *trace = open_sound(&spec);
        char *text = trace ? keys_played(trace, raws) : NULL;

        CHECK_TEXT(text, expected);
        CHECK(trace && trace_books(trace)->in_memory == (pass == 0));
        free(text);
        trace_close(trace);
        spec.memory_bytes = 0;
    }
}

static const char content[] =
    "arrival_s,input_tokens,output_tokens,key,prompt\n"
    "0,1,1,,What is TCP?\n"
    "1,1,1,,\"  what, \"\"is\"\"\n tcp\"\n"
    "2,1,1,k,What is TCP?\n"
    "3,1,1,k,\n"
    "4,1,1,,\n"
    "5,1,1,,?!\n"
    "6,1,1,,\"\"\n"
    "7,1,1,,\xff tcp\n";

/* A key is the column key, else the prompt, with its commas, quotes and lines;
   blanks around an unquoted field are no part of it. */
static void raw_prompts_are_keys(void)
{
    struct scratch file = scratch_text(content);

    check_keys(plain_spec(file.path),
               "What is TCP?|  what, \"is\"\n tcp|k|k||?!||\xff tcp|", NULL);
    scratch_remove(&file);
}

static void normal_forms_come_before_keys(void)
{
    static const char *const raws[] = {
        "What is TCP?", "  what, \"is\"\n tcp", "k", "k", NULL, "?!", NULL,
        "\xff tcp"};
    struct scratch file = scratch_text(content);
    struct trace_spec spec = plain_spec(file.path);
    struct normaliser *normaliser = normaliser_open(&all_steps, NULL);
    struct trace *trace;

    spec.normaliser = normaliser;
    check_keys(spec,
               "what is tcp|what is tcp|what is tcp|k||?!||\xef\xbf\xbd tcp|",
               raws);
    trace = open_sound(&spec);
    if (trace) {
        const struct trace_prompts *prompts = &trace_books(trace)->prompts;

        CHECK(trace_books(trace)->is_normalised);
        CHECK_UINT(prompts->prompts, 5);
        CHECK_UINT(prompts->changed, 5); /* also "?!", of which nothing stays */
        CHECK_UINT(prompts->invalid, 1);
        CHECK_UINT(prompts->translated + prompts->untranslated, 0);
        CHECK_UINT(prompts->unsettled, 0);
        CHECK_UINT(prompts->raw_keys, 5);
        CHECK_UINT(prompts->keys, 4);
    }
    trace_close(trace);
    normaliser_close(normaliser);
    scratch_remove(&file);
}

static void sorting_keeps_prompts_with_their_rows(void)
{
    static const char *const raws[] = {"B!", "A", "a"};
    struct scratch file =
        scratch_text("arrival_s,input_tokens,output_tokens,prompt\n"
                     "5,1,1,A\n7,1,1,a\n1,1,1,B!\n");
    struct trace_spec spec = plain_spec(file.path);
    struct normaliser *normaliser = normaliser_open(&all_steps, NULL);
    struct trace *trace;
    char *text;

    spec.sort = true;
    spec.normaliser = normaliser;
    trace = open_sound(&spec);
    text = keys_played(trace, raws);
    CHECK_TEXT(text, "b|a|a|");
    free(text);
    trace_close(trace);
    normaliser_close(normaliser);
    scratch_remove(&file);
}

/* By hand: normal forms t t t k - ?! - f, raw ones T w k k - ?! - f: the
   third row's key is k without normalising. */
static void both_ideals_are_counted(void)
{
    struct scratch file = scratch_text(content);
    struct trace_spec spec = plain_spec(file.path);
    struct normaliser *normaliser = normaliser_open(&all_steps, NULL);
    struct workload_spec what = {.resample = TRACE_RESAMPLE_NONE};
    struct workload_request request;
    struct workload *workload;
    struct trace *trace;

    spec.normaliser = normaliser;
    trace = open_sound(&spec);
    what.trace = trace;
    CHECK(workload_spec_is_normalised(&what));
    workload = workload_create(&what, INT64_MAX, 1, 1);
    while (workload && workload_next(workload, &request))
        ;
    CHECK(workload && !workload_failed(workload));
    if (workload) {
        CHECK_UINT(workload_books(workload)->requests, 8);
        CHECK_UINT(workload_books(workload)->ideal_hits, 2);
        CHECK_UINT(workload_books(workload)->raw_ideal_hits, 1);
    }
    workload_destroy(workload);
    trace_close(trace);
    normaliser_close(normaliser);

    spec.normaliser = NULL;
    trace = open_sound(&spec);
    what.trace = trace;
    CHECK(!workload_spec_is_normalised(&what));
    CHECK(trace && !trace_books(trace)->is_normalised);
    trace_close(trace);
    scratch_remove(&file);
}

/* Above 1 MiB a row is refused, whether the prompt is closed or not. */
static void refuses_prompts_without_end(void)
{
    struct text text = {0};

    text_add(&text, "arrival_s,input_tokens,output_tokens,prompt\n0,1,1,\"");
    for (int i = 0; i < 60000; i++)
        text_add(&text, "what is tcp?\n  ");

    struct scratch file = scratch_write(text.bytes, text.length);
    struct trace_spec spec = plain_spec(file.path);

    check_refused(&spec, ":2:1: error: a quote opened in this row is never "
                         "closed\n");
    scratch_remove(&file);
    text_add(&text, "what is tcp? %200000s\"\n", "");
    file = scratch_write(text.bytes, text.length);
    spec.path = file.path;
    check_refused(&spec, ":2:1: error: a quote opened in this row is not "
                         "closed within 1 MiB\n");
    scratch_remove(&file);
    free(text.bytes);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"raw prompts are keys", raw_prompts_are_keys},
        {"normal forms come before keys", normal_forms_come_before_keys},
        {"sorting keeps prompts with their rows",
         sorting_keeps_prompts_with_their_rows},
        {"both ideals are counted", both_ideals_are_counted},
        {"refuses prompts without end", refuses_prompts_without_end},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace_prompts", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
