/* What attempts, answers, probes and reports come to where faults hold. */
#include "sim/experiment/faults_state.h"

#include "sim/experiment/life.h"

static bool reaches(const struct fault_run *run, uint32_t b)
{
    return run->senders[b];
}

/* The first fault that keeps a balancer from a node; NULL: none does. */
static const struct fault_run *find_cut(const struct faults *faults, uint32_t b,
                                        uint32_t index)
{
    for (uint32_t hold = faults->first_hold[index]; hold != HOLD_NONE;
         hold = faults->holds[hold].next) {
        const struct fault_run *run = &faults->runs[faults->holds[hold].fault];

        if (run->spec->kind == FAULT_PARTITION && reaches(run, b))
            return run;
    }
    return NULL;
}

bool faults_cut(const struct sim *sim, uint32_t b, uint32_t index)
{
    return sim->faults && find_cut(sim->faults, b, index);
}

/* --- probes --------------------------------------------------------------- */

static uint32_t balancer_number(const struct sim *sim,
                                const struct balancer *balancer)
{
    return (uint32_t)(balancer - sim->balancers);
}

static bool passes(const struct fault_spec *spec, enum fault_probe level)
{
    return (uint32_t)level < (uint32_t)spec->passes;
}

/* What one fault that holds makes of a probe that would be answered. */
static enum fault_word word_of(const struct faults *faults,
                               const struct fault_run *run, uint32_t b,
                               enum fault_probe level, size_t pair)
{
    const struct fault_spec *spec = run->spec;

    switch (spec->kind) {
    case FAULT_HANG:
    case FAULT_BLACK_HOLE:
        return passes(spec, level) ? FAULT_ANSWERS : FAULT_SAYS_NOTHING;
    case FAULT_FAIL_FAST:
        return passes(spec, level) ||
                       rng_uniform(&faults->probe_draws[pair]) >= spec->share
                   ? FAULT_ANSWERS
                   : FAULT_SAYS_ILL;
    case FAULT_PROBE_LOSS:
        return reaches(run, b) &&
                       rng_uniform(&faults->probe_draws[pair]) < spec->share
                   ? FAULT_SAYS_NOTHING
                   : FAULT_ANSWERS;
    default:
        return FAULT_ANSWERS;
    }
}

enum fault_word faults_probe(const struct sim *sim,
                             const struct balancer *balancer, uint32_t index,
                             enum fault_probe level)
{
    const struct faults *faults = sim->faults;
    uint32_t b = balancer_number(sim, balancer);
    const struct fault_run *between =
        faults ? find_cut(faults, b, index) : NULL;

    if (between)
        return between->spec->seen_as == FAULT_REFUSED ? FAULT_REFUSES
                                                       : FAULT_SAYS_NOTHING;
    if (!sim->nodes[index].alive)
        return sim->node_fault[index]->seen_as == FAULT_REFUSED
                   ? FAULT_REFUSES
                   : FAULT_SAYS_NOTHING;
    for (uint32_t hold = faults ? faults->first_hold[index] : HOLD_NONE;
         hold != HOLD_NONE; hold = faults->holds[hold].next) {
        enum fault_word word =
            word_of(faults, &faults->runs[faults->holds[hold].fault], b, level,
                    (size_t)b * sim->node_count + index);

        if (word != FAULT_ANSWERS)
            return word;
    }
    return FAULT_ANSWERS;
}

int64_t faults_since_ns(const struct sim *sim, const struct balancer *balancer,
                        uint32_t index)
{
    const struct faults *faults = sim->faults;
    int64_t since_ns = LBP_NO_TIME;

    if (!sim->nodes[index].alive)
        return sim->nodes[index].died_at_ns;
    if (!faults)
        return since_ns;
    for (uint32_t h = faults->first_hold[index]; h != HOLD_NONE;
         h = faults->holds[h].next) {
        const struct fault_hold *hold = &faults->holds[h];
        const struct fault_run *run = &faults->runs[hold->fault];
        enum fault_kind kind = run->spec->kind;

        if ((kind == FAULT_SLOW || kind == FAULT_HANG ||
             kind == FAULT_BLACK_HOLE || kind == FAULT_FAIL_FAST ||
             (kind == FAULT_PARTITION &&
              reaches(run, balancer_number(sim, balancer)))) &&
            (since_ns == LBP_NO_TIME || hold->since_ns < since_ns))
            since_ns = hold->since_ns;
    }
    return since_ns;
}

/* --- reports -------------------------------------------------------------- */

/* They come from where health is asked for. */
bool faults_node_reports(const struct sim *sim, uint32_t index)
{
    const struct faults *faults = sim->faults;

    if (!faults)
        return true;
    for (uint32_t hold = faults->first_hold[index]; hold != HOLD_NONE;
         hold = faults->holds[hold].next) {
        const struct fault_spec *spec =
            faults->runs[faults->holds[hold].fault].spec;

        if ((spec->kind == FAULT_HANG || spec->kind == FAULT_BLACK_HOLE) &&
            !passes(spec, FAULT_PROBE_HTTP))
            return false;
    }
    return sim->nodes[index].alive;
}

bool faults_report_lost(const struct sim *sim, uint32_t b, uint32_t index)
{
    const struct faults *faults = sim->faults;

    if (!faults)
        return false;
    for (uint32_t hold = faults->first_hold[index]; hold != HOLD_NONE;
         hold = faults->holds[hold].next) {
        const struct fault_run *run = &faults->runs[faults->holds[hold].fault];
        enum fault_kind kind = run->spec->kind;

        if (kind == FAULT_PARTITION && reaches(run, b))
            return true;
        if (kind == FAULT_REPORT_LOSS && reaches(run, b) &&
            rng_uniform(
                &faults->report_draws[(size_t)b * sim->node_count + index]) <
                run->spec->share)
            return true;
    }
    return false;
}

int64_t faults_report_delay_ns(const struct sim *sim, uint32_t index)
{
    const struct faults *faults = sim->faults;
    int64_t most_ns = 0;

    if (!faults)
        return 0;
    for (uint32_t hold = faults->first_hold[index]; hold != HOLD_NONE;
         hold = faults->holds[hold].next) {
        const struct fault_spec *spec =
            faults->runs[faults->holds[hold].fault].spec;

        if (spec->kind == FAULT_REPORT_DELAY && spec->delay_ns > most_ns)
            most_ns = spec->delay_ns;
    }
    return most_ns;
}

int64_t faults_report_delay_max_ns(const struct scenario *scenario)
{
    int64_t most_ns = 0;

    for (uint32_t f = 0; f < scenario->fault_count; f++)
        if (scenario->faults[f].kind == FAULT_REPORT_DELAY &&
            scenario->faults[f].delay_ns > most_ns)
            most_ns = scenario->faults[f].delay_ns;
    return most_ns;
}

/* --- attempts and answers ------------------------------------------------- */

struct delay_line *faults_line(struct sim *sim, uint32_t line)
{
    if (line == LINE_FAULT_ERROR)
        return &sim->faults->errors;
    return &sim->faults->runs[line - LINE_INSIDE_LOST].inside_lost;
}

void faults_from_line(struct sim *sim, uint32_t line, struct request *request,
                      uint32_t index)
{
    if (line == LINE_FAULT_ERROR)
        losses_attempt_failed(sim, request, index, LBP_ERROR, ERROR_5XX);
    else
        losses_attempt_failed(sim, request, index, LBP_RESET, ERROR_RESET);
}

static void answer_with_error(struct sim *sim, struct request *request,
                              uint32_t index)
{
    struct delay_line *line = &sim->faults->errors;

    request->state = REQUEST_TO_CLIENT;
    if (line->delay_ns == 0)
        losses_attempt_failed(sim, request, index, LBP_ERROR, ERROR_5XX);
    else if (!delay_line_push(line, &sim->tree, sim->now_ns, index,
                              request->epoch))
        sim_fail(sim, SIM_NO_MEMORY);
}

void faults_attempt_met(struct sim *sim, struct request *request,
                        uint32_t index, enum node_answer answer)
{
    const struct fault_run *between;

    if (request->flags & REQUEST_ZOMBIE) {
        losses_zombie_gone(sim, request, index);
        return;
    }
    if (answer == NODE_SWALLOWED) {
        request->state = REQUEST_LOST;
        return;
    }
    if (answer == NODE_ERROR) {
        answer_with_error(sim, request, index);
        return;
    }
    between = find_cut(sim->faults, request->balancer, request->node);
    losses_out_of_reach(sim, request, index, between->spec->seen_as);
}

void faults_word_lost(struct sim *sim, struct request *request, uint32_t index)
{
    const struct fault_run *between =
        find_cut(sim->faults, request->balancer, request->node);

    request->flags &= (uint16_t)~REQUEST_CUT;
    request->state = REQUEST_LOST;
    if (!between) /* it ended at this very moment */
        return;
    losses_inside(sim, request, index, (uint32_t)(between - sim->faults->runs));
}
