#include "policies/hash.h"

#include <string.h>

static uint32_t rotate_left_32(uint32_t value, unsigned bits)
{
    return value << bits | value >> (32 - bits);
}

static uint64_t rotate_left_64(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

/* Bytes are put together by hand, so the order of the machine is no matter. */
static uint32_t read_32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
           (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint64_t read_64(const uint8_t *bytes)
{
    return read_32(bytes) | (uint64_t)read_32(bytes + 4) << 32;
}

static void write_32(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

/*
 * XXH64. Yann Collet, "xxHash fast digest algorithm", specification 0.2.0:
 * four lanes eat 32 bytes a round, are merged, and the rest is folded in.
 */
static const uint64_t prime_1 = 0x9E3779B185EBCA87u;
static const uint64_t prime_2 = 0xC2B2AE3D27D4EB4Fu;
static const uint64_t prime_3 = 0x165667B19E3779F9u;
static const uint64_t prime_4 = 0x85EBCA77C2B2AE63u;
static const uint64_t prime_5 = 0x27D4EB2F165667C5u;

static uint64_t lane_round(uint64_t lane, uint64_t input)
{
    return rotate_left_64(lane + input * prime_2, 31) * prime_1;
}

static uint64_t merge_lane(uint64_t hash, uint64_t lane)
{
    return (hash ^ lane_round(0, lane)) * prime_1 + prime_4;
}

/* Eats all whole stripes of 32 bytes and moves *bytes and *length past them. */
static uint64_t hash_stripes(const uint8_t **bytes, size_t *length,
                             uint64_t seed)
{
    uint64_t lanes[4] = {seed + prime_1 + prime_2, seed + prime_2, seed,
                         seed - prime_1};
    uint64_t hash;

    for (; *length >= 32; *bytes += 32, *length -= 32)
        for (size_t i = 0; i < 4; i++)
            lanes[i] = lane_round(lanes[i], read_64(*bytes + 8 * i));
    hash = rotate_left_64(lanes[0], 1) + rotate_left_64(lanes[1], 7) +
           rotate_left_64(lanes[2], 12) + rotate_left_64(lanes[3], 18);
    for (unsigned i = 0; i < 4; i++)
        hash = merge_lane(hash, lanes[i]);
    return hash;
}

/* Folds in the last bytes, fewer than 32. */
static uint64_t hash_rest(uint64_t hash, const uint8_t *bytes, size_t length)
{
    for (; length >= 8; bytes += 8, length -= 8) {
        hash ^= lane_round(0, read_64(bytes));
        hash = rotate_left_64(hash, 27) * prime_1 + prime_4;
    }
    if (length >= 4) {
        hash ^= read_32(bytes) * prime_1;
        hash = rotate_left_64(hash, 23) * prime_2 + prime_3;
        bytes += 4;
        length -= 4;
    }
    for (; length > 0; bytes++, length--) {
        hash ^= *bytes * prime_5;
        hash = rotate_left_64(hash, 11) * prime_1;
    }
    return hash;
}

uint64_t lbp_hash_xxh64(const void *data, size_t length, uint64_t seed)
{
    const uint8_t *bytes = data;
    size_t left = length;
    uint64_t hash = seed + prime_5;

    if (length >= 32)
        hash = hash_stripes(&bytes, &left, seed);
    hash = hash_rest(hash + length, bytes, left);
    hash = (hash ^ hash >> 33) * prime_2;
    hash = (hash ^ hash >> 29) * prime_3;
    return hash ^ hash >> 32;
}

/* Half a byte at a time: 64 bytes of table instead of a kilobyte. */
uint32_t lbp_hash_crc32(const void *data, size_t length)
{
    static const uint32_t table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    const uint8_t *bytes = data;
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

/* MD5. Rivest, RFC 1321, 1992. sines[i] is floor(2^32 |sin(i + 1)|). */
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a,
    0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
    0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
    0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8,
    0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
    0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
    0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
    0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
    0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static const uint8_t shifts[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

/* The four functions F, G, H, I of section 3.4, one a round. */
static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    switch (round) {
    case 0:
        return (b & c) | (~b & d);
    case 1:
        return (b & d) | (c & ~d);
    case 2:
        return b ^ c ^ d;
    default:
        return c ^ (b | ~d);
    }
}

static void md5_block(uint32_t *state, const uint8_t *block)
{
    static const uint8_t factors[4] = {1, 5, 3, 7};
    static const uint8_t offsets[4] = {0, 1, 5, 0};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];

    for (unsigned step = 0; step < 64; step++) {
        unsigned round = step / 16;
        unsigned word = (factors[round] * step + offsets[round]) % 16;
        uint32_t sum = a + mix(round, b, c, d) + sines[step] +
                       read_32(block + (size_t)word * 4);

        a = d;
        d = c;
        c = b;
        b += rotate_left_32(sum, shifts[round][step % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void lbp_hash_md5(const void *data, size_t length, uint8_t *ret_digest)
{
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    const uint8_t *bytes = data;
    size_t left = length;
    uint8_t tail[128] = {0};
    size_t tail_length;

    for (; left >= 64; bytes += 64, left -= 64)
        md5_block(state, bytes);
    if (left > 0)
        memcpy(tail, bytes, left);
    tail[left] = 0x80;
    tail_length =
        left < 56 ? 64 : 128; /* the length needs 8 bytes at the end */
    write_32(tail + tail_length - 8, (uint32_t)((uint64_t)length << 3));
    write_32(tail + tail_length - 4, (uint32_t)((uint64_t)length >> 29));
    for (size_t at = 0; at < tail_length; at += 64)
        md5_block(state, tail + at);
    for (unsigned i = 0; i < 4; i++)
        write_32(ret_digest + (size_t)i * 4, state[i]);
}

uint32_t lbp_hash_md5_32(const void *data, size_t length)
{
    uint8_t digest[LBP_HASH_MD5_BYTES];

    lbp_hash_md5(data, length, digest);
    return (uint32_t)digest[0] << 24 | (uint32_t)digest[1] << 16 |
           (uint32_t)digest[2] << 8 | digest[3];
}
