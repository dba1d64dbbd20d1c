/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * world_map.c - a world of cells, read from map_server's YAML and PGM
 *
 * Floor: vehicle.
 *
 * How it works
 *
 * A pixel x of an image whose white is @white has the occupancy p = 1 - x/white
 * (or x/white if negated).  From occupied_thresh on it is occupied, up to
 * free_thresh it is free, between them unknown; in mode scale what is between
 * keeps its share, in mode raw the pixel is the occupancy.  The image's first
 * row is the map's last one.
 */
#include "vehicle/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vehicle/number.h"
#include "vehicle/text.h"

#define SIDE_MAX  20000
#define CELLS_MAX 100000000u

/* So that a place in cells always fits in a whole number. */
#define RESOLUTION_MIN 1e-4
#define RESOLUTION_MAX 1e3
#define FAR	       1e6

enum map_mode { MODE_TRINARY, MODE_SCALE, MODE_RAW };

/* What a YAML says. */
struct yaml {
	char image[256];
	double resolution, origin[3], negate, occupied, empty;
	enum map_mode mode;
	unsigned seen;
};

enum yaml_key {
	YAML_IMAGE,
	YAML_RESOLUTION,
	YAML_ORIGIN,
	YAML_NEGATE,
	YAML_OCCUPIED,
	YAML_FREE,
	YAML_MODE,
	YAML_KEYS,
};

static const char *const yaml_keys[YAML_KEYS] = {
	"image:",	    "resolution:",  "origin:", "negate:",
	"occupied_thresh:", "free_thresh:", "mode:",
};

static bool read_finite(struct cursor *c, double *value)
{
	number_skip(c, " \t");
	return number_read(c, value) && isfinite(*value);
}

/* A flat list of three, with nothing behind it. */
static bool read_origin(struct cursor *c, double origin[3])
{
	if (!number_match(c, "["))
		return false;
	for (int i = 0; i < 3; i++) {
		number_skip(c, " \t");
		if (i && !number_match(c, ","))
			return false;
		if (!read_finite(c, &origin[i]))
			return false;
	}
	number_skip(c, " \t");
	return number_match(c, "]");
}

static bool read_word(struct cursor *c, char *word, size_t size)
{
	char quote = *c->at == '"' || *c->at == '\'' ? *c->at++ : '\0';
	size_t n = 0;

	while (c->at < c->end && *c->at != quote &&
	       (quote || !strchr(" \t\r#", *c->at))) {
		if (n + 1 == size || !*c->at)
			return false;
		word[n++] = *c->at++;
	}
	word[n] = '\0';
	if (quote && (c->at == c->end || *c->at++ != quote))
		return false;
	return n > 0;
}

static bool read_mode(struct cursor *c, enum map_mode *mode)
{
	char word[16];

	if (!read_word(c, word, sizeof(word)))
		return false;
	*mode = strcmp(word, "scale") == 0 ? MODE_SCALE
		: strcmp(word, "raw") == 0 ? MODE_RAW
					   : MODE_TRINARY;
	return *mode != MODE_TRINARY || strcmp(word, "trinary") == 0;
}

static bool read_negate(struct cursor *c, double *negate)
{
	*negate = 0.0;
	if (number_match(c, "false"))
		return true;
	if (number_match(c, "true")) {
		*negate = 1.0;
		return true;
	}
	return read_finite(c, negate);
}

static bool read_key(struct yaml *yaml, enum yaml_key key, struct cursor *c)
{
	switch (key) {
	case YAML_IMAGE:
		return read_word(c, yaml->image, sizeof(yaml->image));
	case YAML_RESOLUTION:
		return read_finite(c, &yaml->resolution);
	case YAML_ORIGIN:
		return read_origin(c, yaml->origin);
	case YAML_NEGATE:
		return read_negate(c, &yaml->negate);
	case YAML_OCCUPIED:
		return read_finite(c, &yaml->occupied);
	case YAML_FREE:
		return read_finite(c, &yaml->empty);
	case YAML_MODE:
		return read_mode(c, &yaml->mode);
	case YAML_KEYS:
		break;
	}
	return false;
}

/* A line of the YAML; keys that are not ours are passed over. */
static bool read_line(struct yaml *yaml, struct cursor line)
{
	for (unsigned key = 0; key < YAML_KEYS; key++) {
		if (!number_match(&line, yaml_keys[key]))
			continue;
		number_skip(&line, " \t");
		if (line.at == line.end || yaml->seen & 1u << key ||
		    !read_key(yaml, (enum yaml_key)key, &line))
			return false;
		yaml->seen |= 1u << key;
		number_skip(&line, " \t\r");
		return line.at == line.end || *line.at == '#';
	}
	return true;
}

/* Read it all; what is wrong is the line @at, or a key that is missing. */
static bool read_yaml(struct yaml *yaml, const char *text, size_t len,
		      struct text *why)
{
	struct cursor in = { text, text + len };

	*yaml = (struct yaml){ .mode = MODE_TRINARY };
	for (unsigned number = 1; in.at < in.end; number++) {
		size_t left = (size_t)(in.end - in.at);
		const char *newline = memchr(in.at, '\n', left);
		struct cursor line = { in.at, newline ? newline : in.end };

		if (!read_line(yaml, line)) {
			text_add(why, "line %u is no such line of a map's YAML",
				 number);
			return false;
		}
		in.at = newline ? newline + 1 : in.end;
	}
	for (unsigned key = 0; key < YAML_MODE; key++)
		if (!(yaml->seen & 1u << key)) {
			text_add(why, "%s is missing", yaml_keys[key]);
			return false;
		}
	return true;
}

static bool check_yaml(const struct yaml *yaml, struct text *why)
{
	if (!(yaml->resolution >= RESOLUTION_MIN &&
	      yaml->resolution <= RESOLUTION_MAX))
		text_add(why, "resolution is 0.0001 to 1000 metres a cell");
	else if (!(fabs(yaml->origin[0]) <= FAR &&
		   fabs(yaml->origin[1]) <= FAR))
		text_add(why, "origin is at most 1000 km away");
	else if (!(yaml->empty >= 0.0 && yaml->empty <= yaml->occupied &&
		   yaml->occupied <= 1.0))
		text_add(why, "thresholds are 0 <= free <= occupied <= 1");
	else
		return true;
	return false;
}

bool world_image(const char *yaml, size_t len, char *name, size_t size)
{
	struct yaml read;
	struct text why;
	char room[128];

	text_init(&why, room, sizeof(room));
	if (!read_yaml(&read, yaml, len, &why) || strlen(read.image) >= size)
		return false;
	memcpy(name, read.image, strlen(read.image) + 1);
	return true;
}

/**
 * struct pgm - An image being read
 * @in:		Next byte
 * @width:	Pixels in a row
 * @height:	Rows
 * @white:	Value of white
 * @plain:	Whether pixels are written as text
 */
struct pgm {
	struct cursor in;
	double width, height, white;
	bool plain;
};

/* A number of the header; comments may stand before it. */
static bool read_token(struct cursor *in, double *value)
{
	for (;;) {
		number_skip(in, " \t\r\n\v\f");
		if (in->at == in->end || *in->at != '#')
			break;
		while (in->at < in->end && *in->at != '\n')
			in->at++;
	}
	return number_read(in, value);
}

static bool read_header(struct pgm *pgm, struct text *why)
{
	pgm->plain = number_match(&pgm->in, "P2");
	if (!pgm->plain && !number_match(&pgm->in, "P5")) {
		text_add(why, "the image is no PGM (P2 or P5)");
		return false;
	}
	if (!read_token(&pgm->in, &pgm->width) ||
	    !read_token(&pgm->in, &pgm->height) ||
	    !read_token(&pgm->in, &pgm->white) || pgm->in.at == pgm->in.end) {
		text_add(why, "the image's header is cut short");
		return false;
	}
	pgm->in.at++; /* one blank, whatever the next byte is */
	if (!(pgm->width >= 1 && pgm->width <= SIDE_MAX && pgm->height >= 1 &&
	      pgm->height <= SIDE_MAX && pgm->white >= 1 &&
	      pgm->white <= 65535 && pgm->width * pgm->height <= CELLS_MAX)) {
		text_add(why, "the image has an impossible size");
		return false;
	}
	return true;
}

static bool read_pixel(struct pgm *pgm, double *value)
{
	size_t bytes = pgm->white > 255.0 ? 2 : 1;
	const unsigned char *at = (const unsigned char *)pgm->in.at;

	if (pgm->plain)
		return read_token(&pgm->in, value) && *value >= 0.0;
	if ((size_t)(pgm->in.end - pgm->in.at) < bytes)
		return false;
	*value = bytes == 2 ? at[0] * 256.0 + at[1] : at[0];
	pgm->in.at += bytes;
	return true;
}

static int8_t cell_of(const struct yaml *yaml, double pixel, double white)
{
	double p = pixel / white;

	if (yaml->mode == MODE_RAW)
		return (int8_t)(pixel <= 100.0 ? pixel : CELL_UNKNOWN);
	if (!(fabs(yaml->negate) > 0.0))
		p = 1.0 - p;
	if (p >= yaml->occupied)
		return CELL_OCCUPIED;
	if (p <= yaml->empty)
		return CELL_FREE;
	if (yaml->mode == MODE_TRINARY)
		return CELL_UNKNOWN;
	return (int8_t)llround(100.0 * (p - yaml->empty) /
			       (yaml->occupied - yaml->empty));
}

static bool read_cells(struct world *world, const struct yaml *yaml,
		       struct pgm *pgm, struct text *why)
{
	for (size_t row = world->height; row-- > 0;)
		for (size_t column = 0; column < world->width; column++) {
			double pixel;

			if (!read_pixel(pgm, &pixel)) {
				text_add(why, "the image is cut short");
				return false;
			}
			world->cells[row * world->width + column] =
				cell_of(yaml, pixel, pgm->white);
		}
	return true;
}

struct world *world_parse_map(const char *yaml, size_t yaml_len,
			      const uint8_t *pgm, size_t pgm_len, char *why,
			      size_t size)
{
	const char *bytes = (const char *)pgm;
	struct pgm image = { .in = { bytes, bytes + pgm_len } };
	struct yaml read;
	struct world *world;
	struct text reason;

	text_init(&reason, why, size);
	if (!read_yaml(&read, yaml, yaml_len, &reason) ||
	    !check_yaml(&read, &reason) || !read_header(&image, &reason))
		return NULL;
	world = calloc(1, sizeof(*world));
	if (world) {
		world->resolution = read.resolution;
		world->x = read.origin[0];
		world->y = read.origin[1];
		world->yaw = read.origin[2];
		world->width = (size_t)image.width;
		world->height = (size_t)image.height;
		world->cells = malloc(world->width * world->height);
	}
	if (world && world->cells && read_cells(world, &read, &image, &reason))
		return world;
	if (!reason.len)
		text_add(&reason, "no memory");
	world_free(world);
	return NULL;
}
