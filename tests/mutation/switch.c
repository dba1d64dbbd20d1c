/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * switch.c - which change is switched on, and where those reached are marked
 *
 * Floor: tests.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int mutation_number = -1;
unsigned char *mutation_marks;

__attribute__((constructor)) static void begin(void)
{
	const char *number = getenv("MUTANT"), *marks = getenv("MUTANT_MARKS");
	struct stat stat;
	void *memory;
	int fd;

	if (number)
		mutation_number = (int)strtol(number, NULL, 10);
	if (!marks || (fd = open(marks, O_RDWR | O_CLOEXEC)) < 0)
		return;
	if (!fstat(fd, &stat)) {
		memory = mmap(NULL, (size_t)stat.st_size,
			      PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (memory != MAP_FAILED)
			mutation_marks = memory;
	}
	close(fd);
}
