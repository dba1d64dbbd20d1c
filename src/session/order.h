/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * order.h - lines of the control protocol, read and written
 *
 * Floor: session.
 *
 * A line is words with blanks between them.  A word that is empty or has
 * blanks, a quotation mark or a backslash in it stands in quotation marks, in
 * which \" \\ \n and \t stand for what they do in C.  The manual page
 * farlink-control(5) lists the orders.
 */
#ifndef SESSION_ORDER_H
#define SESSION_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* Most words of a line; most bytes of one, its end included. */
#define ORDER_WORDS 130
#define ORDER_LINE  65536

enum order_kind {
	ORDER_STATUS,
	ORDER_TRIAL_START,
	ORDER_TRIAL_STOP,
	ORDER_MARK,
	ORDER_ARM,
	ORDER_SET,
	ORDER_PENDING,
	ORDER_ROBOT,
	ORDER_STOP,
	ORDER_HELP,
};

/**
 * struct order - A line that was understood
 * @kind:	What it asks
 * @word:	What follows; @n of them, within the line
 */
struct order {
	enum order_kind kind;
	const char *word[ORDER_WORDS];
	size_t n;
};

/**
 * order_parse() - Understand a line
 * @order:	Filled
 * @line:	Line without its end; its words are unquoted in place
 * @why:	Filled with what is wrong and what would be right
 * @size:	Of @why
 *
 * Return: 0, or -1 with @why filled.
 */
int order_parse(struct order *order, char *line, char *why, size_t size);

/**
 * order_print() - Write words as a line, quoted where they must be
 * @words:	Words; @n of them
 * @line:	Filled, without a line's end
 * @size:	Of @line
 *
 * Return: its length, or 0 if there is no room.
 */
size_t order_print(const char *const *words, size_t n, char *line, size_t size);

/**
 * order_usage() - How the orders are written, a line each
 * @i:		From 0
 *
 * Return: the line, or NULL behind the last.
 */
const char *order_usage(size_t i);

/**
 * order_is_name() - Whether a text can be the id of a trial
 * @text:	Text
 *
 * Return: whether it is 1 to 100 bytes without control characters or blanks.
 */
bool order_is_name(const char *text);

#endif /* SESSION_ORDER_H */
