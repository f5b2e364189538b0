#include "sim/frontdoor/observe.h"

/* To layer4 a connection that came about is good, whatever became of it. */
static bool is_error(const struct observe_spec *spec, enum blame blame)
{
    if (spec->layer == OBSERVE_LAYER4)
        return blame == BLAME_CONNECT;
    return blame_is_fault(blame, spec->counts_overload);
}

bool observe_over(const struct observe_spec *spec, uint32_t *errors,
                  enum blame blame)
{
    if (blame == BLAME_NOTHING)
        return false;
    if (!is_error(spec, blame)) {
        *errors = 0;
        return false;
    }
    if (++*errors < spec->error_limit)
        return false;
    *errors = 0;
    return true;
}
