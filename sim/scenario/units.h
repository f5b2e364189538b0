/*
 * Quantities as people write them: "250 ms", "1h30m", "2 GiB", "120/s",
 * "30 %", "50k".
 *
 * Everything that has a unit must say it; a bare number is a count or a
 * factor. Text is read digit by digit in integers, so 0.1 ms is exactly
 * 100,000 ns, no locale matters, and "nan", "inf" and hexadecimal are not
 * numbers. Nothing here accepts a negative quantity: no setting needs one.
 *
 * The parsers return false with a reason in reterr (0-terminated, cut to
 * reterr_size): the clause that follows "'rate': ". *ret is written only on
 * success.
 */
#ifndef SIM_SCENARIO_UNITS_H
#define SIM_SCENARIO_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNITS_TEXT_SIZE 48 /* enough for what the writers write */

/* ns us ms s min (m) h d, also several: "1h30m", "1 m 30 s". To the nearest
   ns, at most 292 years. */
bool units_parse_duration(const char *text, size_t length, int64_t *ret_ns,
                          char *reterr, size_t reterr_size);

/* B, kB MB GB TB (powers of 1000), KiB MiB GiB TiB (of 1024); whole bytes. */
bool units_parse_size(const char *text, size_t length, uint64_t *ret_bytes,
                      char *reterr, size_t reterr_size);

/* A number per s, min (m), h or d: "120/s", "12 /s", "600 per min". */
bool units_parse_rate(const char *text, size_t length, double *ret_per_s,
                      char *reterr, size_t reterr_size);

/* "30 %" or "0.3", both 0.3. No upper bound here. */
bool units_parse_share(const char *text, size_t length, double *ret,
                       char *reterr, size_t reterr_size);

/* A whole number, also 50k, 2M, 1G; at most 2^63 - 1. */
bool units_parse_count(const char *text, size_t length, uint64_t *ret,
                       char *reterr, size_t reterr_size);

/* A plain number, also 1e-3, 50k, 2M, 1G. */
bool units_parse_number(const char *text, size_t length, double *ret,
                        char *reterr, size_t reterr_size);

/* In the largest unit that needs no fraction: "90 s", "250 ms", "1 h". */
void units_write_duration(int64_t ns, char text[UNITS_TEXT_SIZE]);
/* "1 GiB", "1500 B". */
void units_write_size(uint64_t bytes, char text[UNITS_TEXT_SIZE]);

#endif
