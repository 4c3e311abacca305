/* The machine's limits, for benchmarks that relate themselves to them in the same run. */
#ifndef MOTE_CLI_CALIBRATE_H
#define MOTE_CLI_CALIBRATE_H

/* Bytes a second of the triad a = b + s c in main memory, 24 bytes an element; 0 if there is not
 * enough memory to measure it. Takes about a second. */
double calibrate_memory_bandwidth(int threads);

#endif
