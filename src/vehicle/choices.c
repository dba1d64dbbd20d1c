/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * choices.c - the four choices of a vehicle that a study must report
 *
 * Floor: vehicle.
 */
#include "vehicle/choices.h"

#include "vehicle/model.h"
#include "vehicle/text.h"
#include "vehicle/unite.h"

const char *choices_name(enum choice choice)
{
	static const char *const names[CHOICES] = {
		"steering geometry",
		"kinematic or dynamic behaviour",
		"actuator response",
		"wheel-ground interaction",
	};

	return names[choice];
}

/* ", label 1.25 unit" */
static void item(struct text *text, const char *label, double value,
		 const char *unit)
{
	text_add(text, ", %s ", label);
	text_number(text, value);
	text_add(text, "%s", unit);
}

/* The same of a limit, for which 0 stands for none. */
static void limit(struct text *text, const char *label, double value,
		  const char *unit)
{
	if (value > 0.0)
		item(text, label, value, unit);
	else
		text_add(text, ", %s unlimited", label);
}

static void geometry(struct text *text, const struct vehicle_settings *s)
{
	text_add(text, "%s", model_get((enum model_kind)s->model)->name);
	switch ((enum model_kind)s->model) {
	case MODEL_POSITION_DELTA:
		text_add(text, ", a body without wheels that goes any way");
		return;
	case MODEL_ACKERMANN:
		item(text, "wheelbase", s->wheelbase, " m");
		item(text, "track", s->wheel_separation, " m");
		item(text, "steering within", s->steering_limit, " rad");
		text_add(text, ", speed at the %s",
			 s->speed_at == SPEED_AT_FRONT_WHEEL ? "front wheel"
							     : "rear axle");
		break;
	case MODEL_MECANUM:
		item(text, "wheelbase", s->wheelbase, " m");
		/* fall through */
	case MODEL_DIFF_DRIVE:
	case MODEL_SKID_STEER:
	case MODEL_UNITE:
		item(text, "separation", s->wheel_separation, " m");
		item(text, "times", s->separation_multiplier,
		     " for the controller");
		break;
	}
	item(text, "wheel radius", s->wheel_radius, " m");
}

static void behaviour(struct text *text, const struct vehicle_settings *s)
{
	static const char *const integrators[] = {
		"exact arcs",
		"the midpoint rule",
		"explicit Euler steps",
	};

	if (s->model == MODEL_UNITE) {
		text_add(text, "kinematic, explicit Euler steps in float, one "
			       "for each command");
	} else if (s->behaviour == BEHAVIOUR_DYNAMIC) {
		text_add(text, "dynamic, linear single track");
		item(text, "mass", s->mass, " kg");
		item(text, "inertia", s->inertia, " kg m^2");
		item(text, "friction", s->friction, "");
		text_add(text, ", Runge-Kutta steps of at most 1 ms");
	} else {
		text_add(text, "kinematic, %s", integrators[s->integrator]);
	}
	item(text, "step", (double)s->step / 1e6, " ms");
}

static void actuator(struct text *text, const struct vehicle_settings *s)
{
	if (s->model == MODEL_UNITE) {
		text_add(text, "timeout off, moves by each packet and not "
			       "without one");
		item(text, "acceleration of each wheel", unite_acceleration(s),
		     " m/s^2");
		item(text, "wheels", unite_speed(s),
		     s->disturbances ? " m/s" : " m/s (if disturbed)");
		item(text, "difference of wheels", s->max_difference, " m/s");
		return;
	}
	text_add(text, "timeout %s", s->timeout);
	item(text, "dead time", (double)s->dead_time / 1e6, " ms");
	item(text, "lag", (double)s->lag / 1e6, " ms");
	limit(text, "jerk", s->jerk, " m/s^3");
	limit(text, "acceleration", s->acceleration, " m/s^2");
	limit(text, "braking",
	      s->deceleration > 0.0 ? s->deceleration : s->acceleration,
	      " m/s^2");
	limit(text, "speed", s->max_speed, " m/s");
	limit(text, "turning acceleration", s->turn_acceleration, " rad/s^2");
	limit(text, "turn", s->max_turn, " rad/s");
	limit(text, "wheels", s->wheel_speed, " m/s");
	if (s->wheel_speed > 0.0)
		text_add(text, " (%s)",
			 s->saturation == SATURATION_SCALE
				 ? "all slowed, curve kept"
				 : "each cut alone");
	if (s->model == MODEL_ACKERMANN)
		limit(text, "steering rate", s->steering_rate, " rad/s");
	if (s->apply == APPLY_PER_PACKET)
		text_add(text, ", moves by each packet and not without one");
}

static void ground(struct text *text, const struct vehicle_settings *s)
{
	struct geometry effective;

	model_geometry(s, &effective);
	if (s->model == MODEL_UNITE) {
		text_add(text, "%s",
			 s->disturbances ? "disturbances of the demo study"
					 : "none, wheels roll without slip");
		if (s->terrain) {
			item(text, "terrain rising", s->terrain_x, " along x");
			item(text, "rising", s->terrain_y, " along y");
		}
		return;
	}
	text_add(text, "slip ");
	text_number(text, s->slip * 100.0);
	text_add(text, " %%");
	item(text, "slip per g", s->slip_per_g, "");
	if (s->model == MODEL_SKID_STEER || s->model == MODEL_DIFF_DRIVE) {
		item(text, "turns about", effective.left, " m");
		item(text, "and", effective.right, " m");
		item(text, "ahead", effective.ahead, " m");
	}
	if (s->model == MODEL_MECANUM)
		item(text, "sideways efficiency", s->lateral_efficiency * 100.0,
		     " %");
	item(text, "true radius left", s->radius_left, "");
	item(text, "right", s->radius_right, "");
	item(text, "wheel noise", s->wheel_noise * 100.0, " %");
	text_add(text, ", patches %s", s->patches[0] ? s->patches : "none");
}

void choices_print(const struct vehicle_settings *settings, enum choice choice,
		   char *text, size_t size)
{
	struct text out;

	text_init(&out, text, size);
	switch (choice) {
	case CHOICE_GEOMETRY:
		geometry(&out, settings);
		break;
	case CHOICE_BEHAVIOUR:
		behaviour(&out, settings);
		break;
	case CHOICE_ACTUATOR:
		actuator(&out, settings);
		break;
	case CHOICE_GROUND:
		ground(&out, settings);
		break;
	}
}

double choices_stopping(const struct vehicle_settings *settings)
{
	const struct vehicle_settings *s = settings;
	double v = s->max_speed;
	double brake =
		s->deceleration > 0.0 ? s->deceleration : s->acceleration;
	nsec timeout = NSEC_NEVER;

	if (!vehicle_settings_timeout(s->timeout, &timeout) ||
	    timeout == NSEC_NEVER || !(v > 0.0))
		return INFINITY;
	return v * (double)(timeout + s->dead_time) / 1e9 +
	       (brake > 0.0 ? v * v / (2.0 * brake) : 0.0);
}
