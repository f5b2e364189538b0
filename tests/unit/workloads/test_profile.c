/* Profiles of small traces of every format, worked out by hand, and what is
   said about broken ones. */
#include "test_trace_files.h"
#include "workloads/profile.h"

static bool profile_text(const char *bytes, size_t length,
                         enum profile_format format, struct profile *ret,
                         struct diag *diag)
{
    static const uint64_t capacities[] = {1, 2}, sizes[] = {10};
    struct scratch file = scratch_write(bytes, length);
    struct profile_spec spec = {.path = file.path,
                                .format = format,
                                .capacities = capacities,
                                .capacity_count = 2,
                                .byte_capacities = sizes,
                                .byte_capacity_count = 1,
                                .memory_bytes = GIB};
    bool sound = profile_make(&spec, ret, diag);

    scratch_remove(&file);
    return sound;
}

static struct profile sound_profile(const char *text)
{
    struct profile profile;
    struct diag diag = {0};

    CHECK(profile_text(text, strlen(text), PROFILE_AUTO, &profile, &diag));
    CHECK_TEXT(diag.text ? diag.text : "", "");
    diag_done(&diag);
    return profile;
}

static void check_refused_text(const char *text, enum profile_format format,
                               const char *part)
{
    struct profile profile;
    struct diag diag = {0};

    CHECK(!profile_text(text, strlen(text), format, &profile, &diag));
    if (!diag.text || !strstr(diag.text, part))
        CHECK_TEXT(diag.text, part);
    profile_done(&profile);
    diag_done(&diag);
}

/*
 * Times 0, 2, 1, 1, 64 s; sorted gaps 1, 0, 1, 62: mean 16, squared distances
 * 225, 256, 225, 2116: 2822, over 4 is 705.5. Whole bins of 1 s: 64, with
 * counts 1, 2, 1 and 61 zeros: mean 4 / 64, mean of squares 6 / 64; of 60 s:
 * one bin of 4.
 */
static void arrivals_are_as_by_hand(void)
{
    struct profile profile =
        sound_profile("arrival_s,input_tokens,output_tokens,key\n"
                      "0,10,1,a\n2,20,0,b\n1,30,3,a\n1,30,3,a\n64,10,5,\n");
    const struct profile_arrivals *arrivals = &profile.arrivals;

    CHECK_INT(profile.format, PROFILE_CANONICAL);
    CHECK_UINT(profile.rows, 5);
    CHECK_UINT(profile.identical, 1);
    CHECK_UINT(arrivals->backward_rows, 1);
    CHECK_UINT(arrivals->distinct_times, 4);
    CHECK_UINT(arrivals->most_at_once, 2);
    CHECK_UINT(arrivals->zero_gaps, 1);
    CHECK_INT(arrivals->span_ns, 64 * SECOND_NS);
    CHECK_INT(arrivals->largest_gap_ns, 62 * SECOND_NS);
    CHECK_INT(arrivals->median_gap_ns, SECOND_NS);
    CHECK_NEAR(arrivals->rate_per_s, 4.0 / 64, 1e-15);
    /* Arrivals 0, 1, 1, 2 and 64 s after the first: tenths of 6.4 s. */
    CHECK_NEAR(arrivals->tenths_per_s[0], 4 / 6.4, 1e-12);
    CHECK_NEAR(arrivals->tenths_per_s[1], 0, 0);
    CHECK_NEAR(arrivals->tenths_per_s[9], 1 / 6.4, 1e-12);
    CHECK_NEAR(arrivals->gap_cv, sqrt(705.5) / 16, 1e-12);
    /* Pairs (1 0) (0 1) (1 62): means 2/3 and 21; distances (1/3 -21)
       (-2/3 -20) (1/3 41): 20 / sqrt(2/3 * 2522). */
    CHECK_NEAR(arrivals->gap_autocorrelation, 20 / sqrt(2.0 / 3 * 2522), 1e-12);
    CHECK_UINT(arrivals->bins[0].count, 64);
    CHECK_UINT(arrivals->bins[0].empty, 61);
    CHECK_UINT(arrivals->bins[0].most, 2);
    CHECK_NEAR(arrivals->bins[0].dispersion,
               (6.0 / 64 - 16.0 / 64 / 64) / (4.0 / 64), 1e-12);
    CHECK_UINT(arrivals->bins[1].count, 1);
    CHECK_NEAR(arrivals->bins[1].mean, 4, 0);
    CHECK_NEAR(arrivals->bins[1].dispersion, 0, 0);
    CHECK_UINT(profile.tokens.zero_output, 1);
    CHECK_UINT(profile.tokens.distinct_pairs, 4);
    CHECK_UINT(profile.tokens.total.sum, 112);
    /* Keys a b a a: hits at 1: the last; at 2: two. */
    CHECK_UINT(profile.keys.references, 4);
    CHECK_UINT(profile.lru[0].hits[REUSE_FLAT], 1);
    CHECK_UINT(profile.lru[1].hits[REUSE_FLAT], 2);
    CHECK_UINT(profile.lru[2].hits[REUSE_FLAT], 2);
    profile_done(&profile);
}

static void one_row_has_no_gaps(void)
{
    struct profile profile =
        sound_profile("arrival_s,input_tokens,output_tokens\n5,1,1\n");

    CHECK(isnan(profile.arrivals.rate_per_s));
    CHECK(isnan(profile.arrivals.tenths_per_s[0]));
    CHECK(isnan(profile.arrivals.gap_cv));
    CHECK(isnan(profile.arrivals.bins[0].dispersion));
    CHECK(!profile.has_keys && !profile.has_blocks);
    CHECK_UINT(profile.lru_count, 0);
    profile_done(&profile);
}

/* Requests 0 1 and 0 2, of 600 and 1024 tokens: the second has block 0 in
   common. Whole blocks: 1 and 2. */
static void blocks_are_as_by_hand(void)
{
    struct profile profile = sound_profile(
        "{\"timestamp\": 0, \"input_length\": 600, \"output_length\": 1, "
        "\"hash_ids\": [0, 1], \"more\": {\"a\": [1.5, null, {}]}}\n\n"
        "{\"hash_ids\": [0, 2], \"output_length\": 2, \"input_length\": 1024, "
        "\"timestamp\": 1500}");
    const struct profile_blocks *blocks = &profile.blocks;

    CHECK_INT(profile.format, PROFILE_MOONCAKE);
    CHECK_INT(profile.arrivals.span_ns, 3 * SECOND_NS / 2);
    CHECK_UINT(blocks->requests, 2);
    CHECK_UINT(blocks->expected_counts, 2);
    CHECK_UINT(blocks->largest, 2);
    CHECK(blocks->in_order);
    CHECK_UINT(blocks->known, 1);
    CHECK_UINT(blocks->leading, 1);
    CHECK_UINT(blocks->leading_tokens, 512);
    CHECK_UINT(blocks->whole, 3);
    CHECK_UINT(blocks->leading_whole, 1);
    CHECK_NEAR(blocks->mean_leading_ratio, 0.25, 0);
    CHECK_UINT(blocks->one_leading, 1);
    CHECK_UINT(blocks->two_leading + blocks->all_known + blocks->same_list, 0);
    CHECK_UINT(profile.lru[0].hits[REUSE_TAIL], 1); /* 0 was used last */
    CHECK_UINT(profile.lru[0].hits[REUSE_FLAT], 0);
    CHECK_UINT(profile.lru[1].hits[REUSE_FLAT], 1);
    profile_done(&profile);
}

static void streams_of_keys_are_told_by_content(void)
{
    static const char keys[] = "\0\0\0\1\0\0\0\2\0\0\0\1\xff\xff\xff\xff";
    struct profile profile;

    CHECK(profile_text(keys, 16, PROFILE_AUTO, &profile, NULL));
    CHECK_INT(profile.format, PROFILE_CACHE2K);
    CHECK_UINT(profile.keys.references, 4);
    CHECK_UINT(profile.keys.distinct, 3);
    CHECK(!profile.has_tokens && !profile.has_times && !profile.has_sizes);
    profile_done(&profile);

    profile = sound_profile("1 7 5\r\n2 8 5\n2 7 5\n9 7 6");
    CHECK_INT(profile.format, PROFILE_WEBCACHESIM);
    CHECK_UINT(profile.bytes, 21);
    CHECK_UINT(profile.resized, 1);
    CHECK_UINT(profile.byte_lru_count, 1);
    CHECK_UINT(profile.byte_lru[0].hits, 2);
    CHECK_UINT(profile.byte_lru[0].hit_bytes, 10);
    profile_done(&profile);
}

/* 5.8926549999999995 was 5.892655 before it went through a double. */
static void simulators_traces_are_read(void)
{
    struct profile profile =
        sound_profile("arrived_at,num_prefill_tokens,num_decode_tokens\n"
                      "0.0,1,2\n5.8926549999999995,3,4\n");

    CHECK_INT(profile.format, PROFILE_VIDUR);
    CHECK_INT(profile.arrivals.span_ns, 5892655000);
    profile_done(&profile);
    profile = sound_profile("num_prefill_tokens,num_decode_tokens,pd_ratio\n"
                            "1,2,0.5\n");
    CHECK(!profile.has_times && profile.has_tokens);
    profile_done(&profile);
    profile = sound_profile("request_id,request_type,application_id,"
                            "arrival_timestamp,batch_size,prompt_size,"
                            "token_size\n0,2,0,1,1,4096,32\n");
    CHECK_INT(profile.format, PROFILE_SPLITWISE);
    CHECK_UINT(profile.tokens.output.sum, 32);
    profile_done(&profile);
}

/* Both servers' quotes, a zone, no bytes, a request that is none. */
static void access_logs_are_read(void)
{
    struct profile profile = sound_profile(
        "10.0.0.1 - - [17/May/2015:12:05:03 +0200] \"GET /a b HTTP/1.1\" 200 "
        "7 \"-\" \"x \\\" y\"\n"
        "::1 - joe [17/May/2015:10:05:04 +0000] \"GET /\\x22\\\"c HTTP/1.1\" "
        "404 -\n"
        "10.0.0.1 - - [17/May/2015:10:05:02 +0000] \"-\" 400 0\n"
        "10.0.0.1 - - [17/May/2015:10:05:02 +0000] \"PUT /a b HTTP/1.1\" 200 "
        "5\n");

    CHECK_INT(profile.format, PROFILE_ACCESS_LOG);
    CHECK_UINT(profile.rows, 4);
    CHECK(!profile.has_tokens && profile.has_times);
    CHECK_INT(profile.arrivals.span_ns, 2 * SECOND_NS);
    CHECK_UINT(profile.arrivals.backward_rows, 1);
    CHECK_UINT(profile.access.clients, 2);
    CHECK_UINT(profile.access.bytes, 12);
    CHECK_UINT(profile.access.largest, 7);
    CHECK_UINT(profile.access.statuses[200], 2);
    CHECK_UINT(profile.keys.distinct, 3);
    profile_done(&profile);
}

static void says_what_is_broken(void)
{
    check_refused_text("x\n", PROFILE_ACCESS_LOG,
                       ":1:1: error: is no line of an access log: expected "
                       "'client ident user [time]'");
    check_refused_text("c - - [17/Mai/2015:10:05:02 +0000] \"-\" 200 1\n",
                       PROFILE_ACCESS_LOG,
                       "expected a time such as [17/May/2015:10:05:03 +0000]");
    check_refused_text("c - - [31/Feb/2015:10:05:02 +0000] \"-\" 200 1\n",
                       PROFILE_ACCESS_LOG, "expected a time such as");
    check_refused_text("c - - [17/May/2015:10:05:02 +0000] \"GET 200 1\n",
                       PROFILE_ACCESS_LOG, "expected the request in quotes");
    check_refused_text("c - - [17/May/2015:10:05:02 +0000] \"-\" 20 1\n",
                       PROFILE_ACCESS_LOG, "expected a status of 100 to 599");
    check_refused_text("c - - [17/May/2015:10:05:02 +0000] \"-\" 200 x\n",
                       PROFILE_ACCESS_LOG, "expected bytes, or -");
    check_refused_text("", PROFILE_AUTO, "the file is empty");
    check_refused_text("", PROFILE_CACHE2K,
                       "nothing to profile: there are no rows");
    check_refused_text("abcde", PROFILE_CACHE2K,
                       "ends with 1 bytes that are no whole 32-bit key");
    check_refused_text("1 2 3\n1 2\n", PROFILE_AUTO,
                       ":2:1: error: expected three whole numbers, 'time key "
                       "bytes', found '1 2'");
    check_refused_text("1 2 3\n1 2 99999999999999999999\n", PROFILE_AUTO,
                       ":2:1: error: expected three whole numbers");
    check_refused_text("{}", PROFILE_AUTO,
                       ":1:1: error: 'timestamp' is missing\n"
                       "  hint: the file begins with '{', so it was taken for "
                       "mooncake: ");
    check_refused_text("{\"timestamp\": 1.5}", PROFILE_AUTO,
                       "'timestamp' needs a whole number, found a fraction");
    check_refused_text("{\"hash_ids\": 3}", PROFILE_AUTO,
                       "'hash_ids' needs a list, found a number");
    check_refused_text("{\"hash_ids\": [-1]}", PROFILE_AUTO,
                       "'hash_ids' holds -1, below 0");
    check_refused_text("{\"hash_ids\": [[1]]}", PROFILE_AUTO,
                       "'hash_ids' needs whole numbers, found a list");
    check_refused_text("{\"hash_ids\": [true]}", PROFILE_AUTO,
                       "'hash_ids' needs whole numbers, found true");
    check_refused_text("{\"input_length\": \"5\"}", PROFILE_AUTO,
                       "'input_length' needs a whole number, found a text");
    check_refused_text("{\"input_length\": null}", PROFILE_AUTO,
                       "'input_length' needs a whole number, found null");
    check_refused_text("{\"input_length\": 2147483648}", PROFILE_AUTO,
                       "'input_length' is 2147483648, expected 0 to "
                       "2147483647");
    check_refused_text("{\"timestamp\": 1, \"timestamp\": 2}", PROFILE_AUTO,
                       "'timestamp' stands twice");
    check_refused_text("{\"timestamp\": 1", PROFILE_AUTO,
                       ":1:1: error: is no JSON object of one line");
    check_refused_text("[1]", PROFILE_MOONCAKE,
                       "expected an object, found a list");
    check_refused_text("7", PROFILE_MOONCAKE,
                       "expected an object, found a number");
    check_refused_text("arrival_s,input_tokens,output_tokens\n1,x,1\n",
                       PROFILE_AUTO,
                       ":2:3: error: 'input_tokens' cannot be "
                       "read");
}

static void stops_at_its_memory(void)
{
    struct text text = {0};
    struct profile_spec spec = {.memory_bytes = 100000};
    struct profile profile;
    struct diag diag = {0};

    for (int i = 0; i < 20000; i++)
        text_add(&text, "%d %d 1\n", i, i);

    struct scratch file = scratch_write(text.bytes, text.length);

    spec.path = file.path;
    CHECK(!profile_make(&spec, &profile, &diag));
    CHECK(diag.text && strstr(diag.text, "hint: raise --memory"));
    profile_done(&profile);
    diag_done(&diag);
    scratch_remove(&file);
    spec.path = "tests/data/traces/none";
    CHECK(!profile_make(&spec, &profile, NULL));
    profile_done(&profile);
    free(text.bytes);
}

/* Words stand by their rows, equal ones by name. */
static void classes_and_models_are_counted(void)
{
    struct profile profile =
        sound_profile("arrival_s,input_tokens,output_tokens,class,model\n"
                      "0,10,1,b,x\n1,20,2,a,\n2,30,3,c,x\n3,40,4,c,x\n"
                      "4,50,5,,x\n");

    CHECK(profile.has_classes && profile.has_models);
    CHECK_UINT(profile.classes.count, 3);
    CHECK_TEXT(profile.classes.items[0].name, "c");
    CHECK_UINT(profile.classes.items[0].rows, 2);
    CHECK_UINT(profile.classes.items[0].input_tokens, 70);
    CHECK_UINT(profile.classes.items[0].output_tokens, 7);
    CHECK_TEXT(profile.classes.items[1].name, "a");
    CHECK_TEXT(profile.classes.items[2].name, "b");
    CHECK_UINT(profile.classes.without, 1);
    CHECK_UINT(profile.models.count, 1);
    CHECK_UINT(profile.models.items[0].rows, 4);
    CHECK_UINT(profile.models.without, 1);
    profile_done(&profile);
    profile = sound_profile("arrival_s,input_tokens,output_tokens\n0,1,1\n");
    CHECK(!profile.has_classes && !profile.has_models);
    profile_done(&profile);
}

/* 1,002 words: the last two come too late. */
static void words_beyond_the_limit_are_others(void)
{
    struct text text = {0};
    struct profile profile;

    text_add(&text, "arrival_s,input_tokens,output_tokens,class\n");
    for (int i = 0; i < 2 * (PROFILE_LABELS_MAX + 2); i++)
        text_add(&text, "%d,1,1,c%d\n", i, i % (PROFILE_LABELS_MAX + 2));
    profile = sound_profile(text.bytes);
    CHECK_UINT(profile.classes.count, PROFILE_LABELS_MAX);
    CHECK_UINT(profile.classes.others, 4);
    CHECK_UINT(profile.classes.items[PROFILE_LABELS_MAX - 1].rows, 2);
    profile_done(&profile);
    free(text.bytes);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"arrivals are as by hand", arrivals_are_as_by_hand},
        {"one row has no gaps", one_row_has_no_gaps},
        {"blocks are as by hand", blocks_are_as_by_hand},
        {"streams of keys are told by content",
         streams_of_keys_are_told_by_content},
        {"simulators' traces are read", simulators_traces_are_read},
        {"access logs are read", access_logs_are_read},
        {"says what is broken", says_what_is_broken},
        {"stops at its memory", stops_at_its_memory},
        {"classes and models are counted", classes_and_models_are_counted},
        {"words beyond the limit are others",
         words_beyond_the_limit_are_others},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("profile", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
