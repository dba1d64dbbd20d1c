/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * verify.c - farlink verify: re-derive a record and compare every packet
 *
 * Floor: roof.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/verification.h"

int cmd_verify(int argc, char **argv)
{
	static const struct option options[] = { { 0 } };
	struct verification verification = { 0 };
	struct rederive_counts counts = { 0 };
	struct err err = { 0 };
	const char *folder;
	int same;

	if (getopt_long(argc, argv, "", options, NULL) != -1)
		return cmd_usage("verify", NULL);
	if (argc - optind != 1)
		return cmd_usage("verify", "name the folder of one record");
	folder = argv[optind];
	if (access(folder, F_OK) < 0) {
		err_add(&err, "%s: %s; name the folder of a record", folder,
			strerror(errno));
		return cmd_tell(&err);
	}
	same = verification_open(&verification, folder, &err);
	if (!same)
		same = verification_run(&verification, &counts, &err);
	(void)cmd_tell(&err);
	if (same < 0)
		fprintf(stderr,
			"farlink: %s: not verified; %" PRIu64
			" packets before that are as recorded\n",
			folder, counts.packets);
	else
		printf("%s: %" PRIu64 " packets of %" PRIu64
		       " trial%s: every fate, reason and due time is as "
		       "recorded\n",
		       folder, counts.packets, counts.trials,
		       counts.trials == 1 ? "" : "s");
	verification_close(&verification);
	return same < 0 ? CMD_FAILED : CMD_DONE;
}
