/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * world_test.c - walls and maps: reading them, rays, distances
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/garage.h"

#define PI 3.14159265358979323846

static struct world *walls(const char *text)
{
	char why[128] = "";
	struct world *world =
		world_parse_walls(text, strlen(text), why, sizeof(why));

	cr_assert(world, "%s", why);
	return world;
}

#define YAML                                                                   \
	"image: map.pgm\nresolution: 0.1\norigin: [0.0, 0.0, 0.0]\n"           \
	"negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"

static struct world *map(const char *yaml, const void *pgm, size_t len)
{
	char why[128] = "";
	struct world *world =
		world_parse_map(yaml, strlen(yaml), pgm, len, why, sizeof(why));

	cr_assert(world, "%s", why);
	return world;
}

/* A map of 12 by 12 cells of which column 8 is a wall. */
static struct world *column_map(const char *yaml)
{
	char pgm[256];
	int n = snprintf(pgm, sizeof(pgm), "P5\n# a comment\n12 12\n255\n");

	for (int i = 0; i < 144; i++)
		pgm[n + i] = (char)(i % 12 == 8 ? 0 : 254);
	return map(yaml, pgm, (size_t)n + 144);
}

Test(world, ray_meets_a_wall_or_passes_it)
{
	struct world *world = walls("2,-1,2,1\n");

	cr_assert_float_eq(world_cast(world, 0, 0, 0, 10), 2, TINY);
	cr_assert_eq(world_cast(world, 0, 0, PI / 4, 10), INFINITY);
	cr_assert_eq(world_cast(world, 0, 0, PI, 10), INFINITY);
	cr_assert_eq(world_cast(world, 0, 0, 0, 1.9), INFINITY);
	world_free(world);
}

Test(world, ray_along_a_wall_meets_its_nearer_end)
{
	struct world *world = walls("1,0,3,0\n");

	cr_assert_float_eq(world_cast(world, 0, 0, 0, 10), 1, TINY);
	cr_assert_float_eq(world_cast(world, 4, 0, PI, 10), 1, TINY);
	cr_assert_eq(world_cast(world, 4, 0, 0, 10), INFINITY);
	cr_assert_eq(world_cast(world, 2, 0, 0, 10), 0);
	cr_assert_eq(world_cast(world, 0, 0.1, 0, 10), INFINITY);
	world_free(world);
}

Test(world, reads_csv_with_header_comments_and_gaps)
{
	struct world *world = walls("x1,y1,x2,y2\r\n# the north wall\r\n\r\n"
				    " -1.5 , 2 , 1e1 , 2\r\n0,0,1,1");

	cr_assert_eq(world->n_walls, 2);
	cr_assert_eq(world->walls[0].x1, -1.5);
	cr_assert_eq(world->walls[0].x2, 10);
	world_free(world);
}

Test(world, reads_walls_json_with_people)
{
	struct world *world =
		walls("{\"version\":3,\"unit\":\"m\",\"map_info\":{\"image\":"
		      "\"m.pgm\",\"resolution\":0.05,\"origin\":[0,0,0],"
		      "\"width\":10,\"height\":10},\"wall_segments\":[{\"x1\":"
		      "2,\"y1\":-1,\"x2\":2,\"y2\":1},{\"x1\":0,\"y1\":3,"
		      "\"x2\":1,\"y2\":3}],\"corners\":[{\"x\":2,\"y\":1}],"
		      "\"personas\":[{\"x\":0,\"y\":-3,\"radio_m\":0.5,"
		      "\"arco_deg\":90}]}");

	cr_assert_eq(world->n_walls, 2);
	cr_assert_eq(world->n_posts, 1);
	cr_assert_float_eq(world_cast(world, 0, 0, 0, 10), 2, TINY);
	cr_assert_float_eq(world_cast(world, 0, 0, -PI / 2, 10), 2.5, TINY);
	cr_assert_eq(world_cast(world, 0, -2.9, 1, 10), 0);
	cr_assert_float_eq(world_clearance(world, 0, -1, 5), 1.5, TINY);
	world_free(world);
}

Test(world, refuses_walls_that_are_none)
{
	const char *const bad[] = {
		"",
		"\n\n",
		"1,2,3\n",
		"1,2,3,4,5\n",
		"1,2,3,x\n",
		"1,2,3,4\nwords\n",
		"{\"walls\":",
		"{}",
		"1,2,3,1e999\n",
	};
	char why[128];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_assert_null(world_parse_walls(bad[i], strlen(bad[i]), why,
						 sizeof(why)),
			       "%s", bad[i]);
		cr_assert(strlen(why) > 0);
	}
}

Test(world, ray_ends_on_the_face_of_a_cell)
{
	struct world *world = column_map(YAML);

	cr_assert_float_eq(world_cast(world, 0.25, 0.55, 0, 5), 0.55, TINY);
	cr_assert_float_eq(world_cast(world, 0.25, 0.55, PI / 6, 5), 0.635085,
			   1e-6);
	/* beyond the wall, on its other side */
	cr_assert_float_eq(world_cast(world, 1.15, 0.55, PI, 5), 0.25, TINY);
	world_free(world);
}

Test(world, range_on_a_map_is_continuous)
{
	struct world *world = column_map(YAML);

	for (double x = 0.01; x < 0.79; x += 0.001)
		cr_assert_float_eq(world_cast(world, x, 0.555, 0, 5), 0.8 - x,
				   TINY);
	world_free(world);
}

Test(world, ray_from_outside_a_map_enters_it)
{
	struct world *world = column_map(YAML);

	cr_assert_float_eq(world_cast(world, -1, 0.55, 0, 5), 1.8, TINY);
	cr_assert_float_eq(world_cast(world, 3, 0.55, PI, 5), 2.1, TINY);
	cr_assert_eq(world_cast(world, -1, 0.55, PI, 5), INFINITY);
	cr_assert_eq(world_cast(world, -1, 1.3, 0, 5), INFINITY);
	cr_assert_eq(world_cast(world, -1, 0.55, 0, 1.7), INFINITY);
	world_free(world);
}

Test(world, rays_along_the_grid_end)
{
	struct world *world = column_map(YAML);
	const double angles[] = { 0.0,	 -0.0,	 PI / 2, -PI / 2,
				  PI,	 -PI,	 PI / 4, 3 * PI / 4,
				  1e-17, 5 * PI, -1e-300 };

	for (size_t i = 0; i < sizeof(angles) / sizeof(angles[0]); i++)
		for (int at = -2; at < 15; at++) {
			double d = world_cast(world, at * 0.1, at * 0.1,
					      angles[i], 100);

			cr_assert(d >= 0);
		}
	cr_assert_float_eq(world_cast(world, 0.3, 0.5, 0, 5), 0.5, TINY);
	cr_assert_eq(world_cast(world, 0.3, 0.5, PI / 2, 5), INFINITY);
	world_free(world);
}

Test(world, does_not_slip_between_cells_that_touch)
{
	const char pgm[] = "P2\n2 2\n255\n0 255\n255 0\n";
	struct world *world = map(YAML, pgm, strlen(pgm));

	/* the diagonal through the corner that both walls share */
	cr_assert_float_eq(world_cast(world, 0.05, 0.05, PI / 4, 5),
			   0.05 * sqrt(2), 1e-6);
	world_free(world);
}

Test(world, knows_a_map_that_is_moved_and_turned)
{
	const char *yaml = "image: m\nresolution: 0.1\norigin: [-1, 2, "
			   "1.5707963267948966]\nnegate: 0\n"
			   "occupied_thresh: 0.65\nfree_thresh: 0.196\n";
	struct world *world = column_map(yaml);

	/* columns go up now, and rows to the left */
	cr_assert_float_eq(world_cast(world, -1.55, 2.25, PI / 2, 5), 0.55,
			   1e-9);
	cr_assert_float_eq(world_clearance(world, -1.55, 2.75, 1), 0.05, 1e-9);
	world_free(world);
}

Test(world, inside_an_obstacle_all_is_at_zero)
{
	struct world *world = column_map(YAML);

	cr_assert_eq(world_cast(world, 0.85, 0.55, 1, 5), 0);
	cr_assert_eq(world_clearance(world, 0.85, 0.55, 1), 0);
	cr_assert_float_eq(world_clearance(world, 0.6, 0.55, 1), 0.2, TINY);
	cr_assert_float_eq(world_clearance(world, 0.6, 0.55, 0.1), 0.1, TINY);
	world_free(world);
}

Test(world, bears_poses_that_are_none)
{
	struct world *world = column_map(YAML);

	cr_assert_eq(world_cast(world, NAN, 0, 0, 5), INFINITY);
	cr_assert_eq(world_cast(world, 0, 0, INFINITY, 5), INFINITY);
	cr_assert_eq(world_cast(NULL, 0, 0, 0, 5), INFINITY);
	cr_assert_eq(world_clearance(NULL, 0, 0, 5), 5);
	world_free(world);
	world_free(NULL);
}

static void assert_greys(const char *yaml, const int want[9])
{
	const unsigned char grey[9] = {
		0, 89, 90, 100, 204, 205, 206, 254, 255
	};
	unsigned char pgm[64] = "P5 9 1 255\n";
	struct world *world;

	memcpy(pgm + 11, grey, 9);
	world = map(yaml, pgm, 20);
	for (int i = 0; i < 9; i++)
		cr_assert_eq(world->cells[i], want[i], "grey %d is %d, not %d",
			     grey[i], world->cells[i], want[i]);
	world_free(world);
}

Test(world, takes_greys_as_map_server_does)
{
	const int usual[9] = { 100, 100, -1, -1, -1, -1, 0, 0, 0 };
	const int lax[9] = { 100, 100, -1, -1, 0, 0, 0, 0, 0 };
	const int negated[9] = { 0, -1, -1, -1, 100, 100, 100, 100, 100 };

	assert_greys(YAML, usual);
	assert_greys("image: m\nresolution: 0.1\norigin: [0,0,0]\nnegate: 0\n"
		     "occupied_thresh: 0.65\nfree_thresh: 0.25\n",
		     lax);
	assert_greys("image: m\nresolution: 0.1\norigin: [0,0,0]\n"
		     "negate: true\noccupied_thresh: 0.65\n"
		     "free_thresh: 0.196\n",
		     negated);
}

Test(world, mode_scale_shares_out_what_is_between_the_thresholds)
{
	/* 100 * (p - 0.196) / (0.65 - 0.196) with p = 1 - grey / 255 */
	const int shared[9] = { 100, 100, 99, 91, 1, 0, 0, 0, 0 };

	assert_greys(YAML "mode: scale\n", shared);
}

Test(world, cells_are_a_tenth_of_a_millimetre_to_a_kilometre)
{
	const char *const sizes[] = { "0.0001", "1000", "0.00009", "1001" };
	const char pgm[] = "P2 1 1 255 0 ";
	char yaml[256], why[128];

	for (int i = 0; i < 4; i++) {
		struct world *world;

		snprintf(yaml, sizeof(yaml),
			 "image: m\nresolution: %s\norigin: [0,0,0]\n"
			 "negate: 0\noccupied_thresh: 0.65\n"
			 "free_thresh: 0.196\n",
			 sizes[i]);
		world = world_parse_map(yaml, strlen(yaml),
					(const uint8_t *)pgm, strlen(pgm), why,
					sizeof(why));
		cr_assert_eq(world != NULL, i < 2, "%s", sizes[i]);
		world_free(world);
	}
}

/* The test map of nav2_map_server: its rows from the bottom up. */
Test(world, first_row_of_an_image_is_the_last_of_the_map)
{
	const char *const rows[10] = {
		"0000000000", "1111001110", "1111001110", "1000000000",
		"1000000000", "1000001100", "1000001100", "1000001100",
		"1000001100", "1000000000",
	};
	char pgm[128];
	int n = snprintf(pgm, sizeof(pgm), "P5\n10 10\n255\n");
	struct world *world;

	for (int i = 0; i < 100; i++)
		pgm[n + i] = (char)(rows[9 - i / 10][i % 10] == '1' ? 0 : 255);
	world = map("image: testmap.pgm\nresolution: 0.1\n"
		    "origin: [2.0, 3.0, 1.0]\nnegate: 0\n"
		    "occupied_thresh: 0.65\nfree_thresh: 0.196\n",
		    pgm, (size_t)n + 100);
	for (int i = 0; i < 100; i++)
		cr_assert_eq(world->cells[i],
			     rows[i / 10][i % 10] == '1' ? 100 : 0);
	cr_assert_eq(world->width, 10);
	cr_assert_eq(world->x, 2);
	cr_assert_eq(world->yaw, 1);
	world_free(world);
}

Test(world, reads_modes_wide_pixels_and_yaml_as_people_write_it)
{
	const unsigned char wide[] = "P5 2 1 65535\n\0\0\xff\xff";
	const char raw[] = "P2 3 1 255 0 100 205 ";
	struct world *world;

	world = map("# a map\r\nimage: \"my map.pgm\" # quoted\r\n"
		    "mode: scale\r\nresolution: 0.050000\r\n"
		    "origin: [ -1.0 , 2 , 0 ]\r\nnegate: false\r\n"
		    "occupied_thresh: 0.65\r\nfree_thresh: 0.196\r\n",
		    wide, 17);
	cr_assert_eq(world->cells[0], 100);
	cr_assert_eq(world->cells[1], 0);
	cr_assert_eq(world->resolution, 0.05);
	world_free(world);
	world = map(YAML "mode: raw\n", raw, strlen(raw));
	cr_assert_eq(world->cells[0], 0);
	cr_assert_eq(world->cells[1], 100);
	cr_assert_eq(world->cells[2], CELL_UNKNOWN);
	world_free(world);
}

Test(world, names_the_image_of_a_map)
{
	const char *yaml = YAML;
	const char zero[] = "image: \"m.pgm\0\"\nresolution: 0.1\n"
			    "origin: [0, 0, 0]\nnegate: 0\n"
			    "occupied_thresh: 0.65\nfree_thresh: 0.196\n";
	char name[16];

	cr_assert(world_image(yaml, strlen(yaml), name, sizeof(name)));
	cr_assert_str_eq(name, "map.pgm");
	cr_assert_not(world_image(yaml, strlen(yaml), name, 4));
	cr_assert_not(world_image("mode: raw\n", 10, name, sizeof(name)));
	/* a zero byte ends no name */
	cr_assert_not(world_image(zero, sizeof(zero) - 1, name, sizeof(name)));
}

static void assert_no_map(const char *yaml, const char *pgm, size_t len)
{
	char why[128];

	cr_assert_null(world_parse_map(yaml, strlen(yaml), (const uint8_t *)pgm,
				       len, why, sizeof(why)));
	cr_assert(strlen(why) > 0);
}

Test(world, refuses_maps_that_are_none)
{
	const char *pgm = "P2 1 1 255 0 ";
	const char *const images[] = { "",
				       "P6 1 1 255\n...",
				       "P5 1 1",
				       "P5 0 1 255\n",
				       "P5 2 2 255\nabc",
				       "P5 99999 99999 255\n",
				       "P2 2 1 255 0 x",
				       "P2 1 1 70000 0 ",
				       "P5 -1 1 255\n" };

	for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); i++)
		assert_no_map(YAML, images[i], strlen(images[i]));
	assert_no_map("resolution: 0.1\n", pgm, strlen(pgm));
	assert_no_map(YAML "resolution: 0.1\n", pgm, strlen(pgm));
	assert_no_map("image: m\nresolution: 0.1\norigin: [0,0]\nnegate: 0\n"
		      "occupied_thresh: 0.65\nfree_thresh: 0.196\n",
		      pgm, strlen(pgm));
	assert_no_map("image: m\nresolution: 0\norigin: [0,0,0]\nnegate: 0\n"
		      "occupied_thresh: 0.65\nfree_thresh: 0.196\n",
		      pgm, strlen(pgm));
	assert_no_map("image: m\nresolution: 1\norigin: [0,0,0]\nnegate: 0\n"
		      "occupied_thresh: 0.2\nfree_thresh: 0.7\n",
		      pgm, strlen(pgm));
	assert_no_map("image: m\nresolution: 1\norigin: [0,0,0]\nnegate: 0\n"
		      "occupied_thresh: 2\nfree_thresh: 2\n",
		      pgm, strlen(pgm));
}
