/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * file.c - read a whole file
 *
 * Floor: edge.
 */
#include "edge/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read to the end, in pieces, so that pipes work as files do. */
static const char *read_all(struct store *store, int fd, size_t *size,
			    char *why, size_t why_size)
{
	size_t room = 64u * 1024u, n = 0;
	char *text = store_get(store, room + 1);

	for (;;) {
		ssize_t got = read(fd, text + n, room - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			snprintf(why, why_size, "%s", strerror(errno));
			return NULL;
		}
		if (!got)
			break;
		n += (size_t)got;
		if (n > FILE_MOST) {
			snprintf(why, why_size, "longer than %u MiB",
				 FILE_MOST >> 20);
			return NULL;
		}
		if (n == room) {
			char *more = store_get(store, 4 * room + 1);

			memcpy(more, text, n);
			text = more;
			room *= 4;
		}
	}
	text[n] = '\0';
	*size = n;
	return text;
}

const char *file_read(struct store *store, const char *name, size_t *size,
		      char *why, size_t why_size)
{
	struct stat status;
	const char *text;
	int fd;

	if (!strcmp(name, "-"))
		return read_all(store, STDIN_FILENO, size, why, why_size);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		snprintf(why, why_size, "%s", strerror(errno));
		return NULL;
	}
	if (!fstat(fd, &status) && S_ISDIR(status.st_mode)) {
		snprintf(why, why_size, "it is a folder");
		close(fd);
		return NULL;
	}
	text = read_all(store, fd, size, why, why_size);
	close(fd);
	return text;
}

const char *file_read_plain(struct store *store, const char *name, size_t *size,
			    char *why, size_t why_size)
{
	struct stat status;
	const char *text = NULL;
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		snprintf(why, why_size, "%s", strerror(errno));
	else if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		snprintf(why, why_size, "it is no file");
	else
		text = read_all(store, fd, size, why, why_size);
	if (fd >= 0)
		close(fd);
	return text;
}
