/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * adopt.c - a session goes on with the settings of another arm
 *
 * Floor: session.
 */
#include <string.h>

#include "session/inside.h"

/* Tell what two versions of a channel differ in that needs a restart. */
static void compare(const struct arm *arm, const struct arm_channel *a,
		    const struct arm_channel *b, struct err *err)
{
	const char *what = NULL;

	if (strcmp(a->plan.stream, b->plan.stream) ||
	    a->plan.direction != b->plan.direction)
		what = "the order or names of channels";
	else if (strcmp(a->port_text, b->port_text) ||
		 strcmp(a->reply_text, b->reply_text) ||
		 strcmp(a->match, b->match))
		what = "port, reply or match";
	else if (strcmp(a->to_text, b->to_text) ||
		 strcmp(a->listen_text, b->listen_text) ||
		 a->source_port != b->source_port)
		what = "to, listen or source_port";
	else if (a->plan.limit_packets != b->plan.limit_packets ||
		 a->plan.limit_bytes != b->plan.limit_bytes ||
		 a->plan.tick != b->plan.tick)
		what = "tick or limits";
	else if (a->plan.n_chain != b->plan.n_chain)
		what = "the length of the chain";
	for (size_t i = 0; !what && i < a->plan.n_chain; i++) {
		const struct stage_plan *was = &a->plan.chain[i];
		const struct stage_plan *is = &b->plan.chain[i];

		if (was->condition != is->condition)
			what = "the types of the chain's conditions";
		else if (was->seeded != is->seeded || was->seed != is->seed ||
			 was->legacy != is->legacy)
			what = "seed or generator";
	}
	if (what)
		err_add(err, "%s:%d: [%s %s]: a change of %s needs a restart",
			arm->file, b->line, direction_name(b->plan.direction),
			b->plan.stream, what);
}

/* The same of what the arm as a whole says. */
static void compare_whole(const struct arm *a, const struct arm *b,
			  struct err *err)
{
	if (strcmp(a->link.robot_text, b->link.robot_text) ||
	    strcmp(a->link.headset_text, b->link.headset_text) ||
	    strcmp(a->link.listen_text, b->link.listen_text) ||
	    strcmp(a->link.headset_interface, b->link.headset_interface) ||
	    strcmp(a->link.robot_interface, b->link.robot_interface) ||
	    a->link.mode != b->link.mode ||
	    a->link.topology != b->link.topology ||
	    a->link.mark != b->link.mark ||
	    a->link.route_table != b->link.route_table ||
	    a->link.rule_priority != b->link.rule_priority)
		err_add(err, "%s: a change of [link] needs a restart", b->file);
	if (a->general.seed != b->general.seed ||
	    a->general.trials != b->general.trials)
		err_add(err,
			"%s: [arm]: a change of seed or trials needs a restart",
			b->file);
}

/* Next key of a section behind row @i; the end if there is none. */
static size_t next_key(const struct ini *ini, const char *section, size_t i)
{
	for (; i < ini->n; i++)
		if (ini->row[i].key && !strcmp(ini->row[i].section, section))
			break;
	return i;
}

/* A section that is read once, at the start: any change of it. */
static void compare_section(const struct arm *a, const struct arm *b,
			    const char *section, struct err *err)
{
	size_t i = next_key(&a->ini, section, 0);
	size_t n = next_key(&b->ini, section, 0);

	while (i < a->ini.n && n < b->ini.n &&
	       !strcmp(a->ini.row[i].key, b->ini.row[n].key) &&
	       !strcmp(a->ini.row[i].value, b->ini.row[n].value)) {
		i = next_key(&a->ini, section, i + 1);
		n = next_key(&b->ini, section, n + 1);
	}
	if (i < a->ini.n || n < b->ini.n)
		err_add(err, "%s: a change of [%s] needs a restart", b->file,
			section);
}

int session_adopt(struct session *session, nsec now, const struct arm *arm,
		  struct err *err)
{
	size_t faults = err->n;

	if (arm->n_channels != session->n_channels)
		return err_add(err,
			       "%s: another number of channels needs a restart",
			       arm->file);
	compare_whole(session->arm, arm, err);
	compare_section(session->arm, arm, "vehicle", err);
	compare_section(session->arm, arm, "safety", err);
	compare_section(session->arm, arm, "record", err);
	for (size_t i = 0; i < arm->n_channels; i++)
		compare(arm, &session->arm->channel[i], &arm->channel[i], err);
	if (err->n != faults)
		return -1;
	for (size_t i = 0; i < arm->n_channels; i++) {
		channel_hold(session->channel[i], now);
		if (!channel_can_adopt(session->channel[i]))
			return err_add(err,
				       "%s: too many changes are under way; "
				       "wait until what is queued has left",
				       arm->file);
	}
	for (size_t i = 0; i < arm->n_channels; i++)
		channel_adopt(session->channel[i], &arm->channel[i].plan);
	session->arm = arm;
	return 0;
}
