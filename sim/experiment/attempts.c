#include "sim/experiment/attempts.h"

#include "sim/experiment/checks.h"

bool attempts_sent(struct sim *sim, struct balancer *balancer,
                   struct request *request, uint32_t index)
{
    (void)sim;
    (void)balancer;
    (void)request;
    (void)index;
    return true;
}

void attempts_over(struct sim *sim, struct balancer *balancer,
                   struct request *request, uint32_t index,
                   enum lbp_outcome outcome, enum attempt_error error,
                   int64_t first_token_at_ns)
{
    (void)balancer;
    (void)index;
    (void)error;
    (void)first_token_at_ns;
    if (outcome == LBP_OK)
        checks_answered(sim, request->node);
}
