/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vehicle_settings_check.c - do the settings of a vehicle fit together?
 *
 * Floor: vehicle.
 */
#include "vehicle/vehicle_settings.h"

#include <string.h>

#include "vehicle/ground.h"
#include "vehicle/sensor.h"
#include "vehicle/text.h"

/* Wheels that meet, or turn the wrong way, are no geometry. */
static const char *check_geometry(const struct vehicle_settings *s)
{
	if ((s->icr_left > 0.0) != (s->icr_right < 0.0))
		return "icr_left and icr_right go together";
	if ((s->icr_left > 0.0 || fabs(s->icr_x) > 0.0) &&
	    s->model != MODEL_SKID_STEER)
		return "icr_left, icr_right and icr_x are for skid-steer";
	if (s->behaviour == BEHAVIOUR_DYNAMIC && s->model != MODEL_ACKERMANN)
		return "behaviour = dynamic is for ackermann";
	if (s->behaviour == BEHAVIOUR_DYNAMIC &&
	    s->speed_at != SPEED_AT_REAR_AXLE)
		return "behaviour = dynamic needs speed_at = rear-axle";
	if (s->disturbances && s->model != MODEL_UNITE)
		return "disturbances are those of unite-waffle-pi";
	if (s->apply == APPLY_PER_PACKET && s->model == MODEL_POSITION_DELTA)
		return "a position-delta is a goal: apply = hold";
	return NULL;
}

static const char *check_lists(const struct vehicle_settings *s)
{
	struct ground ground = { 0 };
	struct sensor sensor = { 0 };
	nsec timeout;

	if (!vehicle_settings_timeout(s->timeout, &timeout))
		return "timeout is a time above 0, such as 500ms, or off";
	if (!ground_parse(&ground, s->patches))
		return "patches are at most 8 of \"x1 y1 x2 y2 slip\", commas "
		       "between, slip from 0 to 1";
	if (!sensor_parse(&sensor, s->range_sensors))
		return "range_sensors are at most 16 of \"x y yaw fov min "
		       "max\", commas between, min below max";
	if (s->range_every && !sensor.n_rangers)
		return "range_every needs range_sensors";
	return NULL;
}

static const char *check_sensors(const struct vehicle_settings *s)
{
	size_t len = strlen(s->wifi_ssid);

	if (s->scan_min >= s->scan_max)
		return "scan_min is below scan_max";
	if (len > 32)
		return "wifi_ssid has at most 32 bytes";
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s->wifi_ssid[i] < ' ' ||
		    strchr("\"\\", s->wifi_ssid[i]))
			return "wifi_ssid has no quotes and no backslashes";
	return NULL;
}

int vehicle_settings_check(const struct vehicle_settings *settings, char *why,
			   size_t size)
{
	const char *fault = check_geometry(settings);
	struct text text;

	text_init(&text, why, size);
	if (!fault)
		fault = check_lists(settings);
	if (!fault)
		fault = check_sensors(settings);
	if (!fault)
		return 0;
	text_add(&text, "%s", fault);
	return -1;
}
