/*
 * quantity.h - numbers with units, read from and written as text.
 *
 * What params.h promises to users, one function for each kind. Readers take a
 * whole piece of text, refuse whatever is left over and allow no hexadecimal
 * numbers, infinities or NaNs. Numbers are kept as digits and a power of ten
 * until the end, so 1.5M is a whole number and 30 % is exactly 0.3.
 */
#ifndef POLICIES_QUANTITY_H
#define POLICIES_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of text, borrowed; not 0-terminated. */
struct lbp_text {
    const char *at;
    const char *end;
};

/* The text without the spaces around it. */
struct lbp_text lbp_text_trimmed(const char *value, size_t length);

bool lbp_text_is(const struct lbp_text *text, const char *word);

/* Each writes its result only if text is such a number. */
bool lbp_read_real(struct lbp_text text, double *ret_value);
bool lbp_read_share(struct lbp_text text, double *ret_value);
bool lbp_read_count(struct lbp_text text, uint64_t *ret_value);
bool lbp_read_duration(struct lbp_text text, int64_t *ret_ns);

/*
 * Like snprintf at the end of what out has; *length counts on past size, so
 * that it tells in the end how much room all of it needs.
 */
void lbp_append(char *out, size_t size, size_t *length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Each yields the length without the final 0; size or more: out is cut. */
size_t lbp_write_real(double value, char *out, size_t size);
size_t lbp_write_duration(int64_t value_ns, char *out, size_t size);
size_t lbp_write_count(uint64_t count, char *out, size_t size);

#endif
