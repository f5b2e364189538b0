#include "tests/oracle/scenario_writer.h"

#include <stdarg.h>
#include <stdio.h>

/* SplitMix64: Steele, Lea & Flood 2014. */
uint32_t below(struct writer *writer, uint32_t bound)
{
    uint64_t x = writer->state += 0x9E3779B97F4A7C15u;

    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((x ^ x >> 31) >> 32) % bound;
}

void put(struct writer *writer, const char *format, ...)
{
    size_t room = writer->size - writer->length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(writer->text + writer->length, room, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < room)
        writer->length += (size_t)length;
}
