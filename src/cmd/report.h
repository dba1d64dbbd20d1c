/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * report.h - records read whole, to tell what their trials were
 *
 * Floor: roof.
 *
 * A record is read (report_read.c), its figures are made (report_figures.c,
 * report_path.c) and put into one JSON object (report_record.c).  Of several
 * such objects are made the page (report_page.c) and the table
 * (report_table.c).
 */
#ifndef CMD_REPORT_H
#define CMD_REPORT_H

#include <stdio.h>

#include "cmd/verification.h"
#include "core/measure.h"

/* Reasons that one channel names. */
#define REPORT_REASONS 64

/**
 * struct report_channel - Packets of a stream in one trial
 * @stream:	Its name; "" for packets of no channel
 * @direction:	UPLINK or DOWNLINK
 * @measure:	Its packets
 * @bytes:	Of their payloads
 * @suppressed:	Suppressed; @dropped: dropped, @ended of them because the trial
 *		ended; @forwarded: of no channel, and released
 * @copies:	Duplicates delivered besides; @injected: stops of farlink's own
 * @reason:	How many each condition or reason took; @n_reasons of them
 */
struct report_channel {
	const char *stream;
	enum direction direction;
	struct measure measure;
	uint64_t bytes, suppressed, dropped, ended, forwarded, copies, injected;
	struct {
		const char *by;
		uint64_t n;
	} reason[REPORT_REASONS];
	size_t n_reasons;
};

/**
 * struct report_trial - One trial
 * @id:		Its id
 * @between:	It lies between two trials
 * @arm:	Arm that governed at its start, or NULL: it cannot be made
 * @changes:	Changes of the arm within it
 * @last:	Latest time of it that is known
 * @channel:	Channels, @n_channels of them
 * @summary:	What summary.json says of it, or NULL
 */
struct report_trial {
	const char *id;
	bool between;
	const struct arm *arm;
	unsigned changes;
	nsec last;
	struct report_channel *channel;
	size_t n_channels;
	const json_t *summary;
};

/**
 * struct report_record - A record
 * @verification: Its manifest, summary and arms
 * @names:	Keeps the texts
 * @trial:	Trials in the order of the record, @n_trials of them
 * @events:	Events: an array of objects; @more_events were left out
 * @rows:	Rows of packets.csv
 * @faults:	What is wrong with the files: they were read up to there
 */
struct report_record {
	struct verification verification;
	struct store names;
	struct report_trial *trial;
	size_t n_trials;
	json_t *events;
	uint64_t more_events, rows;
	struct err faults;
};

/**
 * struct report_bar - A bar on a terminal, for long work
 * @shown:	There is a terminal
 * @drawn:	It stands there now
 * @next:	When it may be drawn again, ns of the monotonic clock
 */
struct report_bar {
	bool shown, drawn;
	int64_t next;
};

/**
 * report_bar_draw() - Show how far a work is
 * @bar:	Bar
 * @what:	The work: "reading p07"
 * @done:	How much of it is done
 * @all:	Of how much; 0: nobody knows
 */
void report_bar_draw(struct report_bar *bar, const char *what, uint64_t done,
		     uint64_t all);

/**
 * report_read() - Read events and packets of a record
 * @record:	Its @verification is open; the rest is filled
 * @bar:	Shows how far it is
 * @err:	Told what is so wrong that there is nothing to tell
 *
 * What is wrong with single rows is added to @faults, and what stands before
 * it is taken.
 *
 * Return: 0, or -1 with @err told; report_fini() in both cases.
 */
int report_read(struct report_record *record, struct report_bar *bar,
		struct err *err);

/**
 * report_fini() - Free what was read
 * @record:	Record
 */
void report_fini(struct report_record *record);

/* Time-outs and ages that all reports tell, ns; and who has such a time-out. */
#define REPORT_TIMEOUTS 7
extern const nsec report_timeouts[REPORT_TIMEOUTS];
extern const char *const report_robots[REPORT_TIMEOUTS];
extern const nsec report_ages[MEASURE_AGES];

/**
 * report_age() - An age over time, as JSON
 * @age:	Age
 * @over:	Time above each of report_ages, ns
 *
 * Return: the object, the caller's.
 */
json_t *report_age(const struct measure_age *age,
		   const double over[MEASURE_AGES]);

/**
 * report_channel() - Figures of a channel in a trial
 * @trial:	Trial
 * @channel:	Channel of it; its packets are sorted
 * @live:	Release errors were measured
 *
 * Return: the object, the caller's; under "charts" is what the page draws.
 */
json_t *report_channel(const struct report_trial *trial,
		       struct report_channel *channel, bool live);

/**
 * report_paths() - Ways of the vehicle, and how old the operator's view was
 * @record:	Record
 * @id:		Trial
 *
 * Return: the object, the caller's, or NULL where there was no vehicle.
 */
json_t *report_paths(struct report_record *record, const char *id);

/**
 * report_record() - All that is told of a record
 * @record:	Read
 * @bar:	Shows how far it is
 * @verify:	Whether it is to be verified
 *
 * Return: the object, the caller's.
 */
json_t *report_record(struct report_record *record, struct report_bar *bar,
		      bool verify);

/**
 * report_page() - Write the page
 * @report:	Report
 * @to:		Where to
 */
void report_page(const json_t *report, FILE *to);

/**
 * report_numbers() - Take away what only the page draws
 * @report:	Report
 */
void report_numbers(json_t *report);

/**
 * report_table() - Write the numbers as a table, one a row
 * @report:	Report
 * @to:		Where to
 */
void report_table(const json_t *report, FILE *to);

#endif /* CMD_REPORT_H */
