/* CRC-32C against known values, and the instruction against the table; CRC-32 against zlib. */
#include "test.h"

#include "base/crc.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void known_values(void **state)
{
    (void)state;
    unsigned char zeros[32] = {0};
    /* RFC 3720, appendix B.4, and the usual check value */
    assert_int_equal(mo_crc32c(0, zeros, sizeof zeros), 0x8a9136aa);
    assert_int_equal(mo_crc32c(0, "123456789", 9), 0xe3069283);
    assert_int_equal(mo_crc32c_plain(0, "123456789", 9), 0xe3069283);
    assert_int_equal(mo_crc32c(0, NULL, 0), 0);
}

static void instruction_and_table_agree(void **state)
{
    (void)state;
    unsigned char data[1057];
    for (size_t k = 0; k < sizeof data; ++k) {
        data[k] = (unsigned char)(k * 167 + 13);
    }
    for (size_t length = 0; length <= sizeof data; ++length) {
        uint32_t whole = mo_crc32c_plain(0, data, length), front = mo_crc32c(0, data, length / 3);
        assert_int_equal(mo_crc32c(0, data, length), whole);
        assert_int_equal(mo_crc32c(front, data + length / 3, length - length / 3), whole);
    }
}

/* Every length around the folded blocks of 64 bytes, at every alignment within a word. */
static void crc32_is_that_of_zlib(void **state)
{
    (void)state;
    static unsigned char data[3000];
    uint32_t seed = 7;
    for (size_t k = 0; k < sizeof data; ++k) {
        seed = seed * 1664525 + 1013904223;
        data[k] = (unsigned char)(seed >> 24);
    }
    assert_int_equal(mo_crc32(0, "123456789", 9), 0xcbf43926); /* the usual check value */
    assert_int_equal(mo_crc32(0, NULL, 0), 0);
    for (size_t first = 0; first < 17; ++first) {
        for (size_t length = 0; length + first <= 700; ++length) {
            uint32_t before = (uint32_t)(length * 2654435761u);
            assert_int_equal(mo_crc32(0, data + first, length),
                             crc32(0, data + first, (uInt)length));
            assert_int_equal(mo_crc32(before, data + first, length),
                             crc32(before, data + first, (uInt)length));
        }
    }
    for (size_t cut = 0; cut <= sizeof data; cut += 37) {
        uint32_t front = mo_crc32(0, data, cut);
        assert_int_equal(mo_crc32(front, data + cut, sizeof data - cut),
                         crc32(0, data, sizeof data));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_values),
                                       cmocka_unit_test(instruction_and_table_agree),
                                       cmocka_unit_test(crc32_is_that_of_zlib)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
