/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * desk_order.c - what an order asks, done
 *
 * Floor: edge.
 *
 * Files are read and arms are checked here, on the desk's thread; the run is
 * handed what is ready.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edge/desk_inside.h"
#include "edge/gauge.h"
#include "edge/member.h"
#include "edge/record.h"
#include "edge/status.h"
#include "session/order.h"

/* What is called across the exchange. */
struct call {
	const struct desk_plan *plan;
	struct errand *errand;
};

static void act(void *context)
{
	const struct call *call = context;

	call->plan->act(call->plan->live, call->errand);
}

bool desk_errand(struct desk *desk, struct errand *errand)
{
	struct call call = { &desk->plan, errand };

	if (!exchange_call(desk->plan.exchange, act, &call))
		err_add(&errand->err, "the run is over");
	return !errand->err.n;
}

static json_t *refusal(struct err *err)
{
	json_t *list = member_lines(err);

	err_fini(err);
	return json_pack("{s:b,s:o}", "ok", 0, "error", list);
}

/* The answer to an errand: what was said, or why it was not done. */
static json_t *answer(struct errand *errand)
{
	json_t *said = NULL;

	if (errand->err.n)
		return refusal(&errand->err);
	if (*errand->said)
		said = json_string(errand->said);
	/* the name of a file need not be text, and one cut may end within a
	 * character
	 */
	if (*errand->said && !said)
		said = json_string("done");
	return json_pack("{s:b,s:o*}", "ok", 1, "said", said);
}

static json_t *do_simple(struct desk *desk, enum errand_kind kind,
			 const char *text)
{
	struct errand errand = { .kind = kind, .text = text };

	(void)desk_errand(desk, &errand);
	return answer(&errand);
}

/* A change that is ready but for the run's consent. */
struct change {
	struct desk_source source;
	const char *event, *detail;
};

/* Check, keep in the record, and hand over; nothing is changed otherwise. */
static void change(struct desk *desk, const struct change *as,
		   struct errand *errand)
{
	char kept[RECORD_NAME];
	const struct arm *arm;

	*errand = (struct errand){ .kind = ERRAND_ADOPT,
				   .text = as->event,
				   .detail = as->detail };
	errand->arm = desk->plan.read_arm(desk->plan.context, &as->source,
					  &errand->err);
	arm = errand->arm;
	if (!arm || record_arm(desk->plan.record, arm, kept, &errand->err) < 0)
		goto out;
	errand->kept = kept;
	if (!desk_errand(desk, errand)) {
		record_forget_arm(desk->plan.record, kept);
		goto out;
	}
	desk->arm = arm;
	if (desk->gauge)
		gauge_adopt(desk->gauge, arm);
out:
	arm_free(errand->arm);
	errand->arm = NULL;
}

static json_t *do_arm(struct desk *desk, const char *file)
{
	const char *kept = store_text(&desk->store, file);
	const struct change as = { { .file = kept }, "adopted", kept };
	struct errand errand;

	change(desk, &as, &errand);
	if (!errand.err.n) {
		desk->file = kept;
		desk->n_sets = 0;
	}
	return answer(&errand);
}

/* All of them at once, to the text that governs now. */
static void change_sets(struct desk *desk, const char *const *words, size_t n,
			struct errand *errand)
{
	const struct arm *arm = desk->arm;
	char *detail = NULL;
	size_t size, before = desk->n_sets;
	FILE *to = open_memstream(&detail, &size);
	struct change as = { { .file = arm->file,
			       .text = arm->text,
			       .size = arm->text_size },
			     "set",
			     NULL };

	desk->sets = realloc(desk->sets, (before + n) * sizeof(*desk->sets));
	if (!to || !desk->sets)
		abort();
	for (size_t i = 0; i < n; i += 2) {
		char *set =
			store_get(&desk->store,
				  strlen(words[i]) + strlen(words[i + 1]) + 2);

		snprintf(set, strlen(words[i]) + strlen(words[i + 1]) + 2,
			 "%s=%s", words[i], words[i + 1]);
		desk->sets[desk->n_sets++] = set;
		fprintf(to, "%s%s", i ? "; " : "", set);
	}
	fclose(to);
	as.source.sets = desk->sets;
	as.source.n_sets = desk->n_sets;
	as.detail = detail;
	change(desk, &as, errand);
	if (errand->err.n)
		desk->n_sets = before;
	free(detail);
}

static json_t *do_set(struct desk *desk, const char *const *words, size_t n)
{
	struct errand errand;

	change_sets(desk, words, n, &errand);
	return answer(&errand);
}

static json_t *do_robot(struct desk *desk, const char *address)
{
	const char *const words[] = { "link.robot", address };
	union address to;

	if (address_parse(address, &to))
		return do_set(desk, words, 2);
	return json_pack("{s:b,s:[s]}", "ok", 0, "error",
			 "that is no address of a robot; write one such as "
			 "192.168.1.20");
}

void desk_do_reread(struct desk *desk)
{
	const struct change as = {
		{ .file = desk->file ? desk->file : desk->plan.arm->file },
		"reload",
		desk->file ? desk->file : desk->plan.arm->file
	};
	struct errand errand,
		refused = { .kind = ERRAND_REFUSED, .text = "reload-refused" };
	struct err said = { 0 };

	change(desk, &as, &errand);
	if (!errand.err.n) {
		desk->n_sets = 0;
		refused.kind = ERRAND_SAY;
		err_add(&said, "%s: read anew; it governs packets from now on",
			as.source.file);
		refused.refused = &said;
	} else {
		refused.refused = &errand.err;
	}
	(void)desk_errand(desk, &refused);
	err_fini(&refused.err);
	err_fini(&errand.err);
	err_fini(&said);
}

static json_t *do_status(struct desk *desk)
{
	struct status *status = calloc(1, sizeof(*status));
	struct errand errand = { .kind = ERRAND_STATUS, .status = status };
	json_t *reply;

	if (!status)
		abort();
	if (desk_errand(desk, &errand))
		reply = json_pack("{s:b,s:o}", "ok", 1, "status",
				  status_json(status));
	else
		reply = refusal(&errand.err);
	free(status);
	return reply;
}

static json_t *do_pending(struct desk *desk, const char *stream)
{
	struct pending *pending = calloc(1, sizeof(*pending));
	struct errand errand = { .kind = ERRAND_PENDING,
				 .stream = stream,
				 .most = PENDING_MAX,
				 .pending = pending };
	json_t *reply;

	if (!pending)
		abort();
	if (desk_errand(desk, &errand))
		reply = json_pack("{s:b,s:o}", "ok", 1, "pending",
				  status_pending_json(pending, desk->arm));
	else
		reply = refusal(&errand.err);
	free(pending);
	return reply;
}

static json_t *do_help(void)
{
	json_t *list = json_array();

	for (size_t i = 0; order_usage(i); i++)
		json_array_append_new(list, json_string(order_usage(i)));
	return json_pack("{s:b,s:o}", "ok", 1, "orders", list);
}

json_t *desk_order(struct desk *desk, char *line)
{
	struct errand errand = { 0 };
	struct order order;
	char why[256];

	if (!member_is_text(line)) {
		err_add(&errand.err, "a line is UTF-8");
		return refusal(&errand.err);
	}
	if (order_parse(&order, line, why, sizeof(why)) < 0) {
		err_add(&errand.err, "%s", why);
		return refusal(&errand.err);
	}
	switch (order.kind) {
	case ORDER_STATUS:
		return do_status(desk);
	case ORDER_PENDING:
		return do_pending(desk, order.n ? order.word[0] : NULL);
	case ORDER_TRIAL_START:
		return do_simple(desk, ERRAND_TRIAL_START,
				 order.n ? order.word[0] : "");
	case ORDER_TRIAL_STOP:
		return do_simple(desk, ERRAND_TRIAL_STOP, "");
	case ORDER_MARK:
		return do_simple(desk, ERRAND_MARK, order.word[0]);
	case ORDER_ARM:
		return do_arm(desk, order.word[0]);
	case ORDER_SET:
		return do_set(desk, order.word, order.n);
	case ORDER_ROBOT:
		return do_robot(desk, order.word[0]);
	case ORDER_STOP:
		return do_simple(desk, ERRAND_STOP, "farlink ctl stop");
	case ORDER_HELP:
		break;
	}
	return do_help();
}
