/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * world_ray_test.c - rays and distances: ends, edges, corners, places
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "vehicle/world.h"

#define TINY 1e-9
#define PI   3.14159265358979323846
#define NONE INFINITY

static struct world *walls(const char *text)
{
	char why[128] = "";
	struct world *world =
		world_parse_walls(text, strlen(text), why, sizeof(why));

	cr_assert(world, "%s", why);
	return world;
}

/* A map of cells of 1 m, its corner at (10, 20); its first row is on top. */
static struct world *cells(const char *pgm)
{
	static const char yaml[] =
		"image: m\nresolution: 1\norigin: [10, 20, 0]\nnegate: 0\n"
		"occupied_thresh: 0.65\nfree_thresh: 0.196\n";
	char why[128] = "";
	struct world *world =
		world_parse_map(yaml, sizeof(yaml) - 1, (const uint8_t *)pgm,
				strlen(pgm), why, sizeof(why));

	cr_assert(world, "%s", why);
	return world;
}

/* From where a ray goes which way, within 100 m, and how far it comes. */
struct ray {
	double x, y, degrees, distance;
};

static void assert_rays(const struct world *world, const struct ray *ray,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double got = world_cast(world, ray[i].x, ray[i].y,
					ray[i].degrees * PI / 180, 100);

		cr_assert(got == ray[i].distance ||
				  fabs(got - ray[i].distance) < TINY,
			  "%zu: %.17g", i, got);
	}
}

#define RAYS(world, rays)                                                      \
	assert_rays(world, rays, sizeof(rays) / sizeof(rays[0]))

Test(world_ray, meets_a_wall_up_to_its_ends)
{
	struct world *world = walls("3,1,3,2\n");
	const struct ray rays[] = {
		{ 1, 1, 0, 2 },
		{ 1, 2, 0, 2 },
		{ 1, 0.999, 0, NONE },
		{ 1, 2.001, 0, NONE },
		{ 1, 1.25, 0, 2 },
		{ 5, 1.75, 180, 2 },
		/* a ray begins where it begins */
		{ 3, 1.5, 0, 0 },
		{ 3.5, 1.5, 0, NONE },
		{ 2.5, 1.5, 0, 0.5 },
		/* slanting: the wall is 2 m away along x */
		{ 1, -0.5, 45, 2 * sqrt(2) },
		{ 1, 3.5, -45, 2 * sqrt(2) },
		{ 1, -1.5, 45, NONE },
	};

	RAYS(world, rays);
	world_free(world);
}

Test(world_ray, runs_along_a_wall_from_its_ends)
{
	struct world *world = walls("3,1,5,1\n3,4,3.5,4\n8,11,8,13\n");
	const struct ray rays[] = {
		{ 1, 1, 0, 2 },
		{ 2.5, 1, 0, 0.5 },
		{ 3, 1, 0, 0 },
		{ 4, 1, 0, 0 },
		{ 5, 1, 0, 0 },
		{ 5.5, 1, 0, NONE },
		{ 6, 1, 180, 1 },
		{ 2, 1, 180, NONE },
		{ 4, 1.25, 0, NONE },
		{ 4.5, 1, 180, 0 },
		/* a short one, and one that goes up */
		{ 2.75, 4, 0, 0.25 },
		{ 3.75, 4, 180, 0.25 },
		{ 8, 14, -90, 1 },
		{ 8, 10.5, 90, 0.5 },
	};

	RAYS(world, rays);
	world_free(world);
}

#define POSTS "{\"personas\":[{\"x\":4,\"y\":3,\"radio_m\":0.5}]}"

Test(world_ray, meets_a_post_where_it_is)
{
	struct world *world = walls(POSTS);
	const struct ray rays[] = {
		{ 1, 3, 0, 2.5 },
		{ 4, 7, -90, 3.5 },
		{ 7, 3, 180, 2.5 },
		/* it is behind, or beside */
		{ 7, 3, 0, NONE },
		{ 4.75, 3, 0, NONE },
		{ 1, 3.51, 0, NONE },
		{ 1, 2.49, 0, NONE },
		/* off its middle: the half chord is 0.3 m short of it */
		{ 1, 3.4, 0, 2.7 },
		{ 1, 2.6, 0, 2.7 },
		/* it is touched */
		{ 1, 3.5, 0, 3 },
		/* on its edge, and within */
		{ 3.5, 3, 180, 0 },
		{ 4.1, 3.2, 77, 0 },
		/* less than a metre off, and it is no obstacle behind */
		{ 3.25, 3, 0, 0.25 },
		{ 3.25, 3, 180, NONE },
		{ 3.25, 3, 90, NONE },
	};

	RAYS(world, rays);
	cr_assert_float_eq(world_clearance(world, 1, 7, 50), 4.5, TINY);
	cr_assert_float_eq(world_clearance(world, 4.75, 3, 50), 0.25, TINY);
	cr_assert_eq(world_clearance(world, 4.1, 3.2, 50), 0);
	world_free(world);
}

Test(world_ray, reaches_as_far_as_it_is_followed)
{
	struct world *world = walls("3,-1,3,1\n");

	cr_assert_eq(world_cast(world, 1, 0, 0, 2), 2);
	cr_assert_eq(world_cast(world, 1, 0, 0, 1.999), NONE);
	world_free(world);
	/* the same on a map */
	world = cells("P2 3 1 255 254 254 0 ");
	cr_assert_eq(world_cast(world, 10.5, 20.5, 0, 1.5), 1.5);
	cr_assert_eq(world_cast(world, 10.5, 20.5, 0, 1.499), NONE);
	cr_assert_eq(world_cast(world, 8, 20.5, 0, 4), 4);
	world_free(world);
	world = cells("P2 1 1 255 0 ");
	cr_assert_eq(world_cast(world, 8, 20.5, 0, 2), 2);
	cr_assert_eq(world_cast(world, 8, 20.5, 0, 1.999), NONE);
	world_free(world);
}

Test(world_ray, crosses_a_map_from_any_side_and_leaves_it)
{
	/* 3 by 3, the middle of the right column and of the bottom row */
	struct world *world = cells("P2 3 3 255 254 254 254 254 254 0 "
				    "254 0 254 ");
	const struct ray rays[] = {
		/* from inside */
		{ 10.25, 21.5, 0, 1.75 },
		{ 11.5, 22.5, -90, 1.5 },
		{ 10.25, 21.5, 180, NONE },
		{ 10.25, 21.5, 90, NONE },
		{ 10.25, 20.25, 0, 0.75 },
		{ 12.5, 20.25, 180, 0.5 },
		{ 12.5, 20.25, 90, 0.75 },
		{ 12.5, 22.5, -90, 0.5 },
		{ 11.25, 21.25, -45, 0.25 * sqrt(2) },
		/* from outside, straight and slanting */
		{ 15, 21.5, 180, 2 },
		{ 11.5, 18, 90, 2 },
		{ 11.5, 25, -90, 4 },
		{ 7, 21.5, 0, 5 },
		{ 14, 20.5, 135, sqrt(2) },
		{ 9.5, 18.5, 45, 1.5 * sqrt(2) },
		{ 8, 18.25, 45, NONE },
		/* past it */
		{ 7, 23.5, 0, NONE },
		{ 7, 19.5, 0, NONE },
		{ 9.5, 25, -90, NONE },
		{ 13.5, 25, -90, NONE },
		{ 15, 21.5, 0, NONE },
		{ 11.5, 18, -90, NONE },
		/* within, all is at zero; from an edge a ray goes in or out */
		{ 12.5, 21.5, 123, 0 },
		{ 11, 20.5, 0, 0 },
		{ 12, 20.5, 180, 0 },
		{ 12, 20.5, 0, NONE },
		{ 11.5, 20, 90, 0 },
		{ 11.5, 21, -90, 0 },
		{ 11.5, 21, 90, NONE },
		{ 12, 20.5, 30, 1 },
		/* a cell has its left and its lower edge */
		{ 10.25, 21, 0, 1.75 },
		{ 7, 20, 0, 4 },
		{ 7, 23, 0, NONE },
	};

	RAYS(world, rays);
	world_free(world);
}

Test(world_ray, what_leaves_a_row_does_not_come_back_in_the_next)
{
	struct world *world = cells("P2 3 3 255 0 254 254 254 254 254 "
				    "254 254 0 ");
	const struct ray rays[] = {
		{ 11.5, 21.5, 0, NONE },
		{ 11.5, 21.5, 180, NONE },
		{ 13, 21.5, 0, NONE },
		{ 9.5, 21.5, 180, NONE },
	};

	RAYS(world, rays);
	world_free(world);
}

Test(world_ray, distance_is_to_the_nearest_point_of_a_wall)
{
	struct world *world = walls("3,1,5,2\n7,7,7,7\n-4,3,-3.5,3\n");
	const double off = sqrt(5);
	const struct ray points[] = {
		/* beside it, on either side: (-1, 2) / sqrt 5 is across */
		{ 4 - 1 / off, 1.5 + 2 / off, 0, 1 },
		{ 4 + 1 / off, 1.5 - 2 / off, 0, 1 },
		{ 3.5 - 0.5 / off, 1.25 + 1 / off, 0, 0.5 },
		/* beyond its ends */
		{ 0, 1 - 4, 0, 5 },
		{ 3 - 2, 1 - 1, 0, off },
		{ 5 + 4, 2, 0, 4 },
		{ 5 + 1, 2 + 0.5, 0, off / 2 },
		/* on it; and a wall that is a point */
		{ 4, 1.5, 0, 0 },
		{ 7, 7.5, 0, 0.5 },
		{ 10, 11, 0, 5 },
		/* a short one: before its middle, and behind its end */
		{ -3.75, 3.25, 0, 0.25 },
		{ -3.2, 3.4, 0, 0.5 },
	};

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
		cr_assert_float_eq(
			world_clearance(world, points[i].x, points[i].y, 50),
			points[i].distance, TINY, "%zu: %g", i,
			world_clearance(world, points[i].x, points[i].y, 50));
	world_free(world);
}

Test(world_ray, every_wall_counts_the_first_too)
{
	struct world *world = walls("1,-1,1,1\n5,-1,5,1\n9,-1,9,1\n");

	cr_assert_float_eq(world_clearance(world, 0, 0, 50), 1, TINY);
	cr_assert_float_eq(world_clearance(world, 4.5, 0, 50), 0.5, TINY);
	cr_assert_float_eq(world_clearance(world, 9.25, 0, 50), 0.25, TINY);
	cr_assert_float_eq(world_cast(world, 0, 0, 0, 50), 1, TINY);
	cr_assert_float_eq(world_cast(world, 6, 0, 0, 50), 3, TINY);
	world_free(world);
}

Test(world_ray, distance_on_a_map_is_to_the_edge_of_a_cell)
{
	/* all four corners of 4 by 4, and nothing else */
	struct world *world =
		cells("P2 4 4 255 0 254 254 0 254 254 254 254 254 254 254 254 "
		      "0 254 254 0 ");
	const struct ray points[] = {
		{ 12, 22, 0, sqrt(2) },
		/* left, right, below and above of a cell */
		{ 11.25, 20.5, 0, 0.25 },
		{ 12.75, 20.5, 0, 0.25 },
		{ 10.5, 22.75, 0, 0.25 },
		{ 10.5, 21.25, 0, 0.25 },
		{ 13.5, 22.75, 0, 0.25 },
		{ 13.5, 21.25, 0, 0.25 },
		/* off its corner, and within */
		{ 11.3, 21.4, 0, 0.5 },
		{ 12.7, 22.6, 0, 0.5 },
		{ 10.5, 20.5, 0, 0 },
		{ 13.999, 23.001, 0, 0 },
		/* from outside the map */
		{ 9, 20.5, 0, 1 },
		{ 16, 20.5, 0, 2 },
		{ 10.5, 17, 0, 3 },
		{ 10.5, 25, 0, 1 },
		{ 17, 28, 0, 5 },
		{ 7, 16, 0, 5 },
	};

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
		for (int reach = 6; reach < 100; reach += 40)
			cr_assert_float_eq(world_clearance(world, points[i].x,
							   points[i].y, reach),
					   points[i].distance, TINY, "%zu: %g",
					   i,
					   world_clearance(world, points[i].x,
							   points[i].y, reach));
	/* nothing nearer than it looks */
	cr_assert_float_eq(world_clearance(world, 12, 22, 1), 1, TINY);
	cr_assert_float_eq(world_clearance(world, 12, 22, 1.4), 1.4, TINY);
	world_free(world);
}

Test(world_ray, follows_a_map_that_is_turned)
{
	static const char yaml[] =
		"image: m\nresolution: 0.5\norigin: [3, -2, 0.9272952180016122]"
		"\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";
	static const char pgm[] = "P2 4 2 255 254 254 254 0 254 254 254 254 ";
	char why[64];
	struct world *world =
		world_parse_map(yaml, sizeof(yaml) - 1, (const uint8_t *)pgm,
				sizeof(pgm) - 1, why, sizeof(why));
	/* its x axis is (0.6, 0.8); from (0.25, 0.75) of it along that */
	double x = 3 + 0.6 * 0.25 - 0.8 * 0.75,
	       y = -2 + 0.8 * 0.25 + 0.6 * 0.75;

	cr_assert(world, "%s", why);
	cr_assert_float_eq(world_cast(world, x, y, 0.9272952180016122, 9), 1.25,
			   TINY);
	cr_assert_eq(world_cast(world, x, y, -0.9272952180016122, 9), NONE);
	cr_assert_float_eq(world_clearance(world, x, y, 9), 1.25, TINY);
	world_free(world);
}
