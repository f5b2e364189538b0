/*
 * The traffic of one simulation: requests in order of arrival.
 *
 * Composes arrivals, sizes, work, noise and keys, or a trace with what it
 * lacks. Everything about a request is drawn at its arrival from lanes keyed
 * by its number, so it is the same for every policy. One request is made at a
 * time, so a run's memory does not grow with its length.
 */
#ifndef WORKLOADS_WORKLOAD_H
#define WORKLOADS_WORKLOAD_H

#include "workloads/arrivals.h"
#include "workloads/classes.h"
#include "workloads/dist.h"
#include "workloads/keys.h"
#include "workloads/trace.h"

#include <stdbool.h>
#include <stdint.h>

/* No request works longer, so that times stay within 64 bits of ns. */
#define WORKLOAD_WORK_LIMIT_S 1e9

#define WORKLOAD_OVERLAYS_MAX 16

enum workload_noise_per { WORKLOAD_NOISE_REQUEST, WORKLOAD_NOISE_ATTEMPT };

/*
 * What every simulation of an experiment shares, read-only.
 *
 * With a trace, a distribution of tokens that is not DIST_NONE replaces the
 * trace's column, and keys that are not KEYS_NONE replace its keys. Draws of
 * tokens are rounded to the nearest count, at least 1. A row that names its
 * class is of that class; only those that name none are drawn by the shares.
 *
 * A key that may come again (of the Zipf universe, or of a trace) has its own
 * fixed class, tokens and work, as the same prompt has the same length and
 * answer: they come from a stream of the key. Noise is the request's.
 */
struct workload_spec {
    struct arrivals_spec arrivals; /* unused with a trace */
    const struct trace *trace;     /* NULL: synthetic */
    enum trace_resample resample;
    struct dist input_tokens, output_tokens; /* DIST_NONE: 0 tokens */
    struct dist work;  /* s at speed 1; DIST_NONE: from tokens */
    struct dist noise; /* scaled to mean 1; DIST_NONE: 1 */
    enum workload_noise_per noise_per;
    struct dist patience; /* s in a queue; DIST_NONE: for ever */
    struct keys keys;     /* KEYS_NONE: none, or the trace's own */
    uint32_t class_count; /* 0: requests are of one kind */
    const struct workload_class *classes; /* [class_count], borrowed */
    uint32_t one_class;  /* 1 + the class of all requests; 0: by the shares */
    uint32_t one_tenant; /* 1 + the tenant of all; 0: by the tenants' shares */
    uint32_t overlay_count;
    const struct workload_overlay *overlays; /* [overlay_count], borrowed */
};

/*
 * Further traffic on top, with streams of its own: what is drawn for the main
 * workload does not change when overlays come and go. Its synthetic keys are
 * questions of its own too; keys of traces are the same by their texts. An
 * overlay has no overlays.
 */
struct workload_overlay {
    const char *name;
    int64_t at_ns;       /* when it begins; its own time starts there */
    int64_t duration_ns; /* of its arrivals; INT64_MAX: to the end of the run */
    struct workload_spec spec;
};

struct workload_request {
    uint64_t number; /* from 0 */
    int64_t at_ns;   /* intended arrival */
    double work_s;   /* without noise; negative: the node's costs of tokens
                        decide */
    double noise;    /* factor for the first attempt, mean 1 */
    uint32_t input_tokens, output_tokens;
    uint32_t request_class; /* 0 without classes */
    uint32_t model;    /* that its row of a trace asks for; 0: its class says */
    uint64_t key_hash; /* 0: no key */
    uint64_t key;      /* number of a synthetic key */
    const char *key_text; /* of a trace's key, valid as long as the workload;
                             NULL with a key_hash: keys_text(key) */
    uint32_t key_length;
};

/* How long an overlay arrives in a run of that duration; 0: not at all. */
int64_t workload_overlay_length_ns(const struct workload_overlay *overlay,
                                   int64_t duration_ns);

/* Where a request of several sources comes from. */
struct workload_origin {
    uint64_t number; /* the source's own, by which its needs were drawn */
    int64_t at_ns;   /* when it arrived */
    uint32_t source; /* 0: the main workload; else the overlay, from 1 */
    uint32_t client; /* of a closed loop */
};

struct workload_books {
    uint64_t requests;
    uint64_t repeats; /* drawn from the universe, or seen before in a trace */
    uint64_t ideal_hits;     /* of one endless cache: keys asked before */
    uint64_t raw_ideal_hits; /* the same if a trace's prompts were not
                                normalised; 0 where they are not */
};

struct workload;

/* spec is copied; the trace it names must outlive the workload. NULL: no
   memory, or the trace cannot be read. Arrivals stop before duration_ns. */
struct workload *workload_create(const struct workload_spec *spec,
                                 int64_t duration_ns, uint64_t seed,
                                 uint64_t replication);
void workload_destroy(struct workload *workload);

/* false: no further arrival before duration_ns; *ret then means nothing. */
bool workload_next(struct workload *workload, struct workload_request *ret);

/*
 * With overlays or clients a workload is mixed. The request that workload_next
 * gave is then the next one as far as is known, and stays the next one until it
 * is taken: an answer may let a client ask before it. Numbers count what was
 * taken. So whoever plays a mixed workload calls workload_take when the request
 * arrives, workload_release when it is over, however it ends, and workload_next
 * after both.
 */
bool workload_is_mixed(const struct workload *workload);

/* The request of the last workload_next arrives: books know it from now on.
   false: no memory for its key; workload_failed says so too. */
bool workload_take(struct workload *workload, struct workload_origin *ret);

/* A taken request is over. true: its client thinks now, and asks again. */
bool workload_release(struct workload *workload,
                      const struct workload_origin *origin, int64_t now_ns);

/* After workload_next gave nothing: whether nothing can come any more. */
bool workload_is_over(const struct workload *workload);

/* The part of a mixed workload, with books of its own; else the workload. */
const struct workload *workload_source(const struct workload *workload,
                                       uint32_t source);

/* Whether workload_next ended with an error: of the trace, or no memory for the
   trace's distinct keys. */
bool workload_failed(const struct workload *workload);

/* Of the two, whether it was memory. */
bool workload_lacks_memory(const struct workload *workload);

/* Noise of a later attempt: the request's own, or drawn anew from (seed,
   replication, request, attempt). attempt 0 gives request->noise. Of a mixed
   workload: of its source, with the source's number. The class
   means nothing without classes. */
double workload_attempt_noise(const struct workload *workload, uint64_t number,
                              uint32_t request_class, double first_noise,
                              uint32_t attempt);

/* Whether any client of the whole mixed workload leaves a queue by itself. */
bool workload_has_patience(const struct workload_spec *spec);

/* How long the client of a request waits in a queue, by the source's number of
   it; INT64_MAX: for ever. The class means nothing without classes. */
int64_t workload_patience_ns(const struct workload *workload, uint64_t number,
                             uint32_t request_class);

/* Whether later attempts draw noise of their own. */
bool workload_draws_each_attempt(const struct workload *workload);

/* Whether the last request was an ideal hit: its key was asked before. */
bool workload_last_was_ideal_hit(const struct workload *workload);

/* Whether keys are normal forms of a trace's prompts. */
bool workload_spec_is_normalised(const struct workload_spec *spec);

const struct workload_books *workload_books(const struct workload *workload);

/*
 * Means for load estimates. Tokens are 0 where there are none, work_s is NaN
 * where the node's costs of tokens decide; both are without noise, whose mean
 * is apart: 1 unless its bounds cut it. With classes they are means over all
 * requests by the classes' shares. Rates are of a run of that duration
 * (INT64_MAX: in the long run): its mean, and the greatest at any time, of a
 * trace its mean again; NaN in a closed loop, where answers decide. Overlays
 * are in all of it: their peaks are added up, which is the worst case. Where a
 * trace names classes, their shares and tokens are those of its rows.
 */
struct workload_means {
    double rate_per_s, peak_per_s;
    double input_tokens, output_tokens, work_s, noise;
};
void workload_spec_means(const struct workload_spec *spec, int64_t duration_ns,
                         struct workload_means *ret);

/* Of the requests of one source, those of a class. */
double workload_class_share(const struct workload_spec *spec,
                            uint32_t request_class);

/* The same means of one class; rate_per_s is its share of the whole. */
void workload_class_means(const struct workload_spec *spec,
                          uint32_t request_class, int64_t duration_ns,
                          struct workload_means *ret);

/* What is drawn for a request by a law of its class or of the workload. */
enum workload_law {
    LAW_INPUT_TOKENS,
    LAW_OUTPUT_TOKENS,
    LAW_WORK,
    LAW_NOISE,
    LAW_COUNT
};

/* The law that requests of a class draw from; request_class is 0 without
   classes. DIST_NONE: nothing is drawn. */
const struct dist *workload_law(const struct workload_spec *spec,
                                uint32_t request_class, enum workload_law law);

/* Whether any request draws from a law of that kind, and whether all do. */
bool workload_has_law(const struct workload_spec *spec, enum workload_law law);
bool workload_all_have_law(const struct workload_spec *spec,
                           enum workload_law law);

#endif
