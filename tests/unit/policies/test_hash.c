/* Hashes: published vectors, and sizes around every block boundary. */
#include "policies/hash.h"
#include "tests/check.h"

static void xxh64_gives_published_values(void)
{
    /* The reference implementation, xxHash 0.8, seed 0. */
    CHECK_UINT(lbp_hash_xxh64(NULL, 0, 0), 0xef46db3751d8e999u);
    CHECK_UINT(lbp_hash_xxh64("a", 1, 0), 0xd24ec4f1a98c6e5bu);
    CHECK_UINT(lbp_hash_xxh64("abc", 3, 0), 0x44bc2cf5ad770999u);
    CHECK_UINT(lbp_hash_xxh64("0123456789abcdef0123456789abcdef0123", 36, 0),
               0xc4255ba3d1af5461u);
    CHECK_UINT(lbp_hash_xxh64("user-1", 6, 0), 0xa173746b114c6be8u);
    CHECK_UINT(lbp_hash_xxh64("user-2", 6, 0), 0x7395dd9943ab55e9u);
}

/*
 * The buffer of the reference implementation's self-test: the top bytes of a
 * product that starts at 2654435761 and grows by the factor
 * 11400714785074694797. Values computed with libxxhash 0.8.1.
 */
static void xxh64_passes_the_reference_sanity_check(void)
{
    static const struct {
        size_t length;
        uint64_t seed, hash;
    } cases[] = {
        {0, 0, 0xEF46DB3751D8E999u},
        {0, 2654435761u, 0xAC75FDA2929B17EFu},
        {1, 0, 0xE934A84ADB052768u},
        {1, 2654435761u, 0x5014607643A9B4C3u},
        {4, 0, 0x9136A0DCA57457EEu},
        {14, 0, 0x8282DCC4994E35C8u},
        {14, 2654435761u, 0xC3BD6BF63DEB6DF0u},
        {31, 0, 0x299B39A290E6D783u},
        {32, 0, 0x18B216492BB44B70u},
        {33, 2654435761u, 0xE92C292F64BC3071u},
        {222, 0, 0xB641AE8CB691C174u},
        {222, 2654435761u, 0x20CB8AB7AE10C14Au},
    };
    uint8_t buffer[222];
    uint64_t generator = 2654435761u;

    for (size_t i = 0; i < sizeof buffer; i++) {
        buffer[i] = (uint8_t)(generator >> 56);
        generator *= 11400714785074694797u;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_UINT(lbp_hash_xxh64(buffer, cases[i].length, cases[i].seed),
                   cases[i].hash);
}

static void crc32_gives_published_values(void)
{
    /* The check value of the CRC-32/ISO-HDLC catalogue entry. */
    CHECK_UINT(lbp_hash_crc32("123456789", 9), 0xcbf43926u);
    CHECK_UINT(lbp_hash_crc32(NULL, 0), 0);
    CHECK_UINT(lbp_hash_crc32("a", 1), 0xe8b7be43u);
    CHECK_UINT(lbp_hash_crc32("user-1", 6), 0x7e264614u);
}

static const char *md5_text(const char *data, size_t length)
{
    static char text[2 * LBP_HASH_MD5_BYTES + 1];
    uint8_t digest[LBP_HASH_MD5_BYTES];

    lbp_hash_md5(data, length, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return text;
}

static void md5_passes_the_suite_of_rfc_1321(void)
{
    static const char *const cases[][2] = {
        {"", "d41d8cd98f00b204e9800998ecf8427e"},
        {"a", "0cc175b9c0f1b6a831c399e269772661"},
        {"abc", "900150983cd24fb0d6963f7d28e17f72"},
        {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
        {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
        {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
         "d174ab98d277d9f5a5611c2c9f419d9f"},
        {"1234567890123456789012345678901234567890123456789012345678901234567"
         "8901234567890",
         "57edf4a22be3c955ac49da2e2107b67a"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_TEXT(md5_text(cases[i][0], strlen(cases[i][0])), cases[i][1]);
}

/* Lengths at which the padding changes shape; values from md5sum. */
static void md5_pads_at_every_boundary(void)
{
    static const struct {
        size_t length;
        const char *digest;
    } cases[] = {
        {55, "04364420e25c512fd958a70738aa8f72"},
        {56, "668a72d5ba17f08e62dabcafad6db14b"},
        {63, "7dc2ca208106a2f703567bdff99d8981"},
        {64, "c1bb4f81d892b2d57947682aeb252456"},
        {65, "1bc932052302d074bdec39795fe00cf6"},
        {119, "ab347a5f68c8a443cfcddc633f12c24f"},
        {120, "fb98667f98096de92620b64f46e1c5b5"},
        {128, "d69cb61a6ee87200676eb0d4b90edbcb"},
    };
    char data[128];

    memset(data, 'x', sizeof data);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_TEXT(md5_text(data, cases[i].length), cases[i].digest);
}

static void md5_32_is_the_start_of_the_digest(void)
{
    CHECK_UINT(lbp_hash_md5_32("hello", 5), 0x5d41402au);
    CHECK_UINT(lbp_hash_md5_32("user-1", 6), 0xd6d77053u);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"XXH64 gives published values", xxh64_gives_published_values},
        {"XXH64 passes the reference sanity check",
         xxh64_passes_the_reference_sanity_check},
        {"CRC-32 gives published values", crc32_gives_published_values},
        {"MD5 passes the suite of RFC 1321", md5_passes_the_suite_of_rfc_1321},
        {"MD5 pads at every boundary", md5_pads_at_every_boundary},
        {"MD5 starts with its 32-bit form", md5_32_is_the_start_of_the_digest},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("hash", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
