/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * print_forecast.h - what an arm does, as text, Markdown and JSON
 *
 * Floor: roof.
 */
#ifndef CMD_PRINT_FORECAST_H
#define CMD_PRINT_FORECAST_H

#include "session/account.h"
#include "session/forecast.h"

/**
 * struct described - One channel, in words and in figures
 * @account:	In words
 * @forecast:	In figures
 * @warnings:	Where it is not what people expect
 */
struct described {
	struct account account;
	struct forecast forecast;
	struct err warnings;
};

/**
 * print_forecast_text() - For a terminal
 * @arm:	Arm
 * @described:	Its channels, in the order of the arm
 */
void print_forecast_text(const struct arm *arm,
			 const struct described *described);

/**
 * print_forecast_markdown() - A paragraph and a table for a methods section
 * @arm:	Arm
 * @described:	Its channels, in the order of the arm
 */
void print_forecast_markdown(const struct arm *arm,
			     const struct described *described);

/**
 * print_forecast_json() - One JSON object; times in ns, shares of 1
 * @arm:	Arm
 * @described:	Its channels, in the order of the arm
 */
void print_forecast_json(const struct arm *arm,
			 const struct described *described);

/**
 * print_is_given() - Whether an arm says a setting, or leaves it at its default
 * @arm:	Arm
 * @section:	First word of the section
 * @name:	Its second word
 * @key:	Key
 *
 * Return: true if the arm says it.
 */
bool print_is_given(const struct arm *arm, const char *section,
		    const char *name, const char *key);

/**
 * print_range() - "140 ms to 260 ms"
 * @text:	Filled
 * @size:	Of @text
 * @forecast:	Whose least and greatest delay it is
 */
void print_range(char *text, size_t size, const struct forecast *forecast);

/**
 * print_warning() - A warning without the place that it begins with
 * @line:	"FILE:LINE: [uplink command]: …"
 *
 * Return: what follows the place.
 */
const char *print_warning(const char *line);

/**
 * struct round_trip - An uplink stream and what comes back
 * @up:		Place of the uplink channel
 * @mean:	Sum of their mean delays, ns
 */
struct round_trip {
	size_t up;
	double mean;
};

/**
 * print_round_trip() - The round trip that ends with a downlink channel: the
 *	stream that it answers, the uplink stream of its name, or the first
 * @arm:	Arm
 * @described:	Its channels
 * @down:	Place of the downlink channel
 * @trip:	Filled
 *
 * Return: false if it is no downlink channel, or there is no uplink.
 */
bool print_round_trip(const struct arm *arm, const struct described *described,
		      size_t down, struct round_trip *trip);

#endif /* CMD_PRINT_FORECAST_H */
