/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * precision.c - what a machine may give for exact releases, if it is told to
 *
 * Floor: edge.
 */
#include "edge/precision.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "core/settings.h"

/* Above what a desktop uses, below the kernel's own threads. */
#define PRIORITY_USUAL 50
#define PRIORITY_MOST  98
/* It is the last of a wait; longer is a core for nothing. */
#define SPIN_MOST 1e7

static bool read_number(const char **text, uint64_t most, uint64_t *number)
{
	const char *at = *text;

	*number = 0;
	for (; *at >= '0' && *at <= '9' && *number <= most; at++)
		*number = *number * 10 + (uint64_t)(*at - '0');
	if (at == *text || *number > most)
		return false;
	*text = at;
	return true;
}

static int read_priority(struct precision *precision, const char *value,
			 struct err *err)
{
	const char *at = value;
	uint64_t number = PRIORITY_USUAL;

	if (value &&
	    (!read_number(&at, PRIORITY_MOST, &number) || *at || !number))
		return err_add(err,
			       "--realtime: '%s': write a priority from 1 to "
			       "%d, or none for %d",
			       value, PRIORITY_MOST, PRIORITY_USUAL);
	precision->priority = (int)number;
	return 0;
}

static bool read_cpus(const char *at, cpu_set_t *set)
{
	uint64_t first, last;

	CPU_ZERO(set);
	for (;; at++) {
		if (!read_number(&at, CPU_SETSIZE - 1, &first))
			return false;
		last = first;
		if (*at == '-') {
			at++;
			if (!read_number(&at, CPU_SETSIZE - 1, &last))
				return false;
		}
		if (last < first)
			return false;
		for (; first <= last; first++)
			CPU_SET((size_t)first, set);
		if (*at != ',')
			return !*at;
	}
}

/* Cores that are not there are told before anything is opened. */
static int take_cpus(struct precision *precision, const char *value,
		     struct err *err)
{
	cpu_set_t ours, both;

	if (!read_cpus(value, &precision->set))
		return err_add(err,
			       "--cpu: '%s': write cores such as 1 or 2,4-5, "
			       "counted from 0",
			       value);
	if (sched_getaffinity(0, sizeof(ours), &ours))
		return err_add_machine(err, "--cpu: %s", strerror(errno));
	CPU_AND(&both, &ours, &precision->set);
	if (!CPU_EQUAL(&both, &precision->set))
		return err_add(err,
			       "--cpu: '%s': not all of these are cores that "
			       "this program may use; see 'nproc' and "
			       "'taskset -p $$'",
			       value);
	precision->cpus = value;
	return 0;
}

static int read_spin(struct precision *precision, const char *value,
		     struct err *err)
{
	static const struct setting setting = {
		.name = "--spin",
		.kind = SETTING_TIME,
		.lo = 0,
		.hi = SPIN_MOST,
	};
	char why[256];

	if (!settings_parse(&setting, &precision->spin, value, NULL, why,
			    sizeof(why)))
		return 0;
	return err_add(err, "--spin: %s", why);
}

int precision_option(struct precision *precision, enum precision_option option,
		     const char *value, struct err *err)
{
	switch (option) {
	case PRECISION_REALTIME:
		return read_priority(precision, value, err);
	case PRECISION_LOCK:
		precision->lock = true;
		return 0;
	case PRECISION_CPU:
		return take_cpus(precision, value, err);
	case PRECISION_SPIN:
		return read_spin(precision, value, err);
	}
	return 0;
}

static int lock_memory(struct err *err)
{
	if (!mlockall(MCL_CURRENT))
		return 0;
	return err_add_machine(
		err,
		"--lock-memory: %s; raise the limit ('ulimit -l', or "
		"LimitMEMLOCK of the unit), give the program "
		"CAP_IPC_LOCK ('setcap cap_ipc_lock+ep'), or lower "
		"limit_packets and limit_bytes",
		strerror(errno));
}

int precision_apply(const struct precision *precision, struct err *err)
{
	struct sched_param param = { 0 };

	if (!precision)
		return 0;
	if (precision->lock && lock_memory(err) < 0)
		return -1;
	param.sched_priority = precision->priority;
	if (!precision->priority ||
	    !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		return 0;
	return err_add_machine(
		err,
		"--realtime: %s; give the program CAP_SYS_NICE ('setcap "
		"cap_sys_nice+ep'), raise the limit ('ulimit -r', or "
		"LimitRTPRIO of the unit), or run it as root",
		strerror(errno));
}

int precision_pin(const struct precision *precision, struct err *err)
{
	if (!precision || !precision->cpus ||
	    !sched_setaffinity(0, sizeof(precision->set), &precision->set))
		return 0;
	return err_add_machine(err, "--cpu: %s", strerror(errno));
}
