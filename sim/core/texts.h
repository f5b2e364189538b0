/*
 * A list of texts that grows and owns them. Zero it to begin.
 */
#ifndef SIM_CORE_TEXTS_H
#define SIM_CORE_TEXTS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct texts {
    char **items; /* [count] */
    size_t count, capacity;
};

/* One more, printed. false: no memory, and the list is as it was. */
__attribute__((format(printf, 2, 3))) bool texts_add(struct texts *texts,
                                                     const char *format, ...);

/* The same of arguments that are taken already. */
__attribute__((format(printf, 2, 0))) bool
texts_add_list(struct texts *texts, const char *format, va_list arguments);

void texts_done(struct texts *texts);

#endif
