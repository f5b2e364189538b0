#include "sim/frontdoor/breaker.h"

void breaker_init(struct breaker *breaker)
{
    *breaker = (struct breaker){.state = BREAKER_CLOSED};
}

bool breaker_bars(const struct breaker *breaker,
                  const struct breaker_spec *spec)
{
    if (breaker->state == BREAKER_HALF_OPEN)
        return breaker->sent >= spec->trials;
    return breaker->state == BREAKER_OPEN;
}

bool breaker_sent(struct breaker *breaker, const struct breaker_spec *spec)
{
    if (breaker->state != BREAKER_HALF_OPEN || breaker->sent >= spec->trials)
        return false;
    breaker->sent++;
    return true;
}

/* --- the window ----------------------------------------------------------- */

static void clear_window(struct breaker *breaker, int64_t now_ns)
{
    for (uint32_t i = 0; i < BREAKER_STEPS; i++) {
        breaker->ended[i] = 0;
        breaker->failed[i] = 0;
    }
    breaker->step = 0;
    breaker->step_start_ns = now_ns;
}

static void slide(struct breaker *breaker, const struct breaker_spec *spec,
                  int64_t now_ns)
{
    int64_t step_ns = spec->window_ns / BREAKER_STEPS;

    if (now_ns - breaker->step_start_ns >= spec->window_ns) {
        clear_window(breaker, now_ns - now_ns % step_ns);
        return;
    }
    while (now_ns - breaker->step_start_ns >= step_ns) {
        breaker->step = (uint8_t)((breaker->step + 1) % BREAKER_STEPS);
        breaker->ended[breaker->step] = 0;
        breaker->failed[breaker->step] = 0;
        breaker->step_start_ns += step_ns;
    }
}

static bool is_too_much(const struct breaker *breaker,
                        const struct breaker_spec *spec)
{
    uint64_t ended = 0, failed = 0;

    for (uint32_t i = 0; i < BREAKER_STEPS; i++) {
        ended += breaker->ended[i];
        failed += breaker->failed[i];
    }
    return ended >= spec->volume &&
           (double)failed / (double)ended >= spec->failure_share;
}

/* --- states --------------------------------------------------------------- */

static void enter(struct breaker *breaker, enum breaker_state state,
                  int64_t now_ns)
{
    breaker->state = (uint8_t)state;
    breaker->since_ns = now_ns;
    breaker->sent = 0;
    breaker->good = 0;
}

static bool open(struct breaker *breaker, const struct breaker_spec *spec,
                 int64_t now_ns)
{
    int64_t twice_ns = breaker->cool_ns > spec->max_cool_ns / 2
                           ? spec->max_cool_ns
                           : breaker->cool_ns * 2;

    breaker->cool_ns = breaker->cool_ns == 0 ? spec->cool_ns : twice_ns;
    enter(breaker, BREAKER_OPEN, now_ns);
    return true;
}

static bool trial_over(struct breaker *breaker, const struct breaker_spec *spec,
                       bool failed, int64_t now_ns)
{
    if (failed)
        return open(breaker, spec, now_ns);
    breaker->good++;
    if (breaker->good < spec->trials)
        return false;
    enter(breaker, BREAKER_CLOSED, now_ns);
    breaker->cool_ns = 0;
    clear_window(breaker, now_ns);
    return false;
}

bool breaker_over(struct breaker *breaker, const struct breaker_spec *spec,
                  int64_t sent_at_ns, bool failed, int64_t now_ns)
{
    if (breaker->state == BREAKER_OPEN || sent_at_ns < breaker->since_ns)
        return false;
    if (breaker->state == BREAKER_HALF_OPEN)
        return trial_over(breaker, spec, failed, now_ns);
    slide(breaker, spec, now_ns);
    breaker->ended[breaker->step]++;
    breaker->failed[breaker->step] += failed;
    return is_too_much(breaker, spec) && open(breaker, spec, now_ns);
}

void breaker_void(struct breaker *breaker, int64_t sent_at_ns)
{
    if (breaker->state == BREAKER_HALF_OPEN &&
        sent_at_ns >= breaker->since_ns && breaker->sent > breaker->good)
        breaker->sent--;
}

void breaker_cooled(struct breaker *breaker, int64_t now_ns)
{
    if (breaker->state == BREAKER_OPEN &&
        now_ns - breaker->since_ns >= breaker->cool_ns)
        enter(breaker, BREAKER_HALF_OPEN, now_ns);
}
