/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * lines.h - the lines of a text file, and faults that name them
 *
 * Floor: core.
 */
#ifndef CORE_LINES_H
#define CORE_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Longest line, without its end. */
#define LINE_MAX_BYTES 255

/**
 * struct lines - A file that is being read
 * @file:	Its name, for faults
 * @at:		What is left of it, up to @end
 * @line:	Number of the line in @text, from 1
 * @text:	That line, without its end and the blanks around it
 * @why:	Filled with the fault, @size bytes
 * @faulty:	Whether there was one
 */
struct lines {
	const char *file;
	const char *at, *end;
	size_t line;
	char text[LINE_MAX_BYTES + 1];
	char *why;
	size_t size;
	bool faulty;
};

/**
 * lines_next() - Read the next line into @text
 * @lines:	File
 *
 * Return: false at the end, or with @faulty set at a line that is too long or
 * has a zero byte.
 */
bool lines_next(struct lines *lines);

/**
 * lines_data() - Read the next line that is neither blank nor begins with '#'
 * @lines:	File
 *
 * Return: as lines_next().
 */
bool lines_data(struct lines *lines);

/**
 * lines_left() - How many lines there are at most in what is left
 * @lines:	File
 *
 * Return: the count, at least 1.
 */
size_t lines_left(const struct lines *lines);

/**
 * lines_fault() - Note what is wrong with the line in @text
 * @lines:	File
 * @format:	As for printf; what was found, and what would be right
 *
 * Return: -1, so that a caller can return it on.
 */
int lines_fault(struct lines *lines, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* CORE_LINES_H */
