/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rig.h - one condition under test, without a channel around it
 *
 * Floor: tests.
 *
 * Settings are written as in an arm, files that they name are texts of the
 * test, and the test says what the time is.
 */
#ifndef TESTS_UNIT_RIG_H
#define TESTS_UNIT_RIG_H

#include "core/catalog.h"
#include "core/settings.h"

#define MS  NSEC_PER_MS
#define SEC NSEC_PER_S

/* Room for what is wrong with settings. */
#define RIG_WHY 512

/* A file that a test's settings may name; a list ends in one without a name. */
struct rig_file {
	const char *name, *text;
};

/**
 * struct rig - A condition, its settings and its state
 * @turn:	The turn; a test may set sizes and payload
 * @rng:	Its stream
 * @files:	Files that its settings may name, or NULL
 */
struct rig {
	const struct condition *condition;
	struct store store;
	void *settings, *state;
	struct rng rng;
	struct turn turn;
	const struct rig_file *files;
};

/**
 * rig_open() - Make a condition ready for a trial
 * @rig:	All zeros, but for @files
 * @type:	Its name
 * @settings:	"key = value" lines; a fault fails the test
 * @seed:	Of its stream
 */
void rig_open(struct rig *rig, const char *type, const char *settings,
	      uint64_t seed);

/**
 * rig_change() - Go on with other settings, as a live change does
 * @rig:	Rig
 * @settings:	"key = value" lines
 */
void rig_change(struct rig *rig, const char *settings);

/**
 * rig_turn() - One packet
 * @rig:	Rig
 * @now:	When it reaches the condition
 *
 * Return: what the condition says.
 */
nsec rig_turn(struct rig *rig, nsec now);

/**
 * rig_count() - One of the condition's own counts
 * @rig:	Rig
 * @name:	Its name; one that does not exist fails the test
 *
 * Return: the count.
 */
uint64_t rig_count(const struct rig *rig, const char *name);

/**
 * rig_close() - Free it
 * @rig:	Rig
 */
void rig_close(struct rig *rig);

/**
 * rig_fault() - What is wrong with settings
 * @type:	Name of the condition
 * @settings:	"key = value" lines
 * @files:	Files that they may name, or NULL
 * @why:	Filled; empty where nothing is wrong
 *
 * Return: @why.
 */
const char *rig_fault(const char *type, const char *settings,
		      const struct rig_file *files, char why[RIG_WHY]);

/**
 * struct moments - Mean and deviation of what was added
 * @n:		How many
 * @sum:	Their sum; @square that of their squares
 * @before:	The last one; @product the sum of neighbours' products
 */
struct moments {
	double n, sum, square, before, product;
};

/* Add a number; the mean, deviation and correlation of neighbours so far. */
void moments_add(struct moments *moments, double value);
double moments_mean(const struct moments *moments);
double moments_deviation(const struct moments *moments);
double moments_correlation(const struct moments *moments);

#endif /* TESTS_UNIT_RIG_H */
