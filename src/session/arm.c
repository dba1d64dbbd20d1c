/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arm.c - rows of an ini file to a checked arm
 *
 * Floor: session.
 *
 * How it works
 *
 * Sections are made first, in the order of the file, each filled by its table;
 * what they say of each other (chains, replies, addresses) is resolved when all
 * are there.  Every fault is noted and reading goes on, so that a user sees all
 * of them at once.
 */
#include "session/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *direction_name(enum direction direction)
{
	return direction == UPLINK ? "uplink" : "downlink";
}

int arm_on_exit(const struct arm_channel *channel)
{
	if (channel->on_exit != EXIT_PRESET)
		return channel->on_exit;
	return channel->plan.direction == UPLINK ? EXIT_DROP : EXIT_DRAIN;
}

const char *build_where(struct build *build, int line)
{
	char text[512];

	if (line)
		snprintf(text, sizeof(text), "%s:%d", build->arm->file, line);
	else
		snprintf(text, sizeof(text), "%s: --set", build->arm->file);
	return store_text(&build->arm->store, text);
}

/* "a, b or c" for a fault about an unknown word. */
static void list_keys(const struct setting *table, size_t n, char *text,
		      size_t size)
{
	size_t at = strlen(text);

	for (size_t i = 0; i < n && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s",
				       at ? ", " : "", table[i].name);
}

const char *build_load(struct build *build, const char *name, size_t *size,
		       char *why, size_t why_size)
{
	const struct arm_source *source = build->source;
	struct arm *arm = build->arm;
	const char *text;
	char *copy;

	for (size_t i = 0; i < arm->n_files; i++) {
		if (strcmp(arm->files[i].name, name) != 0)
			continue;
		*size = arm->files[i].size;
		return arm->files[i].text;
	}
	if (!source->load || arm->n_files == ARM_FILES_MAX) {
		snprintf(why, why_size, "no more files can be read here");
		return NULL;
	}
	text = source->load(source->context, name, size, why, why_size);
	if (!text)
		return NULL;
	copy = store_get(&arm->store, *size + 1);
	memcpy(copy, text, *size);
	arm->files[arm->n_files++] =
		(struct arm_file){ store_text(&arm->store, name), copy, *size };
	return copy;
}

/* The same for the parser of settings. */
static const char *load_kept(void *context, const char *name, size_t *size,
			     char *why, size_t why_size)
{
	return build_load(context, name, size, why, why_size);
}

bool build_key(struct build *build, const struct ini_row *row,
	       const struct setting *table, size_t n, void *into)
{
	const struct settings_source source = {
		.store = &build->arm->store,
		.load = load_kept,
		.context = build,
	};
	const struct setting *setting = settings_find(table, n, row->key);
	char why[512];

	if (!setting)
		return false;
	if (settings_parse(setting, into, row->value, &source, why,
			   sizeof(why)) < 0)
		err_add(build->err, "%s: %s = %s: %s",
			build_where(build, row->line), row->key, row->value,
			why);
	return true;
}

void build_unknown(struct build *build, const struct ini_row *row,
		   const struct setting *table, size_t n, const char *also)
{
	char keys[4096];

	snprintf(keys, sizeof(keys), "%s", also);
	list_keys(table, n, keys, sizeof(keys));
	err_add(build->err, "%s: %s is no key of [%s]; known here: %s",
		build_where(build, row->line), row->key, row->section, keys);
}

void build_presets(struct build *build, const struct setting *table, size_t n,
		   void *into)
{
	const struct settings_source source = { .store = &build->arm->store };

	settings_preset(table, n, into, &source);
}

/* Rows of the section that begins at @i, that row aside. */
static size_t end_of(const struct ini *ini, size_t i)
{
	for (i++; i < ini->n && ini->row[i].key; i++)
		;
	return i;
}

/* A plain section: all its keys stand in one table. */
static void fill(struct build *build, size_t i, const struct section *section,
		 void *into)
{
	const struct ini *ini = &build->arm->ini;

	for (size_t end = end_of(ini, i++); i < end; i++)
		if (!build_key(build, &ini->row[i], section->table, section->n,
			       into))
			build_unknown(build, &ini->row[i], section->table,
				      section->n, "");
}

/* [uplink NAME], [downlink NAME] */
static void fill_channel(struct build *build, size_t i,
			 const struct section *section, const char *name)
{
	struct arm *arm = build->arm;
	struct arm_channel *channel = &arm->channel[arm->n_channels];
	enum direction direction =
		strcmp(section->name, "uplink") ? DOWNLINK : UPLINK;

	if (arm->n_channels == CHANNELS_MAX) {
		err_add(build->err, "%s: at most %d channels",
			build_where(build, arm->ini.row[i].line), CHANNELS_MAX);
		return;
	}
	arm->n_channels++;
	build_presets(build, section->table, section->n, channel);
	channel->line = arm->ini.row[i].line;
	channel->plan.stream = name;
	channel->plan.direction = direction;
	fill(build, i, section, channel);
}

/* Note that a type is unknown, or unfit, and which there are. */
static void unknown_type(struct build *build, const struct ini_row *row,
			 const char *why)
{
	const struct catalog *catalog = build->source->catalog;
	char names[1024] = "";
	size_t at = 0;

	for (size_t c = 0; c < catalog->n && at < sizeof(names); c++)
		at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s",
				       c ? ", " : "", catalog->list[c]->name);
	if (*why)
		err_add(build->err, "%s: type = %s: %s",
			build_where(build, row->line), row->value, why);
	else
		err_add(build->err,
			"%s: type = %s: there is no such condition; there "
			"are: %s",
			build_where(build, row->line), row->value, names);
}

/* Which condition the section that begins at @i is of. */
static const struct condition *type_of(struct build *build, size_t i)
{
	const struct arm_source *source = build->source;
	const struct ini *ini = &build->arm->ini;
	const struct condition *condition;
	char why[512] = "";

	for (size_t n = i + 1; n < end_of(ini, i); n++) {
		const struct ini_row *row = &ini->row[n];

		if (strcmp(row->key, "type") != 0)
			continue;
		condition = catalog_find(source->catalog, row->value);
		if (!condition && source->find)
			condition = source->find(source->context, row->value,
						 why, sizeof(why));
		if (!condition)
			unknown_type(build, row, why);
		return condition;
	}
	err_add(build->err, "%s: [%s] has no type; see 'farlink conditions'",
		build_where(build, ini->row[i].line), ini->row[i].section);
	return NULL;
}

/* Keys that the condition must have, and whether its settings fit together. */
static void check_condition(struct build *build, size_t i,
			    const struct arm_condition *as, size_t faults)
{
	const struct condition *condition = as->condition;
	const struct ini *ini = &build->arm->ini;
	char why[512] = "";

	for (size_t s = 0; s < condition->n_settings; s++) {
		size_t n, end = end_of(ini, i);

		if (condition->settings[s].preset)
			continue;
		for (n = i + 1; n < end; n++)
			if (!strcmp(ini->row[n].key,
				    condition->settings[s].name))
				break;
		if (n == end)
			err_add(build->err,
				"%s: [%s] has no %s; add it: a %s (%s)",
				build_where(build, as->line),
				ini->row[i].section,
				condition->settings[s].name,
				settings_kind(condition->settings[s].kind),
				condition->settings[s].text);
	}
	if (build->err->n == faults && condition->check &&
	    condition->check(as->settings, why, sizeof(why)) < 0)
		err_add(build->err, "%s: [%s] %s", build_where(build, as->line),
			ini->row[i].section, why);
}

/* [condition NAME] */
static void fill_condition(struct build *build, size_t i,
			   const struct section *section, const char *name)
{
	struct arm *arm = build->arm;
	struct arm_condition *as = &arm->condition[arm->n_conditions++];
	const struct condition *condition = type_of(build, i);
	size_t faults = build->err->n;

	as->name = name;
	as->line = arm->ini.row[i].line;
	as->condition = condition;
	as->generator = arm->general.generator;
	if (!condition)
		return;
	as->settings = store_get(&arm->store, condition->settings_size);
	build_presets(build, condition->settings, condition->n_settings,
		      as->settings);
	for (size_t n = i + 1; n < end_of(&arm->ini, i); n++) {
		const struct ini_row *row = &arm->ini.row[n];

		if (!strcmp(row->key, "type") ||
		    build_key(build, row, condition->settings,
			      condition->n_settings, as->settings))
			continue;
		if (!build_key(build, row, section->table, section->n, as))
			build_unknown(build, row, condition->settings,
				      condition->n_settings,
				      "type, seed, generator");
		else if (!strcmp(row->key, "seed"))
			as->seeded = true;
	}
	check_condition(build, i, as, faults);
}

/* What a section without a name fills; [vehicle] is filled apart. */
static void *section_part(struct arm *arm, const struct section *section)
{
	const struct {
		const char *name;
		void *part;
	} parts[] = {
		{ "arm", &arm->general },     { "link", &arm->link },
		{ "safety", &arm->safety },   { "record", &arm->record },
		{ "control", &arm->control }, { "dashboard", &arm->dashboard },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(section->name, parts[i].name))
			return parts[i].part;
	return NULL;
}

static void fill_section(struct build *build, size_t i)
{
	struct arm *arm = build->arm;
	const char *full = arm->ini.row[i].section;
	size_t word = strcspn(full, " ");
	const char *name = full[word] ? full + word + 1 : "";
	const struct section *section;
	char kind[INI_NAME_MAX + 1];

	snprintf(kind, sizeof(kind), "%.*s", (int)word, full);
	section = arm_section(kind);
	if (!section || section->named != (*name != '\0')) {
		err_add(build->err,
			section && section->named
				? "%s: [%s] needs a name: [%s NAME]"
				: "%s: there is no section [%s]; there are "
				  "[arm], [link], [uplink NAME], [downlink "
				  "NAME], [condition NAME], [safety], "
				  "[vehicle], "
				  "[record], [control], [dashboard]",
			build_where(build, arm->ini.row[i].line), full, kind);
		return;
	}
	if (section->table == arm_section("uplink")->table)
		fill_channel(build, i, section, name);
	else if (section == arm_section("condition"))
		fill_condition(build, i, section, name);
	else if (section_part(arm, section))
		fill(build, i, section, section_part(arm, section));
	/* [vehicle] is filled later, on top of its robot's preset */
}

/* [arm] first: other sections have presets that it gives. */
static void fill_sections(struct build *build)
{
	struct arm *arm = build->arm;

	for (size_t i = 0; i < arm->ini.n; i++)
		if (!arm->ini.row[i].key &&
		    !strcmp(arm->ini.row[i].section, "arm"))
			fill(build, i, arm_section("arm"), &arm->general);
	for (size_t i = 0; i < arm->ini.n; i++)
		if (!arm->ini.row[i].key &&
		    strcmp(arm->ini.row[i].section, "arm") != 0)
			fill_section(build, i);
}

/* Read the text and the changes; make room for what it can hold at most. */
static struct arm *read_rows(const struct arm_source *source, struct err *err)
{
	struct arm *arm = calloc(1, sizeof(*arm));
	char *text;

	if (!arm)
		abort();
	arm->file = store_text(&arm->store, source->file);
	text = store_get(&arm->store, source->size + 1);
	memcpy(text, source->text, source->size);
	arm->text = text;
	arm->text_size = source->size;
	(void)ini_read(&arm->ini, &arm->store, arm->file, arm->text,
		       source->size, err);
	arm->files =
		store_get(&arm->store, ARM_FILES_MAX * sizeof(*arm->files));
	arm->sets = store_get(&arm->store, source->n_sets * sizeof(*arm->sets));
	for (size_t i = 0; i < source->n_sets; i++) {
		arm->sets[arm->n_sets++] =
			store_text(&arm->store, source->sets[i]);
		(void)ini_set(&arm->ini, &arm->store, source->sets[i], err);
	}
	arm->channel =
		store_get(&arm->store, arm->ini.n * sizeof(*arm->channel));
	arm->condition =
		store_get(&arm->store, arm->ini.n * sizeof(*arm->condition));
	return arm;
}

/* [vehicle] and [safety], which look at the rest of the arm. */
static void build_inhabitants(struct build *build)
{
	struct ini *ini = &build->arm->ini;
	struct ini_row *rows = NULL;
	size_t n = 0;
	int vehicle = 0, safety = 0;

	for (size_t i = 0; i < ini->n; i++) {
		if (ini->row[i].key)
			continue;
		if (!strcmp(ini->row[i].section, "vehicle")) {
			rows = &ini->row[i + 1];
			n = end_of(ini, i) - i - 1;
			vehicle = ini->row[i].line;
		} else if (!strcmp(ini->row[i].section, "safety")) {
			build->arm->safety.active = true;
			safety = ini->row[i].line;
		}
	}
	build_vehicle(build, rows, n, vehicle);
	build_safety(build, safety);
}

struct arm *arm_new(const struct arm_source *source, struct err *err,
		    struct err *warnings)
{
	size_t faults = err->n;
	struct build build = { .source = source,
			       .err = err,
			       .warnings = warnings };
	struct arm *arm = build.arm = read_rows(source, err);

	for (size_t i = 0; i < n_arm_sections; i++) {
		const struct section *section = &arm_sections[i];
		void *into = section_part(arm, section);

		if (into)
			build_presets(&build, section->table, section->n, into);
	}
	fill_sections(&build);
	build_link(&build);
	build_channels(&build);
	build_inhabitants(&build);
	if (err->n == faults) {
		build_warnings(&build);
		return arm;
	}
	arm_free(arm);
	return NULL;
}

void arm_free(struct arm *arm)
{
	struct store store;

	if (!arm)
		return;
	store = arm->store;
	store_fini(&store);
	free(arm);
}
