/* What writers of CSV (RFC 4180) share. */
#ifndef SIM_REPORT_CSV_PARTS_H
#define SIM_REPORT_CSV_PARTS_H

#include <stdint.h>
#include <stdio.h>

struct report_input;

/* Quoted when it must be, control characters as blanks. */
void csv_write_text(FILE *out, const char *text);

/* The next field of a row, after a comma; empty when it is not finite. */
void csv_field(FILE *out, double value);
void csv_text_field(FILE *out, const char *text);

/* The comment lines that every table of a result begins with. */
void csv_write_head(const struct report_input *input, FILE *out);

/* Without a whole replication there is nothing but the head. */
uint32_t csv_policy_rows(const struct report_input *input);

/* For a comment: as it stands, control characters as blanks. */
void csv_write_plain(FILE *out, const char *text);

#endif
