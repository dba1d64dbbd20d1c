/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * order.c - lines of the control protocol, whatever is in them
 *
 * Floor: tests.
 *
 * What is understood is printed, and must be understood as the same again.
 */
#include "session/order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void hold(bool what)
{
	if (!what)
		abort();
}

/* A copy of exactly its size, so that a sanitizer sees a byte too far. */
static char *line_of(const uint8_t *data, size_t size)
{
	char *line = malloc(size + 1);

	hold(line != NULL);
	if (size)
		memcpy(line, data, size);
	line[size] = '\0';
	return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char again[4 * ORDER_LINE];
	char *line, why[256] = "";
	const char *words[ORDER_WORDS + 1];
	struct order order, second;

	if (size >= ORDER_LINE)
		return 0;
	line = line_of(data, size);
	if (order_parse(&order, line, why, sizeof(why)) < 0) {
		hold(*why != '\0');
		free(line);
		return 0;
	}
	/* "set" takes any words; an odd count is refused before they matter */
	words[0] = "set";
	for (size_t i = 0; i < order.n; i++)
		words[i + 1] = order.word[i];
	hold(order_print(words, order.n + 1, again, sizeof(again)) > 0);
	if (order.n && order.n % 2 == 0) {
		hold(!order_parse(&second, again, why, sizeof(why)));
		hold(second.n == order.n);
		for (size_t i = 0; i < order.n; i++)
			hold(!strcmp(second.word[i], order.word[i]));
	}
	free(line);
	return 0;
}
