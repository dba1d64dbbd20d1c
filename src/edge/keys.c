/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * keys.c - a terminal's keys as a stick
 *
 * Floor: edge.
 */
#include "edge/keys.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct {
	volatile sig_atomic_t changed;
	struct termios before;
} terminal;

static const int fatal[] = {
	SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGQUIT
};

void keys_close(void)
{
	if (!terminal.changed)
		return;
	terminal.changed = 0;
	(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &terminal.before);
}

/* A crash must not leave a terminal that shows nothing. */
static void on_fatal(int number)
{
	if (terminal.changed)
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &terminal.before);
	raise(number); /* SA_RESETHAND: it kills us now */
}

int keys_open(struct err *err)
{
	struct sigaction action = { .sa_handler = on_fatal,
				    .sa_flags = (int)SA_RESETHAND };
	struct termios raw;

	if (tcgetattr(STDIN_FILENO, &terminal.before))
		return err_add(err, "--keyboard needs a terminal on standard "
				    "input");
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		(void)sigaction(fatal[i], &action, NULL);
	raw = terminal.before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	/* stopped by Ctrl-Z, the robot would be left alone, and the terminal */
	raw.c_cc[VSUSP] = _POSIX_VDISABLE;
	terminal.changed = 1;
	if (!tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw))
		return 0;
	keys_close();
	return err_add_machine(err, "the terminal cannot be set: %s",
			       strerror(errno));
}

static void press(struct keys *keys, char key, int64_t now)
{
	static const struct {
		char key;
		int axis, value;
	} map[] = {
		{ 'w', 0, 1 },	{ 's', 0, -1 }, { 'a', 1, 1 },
		{ 'd', 1, -1 }, { 'q', 2, 1 },	{ 'e', 2, -1 },
	};
	int *const axis[] = { &keys->forward, &keys->left, &keys->turn };

	key = (char)tolower((unsigned char)key);
	if (key == 'x')
		keys->quit = true;
	if (key == ' ')
		memset(keys->until, 0, sizeof(keys->until));
	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++) {
		if (map[i].key != key)
			continue;
		*axis[map[i].axis] = map[i].value;
		keys->until[map[i].axis] = now + KEYS_HOLD;
	}
}

void keys_read(struct keys *keys, int64_t now)
{
	char key[64];
	ssize_t n = read(STDIN_FILENO, key, sizeof(key));

	/* readable, and nothing there: the terminal is gone */
	if (!n || (n < 0 && errno != EINTR && errno != EAGAIN))
		keys->quit = true;
	for (ssize_t i = 0; i < n; i++)
		press(keys, key[i], now);
}

struct stick keys_stick(const struct keys *keys, int64_t now)
{
	int turn = now < keys->until[2] ? keys->turn : 0;

	return (struct stick){
		.forward = now < keys->until[0] ? keys->forward : 0,
		.left = now < keys->until[1] ? keys->left : 0,
		.turn_left = turn > 0,
		.turn_right = turn < 0,
	};
}
