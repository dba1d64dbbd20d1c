/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * libraries.c - the libraries that a farlink runs with, and their versions
 *
 * Floor: edge.
 *
 * How it works: libevent, libpcap, jansson, nettle, libnl and libseccomp say
 * which version they are; the others do not, and of these the version is
 * known that pkg-config told configure (BUILT_… in config.h).  Chart.js is a
 * file inside the program, whose first comment has its version.
 */
#include "edge/libraries.h"

#include <stdio.h>
#include <string.h>

#include <event2/event.h>
#include <jansson.h>
#include <netlink/version.h>
#include <nettle/version.h>
#include <pcap/pcap.h>
#ifdef HAVE_SECCOMP
#include <seccomp.h>
#endif

#include "edge/asset.h"

#define MARK "Chart.js v"

/* Copy what is left of a version when words and commas around it are gone. */
static void set_version(char version[32], const char *text)
{
	size_t n = strspn(text, "0123456789.abcdefghijklmnopqrstuvwxyz-+~_");

	snprintf(version, 32, "%.*s", n < 31 ? (int)n : 31, text);
}

static struct library *add(struct library *list, size_t *n, const char *name,
			   const char *built)
{
	struct library *library = &list[(*n)++];

	*library = (struct library){ .name = name, .built = built };
	return library;
}

/* "libpcap version 1.10.3 (with TPACKET_V3)" */
static void pcap_says(char version[32])
{
	const char *text = strstr(pcap_lib_version(), "version ");

	if (text)
		set_version(version, text + strlen("version "));
}

/* Asset bytes end in no zero: only their head is looked at, as a copy. */
static void chart_says(char version[32])
{
	const struct asset *chart = asset_find("chart.js");
	char head[256];
	const char *at;

	if (!chart)
		return;
	snprintf(head, sizeof(head), "%.*s",
		 chart->size < sizeof(head) ? (int)chart->size
					    : (int)sizeof(head) - 1,
		 (const char *)chart->bytes);
	at = strstr(head, MARK);
	if (at)
		set_version(version, at + strlen(MARK));
}

size_t libraries_get(struct library list[LIBRARIES_MAX])
{
	struct library *one;
	size_t n = 0;

	one = add(list, &n, "libevent", BUILT_LIBEVENT_CORE);
	set_version(one->running, event_get_version());
	one = add(list, &n, "libpcap", BUILT_LIBPCAP);
	pcap_says(one->running);
	one = add(list, &n, "jansson", BUILT_JANSSON);
#if JANSSON_VERSION_HEX >= 0x020d00
	set_version(one->running, jansson_version_str());
#endif
	one = add(list, &n, "nettle", BUILT_NETTLE);
	snprintf(one->running, sizeof(one->running), "%d.%d",
		 nettle_version_major(), nettle_version_minor());
	add(list, &n, "inih", BUILT_INIH);
	one = add(list, &n, "libnl", BUILT_LIBNL_3_0);
	snprintf(one->running, sizeof(one->running), "%d.%d.%d", nl_ver_maj,
		 nl_ver_min, nl_ver_mic);
	add(list, &n, "libnftables", BUILT_LIBNFTABLES);
	add(list, &n, "libcap-ng", BUILT_LIBCAP_NG);
#ifdef HAVE_LIBEVDEV
	add(list, &n, "libevdev", BUILT_LIBEVDEV);
#endif
#ifdef HAVE_SECCOMP
	one = add(list, &n, "libseccomp", BUILT_LIBSECCOMP);
	snprintf(one->running, sizeof(one->running), "%u.%u.%u",
		 seccomp_version()->major, seccomp_version()->minor,
		 seccomp_version()->micro);
#endif
	one = add(list, &n, "Chart.js", "unknown");
	chart_says(one->running);
	return n;
}
