/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * robot_file.c - the robot's address, kept from one run to the next
 *
 * Floor: edge.
 */
#include "edge/robot_file.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool robot_address(const char *text, char *address)
{
	union address parsed;
	size_t len;

	while (isspace((unsigned char)*text))
		text++;
	len = strlen(text);
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	if (!len || len >= ADDRESS_TEXT)
		return false;
	memcpy(address, text, len);
	address[len] = '\0';
	return address_parse(address, &parsed) && !address_port(&parsed);
}

/* The file's name; false without a home. */
static bool find_path(char *path, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		return snprintf(path, size, "%s/farlink/robot", state) <
		       (int)size;
	if (home && *home == '/')
		return snprintf(path, size, "%s/.local/state/farlink/robot",
				home) < (int)size;
	snprintf(path, size, "(no home: set XDG_STATE_HOME)");
	return false;
}

bool robot_load(char *path, char *text)
{
	size_t n;
	FILE *file;

	if (!find_path(path, PATH_MAX))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	n = fread(text, 1, ROBOT_TEXT - 1, file);
	text[n] = '\0';
	fclose(file);
	return text[strspn(text, " \t\r\n")] != '\0';
}

/* Make the folders that lead to a file. */
static bool make_folders(char *path)
{
	for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		bool made;

		*at = '\0';
		made = !mkdir(path, 0700) || errno == EEXIST;
		*at = '/';
		if (!made)
			return false;
	}
	return true;
}

int robot_save(const char *address, struct err *err)
{
	char path[PATH_MAX], fresh[PATH_MAX + 8];
	FILE *file;
	bool bad;

	if (!find_path(path, sizeof(path)))
		return err_add(err, "the robot's address is not saved: %s",
			       path);
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	file = make_folders(path) ? fopen(fresh, "we") : NULL;
	if (!file)
		return err_add_machine(
			err, "the robot's address is not saved: %s: %s", path,
			strerror(errno));
	bad = fprintf(file, "%s\n", address) < 0;
	bad |= fclose(file) == EOF;
	if (bad || rename(fresh, path)) {
		(void)unlink(fresh);
		return err_add_machine(
			err,
			"the robot's address is not saved: %s cannot be "
			"written",
			path);
	}
	return 0;
}
