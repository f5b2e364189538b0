#include "sim/experiment/meter.h"

#include <math.h>

/* Less says too little: a job's first moments are unlike the rest. */
#define SHARE_LEAST 0.02
#define ELAPSED_LEAST_S 1

/* Counts of jobs, parts of those under way with them. */
struct reading {
    double jobs, known, simulated, ended;
    double job_s; /* that one takes; 0: none has ended */
};

void meter_job_known(struct meter *meter)
{
    atomic_fetch_add(&meter->known, 1);
}

void meter_job_ended(struct meter *meter, int64_t spent_ns)
{
    atomic_fetch_add(&meter->spent_ns, (uint64_t)spent_ns);
    atomic_fetch_add(&meter->ended, 1);
}

static struct reading reading_of(const struct meter *meter, int64_t span_ns)
{
    struct reading now = {
        .jobs = (double)meter->jobs,
        .known = (double)atomic_load(&meter->known),
        .ended = (double)atomic_load(&meter->ended),
    };
    double parts = (double)atomic_load(&meter->simulated_ns) / (double)span_ns;

    now.simulated = fmin(now.jobs - now.known, fmax(parts, now.ended));
    if (now.ended > 0)
        now.job_s = 1e-9 * (double)atomic_load(&meter->spent_ns) / now.ended;
    return now;
}

static void add(struct reading *sum, const struct reading *one)
{
    sum->jobs += one->jobs;
    sum->known += one->known;
    sum->simulated += one->simulated;
    sum->ended += one->ended;
    sum->job_s += one->ended * one->job_s;
}

/* As long as no job has ended, by the parts that are done. */
static double left_by_parts_s(const struct reading *sum, double elapsed_s)
{
    double to_simulate = sum->jobs - sum->known;
    double share = sum->simulated / to_simulate;

    if (!(share > SHARE_LEAST) || elapsed_s <= ELAPSED_LEAST_S)
        return -1;
    return elapsed_s * (1 - share) / share;
}

/* Of all threads together; a policy without an ended job is like the mean. */
static double left_work_s(const struct meter *meters, uint32_t count,
                          int64_t span_ns, double mean_job_s)
{
    double left_s = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct reading one = reading_of(&meters[i], span_ns);
        double job_s = one.ended > 0 ? one.job_s : mean_job_s;

        left_s += (one.jobs - one.known - one.simulated) * job_s;
    }
    return left_s;
}

void meter_read(const struct meter *meters, uint32_t count, int64_t span_ns,
                uint32_t threads, double elapsed_s,
                struct experiment_progress *ret)
{
    struct reading sum = {0};

    for (uint32_t i = 0; i < count; i++) {
        struct reading one = reading_of(&meters[i], span_ns);

        add(&sum, &one);
    }
    double not_ended = sum.jobs - sum.known - sum.ended;
    *ret = (struct experiment_progress){
        .share =
            sum.jobs > 0 ? fmin(1, (sum.known + sum.simulated) / sum.jobs) : 1,
        .jobs_done = (uint64_t)(sum.known + sum.ended),
        .jobs = (uint64_t)sum.jobs,
        .jobs_known = (uint64_t)sum.known,
        .elapsed_s = elapsed_s,
    };
    if (not_ended <= 0)
        ret->left_s = 0;
    else if (sum.ended > 0)
        ret->left_s =
            left_work_s(meters, count, span_ns, sum.job_s / sum.ended) /
            fmin(threads, not_ended);
    else
        ret->left_s = left_by_parts_s(&sum, elapsed_s);
}
