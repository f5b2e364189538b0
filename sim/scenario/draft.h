/*
 * Inside the loader: what is filled by the table of settings, before the
 * checks between settings turn it into a scenario. Not for others.
 */
#ifndef SIM_SCENARIO_DRAFT_H
#define SIM_SCENARIO_DRAFT_H

#include "sim/scenario/identity.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/settings.h"
#include "sim/scenario/shared_policy.h"
#include "sim/scenario/tree.h"

#include <math.h>
#include <sys/stat.h>

struct group_draft {
    struct group_spec spec;
    const char *zone; /* as written, or NULL */
    struct dist_params provision_noise, load_noise, scrape_noise, lag_noise;
};

struct class_draft {
    struct workload_class spec;
    const char *model; /* NULL: any */
    struct dist_params input_tokens, output_tokens, work, noise, patience;
};

struct fault_draft {
    struct fault_spec spec;
    const char *target, *balancers; /* as written, or NULL */
    struct dist_params mtbf, mttr;
};

struct spike_draft {
    struct arrivals_spike spec;
    double rate_per_s; /* instead of the factor */
};

/* warm_up as written: a share waits for the duration. */
struct warm_up_draft {
    enum warm_up_kind kind;
    int64_t time_ns;
    double share; /* NaN: not by share */
    uint64_t requests;
};

/* Of `crossover`; the rest is read by hand. */
struct crossover_draft {
    const char *path, *range, *within, *measure;
    uint32_t scan_points, most_replications;
};

struct draft {
    struct scenario scenario;
    struct crossover_draft crossover;
    uint64_t version;
    bool has_arrivals;
    struct dist_params input_tokens, output_tokens, work, noise;
    struct dist_params think, patience;
    struct keys_spec keys;
    struct warm_up_draft warm_up;
    bool resample_said;
    struct class_draft *classes; /* [scenario.workload.class_count] */
    const char *models[ROUTING_MODELS_MAX]; /* [scenario.model_count] */
    const char *default_class;              /* NULL: none */
    const char *degrade_light;  /* model of degraded requests; NULL: none */
    struct group_draft *groups; /* [scenario.group_count] */
    struct fault_draft *faults; /* [scenario.fault_count] */
};

/* One shared object of a scenario, open until the scenario goes. */
struct shared_open {
    struct shared_policy policy;
    struct shared_open *next;
};

/* An overlay: what it takes of the workload stands in a draft like the main
   one's, which comes first as its rows are the same. */
struct overlay_draft {
    struct draft draft;
    const char *name;
    int64_t at_ns, duration_ns;
    uint32_t tenant; /* from 1; 0: not said */
    const char *class_name;
    struct trace *trace; /* open, or NULL */
};

/* A file of values that has been read. */
struct empirical_open {
    struct empirical *table;
    struct empirical_open *next;
};

/* A file of data that was found: hashed before it is read, so that with the
   same stamp afterwards the hash is of what was read. */
struct data_file {
    const char *path;
    struct stat stamp;
    struct hash128 hash;
    bool hashed; /* or it could not be: it is no plain file, or has changed */
    struct data_file *next;
};

/* Everything that a scenario owns. scenario is the first member of draft, and
   draft the first here, so the public pointer is this one. */
struct loaded {
    struct draft draft;
    struct pool pool;
    const struct tree *root; /* composed: includes, --set and defaults in */
    const struct tree *as_written; /* the same without defaults merged */
    const char *folder;            /* where relative files are looked for */
    bool keys_made;
    struct empirical_open *empiricals; /* read, or NULL */
    /* [scenario.workload.overlay_count], and what is public of them */
    struct overlay_draft *overlays;
    struct workload_overlay *overlay_specs;
    struct trace *trace; /* open, or NULL */
    bool trace_is_lent;  /* by another scenario, which closes it */
    struct shared_open *shared;
    struct normaliser *normaliser;
    struct data_file *files; /* the last one found first */
    char *text;              /* of a scenario read from memory */
    char *canonical;         /* see canonical_text() */
    size_t canonical_run_length;
};

/* A data file of the scenario as found: absolute, beside the scenario, or in
   $LBSIM_DATA with or without its folders. what: "the trace", for messages. at:
   the setting that names it. NULL: complained. */
const char *load_data_file(struct loaded *loaded, const struct tree *at,
                           const char *what, struct diag *diag);

/* Fills stamp and hash in, for its path. */
void data_file_hash(struct data_file *file);

/* Whether it is the one that was hashed. */
bool data_file_is_same(const struct data_file *file);

/* Files of another scenario that this one has not: when it takes what was read
   of them. false: no memory. */
bool data_files_borrow(struct loaded *loaded, const struct loaded *lender);

/* One loading under way. */
struct load {
    struct loaded *loaded;
    struct draft *draft; /* what is being filled: of loaded, or an overlay */
    struct pool *pool;
    struct diag *diag;
    uint32_t errors;
    bool in_defaults;   /* reading the pattern */
    const char *listed; /* the last list of keys in a hint: said once */
};

/* Adds an error at a value. hint may be NULL. */
void load_complain(struct load *load, const struct tree *at, const char *hint,
                   const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* True once enough errors have been found: more would not be shown. */
bool load_is_hopeless(const struct load *load);

/*
 * Reads a block by the rows under `block` (NULL: the top) into base: checks
 * keys, kinds and ranges, and fills in defaults. map NULL: only defaults.
 */
void load_block(struct load *load, const struct setting *block,
                const struct tree *map, void *base);

/* Reads one value of a row. at is complained about when it will not do. */
void load_value(struct load *load, const struct setting *row,
                const struct tree *value, void *base);

/* Whether an unknown key of the block may be this one, misspelt: then it is
   not missing. */
bool load_is_misspelt(const struct setting *block, const struct tree *map,
                      const char *key);

/* An unknown word of a list of names: hint with the nearest, or NULL. names
   ends with NULL. */
const char *load_nearest(struct load *load, const char *word, size_t length,
                         const char *const *names);

/* The parts of a scenario. Each reads and checks its own. */
void load_workload(struct load *load, const struct tree *root);
/* Within load_workload. */
void load_classes(struct load *load, const struct tree *workload);
/* Makes the public array of the classes, which holds their specs alone. */
void load_publish_classes(struct load *load, uint32_t count);
void load_arrivals(struct load *load, const struct tree *workload);
/* What the workload and an overlay share; at is complained about when there is
   no traffic. */
void load_traffic(struct load *load, const struct tree *workload,
                  const struct tree *at);
void load_overlays(struct load *load, const struct tree *workload);
/* Overlays take the classes of the main workload, as public by now. */
void load_share_classes(struct loaded *loaded);
bool load_overlay_traces(struct loaded *loaded, struct diag *diag);
/* The names that rows of a trace may have in their columns of models and, with
   classes, of classes. */
void load_trace_words(struct loaded *loaded, bool with_classes,
                      struct trace_spec *spec);
/* The main trace is open: shares that classes do not say are those of its rows.
   false: rows do not say them either, and it was complained about. */
bool load_trace_shares(struct loaded *loaded, struct diag *diag);
/* A trace is open, whose rows may ask for models. */
void load_trace_models(struct loaded *loaded, const struct trace *trace);
void load_close_overlays(struct loaded *loaded);
/* What holds where neither the scenario nor a default says otherwise. */
void load_blank_draft(struct draft *draft);
void load_nodes(struct load *load, const struct tree *root);
/* What an engine's settings must be to each other. */
void load_engine(struct load *load, const struct tree *item,
                 struct group_spec *group);
/* What a group's nodes that come and go must be to each other; afterwards its
   count is the most there may be. */
void load_scaling(struct load *load, const struct tree *item,
                  struct group_draft *draft);
/* A group that says nothing of that. */
#define LOAD_DRAIN_TIMEOUT_NS INT64_C(600000000000)
#define LOAD_BLANK_SCALE                                            \
    {                                                               \
        .targets = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}, .low = NAN, \
        .ahead_ns = -1                                              \
    }
/* Makes the public array of the groups, which holds their specs alone. */
void load_publish_groups(struct load *load);
/* The map of a block (NULL: of the whole scenario) without the mechanisms that
   are "off" in it, however deep: as if they had not been written. NULL: no
   memory. */
const struct tree *load_without_off(struct load *load,
                                    const struct setting *block,
                                    const struct tree *map);
/* The tree with the pattern laid under each group. NULL: no memory. */
const struct tree *load_merge_defaults(struct load *load,
                                       const struct tree *root);
void load_balancer(struct load *load, const struct tree *root);
void load_passive(struct load *load, const struct tree *root);
/* Time-outs, retries, hedges and deadlines: what is blank, what the rule of a
   proxy fills in, and what they must be to each other. */
void load_blank_front(struct balancer_spec *balancer);
void load_retries(struct load *load, const struct tree *root);
/* Within load_balancer: health checks and what goes by them. */
void load_checks(struct load *load, const struct tree *balancer);
/* Complains about settings of a block (its path, and its map or NULL) that are
   of another `rule` than this one. */
void load_refuse_other_rules(struct load *load, const char *path,
                             const struct tree *map, const char *rule);
void load_tier(struct load *load, const struct tree *root);
/* After workload, nodes and balancer. */
void load_admission(struct load *load, const struct tree *root);
/* After models and classes are known. */
void load_degrade(struct load *load, const struct tree *root);
/* After admission and tenants. */
void load_batching(struct load *load, const struct tree *root);
/* The number of a model that groups list; ROUTING_MODELS_MAX: complained. */
uint32_t load_known_model(struct load *load, const struct tree *at,
                          const char *name, size_t length);
void load_faults(struct load *load, const struct tree *root);
/* Of one fault, after groups and balancers are known. */
void load_fault_target(struct load *load, const struct tree *item,
                       struct fault_draft *fault);
void load_fault_balancers(struct load *load, const struct tree *item,
                          struct fault_draft *fault);
/* A target as faults have it. false: complained, or there are no groups. */
bool load_target_text(struct load *load, const struct tree *at,
                      const char *text, struct fault_target *ret);
/* After groups, and all of the balancer. */
void load_agent(struct load *load, const struct tree *root);
/* After groups and classes are known. */
void load_routing(struct load *load, const struct tree *root);
/* The list of models of a group. */
void load_models(struct load *load, const struct tree *item,
                 struct group_spec *group);
void load_policies(struct load *load, const struct tree *root);
void load_goals(struct load *load, const struct tree *root);
void load_run(struct load *load, const struct tree *root);
/* After groups and replications are known. */
void load_plan(struct load *load, const struct tree *root);
/* After policies. */
void load_sweep(struct load *load, const struct tree *root);
void load_check(struct load *load, const struct tree *root);

/* What a scenario that says nothing comes to: its defaults, and what is off. To
   be released by scenario_destroy. NULL: no memory. */
struct loaded *load_nothing(void);
/* The same of one group, class and fault; load is that of nothing. */
void load_nothing_of_group(struct load *load, struct group_draft *ret);
void load_nothing_of_class(struct load *load, struct class_draft *ret);
void load_nothing_of_fault(struct load *load, struct fault_draft *ret);

/* Checks that need the duration, and shares of it. True when all is well. */
bool load_times(struct loaded *loaded, struct diag *diag);

/* Whether a setting of faults means anything for the kind; and what it is for a
   fault that does not say it, as a user would write it, where it is more than
   off: else NULL. key: "ramp". */
bool load_fault_takes(enum fault_kind kind, const char *key);
const char *load_fault_default(const struct fault_spec *spec, const char *key);

/* Turns the description of a distribution, which stands under key, into the
   form that draws; of a block that is not there nothing. An empirical one is
   read from its file. Noise is completed and scaled to mean 1. */
void load_dist(struct load *load, const struct tree *map, const char *key,
               struct dist_params *params, struct dist *ret);
void load_noise(struct load *load, const struct tree *map, const char *key,
                struct dist_params *params, struct dist *ret);

/* Kinds that are read by hand; each fills its place in the draft. */
void load_warm_up(struct load *load, const struct tree *value,
                  struct warm_up_draft *ret);
void load_resample(struct load *load, const struct tree *value,
                   struct draft *draft);
void load_measure(struct load *load, const struct tree *value,
                  enum measure_id *ret);

/* The setting of a policy entry that names a shared object; NULL: built in. */
const struct tree *load_so_setting(const struct tree *params);

/*
 * Opens the shared object of an entry called name, whose settings are params.
 * Fills ops, so and so_hash of policy; false: it was complained about.
 */
bool load_shared_policy(struct load *load, const struct tree *name,
                        const struct tree *params, struct policy_spec *policy);

/* The hint for entries of `policies` that are none. */
#define LOAD_POLICY_FORM \
    "such as 'round_robin' or '{ring_hash: {replicas: 200}}'"

/*
 * An entry of `policies` that is a block: which of its keys is the policy's
 * name, its count when none is; whether there is exactly one, else complains;
 * and the settings that stand beside it, with their defaults, which also join
 * the label.
 */
uint32_t load_entry_name(const struct tree *entry);
bool load_entry_check(struct load *load, const struct tree *entry);
void load_entry_settings(struct load *load, const struct tree *entry,
                         struct policy_spec *policy);

/* "name(a=1)" and b=2 make "name(a=1, b=2)". NULL: no memory, or no label. */
const char *load_label_add(struct load *load, const char *label,
                           const char *key, const char *value);

/* One parameter in the form that sorts duplicates out and goes into the hash:
   "replicas=100"; with the file of a shared object or without. */
char *load_policy_text(struct pool *pool, const struct scenario *scenario,
                       const struct policy_spec *policy, bool with_object);

/* The group of that name, or group_count; a complaint about one that is not
   there. */
uint32_t load_find_group(const struct load *load, const char *name,
                         size_t length);
void load_complain_group(struct load *load, const struct tree *at,
                         const char *name, size_t length);

/*
 * Text of everything that changes results, in base units, one setting a line.
 * Its first *ret_run_length bytes are about single runs; then come the
 * policies. NULL: no memory.
 */
char *canonical_text(struct loaded *loaded, size_t *ret_run_length);

/* Composition: file, includes, --set. NULL: diag says why. */
const struct tree *compose(struct load *load, const char *name,
                           const char *text, size_t length,
                           const char *const *overrides, size_t override_count);

/* Applies each "path=value", or "--option path=value", to the tree; the one
   that is given stays as it is. NULL: complained. */
const struct tree *override_all(struct load *load, const struct tree *root,
                                const char *const *overrides, size_t count);

/* "--option path=value" as the path's word and the value's tree, without
   applying it. false: complained. */
bool override_split(struct load *load, const char *text, uint32_t index,
                    const struct tree **ret_path,
                    const struct tree **ret_value);
/* A part of what stands behind the option in "--option word", with its place.
   NULL: no memory. */
const struct tree *override_word(struct load *load, const char *text,
                                 size_t start, size_t length);

/* A whole file, at most SCENARIO_SIZE_MAX bytes; complains at `at` (may be
   NULL: about the file alone). */
struct source *compose_read_file(struct load *load, const char *path,
                                 const struct tree *at);

#endif
