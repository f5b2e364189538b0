#include "sim/frontdoor/fail_fast.h"

void fail_fast_init(struct fail_fast *fail_fast)
{
    *fail_fast = (struct fail_fast){.ready = true};
}

bool fail_fast_note(struct fail_fast *fail_fast, bool ready, int64_t now_ns)
{
    bool ceased = fail_fast->ready && !ready;

    if (ceased)
        fail_fast->unready_since_ns = now_ns;
    fail_fast->ready = ready;
    return ceased;
}

bool fail_fast_is_on(const struct fail_fast *fail_fast, int64_t after_ns,
                     int64_t now_ns)
{
    return !fail_fast->ready &&
           now_ns - fail_fast->unready_since_ns >= after_ns;
}
