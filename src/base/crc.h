/*
 * CRC-32C (G. Castagnoli et al. 1993), for which x86-64 processors since 2008 have an instruction,
 * and CRC-32, that of zip. Long inputs use carry-less multiplication where available (V.
 * Gopal et al., "Fast CRC computation for generic polynomials using PCLMULQDQ", Intel 2009):
 * limited by memory bandwidth. Otherwise CRC-32C uses the instruction or a table, CRC-32 zlib.
 */
#ifndef MO_BASE_CRC_H
#define MO_BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Continues the CRC `before` (0: initial) with the data. */
uint32_t mo_crc32c(uint32_t before, const void *data, size_t bytes);
uint32_t mo_crc32(uint32_t before, const void *data, size_t bytes);

/* The same without the instruction, for the tests. */
uint32_t mo_crc32c_plain(uint32_t before, const void *data, size_t bytes);

#endif
