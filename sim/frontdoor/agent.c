#include "sim/frontdoor/agent.h"

#include "sim/frontdoor/dynamic_weights.h"

#include <string.h>
#include <strings.h>

/* HAProxy's bounds: larger percentages are taken for the largest, larger plain
   weights are refused. */
enum { PERCENT_MOST = 25600, WEIGHT_MOST = 256, MAXCONN_MOST = 1000000000 };

static bool is(const struct agent_word *word, const char *text)
{
    return word->length == strlen(text) &&
           strncasecmp(word->text, text, word->length) == 0;
}

/* What stands behind "weight:"; false: the word begins otherwise. */
static bool follows(const struct agent_word *word, const char *start,
                    struct agent_word *ret_rest)
{
    size_t length = strlen(start);

    if (word->length <= length || strncasecmp(word->text, start, length) != 0)
        return false;
    *ret_rest = (struct agent_word){word->text + length, word->length - length};
    return true;
}

/* Digits alone, up to most; false: there is something else, or more. */
static bool read_number(const struct agent_word *word, uint32_t most,
                        uint32_t *ret)
{
    uint64_t value = 0;

    for (size_t i = 0; i < word->length; i++) {
        if (word->text[i] < '0' || word->text[i] > '9')
            return false;
        value = 10 * value + (uint64_t)(word->text[i] - '0');
        if (value > most)
            return false;
    }
    *ret = (uint32_t)value;
    return word->length > 0;
}

static bool read_percent(struct agent_word word, struct agent_reply *ret)
{
    uint32_t percent;

    if (word.length < 2 || word.text[word.length - 1] != '%')
        return false;
    word.length--;
    if (!read_number(&word, MAXCONN_MOST, &percent))
        return false;
    ret->weighs = AGENT_WEIGHT_PERCENT;
    ret->weight = percent < PERCENT_MOST ? percent : PERCENT_MOST;
    return true;
}

static bool read_weight(const struct agent_word *word, struct agent_reply *ret)
{
    if (read_percent(*word, ret))
        return true;
    if (!read_number(word, WEIGHT_MOST, &ret->weight))
        return false;
    ret->weighs = AGENT_WEIGHT_PLAIN;
    return true;
}

static bool read_status(const struct agent_word *word, struct agent_reply *ret)
{
    static const struct {
        const char *word;
        enum agent_admin admin;
        enum agent_state state;
    } words[] = {
        {"ready", AGENT_READY, AGENT_STATE_KEPT},
        {"drain", AGENT_DRAIN, AGENT_STATE_KEPT},
        {"maint", AGENT_MAINT, AGENT_STATE_KEPT},
        {"up", AGENT_ADMIN_KEPT, AGENT_UP},
        {"down", AGENT_ADMIN_KEPT, AGENT_DOWN},
        {"fail", AGENT_ADMIN_KEPT, AGENT_DOWN},
        {"stopped", AGENT_ADMIN_KEPT, AGENT_DOWN},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!is(word, words[i].word))
            continue;
        if (words[i].admin != AGENT_ADMIN_KEPT)
            ret->admin = words[i].admin;
        else
            ret->state = words[i].state;
        return true;
    }
    return false;
}

static bool read_word(const struct agent_word *word, struct agent_reply *ret)
{
    struct agent_word rest;
    uint32_t maxconn;

    if (follows(word, "weight:", &rest))
        return read_weight(&rest, ret);
    if (!follows(word, "maxconn:", &rest))
        return read_percent(*word, ret) || read_status(word, ret);
    if (!read_number(&rest, MAXCONN_MOST, &maxconn))
        return false;
    ret->has_maxconn = true;
    ret->maxconn = maxconn;
    return true;
}

bool agent_read(const char *words, struct agent_reply *ret,
                struct agent_word *ret_ignored)
{
    const char *end = words + strcspn(words, "#\r\n");
    bool all = true;

    *ret = (struct agent_reply){0};
    while (words < end) {
        struct agent_word word = {words, strcspn(words, " \t,#\r\n")};

        words += word.length > 0 ? word.length : 1;
        if (word.length == 0 || read_word(&word, ret))
            continue;
        if (all)
            *ret_ignored = word;
        all = false;
    }
    return all;
}

uint32_t agent_weigh(const struct agent_reply *reply, uint32_t configured,
                     uint32_t now)
{
    switch (reply->weighs) {
    case AGENT_WEIGHT_PERCENT:
        return dynamic_weights_agent(configured, reply->weight);
    case AGENT_WEIGHT_PLAIN:
        return reply->weight;
    default:
        return now;
    }
}
