/* Faults without effect, and those that nobody sees. */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

/* Two balancers or one; what follows of balancer, and the fault. */
static void lint_fault(unsigned balancers, const char *more, const char *fault)
{
    char text[4000];
    struct scenario *scenario;

    snprintf(text, sizeof text,
             "lbsim: 1\nduration: 10 min\nworkload:\n"
             "  arrivals: {rate: 12/s}\n"
             "  work: {dist: exponential, mean: 250 ms}\n"
             "nodes:\n"
             "  - {group: gpu, count: 4, zone: \"a, b\"}\n"
             "balancer: {count: %u, timeout: {total: 30 s}%s}\n"
             "faults: [{target: \"gpu[0]\", at: 1 min, %s}]\n"
             "policies: [least_conn]\n",
             balancers, more, fault);
    scenario = loaded(load_with(text, NULL, 0));
    if (!scenario)
        return;
    scenario_lint(scenario, &last_diag);
    scenario_destroy(scenario);
}

static void told(const char *words)
{
    CHECK(complained(words));
    CHECK_UINT(last_diag.warnings, 1);
}

static void what_acts_is_fine(void)
{
    static const char *const faults[] = {
        "kind: slow, factor: 3, ramp: 5 s",
        "kind: hang, for: 1 min, passes: L1",
        "kind: hang, for: 1 min, passes: L2", /* said, so known */
        "kind: partition, for: 1 min, balancers: \"0\"",
        "kind: probe_loss, share: 30 %",
        "kind: memory_leak, fills_in: 1 min, restart_after: 10 s"};

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        lint_fault(2, ", health: {}", faults[i]);
        CHECK_UINT(last_diag.warnings, 0);
        forget_diag();
    }
}

static void what_does_nothing_is_told(void)
{
    lint_fault(2, ", health: {}", "kind: slow, factor: 1");
    told("the fault has no effect: its factor is 1");
}

static void a_ramp_beyond_the_end_is_told(void)
{
    lint_fault(2, ", health: {}",
               "kind: slow, factor: 3, ramp: 2 min, for: 1 min");
    told("the factor is never reached");
}

static void a_share_of_nothing_is_told(void)
{
    lint_fault(2, ", health: {}", "kind: fail_fast, share: 0 %");
    told("the fault has no effect: its share is 0");
}

static void one_balancer_needs_no_choice(void)
{
    lint_fault(1, ", health: {}", "kind: partition, balancers: \"0\"");
    told("'balancers' has no effect with one balancer");
}

static void probes_that_nobody_sends_are_not_lost(void)
{
    lint_fault(2, "", "kind: probe_loss, share: 30 %");
    told("probe_loss has no effect: there are no health checks");
}

static void a_hang_that_passes_is_told(void)
{
    lint_fault(2, ", health: {}", "kind: hang, for: 1 min");
    told("no health check sees the hang: it passes L2");
    forget_diag();
    lint_fault(2, ", health: {generation: {work: 10 ms}}",
               "kind: hang, for: 1 min");
    CHECK_UINT(last_diag.warnings, 0);
}

static void passing_what_nobody_checks_is_told(void)
{
    lint_fault(2, "", "kind: black_hole, passes: none");
    told("'passes' has no effect");
}

/* A check restarts what runs and seems ill, not what has crashed for good. */
static void what_no_check_brings_back_is_told(void)
{
    lint_fault(2, ", health: {restart_takes: 2 s}", "kind: crash");
    told("the process stays down: health.restart_takes is for one that runs");
    forget_diag();
    lint_fault(2, ", health: {restart_takes: 2 s}",
               "kind: memory_leak, fills_in: 1 min");
    told("the process stays down");
    forget_diag();
    lint_fault(2, ", health: {restart_takes: 2 s}",
               "kind: crash, restart_after: 9 s");
    CHECK_UINT(last_diag.warnings, 0);
    forget_diag();
    lint_fault(2, ", health: {}", "kind: crash");
    CHECK_UINT(last_diag.warnings, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"what acts is fine", what_acts_is_fine},
        {"what does nothing is told", what_does_nothing_is_told},
        {"a ramp beyond the end is told", a_ramp_beyond_the_end_is_told},
        {"a share of nothing is told", a_share_of_nothing_is_told},
        {"one balancer needs no choice", one_balancer_needs_no_choice},
        {"probes that nobody sends are not lost",
         probes_that_nobody_sends_are_not_lost},
        {"a hang that passes is told", a_hang_that_passes_is_told},
        {"passing what nobody checks is told",
         passing_what_nobody_checks_is_told},
        {"what no check brings back is told",
         what_no_check_brings_back_is_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("lint faults", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
