/*
 * The steps of the normaliser that go by single characters. Internal to it.
 *
 * A text is decoded into code points, each step rewrites them in place, and the
 * rest is encoded again.
 */
#ifndef WORKLOADS_NORMALISE_POINTS_H
#define WORKLOADS_NORMALISE_POINTS_H

#include "workloads/normalise.h"

/* Decodes room->text, folding and unifying on the way as spec says; sets
   NORMALISE_INVALID. false: no memory. */
bool normalise_points_read(struct normalise_room *room,
                           const struct normalise_spec *spec);

void normalise_points_strip_punctuation(struct normalise_room *room);
void normalise_points_collapse_space(struct normalise_room *room);

/* Whether a letter is not Latin. */
bool normalise_points_are_foreign(const struct normalise_room *room);

/* Encodes the points into room->next. false: no memory. */
bool normalise_points_write(struct normalise_room *room);

/* Room for so many bytes. false: no memory. */
bool normalise_bytes_reserve(struct normalise_bytes *bytes, size_t capacity);

#endif
