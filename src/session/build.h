/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * build.h - what the files that build an arm share
 *
 * Floor: session.
 */
#ifndef SESSION_BUILD_H
#define SESSION_BUILD_H

#include "session/arm.h"

/**
 * struct build - An arm that is being built
 * @arm:	The arm
 * @source:	What it is read from
 * @err:	Told faults
 * @warnings:	Told what will surprise
 */
struct build {
	struct arm *arm;
	const struct arm_source *source;
	struct err *err, *warnings;
};

/**
 * build_where() - "FILE:LINE" for a fault
 * @build:	Arm being built
 * @line:	Line, or 0 for the command line
 *
 * Return: the text, of the arm's store.
 */
const char *build_where(struct build *build, int line);

/**
 * build_key() - Read one row by a table
 * @build:	Arm being built; told the fault of a bad value
 * @row:	Row
 * @table:	Table; @n rows
 * @into:	The settings that it fills
 *
 * Return: false if the table does not have the key.
 */
bool build_key(struct build *build, const struct ini_row *row,
	       const struct setting *table, size_t n, void *into);

/**
 * build_unknown() - Note that a key is unknown, and which are known
 * @build:	Arm being built
 * @row:	Row of the key
 * @table:	Table; @n rows
 * @also:	More keys that are known, with commas, or ""
 */
void build_unknown(struct build *build, const struct ini_row *row,
		   const struct setting *table, size_t n, const char *also);

/**
 * build_presets() - Fill in what stands where the arm says nothing
 * @build:	Arm being built
 * @table:	Table; @n rows
 * @into:	The settings that it fills
 */
void build_presets(struct build *build, const struct setting *table, size_t n,
		   void *into);

/**
 * build_link() - Resolve the addresses of [link]
 * @build:	Arm being built
 */
void build_link(struct build *build);

/**
 * build_channels() - Resolve what the channels say of ports, addresses,
 *	conditions and each other
 * @build:	Arm being built
 */
void build_channels(struct build *build);

#endif /* SESSION_BUILD_H */
