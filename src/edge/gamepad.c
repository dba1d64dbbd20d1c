/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gamepad.c - a gamepad as a stick
 *
 * Floor: edge.
 *
 * The left stick moves, the triggers turn, as on the reference app's
 * controllers.  Without libevdev this file only says so.
 */
#include "edge/gamepad.h"

#ifdef HAVE_LIBEVDEV

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libevdev/libevdev.h>

struct gamepad {
	struct libevdev *device;
	int fd;
};

/* A gamepad has a south button and a left stick; no mouse or wheel has both. */
static bool is_gamepad(const struct libevdev *device)
{
	return libevdev_has_event_code(device, EV_KEY, BTN_SOUTH) &&
	       libevdev_has_event_code(device, EV_ABS, ABS_X) &&
	       libevdev_has_event_code(device, EV_ABS, ABS_Y);
}

static bool try_device(struct gamepad *gamepad, const char *name, int *error)
{
	gamepad->fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (gamepad->fd < 0) {
		*error = errno;
		return false;
	}
	if (!libevdev_new_from_fd(gamepad->fd, &gamepad->device)) {
		if (is_gamepad(gamepad->device))
			return true;
		libevdev_free(gamepad->device);
	}
	close(gamepad->fd);
	*error = ENODEV;
	return false;
}

struct gamepad *gamepad_open(const char *device, struct err *err)
{
	struct gamepad *gamepad = calloc(1, sizeof(*gamepad));
	const char *pattern = device ? device : "/dev/input/event*";
	int error = ENOENT, last;
	glob_t names;

	if (!gamepad)
		abort();
	if (!glob(pattern, device ? GLOB_NOMAGIC : 0, NULL, &names)) {
		for (size_t i = 0; i < names.gl_pathc; i++) {
			if (try_device(gamepad, names.gl_pathv[i], &last)) {
				globfree(&names);
				return gamepad;
			}
			/* one that may not be read may be the gamepad */
			if (error != EACCES)
				error = last;
		}
		globfree(&names);
	}
	free(gamepad);
	err_add(err, "--gamepad: %s: %s", pattern,
		error == EACCES ? "a device there may not be read; join the "
				  "group input"
				: "there is no gamepad; plug one in");
	return NULL;
}

const char *gamepad_name(const struct gamepad *gamepad)
{
	return libevdev_get_name(gamepad->device);
}

int gamepad_fd(const struct gamepad *gamepad)
{
	return gamepad->fd;
}

/* An axis as 0 to 1 of its range. */
static double share(const struct gamepad *gamepad, unsigned axis)
{
	const struct input_absinfo *info =
		libevdev_get_abs_info(gamepad->device, axis);

	if (!info || info->maximum <= info->minimum)
		return 0.0;
	return ((double)info->value - info->minimum) /
	       ((double)info->maximum - info->minimum);
}

bool gamepad_read(struct gamepad *gamepad, struct stick *stick)
{
	unsigned flag = LIBEVDEV_READ_FLAG_NORMAL;
	struct input_event event;
	int status;

	/* libevdev keeps the state; what was lost is sent again */
	do {
		status = libevdev_next_event(gamepad->device, flag, &event);
		flag = status == LIBEVDEV_READ_STATUS_SYNC
			       ? LIBEVDEV_READ_FLAG_SYNC
			       : LIBEVDEV_READ_FLAG_NORMAL;
	} while (status >= 0);
	*stick = (struct stick){ 0 };
	if (status != -EAGAIN)
		return false;
	stick->forward = 1.0 - 2.0 * share(gamepad, ABS_Y);
	stick->left = 1.0 - 2.0 * share(gamepad, ABS_X);
	stick->turn_left = share(gamepad, ABS_Z);
	stick->turn_right = share(gamepad, ABS_RZ);
	return true;
}

void gamepad_close(struct gamepad *gamepad)
{
	if (!gamepad)
		return;
	libevdev_free(gamepad->device);
	close(gamepad->fd);
	free(gamepad);
}

#else

struct gamepad *gamepad_open(const char *device, struct err *err)
{
	(void)device;
	err_add(err, "--gamepad: this farlink was built without libevdev; "
		     "install libevdev-dev and build it again");
	return NULL;
}

const char *gamepad_name(const struct gamepad *gamepad)
{
	(void)gamepad;
	return "";
}

int gamepad_fd(const struct gamepad *gamepad)
{
	(void)gamepad;
	return -1;
}

bool gamepad_read(struct gamepad *gamepad, struct stick *stick)
{
	(void)gamepad;
	(void)stick;
	return false;
}

void gamepad_close(struct gamepad *gamepad)
{
	(void)gamepad;
}

#endif
