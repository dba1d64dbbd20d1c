/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * folder.c - folders that are made, and names that tell the time
 *
 * Floor: edge.
 */
#include "edge/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "conditions/condition.h"

int folder_make(const char *name, struct err *err)
{
	char *copy = strdup(name), *at;
	int bad = 0;

	if (!copy)
		abort();
	for (at = copy + (*copy == '/'); !bad; at++) {
		char end = *at;

		if (end && end != '/')
			continue;
		*at = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			bad = errno;
		*at = end;
		if (!end)
			break;
	}
	free(copy);
	if (!bad)
		return 0;
	return err_add_machine(err,
			       "%s: %s; make this folder, or name one that "
			       "can be made",
			       name, strerror(bad));
}

/* What stands for a letter behind a percent sign; 0 bytes if it is none. */
static size_t fill(char letter, const struct tm *utc, char *to, size_t size)
{
	int value;

	switch (letter) {
	case '%':
		return (size_t)snprintf(to, size, "%%");
	case 'Y':
		return (size_t)snprintf(to, size, "%04d", utc->tm_year + 1900);
	case 'm':
		value = utc->tm_mon + 1;
		break;
	case 'd':
		value = utc->tm_mday;
		break;
	case 'H':
		value = utc->tm_hour;
		break;
	case 'M':
		value = utc->tm_min;
		break;
	case 'S':
		value = utc->tm_sec;
		break;
	default:
		return 0;
	}
	return (size_t)snprintf(to, size, "%02d", value);
}

int folder_name(const char *pattern, int64_t utc_ns, char *name, size_t size,
		struct err *err)
{
	time_t seconds = (time_t)(utc_ns / NSEC_PER_S);
	struct tm utc;
	size_t n = 0;

	gmtime_r(&seconds, &utc);
	for (const char *at = pattern; *at; at++) {
		char one[16] = { *at, '\0' };
		size_t len = 1;

		if (*at == '%')
			len = fill(*++at, &utc, one, sizeof(one));
		if (!len)
			return err_add(err,
				       "%s: a folder's name may have %%Y %%m "
				       "%%d %%H %%M %%S (the time in UTC) and "
				       "%%%% in it, and no other %%",
				       pattern);
		if (n + len >= size)
			return err_add(err, "%s: the name is too long",
				       pattern);
		memcpy(name + n, one, len);
		n += len;
	}
	name[n] = '\0';
	return 0;
}
