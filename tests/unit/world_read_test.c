/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * world_read_test.c - what a world's files may say, and what is told if not
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vehicle/text.h"
#include "vehicle/world.h"

static char why[160];
static const char pixel[] = "P2 1 1 255 0 ";

/* A map of a YAML and an image; NULL if it is refused. */
static struct world *read_map(const char *yaml, const char *image, size_t len)
{
	return world_parse_map(yaml, strlen(yaml), (const uint8_t *)image, len,
			       why, sizeof(why));
}

/* Why a map is refused; "" if it is not. */
static const char *fault(const char *yaml, const char *image)
{
	struct world *world = read_map(yaml, image, strlen(image));

	cr_assert_eq(world == NULL, why[0] != '\0', "%s", why);
	world_free(world);
	return why;
}

#define IMAGE	 "image: m\n"
#define SIZE	 "resolution: 0.1\n"
#define ORIGIN	 "origin: [0, 0, 0]\n"
#define NEGATE	 "negate: 0\n"
#define OCCUPIED "occupied_thresh: 0.65\n"
#define FREE	 "free_thresh: 0.196\n"
#define YAML	 IMAGE SIZE ORIGIN NEGATE OCCUPIED FREE

#define LINE(n)	 "line " #n " is no such line of a map's YAML"
#define FAR	 "origin is at most 1000 km away"
#define ORDER	 "thresholds are 0 <= free <= occupied <= 1"

Test(world_read, tells_what_is_wrong_with_a_yaml)
{
	static const char *const rows[][2] = {
		{ YAML, "" },
		{ SIZE ORIGIN NEGATE OCCUPIED FREE, "image: is missing" },
		{ IMAGE ORIGIN NEGATE OCCUPIED FREE, "resolution: is missing" },
		{ IMAGE SIZE NEGATE OCCUPIED FREE, "origin: is missing" },
		{ IMAGE SIZE ORIGIN OCCUPIED FREE, "negate: is missing" },
		{ IMAGE SIZE ORIGIN NEGATE FREE,
		  "occupied_thresh: is missing" },
		{ IMAGE SIZE ORIGIN NEGATE OCCUPIED,
		  "free_thresh: is missing" },
		{ YAML "mode: trinary", "" },
		{ YAML "mode: cube", LINE(7) },
		{ YAML SIZE, LINE(7) },
		{ "resolution: x\n" YAML, LINE(1) },
		{ "resolution: 1e999\n" YAML, LINE(1) },
		{ "resolution:\n" YAML, LINE(1) },
		{ "origin: [0, 0]\n" YAML, LINE(1) },
		{ "origin: [0, 0, 0\n" YAML, LINE(1) },
		{ "origin: 0, 0, 0\n" YAML, LINE(1) },
		{ "origin: [0, 0, 0] 1\n" YAML, LINE(1) },
		{ "image: \"m\n" YAML, LINE(1) },
		{ "image: \"\"\n" YAML, LINE(1) },
		{ "# a map\nother: 1\n\n" YAML, "" },
		{ IMAGE SIZE "origin: [1e6, -1e6, 0]\n" NEGATE OCCUPIED FREE,
		  "" },
		{ IMAGE SIZE "origin: [1000001, 0, 0]\n" NEGATE OCCUPIED FREE,
		  FAR },
		{ IMAGE SIZE "origin: [0, -1000001, 0]\n" NEGATE OCCUPIED FREE,
		  FAR },
		{ IMAGE "resolution: 0\n" ORIGIN NEGATE OCCUPIED FREE,
		  "resolution is 0.0001 to 1000 metres a cell" },
		{ IMAGE SIZE ORIGIN NEGATE "occupied_thresh: 1\n"
					   "free_thresh: 0\n",
		  "" },
		{ IMAGE SIZE ORIGIN NEGATE "occupied_thresh: 0.5\n"
					   "free_thresh: 0.5\n",
		  "" },
		{ IMAGE SIZE ORIGIN NEGATE "occupied_thresh: 0.5\n"
					   "free_thresh: 0.6\n",
		  ORDER },
		{ IMAGE SIZE ORIGIN NEGATE "occupied_thresh: 0.5\n"
					   "free_thresh: -0.1\n",
		  ORDER },
		{ IMAGE SIZE ORIGIN NEGATE "occupied_thresh: 1.1\n" FREE,
		  ORDER },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_str_eq(fault(rows[i][0], pixel), rows[i][1], "%s",
				 rows[i][0]);
}

#define SHORT	   "the image's header is cut short"
#define IMPOSSIBLE "the image has an impossible size"
#define CUT	   "the image is cut short"

Test(world_read, tells_what_is_wrong_with_an_image)
{
	static const char *const rows[][2] = {
		{ "", "the image is no PGM (P2 or P5)" },
		{ "P6 1 1 255\n...", "the image is no PGM (P2 or P5)" },
		{ "P5", SHORT },
		{ "P5 1", SHORT },
		{ "P5 1 1", SHORT },
		{ "P5 1 1 255", SHORT },
		{ "P5 1 1 # 255\n", SHORT },
		{ "P5 1 1 255 # no", "" },
		{ "P5 x 1 255\n0", SHORT },
		{ "P5 1 1 x\n0", SHORT },
		{ "P5 1 1 255\n", CUT },
		{ "P5 1 1 256\n0", CUT },
		{ "P5 1 1 256\n00", "" },
		{ "P5 1 1 1\n0", "" },
		{ "P5 0 1 255\n0", IMPOSSIBLE },
		{ "P5 1 0 255\n0", IMPOSSIBLE },
		{ "P5 1 1 0\n0", IMPOSSIBLE },
		{ "P5 1 1 65535\n00", "" },
		{ "P5 1 1 65536\n00", IMPOSSIBLE },
		/* 20000 a side, 10^8 in all: whether there are so many is seen
		 * afterwards
		 */
		{ "P5 20000 1 255\n0", CUT },
		{ "P5 20001 1 255\n0", IMPOSSIBLE },
		{ "P5 1 20000 255\n0", CUT },
		{ "P5 1 20001 255\n0", IMPOSSIBLE },
		{ "P5 10000 10000 255\n0", CUT },
		{ "P5 10001 10000 255\n0", IMPOSSIBLE },
		{ "P2 1 1 255 -1 ", CUT },
		{ "P2 1 1 255 # grey\n7", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_str_eq(fault(YAML, rows[i][0]), rows[i][1], "%s",
				 rows[i][0]);
}

/* The cells of an image of one row. */
static void assert_cells(const char *yaml, const char *image, size_t len,
			 const int *want, size_t n)
{
	struct world *world = read_map(yaml, image, len);

	cr_assert(world, "%s", why);
	cr_assert_eq(world->width, n);
	for (size_t i = 0; i < n; i++)
		cr_assert_eq(world->cells[i], want[i], "%zu: %d", i,
			     world->cells[i]);
	world_free(world);
}

#define EXTREME IMAGE SIZE ORIGIN NEGATE "occupied_thresh: 1\nfree_thresh: 0\n"

Test(world_read, greys_are_taken_to_their_ends)
{
	static const char plain[] = "P2 4 1 200 0 1 200 300 ";
	static const char raw[] = "P2 4 1 255 0 50 100 101 ";
	static const char wide[] = "P5 4 1 1000\n\0\x32\0\x65\1\0\3\x88";
	static const int black_and_white[] = { 100, -1, 0, 0 };
	static const int negated[] = { 0, 0, 100, 100 };
	static const int as_they_are[] = { 0, 50, 100, -1 };
	static const int wide_ones[] = { 50, -1, -1, -1 };
	static const int shares[] = { 95, 90, 74, 10 };

	assert_cells(EXTREME, plain, sizeof(plain) - 1, black_and_white, 4);
	assert_cells(IMAGE SIZE ORIGIN OCCUPIED FREE "negate: 1\n", plain,
		     sizeof(plain) - 1, negated, 4);
	assert_cells(YAML "mode: raw\n", raw, sizeof(raw) - 1, as_they_are, 4);
	/* the high byte comes first: 50, 101, 256 and 904 of 1000 */
	assert_cells(YAML "mode: raw\n", wide, sizeof(wide) - 1, wide_ones, 4);
	assert_cells(EXTREME "mode: scale\n", wide, sizeof(wide) - 1, shares,
		     4);
}

Test(world_read, an_images_name_has_at_most_255_bytes)
{
	char yaml[512], name[256];

	for (int n = 254; n <= 256; n++) {
		snprintf(yaml, sizeof(yaml),
			 SIZE ORIGIN NEGATE OCCUPIED FREE "image: %0*d\n", n,
			 0);
		cr_assert_eq(fault(yaml, pixel)[0] == '\0', n < 256, "%d", n);
		memset(name, 'x', sizeof(name));
		cr_assert_eq(
			world_image(yaml, strlen(yaml), name, sizeof(name)),
			n < 256);
		if (n < 256)
			cr_assert_eq(strlen(name), n);
	}
	/* and no more than there is room for */
	memset(name, 'x', sizeof(name));
	snprintf(yaml, sizeof(yaml), YAML);
	cr_assert(world_image(yaml, strlen(yaml), name, 2));
	cr_assert_str_eq(name, "m");
	cr_assert_not(world_image(yaml, strlen(yaml), name, 1));
	/* a quote behind the end of the text closes nothing */
	snprintf(yaml, sizeof(yaml),
		 SIZE ORIGIN NEGATE OCCUPIED FREE "image: \"m\"");
	cr_assert(world_image(yaml, strlen(yaml), name, 2));
	cr_assert_not(world_image(yaml, strlen(yaml) - 1, name, 2));
}

/* Why walls are refused; "" if they are not. */
static const char *wall_fault(const char *text)
{
	struct world *world =
		world_parse_walls(text, strlen(text), why, sizeof(why));

	cr_assert_eq(world == NULL, why[0] != '\0', "%s", why);
	world_free(world);
	return why;
}

#define WALL(n) "line " #n ": a wall is four numbers in metres, x1,y1,x2,y2"

Test(world_read, tells_what_is_wrong_with_walls)
{
	static const char *const rows[][2] = {
		{ "0,0,1,1", "" },
		{ "x1,y1,x2,y2\n0,0,1,1\n# the end\n\n \t\r", "" },
		{ "0,0,1\n", WALL(1) },
		{ "0,0,1,1,1\n", WALL(1) },
		{ "words\nwords\n0,0,1,x\n", WALL(3) },
		{ "0,0,1,1\n\nwords\n", WALL(3) },
		{ "0,0,1,1e999", WALL(1) },
		{ "", "there is no wall in it" },
		{ "# nothing\n", "there is no wall in it" },
		{ "{}", "there is no wall in it" },
		{ "{\"a\":}", "not the JSON of a walls.json" },
		{ " \n{\"personas\":[{\"x\":1}]}", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_str_eq(wall_fault(rows[i][0]), rows[i][1], "%s",
				 rows[i][0]);
}

Test(world_read, has_twenty_thousand_walls_at_most)
{
	static const char line[] = "1,2,3,4\n";
	size_t each = sizeof(line) - 1, len = 20001 * each;
	char *csv = malloc(len);
	struct world *world;

	cr_assert(csv);
	for (size_t at = 0; at < len; at += each)
		memcpy(csv + at, line, each);
	world = world_parse_walls(csv, len - each, why, sizeof(why));
	cr_assert(world, "%s", why);
	cr_assert_eq(world->n_walls, 20000);
	for (size_t i = 0; i < 20000; i++)
		cr_assert(world->walls[i].x1 == 1 && world->walls[i].y2 == 4);
	world_free(world);
	cr_assert_null(world_parse_walls(csv, len, why, sizeof(why)));
	cr_assert_str_eq(why, WALL(20001));
	free(csv);
}

Test(world_read, what_a_wall_or_a_person_does_not_say_is_zero)
{
	static char json[8192];
	struct world *world;
	struct text text;

	/* more than there is room for at first */
	text_init(&text, json, sizeof(json));
	text_add(&text, "{\"wall_segments\":[");
	for (int i = 0; i < 150; i++)
		text_add(&text, "%s{\"x2\":%d}", i ? "," : "", i + 1);
	text_add(&text, "],\"personas\":[");
	for (int i = 0; i < 150; i++)
		text_add(&text, "%s{\"y\":%d}", i ? "," : "", i + 1);
	text_add(&text, "]}");
	world = world_parse_walls(json, strlen(json), why, sizeof(why));
	cr_assert(world, "%s", why);
	cr_assert_eq(world->n_walls, 150);
	cr_assert_eq(world->n_posts, 150);
	for (int i = 0; i < 150; i++) {
		const struct wall *wall = &world->walls[i];
		const struct post *post = &world->posts[i];

		cr_assert(wall->x1 == 0 && wall->y1 == 0 && wall->y2 == 0);
		cr_assert_eq(wall->x2, i + 1);
		cr_assert(post->x == 0 && post->radius == 0);
		cr_assert_eq(post->y, i + 1);
	}
	world_free(world);
}
