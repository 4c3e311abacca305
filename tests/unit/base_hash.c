/*
 * Hashes: the published mixer, and avalanche of every input bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "numbers.h"

/* The first outputs of SplitMix64 from the seed 0, as its reference implementation prints them. */
static void mixing_is_that_of_splitmix64(void **state)
{
    (void)state;
    static const uint64_t expected[] = {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4),
                                        UINT64_C(0x06c45d188009454f), UINT64_C(0xf88bb8a8724c81ec)};
    uint64_t z = 0;
    for (int k = 0; k < 4; ++k) {
        z += UINT64_C(0x9e3779b97f4a7c15);
        assert_true(mo_hash_mix(z) == expected[k]);
    }
    assert_true(mo_hash_word(0, 0) == expected[0]);
}

static int bits_set(uint64_t word)
{
    int count = 0;
    for (; word; word &= word - 1) {
        ++count;
    }
    return count;
}

/* One input bit flips half of the output: 32 of 64 on average, within four deviations of the
 * mean. */
static void one_flipped_bit_flips_half_the_hash(void **state)
{
    (void)state;
    enum { WORDS = 1000 };
    uint64_t random = 1;
    for (int bit = 0; bit < 64; ++bit) {
        int64_t by_word = 0, by_hash = 0;
        for (int k = 0; k < WORDS; ++k) {
            uint64_t hash = random_bits(&random), word = random_bits(&random),
                     flip = UINT64_C(1) << bit;
            by_word += bits_set(mo_hash_word(hash, word) ^ mo_hash_word(hash, word ^ flip));
            by_hash += bits_set(mo_hash_word(hash, word) ^ mo_hash_word(hash ^ flip, word));
        }
        double allowed = 4 * sqrt(64 * 0.25 / WORDS);
        assert_near((double)by_word / WORDS, 32, allowed);
        assert_near((double)by_hash / WORDS, 32, allowed);
    }
}

static void the_order_of_words_counts(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int k = 0; k < 1000; ++k) {
        uint64_t a = random_bits(&random), b = random_bits(&random);
        assert_true(mo_hash_word(mo_hash_word(0, a), b) != mo_hash_word(mo_hash_word(0, b), a));
    }
}

static void both_zeros_are_one_value(void **state)
{
    (void)state;
    assert_true(mo_hash_double(3, 0.0) == mo_hash_double(3, -0.0));
    assert_true(mo_hash_double(3, 0.0) != mo_hash_double(3, 0x1p-1074));
    assert_true(mo_hash_double(3, 1.0) != mo_hash_double(3, -1.0));
    assert_true(mo_hash_double(3, 1.0) != mo_hash_double(4, 1.0));
    assert_true(mo_hash_double(3, (double)NAN) == mo_hash_double(3, (double)NAN));
}

static void neighbouring_doubles_differ(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int k = 0; k < 1000; ++k) {
        double value = random_between(&random, -1e3, 1e3);
        assert_true(mo_hash_double(0, value) != mo_hash_double(0, nextafter(value, INFINITY)));
    }
}

static void every_bit_of_the_bytes_counts(void **state)
{
    (void)state;
    unsigned char data[41];
    for (size_t k = 0; k < sizeof data; ++k) {
        data[k] = (unsigned char)(17 * k + 3);
    }
    for (size_t bytes = 1; bytes <= sizeof data; ++bytes) {
        uint64_t before = mo_hash_bytes(5, data, bytes);
        assert_true(before != mo_hash_bytes(6, data, bytes));
        for (size_t bit = 0; bit < 8 * bytes; ++bit) {
            data[bit / 8] ^= (unsigned char)(1u << bit % 8);
            assert_true(mo_hash_bytes(5, data, bytes) != before);
            data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        assert_true(mo_hash_bytes(5, data, bytes) == before);
    }
}

/* A text and the same text with trailing zeros differ. */
static void the_length_counts(void **state)
{
    (void)state;
    static const unsigned char zeroes[64];
    uint64_t hash[65];
    for (size_t bytes = 0; bytes <= sizeof zeroes; ++bytes) {
        hash[bytes] = mo_hash_bytes(0, zeroes, bytes);
        for (size_t k = 0; k < bytes; ++k) {
            assert_true(hash[k] != hash[bytes]);
        }
    }
}

static void the_place_in_memory_does_not_count(void **state)
{
    (void)state;
    char buffer[64];
    uint64_t first = 0;
    for (int shift = 0; shift < 16; ++shift) {
        memset(buffer, shift, sizeof buffer);
        memcpy(buffer + shift, "the same forty-one bytes, wherever placed", 41);
        uint64_t hash = mo_hash_bytes(9, buffer + shift, 41);
        first = shift == 0 ? hash : first;
        assert_true(hash == first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixing_is_that_of_splitmix64),
        cmocka_unit_test(one_flipped_bit_flips_half_the_hash),
        cmocka_unit_test(the_order_of_words_counts),
        cmocka_unit_test(both_zeros_are_one_value),
        cmocka_unit_test(neighbouring_doubles_differ),
        cmocka_unit_test(every_bit_of_the_bytes_counts),
        cmocka_unit_test(the_length_counts),
        cmocka_unit_test(the_place_in_memory_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
