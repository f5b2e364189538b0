#include "sim/scenario/decimal.h"

enum { DIGITS_MAX = 19, EXPONENT_MAX = 300 };

__extension__ typedef unsigned __int128 wide;

/* Zeros at either end do not count towards the limit, so "0.000000001" and
   "1.500" are short numbers. */
bool decimal_take(struct cursor *cursor, struct decimal *ret)
{
    struct decimal number = {0, 0};
    int zeros = 0, held = 0;
    bool point = false, any = false;

    for (; !cursor_at_end(cursor); cursor->at++) {
        char letter = *cursor->at;

        if (letter == '.' && !point) {
            point = true;
            continue;
        }
        if (!decimal_is_digit(letter))
            break;
        any = true;
        if (point && number.scale + zeros >= EXPONENT_MAX)
            return false;
        if (letter == '0' && point) {
            zeros++;
            continue;
        }
        for (int i = 0; i <= (point ? zeros : 0); i++) {
            if (number.digits && ++held >= DIGITS_MAX)
                return false;
            number.digits *= 10;
        }
        number.digits += (uint64_t)(letter - '0');
        number.scale += point ? zeros + 1 : 0;
        zeros = 0;
    }
    *ret = number;
    return any;
}

bool decimal_take_exponent(struct cursor *cursor, struct decimal *number)
{
    struct cursor try = *cursor;
    bool negative = false;
    int exponent = 0;

    if (cursor_at_end(&try) || (*try.at != 'e' && *try.at != 'E'))
        return true;
    try.at++;
    if (!cursor_at_end(&try) && (*try.at == '-' || *try.at == '+'))
        negative = *try.at++ == '-';
    if (cursor_at_end(&try) || !decimal_is_digit(*try.at))
        return true;
    for (; !cursor_at_end(&try) && decimal_is_digit(*try.at); try.at++) {
        exponent = exponent * 10 + (*try.at - '0');
        if (exponent > EXPONENT_MAX)
            return false;
    }
    number->scale += negative ? exponent : -exponent;
    *cursor = try;
    return true;
}

/* Below 10^19 * 10^14 nothing overflows 128 bits. */
bool decimal_scale(const struct decimal *number, uint64_t factor, uint64_t *ret,
                   bool *ret_exact)
{
    wide value = (wide)number->digits * factor;
    wide rest = 0, divisor = 1;

    *ret_exact = true;
    for (int i = number->scale; i < 0; i++) {
        if (value > (wide)INT64_MAX)
            return false;
        value *= 10;
    }
    if (number->scale > 36) {
        *ret_exact = value == 0;
        value = 0;
    }
    for (int i = 0; i < number->scale && i < 36; i++)
        divisor *= 10;
    rest = value % divisor;
    value /= divisor;
    if (rest != 0)
        *ret_exact = false;
    if (rest >= divisor - rest)
        value++;
    if (value > (wide)INT64_MAX)
        return false;
    *ret = (uint64_t)value;
    return true;
}

double decimal_to_double(const struct decimal *number, int more_scale)
{
    double value = (double)number->digits;
    int scale = number->scale + more_scale;
    double power = 1;

    for (; scale < 0; scale++)
        value *= 10;
    for (; scale > 22; scale--)
        value /= 10;
    for (; scale > 0; scale--)
        power *= 10;
    return value / power;
}
