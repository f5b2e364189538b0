#include "sim/experiment/attempts.h"

void attempts_sent(struct sim *sim, struct balancer *balancer,
                   struct request *request, uint32_t index)
{
    (void)sim;
    (void)balancer;
    (void)request;
    (void)index;
}

void attempts_over(struct sim *sim, struct balancer *balancer,
                   struct request *request, uint32_t index,
                   enum lbp_outcome outcome, enum attempt_error error)
{
    (void)sim;
    (void)balancer;
    (void)request;
    (void)index;
    (void)outcome;
    (void)error;
}
