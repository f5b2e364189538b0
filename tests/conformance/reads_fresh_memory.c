/* Fails: repeatable. The turn starts wherever fresh memory says. */
#include "tests/conformance/honest.h"

static void *create(const void *config, const struct lbp_host *host)
{
    struct honest *honest = host->allocate(host->context, sizeof *honest);
    uint32_t turn;

    (void)config;
    if (!honest)
        return NULL;
    memcpy(&turn, &honest->next, sizeof turn); /* nobody has set it */
    *honest = (struct honest){.host = host, .next = turn % 1000};
    return honest;
}

HONEST_BUT(create, create)
