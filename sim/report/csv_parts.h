/* What writers of CSV (RFC 4180) share. */
#ifndef SIM_REPORT_CSV_PARTS_H
#define SIM_REPORT_CSV_PARTS_H

#include <stdio.h>

/* Quoted when it must be, control characters as blanks. */
void csv_write_text(FILE *out, const char *text);

/* The next field of a row, after a comma; empty when it is not finite. */
void csv_field(FILE *out, double value);
void csv_text_field(FILE *out, const char *text);

/* For a comment: as it stands, control characters as blanks. */
void csv_write_plain(FILE *out, const char *text);

#endif
