/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * faults.c - calls that fail by chance, and a wall clock that is set
 *
 * Floor: roof.
 *
 * How it works
 *
 * An object for LD_PRELOAD.  The test and the program share the file that
 * FAULTS names: the test says there what may fail, how seldom, and by how much
 * the wall clock is off; the program counts there what failed.  Nothing fails
 * before the test says so, and never in a child: what outlives the program is
 * to work.
 *
 * One draw a call, of a generator that all threads share: the seed says which
 * calls fail, the machine which of them are made when.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum kind { MEMORY, FILES, SOCKETS, KINDS };

/* As soak.py packs it: "=6Iq3Q". */
struct shared {
	uint32_t one_in[KINDS]; /* 0: never */
	uint32_t seed;
	uint32_t stall, spare; /* ms that each writing takes */
	int64_t wall;	       /* ns that the wall clock is ahead */
	_Atomic uint64_t failed[KINDS];
};

static struct shared none, *shared = &none;
static _Atomic uint64_t draws;
static int (*real_clock)(clockid_t, struct timespec *);
static int (*real_open)(const char *, int, ...);
static FILE *(*real_fopen)(const char *, const char *);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_sendmsg)(int, const struct msghdr *, int);
static int (*real_sendmmsg)(int, struct mmsghdr *, unsigned, int);
static ssize_t (*real_recvmsg)(int, struct msghdr *, int);
static int (*real_recvmmsg)(int, struct mmsghdr *, unsigned, int,
			    struct timespec *);

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);

static void leave_alone(void)
{
	shared = &none;
}

/* POSIX has no other way from an object to a function. */
static void find(void *function, const char *name)
{
	*(void **)function = dlsym(RTLD_NEXT, name);
}

static void find_all(void)
{
	find(&real_open, "open");
	find(&real_fopen, "fopen");
	find(&real_write, "write");
	find(&real_sendmsg, "sendmsg");
	find(&real_sendmmsg, "sendmmsg");
	find(&real_recvmsg, "recvmsg");
	find(&real_recvmmsg, "recvmmsg");
	find(&real_clock, "clock_gettime");
}

__attribute__((constructor)) static void begin(void)
{
	const char *file = getenv("FAULTS");
	void *memory;
	int fd;

	find_all();
	fd = file ? real_open(file, O_RDWR | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	memory = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
		      fd, 0);
	close(fd);
	if (memory == MAP_FAILED)
		return;
	shared = memory;
	pthread_atfork(NULL, NULL, leave_alone);
}

/* SplitMix64, of the seed and the number of the draw. */
static uint64_t draw(void)
{
	uint64_t x =
		((uint64_t)shared->seed << 32) + atomic_fetch_add(&draws, 1);

	x *= UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* Whether this call fails, with errno one of two. */
static bool fails(enum kind kind, int one, int other)
{
	uint32_t one_in;
	uint64_t drawn;

	/* other objects may begin before this one */
	if (kind != MEMORY && !real_clock)
		find_all();
	one_in = *(volatile uint32_t *)&shared->one_in[kind];
	if (!one_in)
		return false;
	drawn = draw();
	if (drawn % one_in)
		return false;
	atomic_fetch_add(&shared->failed[kind], 1);
	errno = drawn >> 63 ? one : other;
	return true;
}

void *malloc(size_t size)
{
	return fails(MEMORY, ENOMEM, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails(MEMORY, ENOMEM, ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
	return fails(MEMORY, ENOMEM, ENOMEM) ? NULL
					     : __libc_realloc(memory, size);
}

int open(const char *name, int flags, ...)
{
	mode_t mode = 0;
	va_list more;

	if (flags & O_CREAT) {
		va_start(more, flags);
		mode = va_arg(more, mode_t);
		va_end(more);
	}
	return fails(FILES, EMFILE, EIO) ? -1 : real_open(name, flags, mode);
}

FILE *fopen(const char *name, const char *mode)
{
	return fails(FILES, EMFILE, ENOSPC) ? NULL : real_fopen(name, mode);
}

static void stall(void)
{
	uint32_t ms = *(volatile uint32_t *)&shared->stall;
	const struct timespec time = { .tv_sec = ms / 1000,
				       .tv_nsec = ms % 1000 * 1000000L };

	if (ms)
		nanosleep(&time, NULL);
}

/* Half of it, if more than a bell is written, or nothing. */
ssize_t write(int fd, const void *bytes, size_t size)
{
	if (size > 8)
		stall();
	if (size <= 8 || !fails(FILES, ENOSPC, EINTR))
		return real_write(fd, bytes, size);
	if (errno == EINTR)
		return real_write(fd, bytes, size / 2);
	return -1;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	return fails(SOCKETS, ENOBUFS, EAGAIN)
		       ? -1
		       : real_sendmsg(fd, message, flags);
}

int sendmmsg(int fd, struct mmsghdr *messages, unsigned n, int flags)
{
	if (!fails(SOCKETS, ENOBUFS, EPERM))
		return real_sendmmsg(fd, messages, n, flags);
	if (n > 1 && errno == EPERM)
		return real_sendmmsg(fd, messages, n / 2, flags);
	return -1;
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	return fails(SOCKETS, ENOMEM, EINTR) ? -1
					     : real_recvmsg(fd, message, flags);
}

int recvmmsg(int fd, struct mmsghdr *messages, unsigned n, int flags,
	     struct timespec *patience)
{
	return fails(SOCKETS, ENOMEM, EINTR)
		       ? -1
		       : real_recvmmsg(fd, messages, n, flags, patience);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int64_t wall = *(volatile int64_t *)&shared->wall;
	int failed;

	if (!real_clock)
		find_all();
	failed = real_clock(clock, now);
	if (failed || clock != CLOCK_REALTIME || !wall)
		return failed;
	wall += (int64_t)now->tv_sec * 1000000000 + now->tv_nsec;
	now->tv_sec = wall / 1000000000;
	now->tv_nsec = wall % 1000000000;
	return 0;
}
