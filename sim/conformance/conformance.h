/*
 * conformance.h - does a policy keep the contract of policies/lbp.h?
 *
 * A policy runs in somebody's proxy, where a crash takes all requests of a
 * worker along and a wrong count stays wrong for days. Each check here plays a
 * host that is allowed to do what it does, and watches for one promise of the
 * contract. Each runs in a process of its own with a time limit, so that a
 * policy which crashes, hangs or aborts fails that check and nothing else.
 *
 * The kit knows the contract and nothing of the simulator: whatever passes is
 * ready for any host.
 */
#ifndef SIM_CONFORMANCE_CONFORMANCE_H
#define SIM_CONFORMANCE_CONFORMANCE_H

#include "policies/lbp.h"

#include <stdbool.h>
#include <stdint.h>

#define CONFORMANCE_TEXT 400

enum conformance_verdict {
    CONFORMANCE_PASS,
    CONFORMANCE_FAIL,
    CONFORMANCE_SKIP /* nothing to check here, or no means to */
};

struct conformance_result {
    const char *name;     /* one word: "counts" */
    const char *contract; /* the promise, in the contract's words */
    enum conformance_verdict verdict;
    char seen[CONFORMANCE_TEXT]; /* what broke it, or why it was skipped */
    char note[CONFORMANCE_TEXT]; /* figures of this machine; may be empty */
};

struct conformance_setup {
    const struct lbp_ops *ops;
    const void *config; /* [ops->config_size], as a user has set it */
    int64_t limit_ns;   /* of time for each check */
    void (*tell)(void *context, const struct conformance_result *result);
    void *context;
};

struct conformance_books {
    uint32_t passed, failed, skipped;
};

/* Runs all checks; tell hears of each as it ends. False: no process could be
   made, and the books are not whole. */
bool conformance_run(const struct conformance_setup *setup,
                     struct conformance_books *ret);

/*
 * Runs what opens an object, which executes code of it, in a process of its
 * own first. True: it came back. False: reterr, of CONFORMANCE_TEXT bytes,
 * says what became of it.
 */
bool conformance_try(void (*open)(void *context), void *context,
                     int64_t limit_ns, char *reterr);

#endif
