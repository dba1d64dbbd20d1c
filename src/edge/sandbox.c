/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sandbox.c - only the system calls that are still needed
 *
 * Floor: edge.
 *
 * How it works
 *
 * Everything that needs much is done at the start: sockets to listen on, rules,
 * processes, threads.  What is left is listed here, by who needs it; nobody may
 * start a program or a thread, trace, signal others, mount or load anything.
 *
 * A call that is not listed ends the process.  To answer EPERM instead would
 * let it go on in a state that nobody has tried; its end is what all the rest
 * is made for: the guard stops the robot, the janitor clears up, the record is
 * whole up to the last flush, and the number of the call is said.
 *
 * What libraries may try in later versions, having another way if it is not
 * there, is answered ENOSYS, as an older kernel would.
 */
#include "edge/sandbox.h"

#ifdef HAVE_SECCOMP

#include <errno.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define LIVE	    (SANDBOX_RELAY | SANDBOX_ROUTER)
#define CHILD	    (SANDBOX_GUARD | SANDBOX_JANITOR)
#define ALL	    (LIVE | CHILD)
#define ROUTES	    (SANDBOX_ROUTER | SANDBOX_JANITOR)
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* What isatty() asks by in later C libraries; the headers clash. */
#define TERMIOS2_GET 0x802c542a

/* The kind of a socket without its flags. */
#define TYPE_MASK 0xf

static bool off;

/* A list of calls, and who may make them. */
struct allowed {
	unsigned who;
	const int *call;
	size_t n;
};

/* What the C library does by itself: memory, locks, time, its own end. */
static const int own_calls[] = {
	SCMP_SYS(brk),
	SCMP_SYS(clock_getres),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_gettime64),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(clock_nanosleep_time64),
	SCMP_SYS(close),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
	SCMP_SYS(fstat),
	SCMP_SYS(fstat64),
	SCMP_SYS(futex),
	SCMP_SYS(futex_time64),
	SCMP_SYS(getcpu),
	SCMP_SYS(getegid),
	SCMP_SYS(geteuid),
	SCMP_SYS(getgid),
	SCMP_SYS(getpid),
	SCMP_SYS(getrandom),
	SCMP_SYS(getrlimit),
	SCMP_SYS(gettid),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(getuid),
	SCMP_SYS(_llseek),
	SCMP_SYS(lseek),
	SCMP_SYS(madvise),
	SCMP_SYS(membarrier),
	SCMP_SYS(mremap),
	SCMP_SYS(munmap),
	SCMP_SYS(nanosleep),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(ppoll_time64),
	SCMP_SYS(read),
	SCMP_SYS(readv),
	SCMP_SYS(recv),
	SCMP_SYS(recvfrom),
	SCMP_SYS(recvmsg),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(rseq),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sched_getaffinity),
	SCMP_SYS(sched_yield),
	SCMP_SYS(send),
	SCMP_SYS(sendmsg),
	SCMP_SYS(sendto),
	SCMP_SYS(set_robust_list),
	SCMP_SYS(sigaltstack),
	SCMP_SYS(sigprocmask),
	SCMP_SYS(sigreturn),
	SCMP_SYS(sysinfo),
	SCMP_SYS(time),
	SCMP_SYS(ugetrlimit),
	SCMP_SYS(uname),
	SCMP_SYS(write),
	SCMP_SYS(writev),
};

/* Files: the guard adds a row, a run writes records and reads arms. */
static const int file_calls[] = {
	SCMP_SYS(open),	      SCMP_SYS(openat), SCMP_SYS(pread64),
	SCMP_SYS(stat),	      SCMP_SYS(stat64), SCMP_SYS(fstatat64),
	SCMP_SYS(newfstatat), SCMP_SYS(statx),
};

/* A run: its loop, its sockets, its record, the desk's orders and pages, arms
 * and conditions that are read later, and the end.
 */
static const int live_calls[] = {
	SCMP_SYS(accept),
	SCMP_SYS(accept4),
	SCMP_SYS(access),
	SCMP_SYS(bind),
	SCMP_SYS(capget),
	SCMP_SYS(capset), /* a thread that drops what it has */
	SCMP_SYS(connect),
	SCMP_SYS(epoll_ctl),
	SCMP_SYS(epoll_pwait),
	SCMP_SYS(epoll_wait),
	SCMP_SYS(faccessat),
	SCMP_SYS(faccessat2),
	SCMP_SYS(fcntl),
	SCMP_SYS(fcntl64),
	SCMP_SYS(fdatasync),
	SCMP_SYS(fsync),
	SCMP_SYS(ftruncate),
	SCMP_SYS(ftruncate64),
	SCMP_SYS(getcwd),
	SCMP_SYS(getdents64),
	SCMP_SYS(getpeername),
	SCMP_SYS(getsockname),
	SCMP_SYS(getsockopt),
	SCMP_SYS(lstat),
	SCMP_SYS(lstat64),
	SCMP_SYS(pwrite64),
	SCMP_SYS(readlink),
	SCMP_SYS(readlinkat),
	SCMP_SYS(recvmmsg),
	SCMP_SYS(recvmmsg_time64),
	SCMP_SYS(rename),
	SCMP_SYS(renameat),
	SCMP_SYS(renameat2),
	SCMP_SYS(sendmmsg),
	SCMP_SYS(setsockopt),
	SCMP_SYS(shutdown),
	SCMP_SYS(timerfd_settime),
	SCMP_SYS(timerfd_settime64),
	SCMP_SYS(unlink),
	SCMP_SYS(unlinkat),
	SCMP_SYS(wait4),
	SCMP_SYS(waitid),
	SCMP_SYS(waitpid),
};

/* Whoever speaks to the kernel's routing by a socket opened later. */
static const int netlink_calls[] = {
	SCMP_SYS(bind),
	SCMP_SYS(fcntl),
	SCMP_SYS(getsockname),
	SCMP_SYS(_newselect),
	SCMP_SYS(getsockopt),
	SCMP_SYS(pselect6),
	SCMP_SYS(pselect6_time64),
	SCMP_SYS(select),
	SCMP_SYS(setsockopt),
};

/* Nobody's: what does as well without. */
static const int later_calls[] = {
	SCMP_SYS(clone3),      SCMP_SYS(close_range),	 SCMP_SYS(epoll_pwait2),
	SCMP_SYS(futex_waitv), SCMP_SYS(io_uring_setup), SCMP_SYS(openat2),
};

static const struct allowed lists[] = {
	{ ALL, own_calls, COUNT(own_calls) },
	{ ALL, file_calls, COUNT(file_calls) },
	{ LIVE, live_calls, COUNT(live_calls) },
	{ ROUTES, netlink_calls, COUNT(netlink_calls) },
};

/* A call whose one argument is a given value, under a mask. */
struct narrow {
	unsigned who;
	int call;
	struct scmp_arg_cmp argument;
};

#define EQUAL(place, value) SCMP_CMP(place, SCMP_CMP_EQ, value)
#define MASKED(place, mask, value)                                             \
	SCMP_CMP(place, SCMP_CMP_MASKED_EQ, mask, value)

static int add_narrow(scmp_filter_ctx filter, unsigned who)
{
	const struct narrow list[] = {
		/* a terminal's width, sockets' modes, bytes that wait */
		{ LIVE, SCMP_SYS(ioctl), EQUAL(1, TCGETS) },
		{ LIVE, SCMP_SYS(ioctl), EQUAL(1, TERMIOS2_GET) },
		{ LIVE, SCMP_SYS(ioctl), EQUAL(1, TIOCGWINSZ) },
		{ LIVE, SCMP_SYS(ioctl), EQUAL(1, FIONREAD) },
		{ LIVE, SCMP_SYS(ioctl), EQUAL(1, FIONBIO) },
		/* to drop capabilities, they are counted */
		{ LIVE, SCMP_SYS(prctl), EQUAL(0, PR_CAPBSET_READ) },
		{ LIVE, SCMP_SYS(prctl), EQUAL(0, PR_CAP_AMBIENT) },
		/* limits are read, not set */
		{ ALL, SCMP_SYS(prlimit64), EQUAL(2, 0) },
		/* abort() and what says why */
		{ ALL, SCMP_SYS(tgkill), EQUAL(0, (scmp_datum_t)getpid()) },
		/* conditions of one's own are code; that is never writable */
		{ ALL, SCMP_SYS(mmap), MASKED(2, PROT_EXEC, 0) },
		{ ALL, SCMP_SYS(mmap2), MASKED(2, PROT_EXEC, 0) },
		{ ALL, SCMP_SYS(mprotect), MASKED(2, PROT_EXEC, 0) },
		{ LIVE, SCMP_SYS(mmap),
		  MASKED(2, PROT_EXEC | PROT_WRITE, PROT_EXEC) },
		{ LIVE, SCMP_SYS(mmap2),
		  MASKED(2, PROT_EXEC | PROT_WRITE, PROT_EXEC) },
		{ LIVE, SCMP_SYS(mprotect),
		  MASKED(2, PROT_EXEC | PROT_WRITE, PROT_EXEC) },
		/* to change rules and routes */
		{ ROUTES, SCMP_SYS(socket), EQUAL(0, AF_NETLINK) },
	};
	int failed = 0;

	for (size_t i = 0; i < COUNT(list) && !failed; i++)
		if (list[i].who & who)
			failed = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW,
							list[i].call, 1,
							&list[i].argument);
	return failed;
}

/* A sender or a robot's side that is new: datagrams, nothing else. */
static int add_sockets(scmp_filter_ctx filter)
{
	static const int families[] = { AF_INET, AF_INET6 };
	int failed = 0;

	for (size_t i = 0; i < COUNT(families) && !failed; i++)
		failed = seccomp_rule_add(
			filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 2,
			SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)families[i]),
			SCMP_A1(SCMP_CMP_MASKED_EQ, TYPE_MASK, SOCK_DGRAM));
	return failed;
}

/* An object that wants writable code is refused by its loader, as a fault of
 * the arm that names it.
 */
static int add_refusals(scmp_filter_ctx filter)
{
	static const int calls[] = { SCMP_SYS(mmap), SCMP_SYS(mmap2),
				     SCMP_SYS(mprotect) };
	const struct scmp_arg_cmp both =
		MASKED(2, PROT_EXEC | PROT_WRITE, PROT_EXEC | PROT_WRITE);
	int failed = 0;

	for (size_t i = 0; i < COUNT(calls) && !failed; i++)
		failed = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EACCES),
						calls[i], 1, &both);
	for (size_t i = 0; i < COUNT(later_calls) && !failed; i++)
		failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS),
					  later_calls[i], 0);
	return failed;
}

static int add_lists(scmp_filter_ctx filter, unsigned who)
{
	int failed = 0;

	for (size_t i = 0; i < COUNT(lists); i++)
		for (size_t k = 0; (lists[i].who & who) && k < lists[i].n; k++)
			if (!failed)
				failed =
					seccomp_rule_add(filter, SCMP_ACT_ALLOW,
							 lists[i].call[k], 0);
	return failed;
}

/* The last words: which call it was.  The process then dies by the signal. */
static void on_refused(int number, siginfo_t *info, void *context)
{
	static const char before[] = "farlink: system call ",
			  behind[] = " is not in the sandbox's list: this is a "
				     "fault of farlink or of a condition that "
				     "it loaded; with --no-sandbox it goes on "
				     "without\n";
	char digits[12];
	size_t at = sizeof(digits);
	unsigned call = (unsigned)info->si_syscall;

	(void)context;
	do
		digits[--at] = (char)('0' + call % 10);
	while (call /= 10);
	(void)!write(STDERR_FILENO, before, sizeof(before) - 1);
	(void)!write(STDERR_FILENO, digits + at, sizeof(digits) - at);
	(void)!write(STDERR_FILENO, behind, sizeof(behind) - 1);
	(void)raise(number);
}

static void listen_for_refusals(void)
{
	struct sigaction action = {
		.sa_sigaction = on_refused,
		.sa_flags = (int)(SA_SIGINFO | SA_RESETHAND | SA_NODEFER)
	};

	sigemptyset(&action.sa_mask);
	(void)sigaction(SIGSYS, &action, NULL);
}

void sandbox_switch_off(void)
{
	off = true;
}

int sandbox_enter(enum sandbox sandbox)
{
	scmp_filter_ctx filter;
	int failed;

	if (off || sandbox == SANDBOX_NONE)
		return 0;
	filter = seccomp_init(SCMP_ACT_TRAP);
	if (!filter)
		return ENOMEM;
	failed = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
	/* what the kernel says, as it is */
	if (!failed)
		failed = seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1);
	/* the calls of each packet are found first */
	if (!failed)
		failed = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (!failed)
		failed = add_lists(filter, sandbox);
	if (!failed)
		failed = add_narrow(filter, sandbox);
	if (!failed && (sandbox & LIVE))
		failed = add_sockets(filter);
	if (!failed && (sandbox & LIVE))
		failed = add_refusals(filter);
	if (!failed) {
		listen_for_refusals();
		failed = seccomp_load(filter);
	}
	seccomp_release(filter);
	return failed < 0 ? -failed : failed;
}

#else

void sandbox_switch_off(void)
{
}

int sandbox_enter(enum sandbox sandbox)
{
	(void)sandbox;
	return 0;
}

#endif
