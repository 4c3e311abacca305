/*
 * Peak performance of the machine, for benchmarks that compare with it in the same run.
 */
#ifndef MOTE_CLI_CALIBRATE_H
#define MOTE_CLI_CALIBRATE_H

/* Bandwidth of the triad a = b + s c in main memory in bytes per second, 24 bytes per element; 0
 * if memory is insufficient. Takes about a second. */
double calibrate_memory_bandwidth(int threads);

/* Single-precision operations per second of one core, by the processor time of this thread. Takes
 * about a tenth of a second. */
double calibrate_core_flops(void);

#endif
