/*
 * hash.h - the three hash functions that balancers agree on.
 *
 * XXH64 names keys all over lbp.h, CRC-32 and MD5 place keys and nodes on the
 * tables and rings of nginx, ketama and others. They are part of what decides
 * where a request goes, so they are written out here and give the same value
 * on every machine. None of them is meant for secrets.
 *
 * Data may be NULL when length is 0.
 */
#ifndef POLICIES_HASH_H
#define POLICIES_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LBP_HASH_MD5_BYTES 16

/* XXH64 as in lbp_request.key_hash, where the seed is 0. */
uint64_t lbp_hash_xxh64(const void *data, size_t length, uint64_t seed);

/* CRC-32 of zip and Ethernet: reflected, polynomial 0xEDB88320. */
uint32_t lbp_hash_crc32(const void *data, size_t length);

/* MD5 (RFC 1321). ret_digest has LBP_HASH_MD5_BYTES bytes. */
void lbp_hash_md5(const void *data, size_t length, uint8_t *ret_digest);

/* The first four bytes of the MD5, big-endian: a place on a ring. */
uint32_t lbp_hash_md5_32(const void *data, size_t length);

#ifdef __cplusplus
}
#endif

#endif
