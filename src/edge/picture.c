/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * picture.c - a path as a picture (SVG), with walls and axes in metres
 *
 * Floor: edge.
 *
 * How it works
 *
 * The frame shows all tracks, and the walls too where that does not make the
 * tracks small.  One scale for both axes; y points up.  Once in a while, and
 * where the operator let go, a thin line joins where the operator saw the
 * vehicle and where it was at that moment.
 */
#include "edge/picture.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH	  960.0 /* of the picture, px */
#define PLOT_MAX  800.0 /* of the frame, either way */
#define LEFT	  70.0
#define TOP	  56.0
#define BOTTOM	  150.0 /* axis and legend */
#define WALLS_MAX 3.0	/* times the size of the tracks */
#define TIES	  24	/* lines between view and truth, about */

#define BLUE	  "#1f5fa8"
#define ORANGE	  "#d9822b"
#define GREEN	  "#2e8b57"

/**
 * struct frame - What of the map is shown, and where
 * @x1:		Metres: left
 * @y1:		Bottom
 * @x2:		Right
 * @y2:		Top
 * @scale:	px per metre
 * @left:	px of @x1
 */
struct frame {
	double x1, y1, x2, y2, scale, left;
};

static void include(struct frame *frame, double x, double y)
{
	frame->x1 = fmin(frame->x1, x);
	frame->x2 = fmax(frame->x2, x);
	frame->y1 = fmin(frame->y1, y);
	frame->y2 = fmax(frame->y2, y);
}

static double size_of(const struct frame *frame)
{
	return fmax(frame->x2 - frame->x1, frame->y2 - frame->y1);
}

/* The walls come in only where the tracks do not become small. */
static void include_world(struct frame *frame, const struct world *world)
{
	struct frame all = *frame;

	if (!world)
		return;
	for (size_t i = 0; i < world->n_walls; i++) {
		include(&all, world->walls[i].x1, world->walls[i].y1);
		include(&all, world->walls[i].x2, world->walls[i].y2);
	}
	for (size_t i = 0; i < world->n_posts; i++)
		include(&all, world->posts[i].x, world->posts[i].y);
	if (size_of(&all) <= WALLS_MAX * size_of(frame))
		*frame = all;
}

static struct frame make_frame(const struct path *path,
			       const struct world *world)
{
	struct frame frame = { path->start.x, path->start.y, path->start.x,
			       path->start.y, 0.0,	     0.0 };
	double room;

	for (size_t i = 0; i < path->n; i++) {
		const struct path_moment *m = &path->point[i];

		include(&frame, m->truth.x, m->truth.y);
		include(&frame, m->odom.x, m->odom.y);
		if (m->seen)
			include(&frame, m->view.x, m->view.y);
	}
	room = fmax(0.25, 0.1 * size_of(&frame));
	include(&frame, frame.x1 - room, frame.y1 - room);
	include(&frame, frame.x2 + room, frame.y2 + room);
	include_world(&frame, world);
	include(&frame, frame.x1 - room / 4, frame.y1 - room / 4);
	include(&frame, frame.x2 + room / 4, frame.y2 + room / 4);
	frame.scale = PLOT_MAX / size_of(&frame);
	frame.left = LEFT + (WIDTH - LEFT - 30.0 -
			     frame.scale * (frame.x2 - frame.x1)) /
				    2.0;
	return frame;
}

static double px(const struct frame *frame, double x)
{
	return frame->left + (x - frame->x1) * frame->scale;
}

static double py(const struct frame *frame, double y)
{
	return TOP + (frame->y2 - y) * frame->scale;
}

/* A text of the arm's in XML. */
static void print_escaped(FILE *to, const char *text)
{
	for (; *text; text++) {
		if (strchr("&<>\"", *text))
			fprintf(to, "&#%d;", *text);
		else if ((unsigned char)*text >= ' ')
			fputc(*text, to);
	}
}

/* 1, 2 or 5 times a power of ten, so that there are about eight of them. */
static double tick_of(const struct frame *frame)
{
	double rough = size_of(frame) / 8.0,
	       tick = pow(10.0, floor(log10(rough)));

	if (rough / tick > 5.0)
		return 10.0 * tick;
	return rough / tick > 2.0 ? 5.0 * tick
				  : (rough / tick > 1.0 ? 2.0 : 1.0) * tick;
}

static void print_axes(FILE *to, const struct frame *f)
{
	double tick = tick_of(f), bottom = py(f, f->y1), right = px(f, f->x2);
	int places = tick < 1.0 ? (int)ceil(-log10(tick) - 1e-9) : 0;

	fprintf(to, "<g stroke=\"#dddddd\" fill=\"#555555\">\n");
	for (double x = ceil(f->x1 / tick); x * tick <= f->x2; x++)
		fprintf(to,
			"<path d=\"M%.2f %.2fV%.2f\"/><text x=\"%.2f\" "
			"y=\"%.2f\" text-anchor=\"middle\" stroke=\"none\">"
			"%.*f</text>\n",
			px(f, x * tick), TOP, bottom, px(f, x * tick),
			bottom + 18.0, places, x * tick + 0.0);
	for (double y = ceil(f->y1 / tick); y * tick <= f->y2; y++)
		fprintf(to,
			"<path d=\"M%.2f %.2fH%.2f\"/><text x=\"%.2f\" "
			"y=\"%.2f\" text-anchor=\"end\" stroke=\"none\">"
			"%.*f</text>\n",
			f->left, py(f, y * tick), right, f->left - 8.0,
			py(f, y * tick) + 4.0, places, y * tick + 0.0);
	fprintf(to,
		"<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
		"fill=\"none\" stroke=\"#888888\"/>\n"
		"<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\" "
		"stroke=\"none\">x, m</text>\n"
		"<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\" "
		"stroke=\"none\">y, m</text>\n</g>\n",
		f->left, TOP, right - f->left, bottom - TOP,
		(f->left + right) / 2.0, bottom + 38.0, f->left - 8.0,
		TOP - 8.0);
}

/* Runs of occupied cells of a row of a map, each as one bar. */
static void print_cells(FILE *to, const struct frame *f, const struct world *w)
{
	double side = w->resolution * f->scale;

	fprintf(to,
		"<g transform=\"translate(%.3f %.3f) rotate(%.6f) "
		"scale(%.6f %.6f)\" fill=\"#444444\">\n",
		px(f, w->x), py(f, w->y), -w->yaw * 180.0 / M_PI, side, -side);
	for (size_t y = 0; y < w->height; y++) {
		const int8_t *row = w->cells + y * w->width;

		for (size_t x = 0, from; x < w->width; x++) {
			for (from = x; x < w->width && row[x] == CELL_OCCUPIED;)
				x++;
			if (x > from)
				fprintf(to,
					"<rect x=\"%zu\" y=\"%zu\" "
					"width=\"%zu\" height=\"1\"/>\n",
					from, y, x - from);
		}
	}
	fprintf(to, "</g>\n");
}

static void print_world(FILE *to, const struct frame *f,
			const struct world *world)
{
	if (!world)
		return;
	fprintf(to, "<g stroke=\"#444444\" stroke-width=\"4\" "
		    "stroke-linecap=\"round\" fill=\"#444444\">\n");
	for (size_t i = 0; i < world->n_walls; i++) {
		const struct wall *wall = &world->walls[i];

		fprintf(to, "<path d=\"M%.2f %.2fL%.2f %.2f\"/>\n",
			px(f, wall->x1), py(f, wall->y1), px(f, wall->x2),
			py(f, wall->y2));
	}
	for (size_t i = 0; i < world->n_posts; i++)
		fprintf(to, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"/>\n",
			px(f, world->posts[i].x), py(f, world->posts[i].y),
			world->posts[i].radius * f->scale);
	fprintf(to, "</g>\n");
	if (world->cells)
		print_cells(to, f, world);
}

enum track { TRACK_TRUTH, TRACK_ODOM, TRACK_VIEW };

static const struct pose *pose_of(const struct path_moment *moment,
				  enum track track)
{
	switch (track) {
	case TRACK_TRUTH:
		return &moment->truth;
	case TRACK_ODOM:
		return &moment->odom;
	default:
		return moment->seen ? &moment->view : NULL;
	}
}

static void print_track(FILE *to, const struct frame *f,
			const struct path *path, enum track track,
			const char *style)
{
	const struct pose *last = NULL;

	fprintf(to, "<path fill=\"none\" stroke-linejoin=\"round\" %s d=\"",
		style);
	for (size_t i = 0; i < path->n; i++) {
		const struct pose *pose = pose_of(&path->point[i], track);

		/* less than a tenth of a pixel is no new point */
		if (!pose ||
		    (last &&
		     hypot(pose->x - last->x, pose->y - last->y) * f->scale <
			     0.1))
			continue;
		fprintf(to, "%c%.2f %.2f", last ? 'L' : 'M', px(f, pose->x),
			py(f, pose->y));
		last = pose;
	}
	fprintf(to, "\"/>\n");
}

static void print_tie(FILE *to, const struct frame *f,
		      const struct path_moment *m)
{
	if (!m->seen)
		return;
	fprintf(to, "<path d=\"M%.2f %.2fL%.2f %.2f\"/>\n", px(f, m->view.x),
		py(f, m->view.y), px(f, m->truth.x), py(f, m->truth.y));
}

static void print_ties(FILE *to, const struct frame *f, const struct path *path)
{
	size_t each = path->n / TIES + 1;

	fprintf(to, "<g stroke=\"#999999\" stroke-width=\"1\">\n");
	for (size_t i = each; i < path->n; i += each)
		print_tie(to, f, &path->point[i]);
	fprintf(to, "</g>\n");
}

/* A vehicle as an arrow head. */
static void print_arrow(FILE *to, const struct frame *f,
			const struct pose *pose, const char *style)
{
	fprintf(to,
		"<path transform=\"translate(%.2f %.2f) rotate(%.2f)\" "
		"d=\"M13 0L-8 -8L-4 0L-8 8Z\" %s/>\n",
		px(f, pose->x), py(f, pose->y), -pose->yaw * 180.0 / M_PI,
		style);
}

static void print_let_go(FILE *to, const struct frame *f,
			 const struct path_moment *m)
{
	if (m->time == NSEC_NEVER)
		return;
	print_arrow(to, f, &m->truth, "fill=\"" BLUE "\" stroke=\"#ffffff\"");
	if (!m->seen)
		return;
	fprintf(to, "<g stroke=\"#b3261e\" stroke-width=\"2\">\n");
	print_tie(to, f, m);
	fprintf(to, "</g>\n");
	print_arrow(to, f, &m->view,
		    "fill=\"#ffffff\" stroke=\"" GREEN "\" "
		    "stroke-width=\"2\"");
}

static void print_legend(FILE *to, const struct frame *f,
			 const struct path *path)
{
	static const struct {
		const char *style, *text;
	} lines[] = {
		{ "stroke=\"" BLUE "\" stroke-width=\"2.5\"", "where it was" },
		{ "stroke=\"" ORANGE "\" stroke-width=\"2\" "
		  "stroke-dasharray=\"7 5\"",
		  "where its odometry put it" },
		{ "stroke=\"" GREEN "\" stroke-width=\"7\" "
		  "stroke-opacity=\"0.4\"",
		  "where the operator saw it" },
		{ "stroke=\"#999999\" stroke-width=\"1\"",
		  "seen and true place at one moment" },
	};
	const struct path_moment *m = &path->let_go;
	double y = py(f, f->y1) + 68.0;

	for (int i = 0; i < 4; i++) {
		int column = i % 2, row = i / 2;

		fprintf(to,
			"<path d=\"M%.2f %.2fh36\" %s/><text x=\"%.2f\" "
			"y=\"%.2f\">%s</text>\n",
			LEFT + 400.0 * column, y + 24.0 * row, lines[i].style,
			LEFT + 46.0 + 400.0 * column, y + 4.0 + 24.0 * row,
			lines[i].text);
	}
	if (m->time == NSEC_NEVER || !m->seen)
		return;
	fprintf(to,
		"<path d=\"M%.2f %.2fh36\" stroke=\"#b3261e\" "
		"stroke-width=\"2\"/><text x=\"%.2f\" y=\"%.2f\">"
		"when the last command was sent (%.2f s): %.2f m apart"
		"</text>\n",
		LEFT, y + 48.0, LEFT + 46.0, y + 52.0, (double)m->time / 1e9,
		path_gap(m));
}

static void print_picture(FILE *to, const struct path *path,
			  const struct arm *arm, const struct world *world)
{
	const struct frame f = make_frame(path, world);
	double bottom = py(&f, f.y1);

	fprintf(to,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
		"height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
		"font-family=\"sans-serif\" font-size=\"13\" "
		"fill=\"#222222\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
		"<clipPath id=\"frame\"><rect x=\"%.2f\" y=\"%.2f\" "
		"width=\"%.2f\" height=\"%.2f\"/></clipPath>\n"
		"<text x=\"%.2f\" y=\"30\" font-size=\"17\">",
		WIDTH, bottom + BOTTOM, WIDTH, bottom + BOTTOM, f.left, TOP,
		px(&f, f.x2) - f.left, bottom - TOP, LEFT);
	print_escaped(to, *arm->general.name ? arm->general.name : arm->file);
	fprintf(to, "</text>\n");
	print_axes(to, &f);
	fprintf(to, "<g clip-path=\"url(#frame)\">\n");
	print_world(to, &f, world);
	print_track(to, &f, path, TRACK_VIEW,
		    "stroke=\"" GREEN "\" stroke-width=\"7\" "
		    "stroke-opacity=\"0.4\"");
	print_ties(to, &f, path);
	print_track(to, &f, path, TRACK_TRUTH,
		    "stroke=\"" BLUE "\" stroke-width=\"2.5\"");
	print_track(to, &f, path, TRACK_ODOM,
		    "stroke=\"" ORANGE "\" stroke-width=\"2\" "
		    "stroke-dasharray=\"7 5\"");
	fprintf(to,
		"<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" fill=\"#222222\"/>"
		"<text x=\"%.2f\" y=\"%.2f\">start</text>\n",
		px(&f, path->start.x), py(&f, path->start.y),
		px(&f, path->start.x) + 8.0, py(&f, path->start.y) + 18.0);
	print_let_go(to, &f, &path->let_go);
	fprintf(to, "</g>\n");
	print_legend(to, &f, path);
	fprintf(to, "</svg>\n");
}

int picture_write(const struct path *path, const struct arm *arm,
		  const char *folder, struct err *err)
{
	char name[4096], why[256];
	struct world *world;
	bool bad;
	FILE *to;

	snprintf(name, sizeof(name), "%s/path.svg", folder);
	to = fopen(name, "wxe");
	if (!to)
		return err_add_machine(err, "%s: %s", name, strerror(errno));
	world = arm_world(arm, why, sizeof(why));
	print_picture(to, path, arm, world);
	world_free(world);
	bad = ferror(to);
	bad |= fclose(to) == EOF;
	if (bad)
		return err_add_machine(
			err, "%s: not all of it could be written", name);
	return 0;
}
