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
	if (what)
		err_add(err, "%s:%d: [%s %s]: a change of %s needs a restart",
			arm->file, b->line, direction_name(b->plan.direction),
			b->plan.stream, what);
}

/* Whether two versions of a stage can have the same state. */
static bool same_stage(const struct stage_plan *a, const struct stage_plan *b)
{
	return a->condition == b->condition && a->seeded == b->seeded &&
	       a->seed == b->seed && a->legacy == b->legacy;
}

/* Whether a channel can go on with other settings; else another follows it. */
static bool goes_on(const struct channel_plan *a, const struct channel_plan *b)
{
	if (a->limit_packets != b->limit_packets ||
	    a->limit_bytes != b->limit_bytes || a->tick != b->tick ||
	    a->n_chain != b->n_chain)
		return false;
	for (size_t i = 0; i < a->n_chain; i++)
		if (!same_stage(&a->chain[i], &b->chain[i]))
			return false;
	return true;
}

/* The same of what the arm as a whole says. */
static void compare_whole(const struct session *session, const struct arm *b,
			  struct err *err)
{
	const struct arm *a = session->arm;
	uint64_t bytes, packets;

	/* in relay mode another robot is only another destination */
	if ((strcmp(a->link.robot_text, b->link.robot_text) &&
	     (a->link.mode != MODE_RELAY || !a->link.has_robot ||
	      !b->link.has_robot ||
	      a->link.robot.any.sa_family != b->link.robot.any.sa_family)) ||
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
	session_limits(b, &bytes, &packets);
	if (bytes > session->limit_bytes || packets > session->limit_packets)
		err_add(err,
			"%s: its limits are larger in all than those that "
			"memory was reserved for; that needs a restart",
			b->file);
}

/* Next key of a section behind row @i; the end if there is none.  Where the
 * record goes was settled at the start.
 */
static size_t next_key(const struct ini *ini, const char *section, size_t i)
{
	for (; i < ini->n; i++)
		if (ini->row[i].key && !strcmp(ini->row[i].section, section) &&
		    strcmp(ini->row[i].key, "folder") != 0)
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

/* Make the channels that follow those which cannot go on: all, or none. */
static int make_followers(const struct session *session, const struct arm *arm,
			  uint64_t seed, struct channel **follower,
			  struct err *err)
{
	bool anew = seed != session->seed;

	for (size_t i = 0; i < arm->n_channels; i++) {
		const struct place *place = &session->place[i];
		const struct channel_plan *plan = &arm->channel[i].plan;
		bool follows = anew || !goes_on(place->plan, plan);

		if (follows ? !place_can_follow(place)
			    : !channel_can_adopt(place->channel))
			return err_add(err,
				       "%s: too many changes are under way; "
				       "wait until what is queued has left",
				       arm->file);
		if (!follows)
			continue;
		follower[i] = channel_new(plan, seed);
		if (!follower[i])
			return err_add_machine(err,
					       "%s: no memory for its channels",
					       arm->file);
	}
	return 0;
}

static void change_places(struct session *session, nsec now,
			  const struct arm *arm, struct channel **follower)
{
	for (size_t i = 0; i < arm->n_channels; i++) {
		struct place *place = &session->place[i];

		if (follower[i]) {
			channel_hold(follower[i], now);
			place_follow(place, follower[i], &arm->channel[i].plan);
			continue;
		}
		channel_adopt(place->channel, &arm->channel[i].plan);
		place->plan = &arm->channel[i].plan;
	}
}

/* What can be compared between the two arms at once. */
static int compare_all(const struct session *session, const struct arm *arm,
		       struct err *err)
{
	const struct arm *was = session->arm;
	size_t faults = err->n;

	if (arm->n_channels != session->n_channels)
		return err_add(err,
			       "%s: another number of channels needs a restart",
			       arm->file);
	compare_whole(session, arm, err);
	compare_section(was, arm, "vehicle", err);
	compare_section(was, arm, "safety", err);
	compare_section(was, arm, "record", err);
	for (size_t i = 0; i < arm->n_channels; i++)
		compare(arm, &was->channel[i], &arm->channel[i], err);
	return err->n == faults ? 0 : -1;
}

int session_adopt(struct session *session, nsec now, const struct arm *arm,
		  struct err *err)
{
	struct channel *follower[CHANNELS_MAX] = { NULL };
	uint64_t seed = session_seed_of(session, arm);
	bool anew;

	if (compare_all(session, arm, err) < 0)
		return -1;
	for (size_t i = 0; i < arm->n_channels; i++)
		place_hold(&session->place[i], now);
	if (make_followers(session, arm, seed, follower, err) < 0) {
		for (size_t i = 0; i < arm->n_channels; i++)
			channel_free(follower[i]);
		return -1;
	}
	change_places(session, now, arm, follower);
	session->arm = arm;
	anew = seed != session->seed;
	session->seed = seed;
	exit_adopt(session, now, anew);
	return 0;
}
