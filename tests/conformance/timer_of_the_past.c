/* Fails: timer. It asks to be called at once, for ever. */
#include "tests/conformance/honest.h"

static int64_t on_timer(void *state, const struct lbp_view *view)
{
    (void)state;
    return view->now_ns;
}

HONEST_BUT(on_timer, on_timer)
