#include "sim/report/building.h"

#include <stdlib.h>

bool building_write(json_t *document, FILE *out)
{
    char *text =
        document
            ? json_dumps(document,
                         JSON_INDENT(2) | JSON_REAL_PRECISION(BUILDING_DIGITS))
            : NULL;

    if (text)
        fprintf(out, "%s\n", text);
    free(text);
    json_decref(document);
    return text != NULL;
}

bool building_append(json_t *list, json_t *value)
{
    if (list && value)
        return json_array_append_new(list, value) == 0;
    json_decref(value);
    return false;
}
