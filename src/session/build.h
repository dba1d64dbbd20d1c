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
 * build_transparent() - Check what transparent mode needs of [link]
 * @build:	Arm being built
 * @line:	Line of the section
 */
void build_transparent(struct build *build, int line);

/**
 * build_channels() - Resolve what the channels say of ports, addresses,
 *	conditions and each other
 * @build:	Arm being built
 */
void build_channels(struct build *build);

/**
 * build_fault() - Note what is wrong with a key
 * @build:	Arm being built
 * @line:	Line of the section
 * @key:	Key; its own line is found
 * @value:	As written
 * @remedy:	What would be right
 */
void build_fault(struct build *build, int line, const char *key,
		 const char *value, const char *remedy);

/**
 * build_load() - Load a file that the arm names, and keep it
 * @build:	Arm being built
 * @name:	As the arm names it
 * @size:	Set to its size
 * @why:	Filled if it cannot be read
 * @why_size:	Of @why
 *
 * Return: its bytes, of the arm's store, or NULL.
 */
const char *build_load(struct build *build, const char *name, size_t *size,
		       char *why, size_t why_size);

/**
 * build_warnings() - Note what is no fault but will surprise
 * @build:	Arm that was built without a fault
 */
void build_warnings(struct build *build);

/**
 * build_vehicle() - Fill [vehicle]: presets, the robot's preset, the arm's keys
 * @build:	Arm being built
 * @rows:	Rows of the section; @n of them; none if the arm has no
 *		[vehicle]
 * @line:	Line of the section
 */
void build_vehicle(struct build *build, struct ini_row *rows, size_t n,
		   int line);

/**
 * build_safety() - Resolve what [safety] says
 * @build:	Arm being built
 * @line:	Line of the section; 0 if the arm has none
 */
void build_safety(struct build *build, int line);

#endif /* SESSION_BUILD_H */
