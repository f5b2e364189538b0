/* Normal forms of prompts: steps, tables, and that doing it twice changes
   nothing. */
#include "test_trace_files.h"
#include "workloads/normalise.h"
#include "workloads/rng.h"

#include <dirent.h>

static const struct normalise_spec all_steps = {
    .nfkc = true, .fold_case = true, .punctuation = true, .white_space = true};

static struct normaliser *open_tables(const struct normalise_spec *spec)
{
    struct diag diag = {0};
    struct normaliser *normaliser = normaliser_open(spec, &diag);

    CHECK(normaliser != NULL);
    CHECK_TEXT(diag.text ? diag.text : "", "");
    diag_done(&diag);
    return normaliser;
}

/* The form of a text of given length, checked to be its own form; flags may
   be NULL. Owned by the caller. */
static char *form_of(const struct normaliser *normaliser, const char *text,
                     size_t length, size_t *ret_length, unsigned *ret_flags)
{
    struct normalise_room room = {0};
    struct normalised once = {0}, twice = {0};
    char *form;

    CHECK(normaliser_apply(normaliser, &room, text, length, &once));
    form = calloc(1, once.length + 1);
    if (!form)
        abort();
    if (once.length > 0)
        memcpy(form, once.text, once.length);
    *ret_length = once.length;
    if (ret_flags)
        *ret_flags = once.flags;
    if (!(once.flags & NORMALISE_UNSETTLED)) {
        CHECK(normaliser_apply(normaliser, &room, form, *ret_length, &twice));
        CHECK_UINT(twice.length, *ret_length);
        CHECK(twice.length != *ret_length || twice.length == 0 ||
              memcmp(twice.text, form, twice.length) == 0);
        CHECK_UINT(twice.flags & NORMALISE_CHANGED, 0);
    }
    normalise_room_done(&room);
    return form;
}

static unsigned check_form(const struct normalise_spec *spec, const char *text,
                           const char *expected)
{
    struct normaliser *normaliser = open_tables(spec);
    size_t length;
    unsigned flags;
    char *form = form_of(normaliser, text, strlen(text), &length, &flags);

    CHECK_TEXT(form, expected);
    CHECK(((flags & NORMALISE_CHANGED) != 0) == (strcmp(text, expected) != 0));
    free(form);
    normaliser_close(normaliser);
    return flags;
}

/* The known answer: three spellings, one question. */
static void makes_one_of_three_spellings(void)
{
    check_form(&all_steps, "What is TCP?", "what is tcp");
    check_form(&all_steps, "what is tcp", "what is tcp");
    check_form(&all_steps, "  What   is TCP!", "what is tcp");
}

/* Expected: Python 3.11, unicodedata (NFKC and casefold, as Unicode's chapter
   3.13 defines toNFKC_Casefold), and by hand for what is stripped. */
static void knows_unicode(void)
{
    check_form(&all_steps, "\uff37\uff48\uff41\uff54 \uff29\uff53 \uff34\uff1f",
               "what is t");
    check_form(&all_steps, "\ufb01le", "file");
    check_form(&all_steps, "cafe\u0301", "caf\u00e9");
    check_form(&all_steps, "CAF\u00c9", "caf\u00e9");
    check_form(&all_steps, "Stra\u00dfe", "strasse");
    check_form(&all_steps, "\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3",
               "\u03c3\u03af\u03c3\u03c5\u03c6\u03bf\u03c3");
    check_form(&all_steps, "\u1112\u1161\u11ab", "\ud55c");
    check_form(&all_steps, "\u212a", "k");
    check_form(&all_steps, "\u0130", "i\u0307");
    check_form(&all_steps, "\u01c5", "d\u017e");
    check_form(&all_steps, "a\u0302\u0323", "\u1ead");
    check_form(&all_steps, "a\u0323\u0302", "\u1ead");
    check_form(&all_steps, "\u2460\u00bd", "11\u20442");
}

/* Marks of direction, soft hyphens and joiners are not seen, so they do not
   count. */
static void drops_what_cannot_be_seen(void)
{
    check_form(&all_steps,
               "\u200f\u05e9\u05dc\u05d5\u05dd\u200e, \u05e2\u05d5\u05dc\u05dd",
               "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd");
    check_form(&all_steps, "in\u00adfer\u200bence\ufeff", "inference");
    check_form(&all_steps, "\u0645\u0631\u062d\u0628\u0627\u061f",
               "\u0645\u0631\u062d\u0628\u0627");
}

static void strips_punctuation(void)
{
    static const char *const pairs[][2] = {
        {"TCP/IP", "tcp ip"},
        {"don't", "dont"},
        {"don\u2019t!", "dont"},
        {"'quoted'", "quoted"},
        {"the hosts' names", "the hosts names"},
        {"3.5 or 35?", "3.5 or 35"},
        {"10:30, 1/2", "10:30 1/2"},
        {"3..5", "3 5"},
        {"C++ and C#", "c++ and c"},
        {"wait...what", "wait what"},
        {"well-known \u2014 round_robin", "well known round robin"},
        {"(a) [b] {c}", "a b c"},
        {"\u00bfQu\u00e9?", "qu\u00e9"},
        {"?!", ""},
        {"", ""},
        {" \t\r\n", ""},
        {"a\u00a0\u2003\u3000b", "a b"},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        check_form(&all_steps, pairs[i][0], pairs[i][1]);
}

/* Each step alone does its own and nothing else. */
static void takes_steps_apart(void)
{
    const char *text = " Caf\u00e9 \uff21.  B? ";

    check_form(&(struct normalise_spec){0}, text, text);
    check_form(&(struct normalise_spec){.fold_case = true}, text,
               " caf\u00e9 \uff41.  b? ");
    check_form(&(struct normalise_spec){.nfkc = true}, text,
               " Caf\u00e9 A.  B? ");
    check_form(&(struct normalise_spec){.punctuation = true}, text,
               " Caf\u00e9 \uff21  B ");
    check_form(&(struct normalise_spec){.white_space = true}, text,
               "Caf\u00e9 \uff21. B?");
}

/* Unicode's chapter 3.9, table 3-8: E1 80 | E2 | F0 91 92 | F1 BF | 41 are
   four broken pieces and a letter. */
static void replaces_what_is_no_utf_8(void)
{
    static const char piece[] = "\xef\xbf\xbd";
    const char *bad[][2] = {
        {"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", "4A"},
        {"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", "8A"},
        {"\xed\xa0\x80\xed\xbf\xbf\x41", "6A"},
        {"\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", "5A2B"},
        {"a\xe2\x82", "a1"},
    };
    struct normalise_spec none = {0};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char expected[64] = "";
        size_t length = 0;

        for (const char *c = bad[i][1]; *c; c++)
            for (int n = *c > '9' ? 1 : *c - '0'; n > 0; n--) {
                size_t part = *c > '9' ? 1 : strlen(piece);

                memcpy(expected + length, *c > '9' ? c : piece, part);
                length += part;
            }
        CHECK(check_form(&none, bad[i][0], expected) & NORMALISE_INVALID);
    }
    CHECK_UINT(check_form(&all_steps, "\xef\xbf\xbd", piece) &
                   NORMALISE_INVALID,
               0); /* the sign itself is sound */
}

static void takes_zero_bytes_and_long_texts(void)
{
    struct normaliser *normaliser = open_tables(&all_steps);
    size_t length, long_length = (size_t)1 << 20;
    char *form = form_of(normaliser, "A\0B", 3, &length, NULL);
    char *text = malloc(long_length);

    CHECK_TEXT(form, "a b");
    free(form);
    if (!text)
        abort();
    memset(text, 'X', long_length);
    form = form_of(normaliser, text, long_length, &length, NULL);
    CHECK_UINT(length, long_length);
    CHECK(form[0] == 'x' && form[length - 1] == 'x');
    free(form);

    /* Marks of two classes in turns: as many steps as their square would take
       minutes. */
    for (size_t i = 0; i + 4 <= long_length / 8; i += 4)
        memcpy(text + i, "\xcc\x81\xcc\xa3", 4);
    form = form_of(normaliser, text, long_length / 8, &length, NULL);
    CHECK_UINT(length, long_length / 8);
    CHECK(memcmp(form, "\xcc\xa3\xcc\xa3", 4) == 0);
    CHECK(memcmp(form + length - 4, "\xcc\x81\xcc\x81", 4) == 0);
    free(form);
    free(text);
    normaliser_close(normaliser);
}

/* ---- tables ---- */

static void unifies_synonyms(void)
{
    struct normalise_spec spec = all_steps;

    spec.synonyms = "tests/data/normalise/synonyms.csv";
    check_form(&spec, "What is LB?", "what is load balancer");
    check_form(&spec, "Load-balancing of k8s pods",
               "load balancer of kubernetes pods");
    check_form(&spec, "the lbs", "the lbs"); /* whole words only */
    check_form(&spec, "load balancer", "load balancer");
    check_form(&spec, "load balancing algorithm", "policy"); /* longest */
    check_form(&spec, "reverse proxy", "load balancer");     /* by way of lb */
    check_form(&spec, "a, b", "comma");
    spec.synonyms = "tests/data/normalise/synonyms.tsv";
    check_form(&spec, "LB", "load balancer");
    check_form(&spec, "a, b", "comma");

    /* Without the steps before, words are what stands between blanks. */
    check_form(&(struct normalise_spec){.synonyms = spec.synonyms},
               "lb  LB lb? lb", "load balancer  LB lb? load balancer");
}

static void translates(void)
{
    struct normalise_spec spec = all_steps;
    unsigned flags;

    spec.synonyms = "tests/data/normalise/synonyms.csv";
    spec.translation = "tests/data/normalise/translation.csv";
    flags = check_form(&spec, "\u4ec0\u4e48\u662fTCP\uff1f", "what is tcp");
    CHECK(flags & NORMALISE_TRANSLATED);
    CHECK(!(flags & NORMALISE_UNTRANSLATED));
    flags = check_form(&spec, "\u4ec0\u4e48\u662fUDP\uff1f",
                       "\u4ec0\u4e48\u662fudp");
    CHECK(flags & NORMALISE_UNTRANSLATED);
    flags = check_form(&spec, "Was ist \u00dcber?", "was ist \u00fcber");
    CHECK(!(flags & NORMALISE_UNTRANSLATED)); /* Latin */
    check_form(&spec, "\u8d1f\u8f7d\u5747\u8861", "load balancer");

    spec.translation = NULL; /* nobody asked: not counted */
    flags = check_form(&spec, "\u4ec0\u4e48", "\u4ec0\u4e48");
    CHECK(!(flags & NORMALISE_UNTRANSLATED));
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 4096);

    if (!text)
        abort();
    CHECK(file && fread(text, 1, 4095, file) > 0);
    if (file)
        fclose(file);
    return text;
}

/* Every table of the folder beside the exact words in NAME.expected. */
static void says_what_is_broken(void)
{
    static const char folder[] = "tests/data/normalise/broken";
    DIR *entries = opendir(folder);
    struct dirent *entry;
    int count = 0;

    CHECK(entries != NULL);
    while (entries && (entry = readdir(entries))) {
        char path[300], expected_path[340];
        struct normalise_spec spec = all_steps;
        struct diag diag = {0};
        char *expected;

        if (entry->d_name[0] == '.' || strstr(entry->d_name, ".expected"))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        snprintf(expected_path, sizeof expected_path, "%s.expected", path);
        expected = read_file(expected_path);
        if (strncmp(entry->d_name, "translation", 11) == 0)
            spec.translation = path;
        else
            spec.synonyms = path;
        CHECK(normaliser_open(&spec, &diag) == NULL);
        CHECK_TEXT(diag.text, expected);
        diag_done(&diag);
        free(expected);
        count++;
    }
    CHECK(count >= 9);
    if (entries)
        closedir(entries);
}

static void refuses_a_table_that_is_not_there(void)
{
    struct normalise_spec spec = {.synonyms = "tests/data/normalise/none.csv"};
    struct diag diag = {0};

    CHECK(normaliser_open(&spec, &diag) == NULL);
    CHECK_TEXT(diag.text, "tests/data/normalise/none.csv: error: cannot be "
                          "opened: No such file or directory\n");
    diag_done(&diag);
}

/* Terms that join across a replacement: x z -> y z -> w, and one that swings
   for ever although each row comes to an end: p q -> q p is a row and its
   words are no terms, so that p q q q walks the p to the end. */
static void settles_or_says_so(void)
{
    struct scratch file = scratch_text("x,y\ny z,w\nb a,a b\n");
    struct normalise_spec spec = all_steps;
    struct normaliser *normaliser;
    size_t length;
    unsigned flags;
    char *form;

    spec.synonyms = file.path;
    check_form(&spec, "x z", "w");
    normaliser = open_tables(&spec);
    form =
        form_of(normaliser, "b a a a a a a a a a a a a", 25, &length, &flags);
    CHECK(flags & NORMALISE_UNSETTLED);
    CHECK_TEXT(form, "a a a a a a a a b a a a a"); /* eight rounds */
    free(form);
    normaliser_close(normaliser);
    scratch_remove(&file);
}

/* Random texts of what is awkward: every form is its own form, whichever
   steps are on; and with all of them it is clean. */
static void normalising_twice_is_once(void)
{
    static const char *const pieces[] = {
        " ",         "  ",     "\t",         "a",        "Z",      "3",
        ".",         "'",      "\u2019",     "-",        "_",      "\u0301",
        "\u0323",    "\u0345", "\u00df",     "\u0130",   "\u0149", "\u01f0",
        "\u0390",    "\u1e9e", "\ufb03",     "\ufdfa",   "\u00a8", "\u037a",
        "\u1fb3",    "\u1f80", "\u1112",     "\u1161",   "\u11a8", "\u200d",
        "\u200f",    "\u00ad", "\u3000",     "\u2028",   "\uff0e", "\uff13",
        "\u0661",    "\u4ec0", "\u05e9",     "\u0e33",   "\u0f77", "\xff",
        "\xe2\x82",  "\xc3",   "\U0001f468", "\ufe0f",   "lb",     "load",
        "balancing", "k8s",    "\n",         "\xc2\x85", "\u2044", "\u1d2c"};
    struct normalise_spec spec = {0};
    struct rng rng;

    rng_stream(&rng, 20261129, 1, RNG_KEYS, 0);
    for (unsigned steps = 0; steps < 32; steps++) {
        struct normaliser *normaliser;

        spec.nfkc = steps & 1;
        spec.fold_case = steps & 2;
        spec.punctuation = steps & 4;
        spec.white_space = steps & 8;
        spec.synonyms = steps & 16 ? "tests/data/normalise/synonyms.csv" : NULL;
        normaliser = open_tables(&spec);
        for (int i = 0; i < 400; i++) {
            char text[400] = "";
            size_t length;
            unsigned flags;

            for (uint64_t n = rng_below(&rng, 14); n > 0; n--)
                strcat(text,
                       pieces[rng_below(&rng, sizeof pieces / sizeof *pieces)]);
            char *form =
                form_of(normaliser, text, strlen(text), &length, &flags);

            CHECK(!(flags & NORMALISE_UNSETTLED));
            if ((steps & 12) == 12)
                CHECK(!strstr(form, "  ") && !strchr(form, '\t') &&
                      form[0] != ' ' && (!length || form[length - 1] != ' '));
            free(form);
        }
        normaliser_close(normaliser);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"makes one of three spellings", makes_one_of_three_spellings},
        {"knows Unicode", knows_unicode},
        {"drops what cannot be seen", drops_what_cannot_be_seen},
        {"strips punctuation", strips_punctuation},
        {"takes steps apart", takes_steps_apart},
        {"replaces what is no UTF-8", replaces_what_is_no_utf_8},
        {"takes zero bytes and long texts", takes_zero_bytes_and_long_texts},
        {"unifies synonyms", unifies_synonyms},
        {"translates", translates},
        {"says what is broken", says_what_is_broken},
        {"refuses a table that is not there",
         refuses_a_table_that_is_not_there},
        {"settles or says so", settles_or_says_so},
        {"normalising twice is once", normalising_twice_is_once},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("normalise", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
