/*
 * The rules of advice, as data: on which facts a rule speaks, what it expects
 * of which policies, why, and who has shown it.
 *
 * A rule fires when all its conditions hold; a fact without a value holds for
 * none. An expectation is a prediction that a run can refute:
 *
 *   better  `policy` beats `than` by the measure, by min_effect or more
 *   alike   they differ by less than `bound`: what will not matter
 *
 * A rule without expectations says what to leave out. Bounds of conditions
 * are where theory or the runs named in the README put them; each stands here
 * once and nowhere else.
 */
#ifndef SIM_ADVICE_RULES_H
#define SIM_ADVICE_RULES_H

#include "sim/advice/facts.h"
#include "sim/measure/measures.h"

#include <stddef.h>

enum relation { RELATION_NONE, AT_LEAST, AT_MOST };

struct condition {
    enum fact_id fact;
    enum relation relation; /* RELATION_NONE ends a list */
    double bound;
};

enum expectation_kind { EXPECT_NOTHING, EXPECT_BETTER, EXPECT_ALIKE };

/* The objective, or else the tail: see advice.h. */
#define BY_OBJECTIVE MEASURE_COUNT

struct expectation {
    enum expectation_kind kind; /* EXPECT_NOTHING ends a list */
    const char *policy, *than;  /* entries of `policies`, as YAML */
    enum measure_id measure;    /* or BY_OBJECTIVE */
    double bound;               /* of EXPECT_ALIKE: a share of than's mean */
};

#define RULE_CONDITIONS 9
#define RULE_EXPECTATIONS 4

struct rule {
    const char *name;
    struct condition when[RULE_CONDITIONS];
    struct expectation expects[RULE_EXPECTATIONS];
    const char *why;
    const char *here; /* why in this scenario, in words, with names of facts in
                         braces for their values; "" when why says it all */
    const char *source;
};

extern const struct rule rules_table[];
extern const size_t rules_count;

/* Whether all conditions hold. */
bool rule_fires(const struct rule *rule, const struct facts *facts);

#endif
