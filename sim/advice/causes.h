/*
 * Why a node may be hot, idle or losing what it is sent: the articles' four
 * causes, each in the forms in which a scenario can have it.
 *
 * A cause applies or it does not, by what the scenario says and what was
 * counted. Whether it is to blame is for a trial to tell: the cure takes the
 * cause, and nothing else, out of the scenario, as overrides; what is left of
 * the symptom in the same replications is what the cause does not explain.
 */
#ifndef SIM_ADVICE_CAUSES_H
#define SIM_ADVICE_CAUSES_H

#include "sim/advice/draws.h"
#include "sim/advice/symptoms.h"
#include "sim/advice/watch.h"
#include "sim/core/texts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cause_family {
    FAMILY_SETTING,   /* the policy is set wrongly */
    FAMILY_DETECTION, /* a node's state is not, or wrongly, detected */
    FAMILY_UNEQUAL,   /* nodes differ and are not weighted */
    FAMILY_CLASSES,   /* requests go where they do not belong */
    FAMILY_COUNT
};

/* "policy setting", ... */
extern const char *const cause_family_names[FAMILY_COUNT];

/* A scenario of one policy, and what was seen of it. */
struct patient {
    const struct scenario *scenario;
    const struct draws *draws;
    const struct watch *watch;
};

#define EVIDENCE_SIZE 400

/* Settings that take a cause away. */
struct cure {
    struct texts overrides;
    bool failed; /* no memory */
};

/* One more override. */
__attribute__((format(printf, 2, 3))) void cure_say(struct cure *cure,
                                                    const char *format, ...);
void cure_done(struct cure *cure);

struct cause {
    const char *name;
    enum cause_family family;
    uint32_t symptoms;         /* bit s set: it may explain enum symptom s */
    const char *what, *remedy; /* for people */
    /* Whether the scenario has it; evidence, of EVIDENCE_SIZE, says by which
       numbers. */
    bool (*applies)(const struct patient *patient, char *evidence);
    void (*cure)(const struct patient *patient, struct cure *cure);
    /* What a user can do, as he would type it; NULL, or nothing said: remedy
       must do. */
    void (*treat)(const struct patient *patient, struct cure *ret);
};

#define CAUSE_COUNT 13
extern const struct cause causes_table[CAUSE_COUNT];

#endif
