#include "sim/experiment/attempts.h"

#include "sim/experiment/admission.h"
#include "sim/experiment/checks.h"
#include "sim/experiment/degrade.h"
#include "sim/experiment/hedges.h"
#include "sim/experiment/members.h"
#include "sim/experiment/passive.h"
#include "sim/experiment/retries.h"
#include "sim/experiment/scaling.h"
#include "sim/experiment/timeouts.h"

bool attempts_sent(struct sim *sim, struct balancer *balancer,
                   struct request *request, uint32_t index)
{
    if (sim->retrying)
        retries_sent(sim, request);
    if (sim->hedges)
        hedges_sent(sim, request, index);
    if (sim->timeouts)
        timeouts_sent(sim, request, index);
    if (sim->passive)
        passive_sent(sim, balancer, request);
    if (sim->scaling)
        scaling_attempt_sent(sim, request);
    if (sim->degrade)
        degrade_sent(sim, request, index);
    if (sim->admission)
        return admission_sent(sim, balancer, request, index);
    return true;
}

void attempts_over(struct sim *sim, struct balancer *balancer,
                   struct request *request, uint32_t index,
                   enum lbp_outcome outcome, enum attempt_error error,
                   int64_t first_token_at_ns)
{
    if (sim->retrying)
        retries_over(sim, request, error);
    if (sim->hedges)
        hedges_over(sim, request, index, error, first_token_at_ns);
    if (outcome == LBP_OK)
        checks_answered(sim, request->node);
    if (sim->passive)
        passive_over(sim, balancer, request, error, outcome, first_token_at_ns);
    if (sim->admission)
        admission_over(sim, request, index, outcome, first_token_at_ns);
    if (sim->scaling)
        scaling_attempt_over(sim, request, outcome, first_token_at_ns);
    if (sim->members)
        members_attempt_over(sim, request->node);
    if (sim->degrade)
        degrade_over(sim, request, index, outcome);
}
