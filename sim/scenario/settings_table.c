/*
 * The table of settings: its rows stand in rows/, by subject and in the order
 * in which they are shown; settings.c looks them up and shows them.
 */
#include "sim/scenario/draft.h"

#define OF_DRAFT(field) offsetof(struct draft, field)
#define OF_RUN(field) offsetof(struct draft, scenario.field)
#define OF_CROSSOVER(field) offsetof(struct draft, crossover.field)
#define OF_TRACE(field) offsetof(struct draft, scenario.trace.field)
#define OF_BALANCER(field) offsetof(struct draft, scenario.balancer.field)
#define OF_CLASS(field) offsetof(struct class_draft, field)
#define OF_GROUP(field) offsetof(struct group_draft, spec.field)
#define OF_GROUP_DRAFT(field) offsetof(struct group_draft, field)
#define OF_OVERLAY(field) offsetof(struct overlay_draft, field)
#define OF_TIER(field) offsetof(struct draft, scenario.tier.field)
#define OF_OUTAGE(field) offsetof(struct tier_outage, field)
#define OF_SAY(field) offsetof(struct agent_say, field)
#define OF_FAULT(field) offsetof(struct fault_draft, spec.field)
#define OF_FAULT_DRAFT(field) offsetof(struct fault_draft, field)

#define ARTICLES "the articles on operating inference clusters"

enum { YEARS_100 = 100 * 365 }; /* in days */
#define LONG_S (YEARS_100 * 86400.0)
#define DECADE_S (0.1 * LONG_S)
#define MANY 1e9

/* A distribution has the same rows wherever it stands; its quantity has a kind
   and a range of its own. */
#define DIST_ROWS(where, of, member, quantity, least, most, what)            \
    {where, SETTING_BLOCK, .flags = SETTING_MECHANISM, .help = what},        \
        {where ".dist",                                                      \
         SETTING_CHOICE,                                                     \
         STORE_UINT32,                                                       \
         of(member.kind),                                                    \
         .flags = SETTING_REQUIRED,                                          \
         .choices = "none|constant|uniform|exponential|lognormal|pareto|"    \
                    "bounded_pareto|hyperexponential|geometric|weibull|"     \
                    "gamma|empirical",                                       \
         .help = "the law that values are drawn from"},                      \
        {where ".value",                                                     \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.value),                                                   \
         least,                                                              \
         most,                                                               \
         .help = "constant: the value"},                                     \
        {where ".mean",                                                      \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.mean),                                                    \
         least,                                                              \
         most,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "mean, before at_least and at_most"},                       \
        {where ".median",                                                    \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.median),                                                  \
         least,                                                              \
         most,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "lognormal: the median"},                                   \
        {where ".p99",                                                       \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.p99),                                                     \
         least,                                                              \
         most,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "lognormal: the 99th percentile"},                          \
        {where ".sigma",                                                     \
         SETTING_NUMBER,                                                     \
         STORE_DOUBLE,                                                       \
         of(member.sigma),                                                   \
         0,                                                                  \
         20,                                                                 \
         .help = "lognormal: standard deviation of the logarithm"},          \
        {where ".scv",                                                       \
         SETTING_NUMBER,                                                     \
         STORE_DOUBLE,                                                       \
         of(member.scv),                                                     \
         0,                                                                  \
         1e6,                                                                \
         .help = "squared coefficient of variation"},                        \
        {where ".shape",                                                     \
         SETTING_NUMBER,                                                     \
         STORE_DOUBLE,                                                       \
         of(member.shape),                                                   \
         0,                                                                  \
         1000,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "pareto: exponent of the tail; weibull, gamma: shape"},     \
        {where ".scale",                                                     \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.scale),                                                   \
         least,                                                              \
         most,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "weibull, gamma: scale; empirical: what a 1 in the file "   \
                 "stands for, 1 or 1 s"},                                    \
        {where ".min",                                                       \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.min),                                                     \
         least,                                                              \
         most,                                                               \
         .help = "uniform, pareto: least value"},                            \
        {where ".max",                                                       \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.max),                                                     \
         least,                                                              \
         most,                                                               \
         .help = "uniform, bounded_pareto: greatest value"},                 \
        {where ".ratio",                                                     \
         SETTING_NUMBER,                                                     \
         STORE_DOUBLE,                                                       \
         of(member.ratio),                                                   \
         1,                                                                  \
         1e12,                                                               \
         SETTING_ABOVE_MIN,                                                  \
         .help = "bounded_pareto: max / min"},                               \
        {where ".at_least",                                                  \
         quantity,                                                           \
         STORE_DOUBLE,                                                       \
         of(member.at_least),                                                \
         least,                                                              \
         most,                                                               \
         .help = "draws below are set to this"},                             \
        {where ".file", SETTING_TEXT, STORE_TEXT, of(member.file),           \
         .help = "empirical: values, one a line or a column of a CSV file"}, \
        {where ".column",                                                    \
         SETTING_TEXT,                                                       \
         STORE_TEXT,                                                         \
         of(member.columns.column),                                          \
         .like = "the only one",                                             \
         .help = "empirical: the column of the values"},                     \
        {where ".weights",                                                   \
         SETTING_TEXT,                                                       \
         STORE_TEXT,                                                         \
         of(member.columns.weights),                                         \
         .like = "all values count alike",                                   \
         .help = "empirical: the column that says how much each counts"},    \
        {where ".interpolate",                                               \
         SETTING_SWITCH,                                                     \
         STORE_BOOL,                                                         \
         of(member.columns.interpolate),                                     \
         .like = "false",                                                    \
         .help = "empirical: draw between the values too, not them alone"},  \
    {                                                                        \
        where ".at_most", quantity, STORE_DOUBLE, of(member.at_most), least, \
            most, .help = "draws above are set to this"                      \
    }

static const struct setting table[] = {
#include "sim/scenario/rows/run.def"

#include "sim/scenario/rows/workload.def"

#include "sim/scenario/rows/nodes.def"

#include "sim/scenario/rows/balancer.def"

#include "sim/scenario/rows/passive.def"

#include "sim/scenario/rows/admission.def"
#include "sim/scenario/rows/degrade.def"

#include "sim/scenario/rows/batching.def"

#include "sim/scenario/rows/routing.def"

#include "sim/scenario/rows/tier.def"

#include "sim/scenario/rows/faults.def"

#include "sim/scenario/rows/policies.def"

#include "sim/scenario/rows/plan.def"
};

const struct setting *settings_table(size_t *ret_count)
{
    *ret_count = sizeof table / sizeof table[0];
    return table;
}
