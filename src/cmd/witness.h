/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * witness.h - what the captures and the summary of a record say of its rows
 *
 * Floor: roof.
 */
#ifndef CMD_WITNESS_H
#define CMD_WITNESS_H

#include "cmd/rederive.h"
#include "cmd/window.h"
#include "edge/row.h"
#include "edge/savefile.h"

struct witness_tally;

/**
 * struct witness - Captures and summary; all zeros is none
 * @in:		Captures of what arrived, or NULL
 * @classifier:	Of the arm, where a match can be tried on captured packets
 * @tally:	Counts of each channel in the present trial
 * @trial:	Present trial's part of the summary, or NULL
 * @next:	Place of the one behind it
 * @sent:	Rows that say that a packet left, by direction; @injected of
 *		them ours
 */
struct witness {
	const struct rederive_plan *plan;
	struct savefile *in[DIRECTIONS];
	struct classifier *classifier;
	struct witness_tally *tally;
	const json_t *trial;
	size_t next;
	uint64_t sent[DIRECTIONS], injected[DIRECTIONS];
	char name[2][4096];
};

/**
 * struct witness_packet - What a packet was like
 * @ip:		Its bytes, or NULL where there is no capture
 * @len:	Their count
 * @payload:	Where the payload begins
 */
struct witness_packet {
	const uint8_t *ip;
	uint32_t len;
	uint8_t payload;
};

/**
 * witness_open() - Open the captures, if there are any
 * @witness:	All zeros; filled
 * @plan:	What is compared; borrowed
 * @err:	Told why it cannot be
 *
 * Return: 0, or -1 with @err told; witness_close() in both cases.
 */
int witness_open(struct witness *witness, const struct rederive_plan *plan,
		 struct err *err);

/**
 * witness_begin() - A trial begins
 * @witness:	Witness
 * @trial:	Its id
 * @err:	Told if the summary does not have it
 *
 * Return: 0, or -1 with @err told.
 */
int witness_begin(struct witness *witness, const char *trial, struct err *err);

/* Whether the summary's next trial has the same id as the present one. */
bool witness_repeats(const struct witness *witness);

/**
 * witness_next() - The next packet, in the order of arrival
 * @witness:	Witness
 * @kept:	Its row
 * @like:	Filled
 * @why:	Told what does not go together
 *
 * Return: 0, or -1 with @why told.
 */
int witness_next(struct witness *witness, const struct kept *kept,
		 struct witness_packet *like, struct err *why);

/**
 * witness_count() - Count a row
 * @witness:	Witness
 * @row:	Row
 * @channel:	Its channel, or CHANNEL_NONE
 */
void witness_count(struct witness *witness, const struct row *row,
		   uint16_t channel);

/**
 * witness_trial() - Compare the counts of a trial with its summary
 * @witness:	Witness
 * @trial:	Its id
 * @seed:	Its seed as derived anew
 * @err:	Told the first difference
 *
 * Return: 0, or -1 with @err told.
 */
int witness_trial(struct witness *witness, const char *trial, uint64_t seed,
		  struct err *err);

/**
 * witness_end() - Compare what is left at the end: captures and summary
 * @witness:	Witness
 * @err:	Told the first difference
 *
 * Return: 0, or -1 with @err told.
 */
int witness_end(struct witness *witness, struct err *err);

/**
 * witness_close() - Close the captures
 * @witness:	Witness
 */
void witness_close(struct witness *witness);

#endif /* CMD_WITNESS_H */
