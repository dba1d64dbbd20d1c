/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * translate_netem.h - what a tc-netem line says
 *
 * Floor: session.
 */
#ifndef SESSION_TRANSLATE_NETEM_H
#define SESSION_TRANSLATE_NETEM_H

#include "session/translate_build.h"

/* A probability with its correlation; @said: whether the line has it. */
struct netem_chance {
	bool said;
	double share, correlation;
};

enum netem_loss { NETEM_RANDOM, NETEM_STATE, NETEM_GEMODEL };

/**
 * struct netem_line - What a tc-netem line says
 * @limit:	Packets; 0: not said
 * @delay:	Delay; @jitter, @correlation of it
 * @table:	Distribution, or NULL
 * @model:	Which model of loss; its numbers in @model_share, @n_model of
 *		them, with the presets filled in
 * @gap:	Of reorder; 0: not said
 * @rate:	Bits per second; 0: none
 * @overhead:	Bytes added to each packet; @cell: size of cells
 * @slot_least:	Least time between slots; @slot_most: greatest; 0: no slots
 */
struct netem_line {
	int64_t limit;
	nsec delay, jitter;
	double correlation;
	const char *table;
	struct netem_chance loss, corrupt, duplicate, reorder;
	enum netem_loss model;
	double model_share[5];
	size_t n_model;
	int64_t gap, rate, overhead, cell;
	nsec slot_least, slot_most;
	int64_t slot_packets, slot_bytes;
};

/**
 * netem_line_losses() - Write what a line takes away or doubles
 * @line:	Line
 * @t:		Translation
 */
void netem_line_losses(const struct netem_line *line, struct translating *t);

/**
 * netem_line_delays() - Write what a line delays
 * @line:	Line
 * @t:		Translation
 */
void netem_line_delays(const struct netem_line *line, struct translating *t);

#endif /* SESSION_TRANSLATE_NETEM_H */
