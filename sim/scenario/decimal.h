/*
 * Decimal numbers in integers: exact, the same everywhere, free of locales.
 */
#ifndef SIM_SCENARIO_DECIMAL_H
#define SIM_SCENARIO_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* A decimal number exactly as written: digits * 10^-scale. */
struct decimal {
    uint64_t digits;
    int scale;
};

/* What is left to read. */
struct cursor {
    const char *at, *end;
};

static inline bool cursor_at_end(const struct cursor *cursor)
{
    return cursor->at == cursor->end;
}

static inline bool decimal_is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/* Takes digits with at most one point; 19 of them at most, zeros at either end
   not counted. false: no number, or too long a one. */
bool decimal_take(struct cursor *cursor, struct decimal *ret);

/* Takes an exponent, if there is one; false: beyond 300. "1e" has none: the e
   is left for a unit. */
bool decimal_take_exponent(struct cursor *cursor, struct decimal *number);

/* digits * factor / 10^scale to the nearest whole, with factor at most 10^14;
   false: above INT64_MAX. *ret_exact: nothing was rounded. */
bool decimal_scale(const struct decimal *number, uint64_t factor, uint64_t *ret,
                   bool *ret_exact);

/* The number / 10^more_scale. Correctly rounded while digits and power of ten
   are exact doubles, which covers what people write; else within an ulp or
   two. */
double decimal_to_double(const struct decimal *number, int more_scale);

#endif
