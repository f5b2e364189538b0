/*
 * The table of settings as JSON Schema (draft 2020-12), for editors: keys,
 * kinds, units, ranges, choices and help, policies' parameters too.
 */
#ifndef SIM_SCENARIO_SCHEMA_H
#define SIM_SCENARIO_SCHEMA_H

/* JSON text that ends with a newline. Owned by the caller, released with
   free(). NULL: no memory. */
char *scenario_schema(void);

#endif
