/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * selftest.c - farlink selftest: does this machine hold an arm's timing?
 *
 * Floor: roof.
 *
 * The arm runs as it will in the study, but between a sender and receivers on
 * this machine.  Told are the release error, as the arm itself sees it, and the
 * delay as it is seen from outside.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "edge/live.h"
#include "edge/probe.h"

struct selftest {
	struct probe *probe;
	int status;
};

static const struct option long_options[] = {
	{ "for", required_argument, NULL, 'f' },
	{ "record", required_argument, NULL, 'r' },
	{ 0 },
};

static void ready(void *context)
{
	struct selftest *selftest = context;

	if (!probe_start(selftest->probe))
		fprintf(stderr, "farlink: selftest: no thread to be had\n");
}

/* The sender ends before the arm does, so that all of it comes through. */
static void stopping(void *context)
{
	struct selftest *selftest = context;

	probe_quiet(selftest->probe);
}

static double ms(nsec time)
{
	return (double)time / 1e6;
}

static void print_channel(const struct live_view *view,
			  const struct probe *probe, uint16_t i)
{
	const struct arm_channel *channel =
		&session_arm(view->session)->channel[i];
	const struct probe_stream *seen = probe_stream(probe, i);
	const struct tally *tally = &view->tallies[i];

	printf("%s %s: ", direction_name(channel->plan.direction),
	       channel->plan.stream);
	if (!seen) {
		printf("not tried: it, or what it answers, has a match, and "
		       "nothing is known that fits it\n");
		return;
	}
	printf("%" PRIu64 " in, %" PRIu64 " released, %" PRIu64
	       " suppressed, %" PRIu64 " dropped\n",
	       tally->in, tally->released, tally->suppressed, tally->dropped);
	printf("  the arm's delay p50 %.3f p99 %.3f ms; release error p50 "
	       "%.3f p99 %.3f max %.3f ms\n",
	       ms(histogram_quantile(&tally->delay, 0.5)),
	       ms(histogram_quantile(&tally->delay, 0.99)),
	       ms(histogram_quantile(&tally->error, 0.5)),
	       ms(histogram_quantile(&tally->error, 0.99)),
	       ms(tally->error.most));
	if (!seen->received)
		return;
	printf("  from outside: %" PRIu64 " sent, %" PRIu64
	       " received, %" PRIu64 " changed; delay p50 %.3f p99 %.3f ms\n",
	       seen->sent, seen->received, seen->changed,
	       ms(histogram_quantile(&seen->delay, 0.5)),
	       ms(histogram_quantile(&seen->delay, 0.99)));
}

static void end(void *context, const struct live_view *view,
		const struct trial_report *report)
{
	struct selftest *selftest = context;
	const struct arm *arm = session_arm(view->session);
	struct err reasons = { 0 };
	enum verdict verdict = record_judge(arm, report, 0, &reasons);

	probe_stop(selftest->probe);
	for (size_t i = 0; i < arm->n_channels; i++) {
		const struct probe_stream *seen =
			probe_stream(selftest->probe, (uint16_t)i);

		print_channel(view, selftest->probe, (uint16_t)i);
		if (!seen || arm->channel[i].rule.reply != CHANNEL_NONE)
			continue;
		if (seen->received != view->tallies[i].released)
			err_add(&reasons,
				"%s: %" PRIu64 " released, %" PRIu64
				" received",
				arm->channel[i].plan.stream,
				view->tallies[i].released, seen->received);
		if (seen->changed && arm->channel[i].corrupt == 0.0)
			err_add(&reasons, "%s: %" PRIu64 " came out changed",
				arm->channel[i].plan.stream, seen->changed);
	}
	if (reasons.n && verdict == VERDICT_VALID)
		verdict = VERDICT_INVALID;
	printf("%s\n",
	       verdict == VERDICT_VALID
		       ? "this machine holds the arm's timing"
		       : "this machine does not hold the arm's timing:");
	for (size_t i = 0; i < reasons.n; i++)
		printf("  %s\n", reasons.line[i]);
	err_fini(&reasons);
	selftest->status = verdict == VERDICT_VALID ? CMD_DONE : CMD_FAILED;
}

/* Run the arm of a file between the probe's ends. */
static int run_between(const char *file, nsec duration, const char *folder)
{
	struct selftest selftest = { .status = CMD_FAILED };
	struct live_plan plan = { .front = &relay_front,
				  .duration = duration,
				  .folder = folder,
				  .ready = ready,
				  .stopping = stopping,
				  .context = &selftest };
	struct err err = { 0 };
	struct arm *arm;
	const char *const *sets;
	size_t n_sets;
	int status;

	arm = cmd_read_arm(file, NULL, 0, &status);
	if (!arm)
		return status;
	selftest.probe = probe_new(arm, &err);
	arm_free(arm);
	if (!selftest.probe)
		return cmd_tell(&err);
	sets = probe_sets(selftest.probe, &n_sets);
	plan.arm = cmd_read_arm(file, sets, n_sets, &status);
	if (plan.arm) {
		(void)live_run(&plan, end, &err);
		status = err.n ? cmd_tell(&err) : selftest.status;
	}
	arm_free(plan.arm);
	probe_free(selftest.probe);
	return status;
}

int cmd_selftest(int argc, char **argv)
{
	nsec duration = 5 * NSEC_PER_S;
	const char *folder = NULL;
	int option;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) !=
	       -1) {
		if (option == 'r')
			folder = optarg;
		else if (option != 'f')
			return cmd_usage("selftest", NULL);
		else if (cmd_read_time(optarg, &duration) < 0)
			return CMD_USAGE;
	}
	if (argc - optind != 1)
		return cmd_usage("selftest", "name one arm file");
	return run_between(argv[optind], duration, folder);
}
