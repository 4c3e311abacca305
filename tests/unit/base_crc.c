/* CRC-32C against known values, and the instruction against the table. */
#include "test.h"

#include "base/crc.h"

#include <stdlib.h>
#include <string.h>

static void known_values(void **state)
{
    (void)state;
    unsigned char zeros[32] = {0};
    /* RFC 3720, appendix B.4, and the usual check value */
    assert_int_equal(mo_crc32c(zeros, sizeof zeros), 0x8a9136aa);
    assert_int_equal(mo_crc32c("123456789", 9), 0xe3069283);
    assert_int_equal(mo_crc32c_plain("123456789", 9), 0xe3069283);
    assert_int_equal(mo_crc32c(NULL, 0), 0);
}

static void instruction_and_table_agree(void **state)
{
    (void)state;
    unsigned char data[257];
    for (size_t k = 0; k < sizeof data; ++k) {
        data[k] = (unsigned char)(k * 167 + 13);
    }
    for (size_t length = 0; length <= sizeof data; ++length) {
        assert_int_equal(mo_crc32c(data, length), mo_crc32c_plain(data, length));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_values),
                                       cmocka_unit_test(instruction_and_table_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
