/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * reconstruction.c - what the operator can know of the vehicle
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * A payload is read as a whole into a draft, and the view is changed only once
 * all of it proved sound.  What kind it is follows from its "type"; a payload
 * without one that has ranges is the reference app's scan, which carries no
 * stamp and so can never be stale.
 *
 * A scan may come in parts.  Parts of one stamp are joined; a part of another
 * stamp begins a new scan.
 */
#include "vehicle/reconstruction.h"

#include <stdlib.h>
#include <string.h>

#include "vehicle/json.h"

/* Largest number of seconds that a stamp can have. */
#define SECONDS_MAX 4e9

enum kind { KIND_NONE, KIND_POSE, KIND_SCAN, KIND_OTHER };

/* Numbers that are looked for. */
enum field {
	FIELD_SEC,
	FIELD_NANOSEC,
	FIELD_X,
	FIELD_Y,
	FIELD_YAW,
	FIELD_VX,
	FIELD_VY,
	FIELD_WZ,
	FIELD_ANGLE_MIN,
	FIELD_ANGLE_STEP,
	FIELD_N,
	FIELD_OFFSET,
	FIELDS,
};

static const char *const field_paths[FIELDS] = {
	"header.stamp.sec",
	"header.stamp.nanosec",
	"pose.position.x",
	"pose.position.y",
	"pose.yaw",
	"twist.linear.x",
	"twist.linear.y",
	"twist.angular.z",
	"angle_min",
	"angle_increment",
	"n",
	"offset",
};

#define BIT(n)	     (1u << (n))

#define STAMP_FIELDS (BIT(FIELD_SEC) | BIT(FIELD_NANOSEC))
#define POSE_FIELDS                                                            \
	(STAMP_FIELDS | BIT(FIELD_X) | BIT(FIELD_Y) | BIT(FIELD_YAW))
#define ANGLE_FIELDS (BIT(FIELD_ANGLE_MIN) | BIT(FIELD_ANGLE_STEP))

/**
 * struct draft - A payload as far as it was read
 * @kind:	By its type
 * @seen:	Fields that were there
 * @value:	Their values
 * @n:		Ranges
 * @range:	The ranges
 */
struct draft {
	enum kind kind;
	unsigned seen;
	double value[FIELDS];
	size_t n;
	double range[RECONSTRUCTION_BEAMS];
};

struct reconstruction {
	enum reconstruction_stale stale;
	struct reconstruction_view view;
	struct reconstruction_counts counts;
	struct draft draft;
};

struct reconstruction *reconstruction_new(enum reconstruction_stale stale)
{
	struct reconstruction *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->stale = stale;
	reconstruction_reset(r);
	return r;
}

void reconstruction_reset(struct reconstruction *r)
{
	memset(&r->view, 0, sizeof(r->view));
	memset(&r->counts, 0, sizeof(r->counts));
	r->view.sampled = r->view.scan_sampled = -1;
}

static bool visit_range(struct draft *draft, const struct json_value *value)
{
	if (value->kind != JSON_NUMBER || value->index != draft->n ||
	    draft->n == RECONSTRUCTION_BEAMS)
		return false;
	draft->range[draft->n++] = value->number;
	return true;
}

static bool visit(void *context, const struct json_value *value)
{
	struct draft *draft = context;

	if (value->kind == JSON_NULL)
		return false;
	if (strcmp(value->path, "ranges[]") == 0)
		return visit_range(draft, value);
	if (strcmp(value->path, "type") == 0) {
		if (draft->kind != KIND_NONE)
			return false;
		draft->kind = json_is(value, "odom") || json_is(value, "state")
				      ? KIND_POSE
			      : json_is(value, "scan") ? KIND_SCAN
						       : KIND_OTHER;
		return true;
	}
	for (unsigned i = 0; i < FIELDS; i++) {
		if (strcmp(value->path, field_paths[i]) != 0)
			continue;
		if (value->kind != JSON_NUMBER || draft->seen & BIT(i))
			return false;
		draft->seen |= BIT(i);
		draft->value[i] = value->number;
	}
	return true;
}

/* Time of the stamp, -1 if there is none, -2 if it is none. */
static nsec stamp(const struct draft *draft)
{
	double sec = draft->value[FIELD_SEC];
	double nanosec = draft->value[FIELD_NANOSEC];

	if ((draft->seen & STAMP_FIELDS) != STAMP_FIELDS)
		return -1;
	if (!(sec >= 0.0 && sec <= SECONDS_MAX && nanosec >= 0.0 &&
	      nanosec < 1e9))
		return -2;
	return (nsec)sec * NSEC_PER_S + (nsec)nanosec;
}

/* Is it older than what is shown?  Counts it, and says whether to show it. */
static bool is_shown(struct reconstruction *r, nsec sampled, nsec latest)
{
	if (sampled < 0 || sampled >= latest)
		return true;
	if (r->stale == STALE_DROP) {
		r->counts.stale++;
		return false;
	}
	r->counts.backwards++;
	return true;
}

static bool show_pose(struct reconstruction *r, nsec now)
{
	const struct draft *draft = &r->draft;
	struct reconstruction_view *view = &r->view;
	nsec sampled = stamp(draft);

	if (!is_shown(r, sampled, view->sampled))
		return false;
	view->has_pose = true;
	view->pose =
		(struct pose){ draft->value[FIELD_X], draft->value[FIELD_Y],
			       draft->value[FIELD_YAW] };
	view->twist =
		(struct twist){ draft->value[FIELD_VX], draft->value[FIELD_VY],
				draft->value[FIELD_WZ] };
	view->sampled = sampled;
	view->shown = now;
	r->counts.poses++;
	return true;
}

static bool show_scan(struct reconstruction *r, nsec now)
{
	const struct draft *draft = &r->draft;
	struct reconstruction_view *view = &r->view;
	nsec sampled = stamp(draft);
	bool whole = !(draft->seen & BIT(FIELD_N));
	size_t offset = whole ? 0 : (size_t)draft->value[FIELD_OFFSET];
	size_t n = whole ? draft->n : (size_t)draft->value[FIELD_N];

	if (!is_shown(r, sampled, view->scan_sampled))
		return false;
	/* a part of the same scan joins it; a whole one takes its place */
	if (sampled != view->scan_sampled || n != view->n)
		memset(view->range, 0, sizeof(view->range));
	memcpy(view->range + offset, draft->range,
	       draft->n * sizeof(draft->range[0]));
	view->has_scan = true;
	view->n = n;
	view->angle_min = draft->value[FIELD_ANGLE_MIN];
	view->angle_step = draft->value[FIELD_ANGLE_STEP];
	view->scan_sampled = sampled;
	view->scan_shown = now;
	r->counts.scans++;
	return true;
}

/* Does the scan's part lie within the scan? */
static bool is_scan(const struct draft *draft)
{
	double n = draft->value[FIELD_N], offset = draft->value[FIELD_OFFSET];

	if ((draft->seen & ANGLE_FIELDS) != ANGLE_FIELDS)
		return false;
	if (!(draft->seen & BIT(FIELD_N)))
		return draft->n > 0;
	return n >= 1.0 && n <= RECONSTRUCTION_BEAMS && offset >= 0.0 &&
	       offset <= n && (size_t)offset + draft->n <= (size_t)n;
}

bool reconstruction_put(struct reconstruction *r, nsec now, const void *payload,
			size_t len)
{
	struct draft *draft = &r->draft;

	r->counts.received++;
	draft->kind = KIND_NONE;
	draft->seen = 0;
	draft->n = 0;
	memset(draft->value, 0, sizeof(draft->value));
	if (len && json_walk(payload, len, visit, draft) == JSON_END_DONE &&
	    stamp(draft) != -2) {
		if (draft->kind == KIND_NONE && draft->n)
			draft->kind = KIND_SCAN;
		if (draft->kind == KIND_POSE &&
		    (draft->seen & POSE_FIELDS) == POSE_FIELDS)
			return show_pose(r, now);
		if (draft->kind == KIND_SCAN && is_scan(draft))
			return show_scan(r, now);
	}
	r->counts.unknown++;
	return false;
}

const struct reconstruction_view *reconstruction_view(
	const struct reconstruction *r)
{
	return &r->view;
}

nsec reconstruction_age(const struct reconstruction *r, nsec now)
{
	return r->view.has_pose ? now - r->view.sampled : -1;
}

const struct reconstruction_counts *reconstruction_counts(
	const struct reconstruction *r)
{
	return &r->counts;
}

void reconstruction_free(struct reconstruction *r)
{
	free(r);
}
