/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * conditions.c - farlink conditions: the tables of settings, for all to read
 *
 * Floor: roof.
 *
 * The manual pages include what --format man prints; a test compares them.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/print_settings.h"
#include "edge/plugin.h"
#include "session/study.h"

/* Add kinds of sections to a list. */
static size_t add_sections(struct settings_entry *entry, size_t n, size_t room,
			   const struct section *section, size_t n_sections)
{
	for (size_t i = 0; i < n_sections && n < room; i++, n++)
		entry[n] = (struct settings_entry){
			.name = section[i].name,
			.text = section[i].text,
			.table = section[i].table,
			.n = section[i].n,
			.section = true,
			.named = section[i].named,
		};
	return n;
}

/* What is listed: conditions, or the kinds of sections of an arm; one that is
 * asked for by name may be a study's too.
 */
static size_t entries(struct settings_entry *entry, size_t room, bool sections,
		      bool named)
{
	const struct catalog *catalog = cmd_catalog();
	size_t n = 0;

	for (size_t i = 0; !sections && i < catalog->n && n < room; i++, n++)
		entry[n] = (struct settings_entry){
			.name = catalog->list[i]->name,
			.text = catalog->list[i]->text,
			.table = catalog->list[i]->settings,
			.n = catalog->list[i]->n_settings,
		};
	if (sections)
		n = add_sections(entry, n, room, arm_sections, n_arm_sections);
	if (sections && named)
		n = add_sections(entry, n, room, study_sections,
				 n_study_sections);
	return n;
}

/* Keep the one of a name alone; false if there is none. */
static bool keep(struct settings_entry *entry, size_t *n, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp(entry[i].name, name)) {
			entry[0] = entry[i];
			*n = 1;
			return true;
		}
	fprintf(stderr, "farlink: there is no '%s'; there are: ", name);
	for (size_t i = 0; i < *n; i++)
		fprintf(stderr, "%s%s", i ? ", " : "", entry[i].name);
	fprintf(stderr, "\n");
	return false;
}

/* Load the condition of a name; the name becomes the one that it has. */
static bool find_loaded(char **name)
{
	char why[512] = "";
	const struct condition *condition =
		plugin_find(cmd_catalog(), *name, ".", why, sizeof(why));

	if (condition)
		*name = (char *)(uintptr_t)condition->name;
	else if (*why)
		fprintf(stderr, "farlink: %s: %s\n", *name, why);
	return condition || !*why;
}

int cmd_conditions(int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "sections", no_argument, NULL, 's' },
		{ 0 },
	};
	struct settings_entry entry[CATALOG_MAX];
	const char *format = "text";
	bool sections = false;
	int option;
	size_t n;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'f')
			format = optarg;
		else if (option == 's')
			sections = true;
		else
			return cmd_usage("conditions", NULL);
	}
	if (argc - optind > 1)
		return cmd_usage("conditions", "name one condition, or none");
	/* a loaded one is listed as the built-in ones are */
	if (optind < argc && !sections &&
	    !catalog_find(cmd_catalog(), argv[optind]) &&
	    !find_loaded(argv + optind))
		return CMD_USAGE;
	n = entries(entry, CATALOG_MAX, sections, optind < argc);
	if (optind < argc && !keep(entry, &n, argv[optind]))
		return CMD_USAGE;
	if (!strcmp(format, "text") && (optind < argc || sections))
		print_settings_text(entry, n);
	else if (!strcmp(format, "text"))
		print_settings_list(entry, n);
	else if (!strcmp(format, "json"))
		print_settings_json(entry, n);
	else if (!strcmp(format, "man"))
		print_settings_man(entry, n);
	else
		return cmd_usage("conditions", "--format is text, json or man");
	return CMD_DONE;
}
