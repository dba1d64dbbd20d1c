/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * print_forecast_markdown.c - what an arm does, for a methods section
 *
 * Floor: roof.
 */
#include <stdio.h>

#include "cmd/print_forecast.h"
#include "session/say.h"

static void print_opening(const struct arm *arm)
{
	printf("### %s\n\n",
	       *arm->general.name ? arm->general.name : arm->file);
	if (*arm->general.description)
		printf("%s.\n", arm->general.description);
	printf("Network conditions were imposed by farlink, on each stream and "
	       "each direction separately; all delays are one-way. "
	       "Random draws came from the seed %lld, %s.\n",
	       (long long)arm->general.seed,
	       arm->general.trials == TRIALS_SAME
		       ? "so that every trial met the same ones"
		       : "combined with the id of each trial");
}

/* What was done to one stream, and what came of it, as sentences. */
static void print_sentence(const struct described *described)
{
	const struct forecast *forecast = &described->forecast;
	const struct account *account = &described->account;
	const struct channel_plan *plan = &forecast->channel->plan;
	struct said mean, deviation, loss, burst, late;

	printf("The %s stream `%s` ", direction_name(plan->direction),
	       account->stream);
	if (!account->delayed && !account->impaired && !plan->n_chain) {
		printf("was passed on undegraded (baseline).\n");
		return;
	}
	if (account->delayed)
		printf("had a delay of %s, %s", account->magnitude,
		       account->temporal);
	else
		printf("had no delay set");
	if (account->impaired)
		printf("; further impairment: %s", account->further);
	printf(". ");
	printf("This amounts to a mean delay of %s with a standard deviation "
	       "of %s",
	       said_delay(&mean, forecast->mean),
	       said_delay(&deviation, forecast->deviation));
	if (forecast->loss > 0.0)
		printf(", a loss of %s in runs of %s packets on average",
		       said_share(&loss, forecast->loss),
		       said_number(&burst, forecast->burst, 3));
	printf(", and %s of packets arriving out of order.\n",
	       said_share(&late, forecast->reordered));
}

/* A cell of a table: a bar would end it. */
static void cell(const char *words)
{
	printf(" ");
	for (; *words; words++)
		printf(*words == '|' ? "\\|" : "%c", *words);
	printf(" |");
}

static void print_row(const struct described *described)
{
	const struct forecast *forecast = &described->forecast;
	const struct account *account = &described->account;
	struct said said;
	char range[160];

	printf("|");
	cell(account->stream);
	cell(direction_name(forecast->channel->plan.direction));
	cell(account->magnitude);
	cell(account->temporal);
	cell(account->further);
	cell(said_delay(&said, forecast->mean));
	cell(said_delay(&said, forecast->deviation));
	print_range(range, sizeof(range), forecast);
	cell(range);
	cell(said_share(&said, forecast->loss));
	cell(said_share(&said, forecast->reordered));
	cell(forecast->delay_way == FORECAST_FORMULA &&
			     forecast->loss_way == FORECAST_FORMULA &&
			     forecast->order_way == FORECAST_FORMULA
		     ? "formula"
		     : "simulation");
	printf("\n");
}

static void print_notes(const struct arm *arm,
			const struct described *described)
{
	struct round_trip trip;
	struct said said;

	printf("\n");
	for (size_t i = 0; i < arm->n_channels; i++) {
		const struct forecast *forecast = &described[i].forecast;

		printf("Figures for `%s` (%s) are for %s packets/s of %u bytes "
		       "of payload, evenly spaced%s.\n",
		       forecast->channel->plan.stream,
		       direction_name(forecast->channel->plan.direction),
		       said_number(&said, forecast->rate, 4), forecast->payload,
		       forecast->rate_said ? "" : " (assumed)");
	}
	for (size_t i = 0; i < arm->n_channels; i++)
		if (print_round_trip(arm, described, i, &trip))
			printf("The delays of `%s` and back by `%s` add up to "
			       "%s on average.\n",
			       arm->channel[trip.up].plan.stream,
			       arm->channel[i].plan.stream,
			       said_delay(&said, trip.mean));
	for (size_t i = 0; i < arm->n_channels; i++)
		for (size_t w = 0; w < described[i].warnings.n; w++)
			printf("\n> Warning, `%s`: %s.\n",
			       described[i].account.stream,
			       print_warning(described[i].warnings.line[w]));
}

void print_forecast_markdown(const struct arm *arm,
			     const struct described *described)
{
	print_opening(arm);
	for (size_t i = 0; i < arm->n_channels; i++)
		print_sentence(&described[i]);
	printf("\n| Stream | Direction | Magnitude | Behaviour in time | "
	       "Further impairment | Mean delay | Standard deviation | "
	       "Range | Loss | Out of order | By |\n"
	       "|---|---|---|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < arm->n_channels; i++)
		print_row(&described[i]);
	print_notes(arm, described);
}
