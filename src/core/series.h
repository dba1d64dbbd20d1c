/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * series.h - settings that are lists: written in the arm, or in files
 *
 * Floor: core.
 *
 * Formats: Mahimahi's delivery-opportunity trace; CSV with a header line;
 * netem's distribution table (.dist) and dummynet's delay curve.
 */
#ifndef CORE_SERIES_H
#define CORE_SERIES_H

#include "core/settings.h"

/**
 * series_parse() - Read a list, or the file that a setting names
 * @setting:	Row of one of the list kinds
 * @member:	Its member
 * @value:	As written in the arm
 * @source:	Where lists are kept and files come from
 * @why:	Filled with what is wrong: file, line, what was expected
 * @size:	Of @why
 *
 * Return: 0, or -1 with @why filled and the member unchanged.
 */
int series_parse(const struct setting *setting, void *member, const char *value,
		 const struct settings_source *source, char *why, size_t size);

/**
 * series_print() - Write a list in short
 * @setting:	Row of one of the list kinds
 * @member:	Its member
 * @text:	Filled
 * @size:	Of @text
 */
void series_print(const struct setting *setting, const void *member, char *text,
		  size_t size);

#endif /* CORE_SERIES_H */
