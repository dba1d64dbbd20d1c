/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arm_robot_test.c - what an arm says of robots, worlds, stops and routers
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "session/arm.h"
#include "vehicle/world.h"

#define INSIDE "[link]\nrobot = internal\n[uplink command]\nport = 1\n"
#define ROUTER "[link]\nmode = transparent\n"
#define STREAM "[uplink command]\nport = 1\n"

static struct catalog catalog;
static struct err err;

struct named {
	const char *name, *text;
};

static const struct named files[] = {
	{ "room.csv", "0,0,4,0\n4,0,4,3\n" },
	{ "broken.csv", "0,0,4\n" },
	{ "map.yaml", "image: map.pgm\nresolution: 0.5\norigin: [0, 0, 0]\n"
		      "negate: 0\noccupied_thresh: 0.65\n"
		      "free_thresh: 0.196\n" },
	{ ".yaml", "image: map.pgm\nresolution: 0.5\norigin: [0, 0, 0]\n"
		   "negate: 0\noccupied_thresh: 0.65\n"
		   "free_thresh: 0.196\n" },
	{ "yaml", "0,0,4,0\n" },
	{ "map.pgm", "P2 2 1 255\n0 254\n" },
	{ "blind.yaml", "resolution: 0.5\norigin: [0, 0, 0]\n" },
	{ "bad.yaml", "image: map.pgm\nresolution: coarse\n" },
	{ "lost.yaml", "image: lost.pgm\nresolution: 0.5\norigin: [0, 0, 0]\n"
		       "negate: 0\noccupied_thresh: 0.65\n"
		       "free_thresh: 0.196\n" },
	{ NULL, NULL },
};

static const char *load(void *context, const char *name, size_t *size,
			char *why, size_t why_size)
{
	(void)context;
	for (const struct named *file = files; file->name; file++) {
		if (strcmp(file->name, name) != 0)
			continue;
		*size = strlen(file->text);
		return file->text;
	}
	snprintf(why, why_size, "there is no such file");
	return NULL;
}

static struct arm *make(const char *text)
{
	const struct arm_source source = { .file = "arm.ini",
					   .text = text,
					   .size = strlen(text),
					   .load = load,
					   .catalog = &catalog };
	struct arm *arm;

	catalog_init(&catalog);
	err_fini(&err);
	arm = arm_new(&source, &err, NULL);
	cr_assert_eq(arm == NULL, err.n > 0);
	return arm;
}

static struct arm *good(const char *text)
{
	struct arm *arm = make(text);

	cr_assert(arm, "%s: %s", text, err.n ? err.line[0] : "");
	return arm;
}

/* Exactly one fault, at a line, with these words. */
static void refused(const char *text, int line, const char *words)
{
	char where[32];

	cr_assert_null(make(text), "%s", text);
	cr_assert_eq(err.n, 1, "%s: %s", text, err.line[err.n > 1]);
	snprintf(where, sizeof(where), "arm.ini:%d: ", line);
	cr_assert_eq(strncmp(err.line[0], where, strlen(where)), 0, "%s",
		     err.line[0]);
	cr_assert_not_null(strstr(err.line[0], words), "%s", err.line[0]);
	err_fini(&err);
}

Test(arm_robot, a_preset_is_under_what_stands_around_it)
{
	struct arm *arm = good(INSIDE "[vehicle]\nmax_speed = 0.5m/s\n"
				      "preset = rosbot-2r\n"
				      "timeout = off\n");
	const struct vehicle_settings *s = &arm->vehicle.settings;

	/* as the robot's own controller has them, but for two */
	cr_assert_eq(s->model, MODEL_SKID_STEER);
	cr_assert_float_eq(s->wheel_radius, 0.0425, 1e-12);
	cr_assert_float_eq(s->wheel_separation, 0.186, 1e-12);
	cr_assert_float_eq(s->max_turn, 3.0, 1e-12);
	cr_assert_eq(s->odom_every, 50 * NSEC_PER_MS);
	cr_assert_float_eq(s->max_speed, 0.5, 1e-12);
	cr_assert_str_eq(s->timeout, "off");
	arm_free(arm);
}

Test(arm_robot, an_unknown_preset_is_told_with_all_there_are)
{
	refused(INSIDE "[vehicle]\npreset = rosbot\n", 6,
		"preset = rosbot: write one of rosbot-2r, rosbot-2r-mecanum, "
		"rosbot-xl");
	refused(INSIDE "[vehicle]\nwheels = 3\n", 6, "wheels");
}

Test(arm_robot, a_world_of_walls_is_read_with_the_arm)
{
	struct arm *arm = good(INSIDE "[vehicle]\nworld = room.csv\n");
	char why[256];
	struct world *world = arm_world(arm, why, sizeof(why));

	cr_assert(world);
	cr_assert_eq(world->n_walls, 2);
	cr_assert_eq(arm->n_files, 1);
	cr_assert_str_eq(arm->files[0].name, "room.csv");
	world_free(world);
	arm_free(arm);
	/* a name too short to end so is one of walls */
	arm = good(INSIDE "[vehicle]\nworld = yaml\n");
	world = arm_world(arm, why, sizeof(why));
	cr_assert(world && world->n_walls == 1);
	world_free(world);
	arm_free(arm);
	arm = good(INSIDE);
	strcpy(why, "not said here");
	cr_assert_null(arm_world(arm, why, sizeof(why)));
	cr_assert_eq(*why, '\0');
	arm_free(arm);
}

Test(arm_robot, a_map_brings_its_image)
{
	struct arm *arm = good(INSIDE "[vehicle]\nworld = map.yaml\n");
	char why[256];
	struct world *world = arm_world(arm, why, sizeof(why));

	cr_assert(world, "%s", why);
	cr_assert_eq(world->width, 2);
	cr_assert_eq(world->cells[0], CELL_OCCUPIED);
	cr_assert_eq(world->cells[1], CELL_FREE);
	cr_assert_eq(arm->n_files, 2);
	cr_assert_str_eq(arm->files[1].name, "map.pgm");
	world_free(world);
	arm_free(arm);
	/* whatever stands before the ending, or nothing */
	arm = good(INSIDE "[vehicle]\nworld = .yaml\n");
	world = arm_world(arm, why, sizeof(why));
	cr_assert(world && world->width == 2, "%s", why);
	world_free(world);
	arm_free(arm);
}

Test(arm_robot, a_world_that_cannot_be_had_is_told)
{
	refused(INSIDE "[vehicle]\nworld = none.csv\n", 6,
		"there is no such file");
	refused(INSIDE "[vehicle]\nworld = broken.csv\n", 6, "broken.csv");
	refused(INSIDE "[vehicle]\nworld = blind.yaml\n", 6,
		"image: is missing");
	refused(INSIDE "[vehicle]\nworld = bad.yaml\n", 6,
		"line 2 is no such line of a map's YAML");
	refused(INSIDE "[vehicle]\nworld = lost.yaml\n", 6,
		"there is no such file");
}

Test(arm_robot, settings_that_contradict_each_other_are_told)
{
	refused(INSIDE "[vehicle]\nmodel = diff-drive\nbehaviour = dynamic\n",
		5, "[vehicle] ");
}

Test(arm_robot, stops_go_into_a_stream_with_a_port)
{
	struct arm *arm =
		good(INSIDE "[uplink other]\nport = 2\n"
			    "[safety]\nstream = other\ndeadman = 250ms\n");

	cr_assert_eq(arm->safety.channel, 1);
	cr_assert_eq(arm->safety.deadman, 250 * NSEC_PER_MS);
	arm_free(arm);
	arm = good(INSIDE "[safety]\ndeadman = off\n");
	cr_assert_eq(arm->safety.deadman, NSEC_NEVER);
	cr_assert_eq(arm->safety.channel, 0);
	arm_free(arm);
	arm = good(INSIDE "[safety]\ndeadman = 1ms\n");
	cr_assert_eq(arm->safety.deadman, NSEC_PER_MS);
	arm_free(arm);
	refused(INSIDE "[safety]\nstream = video\n", 6,
		"there is no [uplink …] of this name");
	refused(INSIDE "[safety]\ndeadman = 999us\n", 6, "deadman");
	refused(INSIDE "[safety]\ndeadman = soon\n", 6, "deadman = soon");
	refused("[link]\nrobot = 10.0.0.2\n[downlink odom]\nport = 2\n"
		"[uplink answer]\nreply = odom\n"
		"[safety]\nstream = answer\n",
		8, "it is a reply and has no fixed destination");
}

Test(arm_robot, a_router_needs_the_robots_address)
{
	struct arm *arm = good(ROUTER "robot = 10.0.1.2\n" STREAM);

	cr_assert_eq(arm->link.mode, MODE_TRANSPARENT);
	arm_free(arm);
	refused(ROUTER "[downlink odom]\nport = 1\n", 1,
		"write robot = ADDRESS in [link]");
	refused(ROUTER "robot = internal\n" STREAM, 3,
		"a transparent proxy stands before a robot");
	refused(ROUTER "robot = fe80::1\n" STREAM, 3,
		"a link-local address crosses no router");
}

Test(arm_robot, a_router_has_both_ends_in_one_ip_version)
{
	struct arm *arm = good(ROUTER "robot = fd00::2\nheadset = fd01::1\n"
				      "[uplink command]\nport = 1\n");

	arm_free(arm);
	arm = good(ROUTER "robot = 10.0.1.2\nheadset = 10.0.1.0/24\n" STREAM);
	cr_assert(arm->link.learn);
	arm_free(arm);
	/* a network may have the robot in it, as its first host too */
	arm_free(good(ROUTER
		      "robot = 10.0.1.2\nheadset = 10.0.1.2/31\n" STREAM));
	refused(ROUTER "robot = 10.0.1.2\nheadset = fd01::1\n" STREAM, 4,
		"headset and robot must be of one IP version");
	refused(ROUTER "robot = 10.0.1.2\nheadset = 10.0.1.2\n" STREAM, 4,
		"that is the robot's address");
}

Test(arm_robot, names_of_interfaces_are_names)
{
	static const char *const bad[] = {
		"eth0;drop", "a-name-of-16-chr",  "eth0 \"",
		",eth0",     "a,b,c,d,e,f,g,h,i",
	};
	static const char *const fine[] = {
		"wlan0",	"wlan0, wlan1",	   "a-name-of-15-ch",
		"br-lan.7:1@x", "a,b,c,d,e,f,g,h",
	};
	char text[256];

	for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++) {
		snprintf(text, sizeof(text),
			 ROUTER
			 "robot = 10.0.1.2\nheadset_interface = %s\n" STREAM,
			 fine[i]);
		arm_free(good(text));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text),
			 ROUTER
			 "robot = 10.0.1.2\nheadset_interface = %s\n" STREAM,
			 bad[i]);
		refused(text, 4,
			"write the name of an interface, or up to "
			"eight");
	}
	refused(ROUTER
		"robot = 10.0.1.2\nrobot_interface = eth0, eth1\n" STREAM,
		4, "write the name of one interface, such as eth1");
}
