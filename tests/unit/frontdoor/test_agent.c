/* Words of agents, and what becomes of weights: cases worked out by hand. */
#include "sim/frontdoor/agent.h"

#include "tests/check.h"

#include <string.h>

static struct agent_reply reply;
static struct agent_word ignored;

static uint32_t weighs(const char *words, uint32_t configured)
{
    CHECK(agent_read(words, &reply, &ignored));
    return agent_weigh(&reply, configured, 7);
}

/* Initial 100: 75 % makes 75; 3: 50 % makes 1; 1: 50 % makes 0, a drain. */
static void percentages_are_of_the_configured_weight_and_cut(void)
{
    CHECK_UINT(weighs("75%", 100), 75);
    CHECK_UINT(weighs("weight:75%", 100), 75);
    CHECK_UINT(weighs("50%", 3), 1);
    CHECK_UINT(weighs("50%", 1), 0);
    CHECK_UINT(weighs("0%", 100), 0);
    CHECK_UINT(weighs("200%", 100), 200);
    CHECK_UINT(weighs("300%", 100), 256);
    CHECK_UINT(weighs("99999999%", 2), 256);
}

static void plain_weights_are_what_they_say(void)
{
    CHECK_UINT(weighs("weight:40", 100), 40);
    CHECK_UINT(weighs("weight:0", 100), 0);
    CHECK_UINT(weighs("weight:256", 1), 256);
}

static void what_is_not_said_stays(void)
{
    CHECK_UINT(weighs("", 100), 7);
    CHECK_UINT(weighs("ready up", 100), 7);
    CHECK_INT(reply.admin, AGENT_READY);
    CHECK_INT(reply.state, AGENT_UP);
    CHECK(!reply.has_maxconn);
    CHECK_UINT(weighs("50%", 100), 50);
    CHECK_INT(reply.admin, AGENT_ADMIN_KEPT);
    CHECK_INT(reply.state, AGENT_STATE_KEPT);
}

/* Blanks, tabs and commas part words; the last one of a kind counts; what is
   behind '#', or on a second line, is a comment. */
static void words_are_parted_and_the_last_counts(void)
{
    CHECK_UINT(weighs("up,\tDRAIN 30% ready 60%,maxconn:12 # 1% down", 100),
               60);
    CHECK_INT(reply.admin, AGENT_READY);
    CHECK_INT(reply.state, AGENT_UP);
    CHECK(reply.has_maxconn);
    CHECK_UINT(reply.maxconn, 12);
    CHECK_UINT(weighs("20%\ndown", 100), 20);
    CHECK_INT(reply.state, AGENT_STATE_KEPT);
}

static void states_have_several_words(void)
{
    static const char *const words[] = {"down", "fail", "stopped",
                                        "down#reboot"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        CHECK(agent_read(words[i], &reply, &ignored));
        CHECK_INT(reply.state, AGENT_DOWN);
    }
    CHECK(agent_read("maint", &reply, &ignored));
    CHECK_INT(reply.admin, AGENT_MAINT);
}

/* The rest counts. */
static void other_words_are_ignored(void)
{
    static const char *const words[] = {
        "weight:257", "weight:-1", "weight:",  "x%",    "%",
        "maxconn:x",  "maxconn:",  "draining", "75 %x", "weight:5x",
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        CHECK(!agent_read(words[i], &reply, &ignored));
    CHECK(!agent_read("40% slowly drain", &reply, &ignored));
    CHECK_UINT(ignored.length, 6);
    CHECK(strncmp(ignored.text, "slowly", 6) == 0);
    CHECK_UINT(agent_weigh(&reply, 100, 7), 40);
    CHECK_INT(reply.admin, AGENT_DRAIN);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"percentages are of the configured weight, and cut",
         percentages_are_of_the_configured_weight_and_cut},
        {"plain weights are what they say", plain_weights_are_what_they_say},
        {"what is not said stays", what_is_not_said_stays},
        {"words are parted and the last counts",
         words_are_parted_and_the_last_counts},
        {"states have several words", states_have_several_words},
        {"other words are ignored", other_words_are_ignored},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("agent", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
