#include "sim/frontdoor/deadline.h"

struct deadline_verdict deadline_judge(int64_t deadline_after_ns,
                                       int64_t waited_ns, int64_t predicted_ns,
                                       int64_t first_token_limit_ns)
{
    struct deadline_verdict ret = {.first_token_ns = first_token_limit_ns};
    int64_t remaining_ns;

    if (deadline_after_ns == INT64_MAX)
        return ret;
    remaining_ns = deadline_after_ns - waited_ns;
    ret.hopeless = remaining_ns < predicted_ns || remaining_ns <= 0;
    if (remaining_ns < first_token_limit_ns)
        ret.first_token_ns = remaining_ns;
    return ret;
}
