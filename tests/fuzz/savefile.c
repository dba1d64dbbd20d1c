/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * savefile.c - any bytes as a capture file
 *
 * Floor: tests.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "edge/savefile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the reader hands over must be a whole packet, or it is of no use. */
static void check(const struct packet *packet)
{
	if (packet->payload < UDP_HEADER_BYTES + IPV4_HEADER_BYTES ||
	    packet->len < packet->payload)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { 0 };
	struct savefile *savefile;
	const struct packet *packet;
	int64_t when;
	char name[64];
	int fd = memfd_create("capture", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	savefile = savefile_open(name, &err);
	while (savefile && savefile_read(savefile, &when, &packet, &err) == 1)
		check(packet);
	savefile_close(savefile);
	err_fini(&err);
	close(fd);
	return 0;
}
