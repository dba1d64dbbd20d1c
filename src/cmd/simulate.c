/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * simulate.c - farlink simulate: put a schedule, a capture or a drive through
 *	an arm
 *
 * Floor: roof.
 *
 * How it works
 *
 * The clock is the next thing that happens: whatever is due before the next
 * packet enters is taken first.  A packet leaves exactly when it is due.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/print_path.h"
#include "cmd/simulation.h"
#include "core/decimal.h"
#include "edge/picture.h"
#include "edge/row.h"

static const struct option long_options[] = {
	{ "schedule", required_argument, NULL, 'c' },
	{ "pcap", required_argument, NULL, 'p' },
	{ "drive", required_argument, NULL, 'd' },
	{ "record", required_argument, NULL, 'r' },
	{ "output", required_argument, NULL, 'o' },
	{ "for", required_argument, NULL, 'f' },
	{ "set", required_argument, NULL, 's' },
	{ "csv", no_argument, NULL, 'v' },
	{ 0 },
};

static int take_option(struct options *options, int option)
{
	switch (option) {
	case 'c':
		options->schedule = optarg;
		return CMD_DONE;
	case 'p':
		options->capture = optarg;
		return CMD_DONE;
	case 'd':
		options->drive = optarg;
		return CMD_DONE;
	case 'r':
		options->folder = optarg;
		return CMD_DONE;
	case 'o':
		options->output = optarg;
		return CMD_DONE;
	case 'v':
		options->csv = true;
		return CMD_DONE;
	case 'f':
		return cmd_read_time(optarg, &options->duration) < 0 ? CMD_USAGE
								     : CMD_DONE;
	case 's':
		if (options->n_sets == SETS_MAX)
			return cmd_usage("simulate", "too many --set");
		options->sets[options->n_sets++] = optarg;
		return CMD_DONE;
	default:
		return cmd_usage("simulate", NULL);
	}
}

static int read_options(int argc, char **argv, struct options *options)
{
	int option, status = CMD_DONE;

	options->duration = NSEC_NEVER;
	while (status == CMD_DONE &&
	       (option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		status = take_option(options, option);
	if (status != CMD_DONE)
		return status;
	if (argc - optind != 1)
		return cmd_usage("simulate", "name one arm file");
	options->file = argv[optind];
	if (!!options->schedule + !!options->capture + !!options->drive != 1)
		return cmd_usage("simulate",
				 "name either --schedule CSV, --pcap FILE or "
				 "--drive SCRIPT");
	return CMD_DONE;
}

static void write_output(struct simulation *simulation, struct packet *packet)
{
	const uint8_t *checksum = packet->ip + packet->payload - 2;
	size_t n;

	if (!checksum[0] && !checksum[1])
		packet_checksum(packet);
	n = savefile_print(simulation->piece, simulation->start + packet->due,
			   packet);
	fwrite(simulation->piece, 1, n, simulation->output);
}

static void write_row(struct simulation *simulation,
		      const struct packet *packet, nsec released)
{
	const struct row row = {
		.trial = TRIAL,
		.stream = packet->channel == CHANNEL_NONE
				  ? ""
				  : simulation->arm->channel[packet->channel]
					    .plan.stream,
		.by = packet->by,
		.id = packet->id,
		.ingress = packet->ingress,
		.due = packet->due,
		.released = released,
		.size = packet_payload_bytes(packet),
		.direction = packet->direction,
		.fate = packet->fate,
	};

	fwrite(simulation->piece, 1, row_print(&row, simulation->piece),
	       simulation->rows);
}

/* The one place where a packet ends. */
static void settle(struct simulation *simulation, struct packet *packet)
{
	bool gone = packet->fate == FATE_RELEASED ||
		    packet->fate == FATE_FORWARDED ||
		    packet->fate == FATE_INJECTED;
	nsec released = gone ? packet->due : NSEC_NEVER;
	size_t place = packet->channel == CHANNEL_NONE
			       ? simulation->arm->n_channels
			       : packet->channel;

	if (packet->fate == FATE_INJECTED)
		record_event(simulation->record, packet->ingress, "stop-sent",
			     packet->by);
	tally_add(&simulation->tallies[place], packet, NSEC_NEVER);
	if (gone && packet->due > simulation->end)
		simulation->end = packet->due;
	record_packet(simulation->record, simulation->session, packet,
		      released);
	if (gone)
		record_capture(simulation->record,
			       packet->direction == UPLINK ? UPLINK_OUT
							   : DOWNLINK_OUT,
			       packet->due, packet);
	if (simulation->rows)
		write_row(simulation, packet, released);
	if (simulation->output && gone)
		write_output(simulation, packet);
	session_give(simulation->session, packet);
}

void simulation_take_until(struct simulation *simulation, nsec now)
{
	struct packet *packet;

	while ((packet = session_take(simulation->session, now)))
		settle(simulation, packet);
}

static void on_arrived(void *context, const struct packet *packet, nsec now)
{
	struct simulation *simulation = context;

	record_capture(simulation->record,
		       packet->direction == UPLINK ? UPLINK_IN : DOWNLINK_IN,
		       now, packet);
}

/* What waits goes by each channel's policy. */
void simulation_stop(struct simulation *simulation, nsec now, const char *why)
{
	simulation_take_until(simulation, now);
	if (simulation->end < now)
		simulation->end = now;
	record_event(simulation->record, now, "stopping", why);
	for (size_t i = 0; i < simulation->arm->n_channels; i++)
		if (arm_on_exit(&simulation->arm->channel[i]) == EXIT_DROP)
			session_flush(simulation->session, (uint16_t)i,
				      "shutdown");
}

/* Put in all that the source has. */
static int put_source(struct simulation *simulation, struct err *err)
{
	nsec duration = simulation->options->duration, next;

	while ((next = source_next(simulation->source, err)) < duration) {
		simulation_take_until(simulation, next);
		simulation->end = next;
		if (!source_put(simulation->source, simulation->session,
				on_arrived, simulation))
			return err_add_machine(
				err,
				"%s: no room for a packet; raise "
				"limit_bytes",
				simulation->arm->file);
	}
	if (duration != NSEC_NEVER)
		simulation_stop(simulation, duration, "the time is over");
	simulation_take_until(simulation, NSEC_NEVER);
	return 0;
}

static int go(struct simulation *simulation, struct err *err)
{
	struct trial_report report = { .trial = TRIAL,
				       .tallies = simulation->tallies };
	size_t faults = err->n;

	record_event(simulation->record, 0, "trial-start", TRIAL);
	if (simulation->options->drive)
		simulation_drive(simulation);
	else if (put_source(simulation, err) < 0)
		return -1;
	record_event(simulation->record, simulation->end, "trial-stop", TRIAL);
	report.seed = session_seed(simulation->session);
	report.duration = simulation->end;
	record_trial(simulation->record, &report);
	return err->n == faults ? 0 : -1;
}

/* A time as milliseconds, or "-" where there is none. */
static const char *in_ms(char *text, const struct histogram *times,
			 double value)
{
	if (times->n)
		snprintf(text, 32, "%.3f", value / 1e6);
	else
		snprintf(text, 32, "-");
	return text;
}

static void print_line(const struct simulation *simulation, size_t i)
{
	const struct arm *arm = simulation->arm;
	const struct tally *tally = &simulation->tallies[i];
	const struct histogram *delay = &tally->delay;
	uint64_t gone = tally->suppressed + tally->dropped;
	char mean[32], sd[32], p50[32], p99[32];

	if (i == arm->n_channels && !tally->in)
		return;
	printf("%-8s  %-16s  %9" PRIu64 "  %9" PRIu64 "  %10" PRIu64
	       "  %7" PRIu64 "  %6.2f%%  %9s  %9s  %9s  %9s  %9" PRIu64 "\n",
	       i < arm->n_channels
		       ? direction_name(arm->channel[i].plan.direction)
		       : "-",
	       i < arm->n_channels ? arm->channel[i].plan.stream
				   : "(no channel)",
	       tally->in, tally->released, tally->suppressed, tally->dropped,
	       tally->in ? 100.0 * (double)gone / (double)tally->in : 0.0,
	       in_ms(mean, delay, histogram_mean(delay)),
	       in_ms(sd, delay, histogram_deviation(delay)),
	       in_ms(p50, delay, (double)histogram_quantile(delay, 0.5)),
	       in_ms(p99, delay, (double)histogram_quantile(delay, 0.99)),
	       tally->late);
}

static void print_table(const struct simulation *simulation)
{
	printf("%-8s  %-16s  %9s  %9s  %10s  %7s  %7s  %9s  %9s  %9s  %9s  "
	       "%9s\n",
	       "", "stream", "in", "released", "suppressed", "dropped", "loss",
	       "mean ms", "sd ms", "p50 ms", "p99 ms", "reordered");
	for (size_t i = 0; i <= simulation->arm->n_channels; i++)
		print_line(simulation, i);
}

/* Say what of a capture took no part. */
static void tell_passed_over(const struct simulation *simulation)
{
	const struct savefile_counts counts = source_counts(simulation->source);
	const struct {
		uint64_t n;
		const char *what;
	} lines[] = {
		{ counts.fragments, "fragments were passed over" },
		{ counts.cut, "packets were captured only in part and passed "
			      "over; capture with a larger snapshot length" },
		{ counts.other, "packets that are not UDP were passed over" },
		{ source_foreign(simulation->source),
		  "packets of neither the robot nor the headset were passed "
		  "over" },
		{ source_early(simulation->source),
		  "packets stand behind a later one; they entered at its "
		  "time" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].n)
			fprintf(stderr, "farlink: %s: %" PRIu64 " %s\n",
				simulation->options->capture, lines[i].n,
				lines[i].what);
}

static int open_output(struct simulation *simulation, struct err *err)
{
	const char *name = simulation->options->output;

	if (!name)
		return 0;
	simulation->output = fopen(name, "we");
	if (!simulation->output)
		return err_add(err, "--output %s: %s", name, strerror(errno));
	savefile_print_head(simulation->piece);
	fwrite(simulation->piece, 1, SAVEFILE_HEAD, simulation->output);
	return 0;
}

static int open_source(struct simulation *simulation, struct err *err)
{
	const struct options *options = simulation->options;
	const struct arm *arm = simulation->arm;

	simulation->source =
		options->capture ? source_capture(options->capture, arm, err)
				 : source_schedule(options->schedule, arm, err);
	if (!simulation->source)
		return -1;
	/* the first packet tells what trial time 0 was */
	if (source_next(simulation->source, err) == NSEC_NEVER && err->n)
		return -1;
	simulation->start = source_start(simulation->source);
	return 0;
}

static int open_all(struct simulation *simulation, struct err *err)
{
	const struct options *options = simulation->options;
	const struct arm *arm = simulation->arm;
	struct record_plan plan = { .folder = options->folder,
				    .arm = arm,
				    .command = "simulate",
				    .pcap = arm->record.pcap,
				    .vehicle = options->drive != NULL,
				    .waits = true };

	simulation->tallies =
		calloc(arm->n_channels + 1, sizeof(*simulation->tallies));
	if (!simulation->tallies)
		abort();
	simulation->session = session_new(arm, TRIAL, err);
	if (!simulation->session ||
	    (options->drive ? simulation_open_drive(simulation, err)
			    : open_source(simulation, err)) < 0 ||
	    open_output(simulation, err) < 0)
		return -1;
	plan.utc_ns = simulation->start;
	if (options->folder)
		simulation->record = record_open(&plan, err);
	if (options->folder && !simulation->record)
		return -1;
	if (options->csv) {
		simulation->rows = stdout;
		fputs(ROW_HEADER "\n", stdout);
	}
	return 0;
}

static void close_all(struct simulation *simulation, struct err *err)
{
	(void)record_close(simulation->record, err);
	/* a vehicle that turned has a record that was opened */
	if (simulation->options->folder && simulation->path &&
	    simulation->path->turned)
		(void)picture_write(simulation->path, simulation->arm,
				    simulation->options->folder, err);
	path_free(simulation->path);
	if (simulation->output) {
		bool bad = ferror(simulation->output);

		bad |= fclose(simulation->output) == EOF;
		if (bad)
			err_add_machine(err,
					"--output %s: not all of it could "
					"be written",
					simulation->options->output);
	}
	if (fflush(stdout) == EOF || ferror(stdout))
		err_add_machine(err, "stdout: %s", strerror(errno));
	if (simulation->source)
		source_close(simulation->source);
	session_free(simulation->session);
	free(simulation->tallies);
}

int cmd_simulate(int argc, char **argv)
{
	struct options options = { 0 };
	struct simulation *simulation;
	struct err err = { 0 };
	struct arm *arm;
	int status = read_options(argc, argv, &options);

	if (status != CMD_DONE)
		return status;
	arm = cmd_read_arm(options.file, options.sets, options.n_sets, &status);
	if (!arm)
		return status;
	simulation = calloc(1, sizeof(*simulation));
	if (!simulation)
		abort();
	simulation->options = &options;
	simulation->arm = arm;
	if (!open_all(simulation, &err) && !go(simulation, &err)) {
		if (simulation->source)
			tell_passed_over(simulation);
		if (!options.csv) {
			print_table(simulation);
			print_path(stdout, simulation->path);
		}
	}
	close_all(simulation, &err);
	status = cmd_tell(&err);
	free(simulation);
	arm_free(arm);
	return status;
}
