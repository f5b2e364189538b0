/*
 * What a profile of a trace looks like: a page to be read, and JSON.
 */
#ifndef SIM_REPORT_PROFILE_REPORT_H
#define SIM_REPORT_PROFILE_REPORT_H

#include "workloads/profile.h"

#include <stdbool.h>
#include <stdio.h>

#define PROFILE_SCHEMA "lbsim.trace_profile/1"

/* path: the file's name as shown. */
void profile_write_text(const struct profile *profile, const char *path,
                        FILE *out);

/* false: no memory. */
bool profile_write_json(const struct profile *profile, const char *path,
                        FILE *out);

#endif
