/* Fails: nothing. */
#include "tests/conformance/honest.h"

HONEST_BUT(pick, honest_pick)
