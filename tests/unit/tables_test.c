/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * tables_test.c - settings of an arm are taken up to their bounds
 *
 * Floor: tests.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "session/arm.h"

/* Whether a section takes a value of a key. */
static bool takes(const char *name, const char *key, const char *value)
{
	const struct section *section = arm_section(name);
	const struct setting *setting =
		settings_find(section->table, section->n, key);
	struct store store = { 0 };
	const struct settings_source source = { .store = &store };
	void *into = calloc(1, section->size);
	char why[512];
	bool taken;

	cr_assert(setting && into, "[%s] %s", name, key);
	taken = !settings_parse(setting, into, value, &source, why,
				sizeof(why));
	store_fini(&store);
	free(into);
	return taken;
}

Test(tables, settings_are_taken_up_to_their_bounds)
{
	static const struct {
		const char *section, *key, *least, *below, *most, *above;
	} rows[] = {
		{ "arm", "seed", "0", "-1", "999999999999999999", NULL },
		{ "arm", "tick", "0ms", "-1ms", "10s", "10.000000001s" },
		{ "link", "mark", "0", "-1", "4294967295", "4294967296" },
		{ "link", "route_table", "0", "-1", "4294967295",
		  "4294967296" },
		{ "link", "rule_priority", "1", "0", "32765", "32766" },
		{ "uplink", "source_port", "0", "-1", "65535", "65536" },
		{ "uplink", "expect", "0bit", NULL, "1000Gbit", "1001Gbit" },
		{ "uplink", "limit_packets", "1", "0", "100000000",
		  "100000001" },
		{ "uplink", "limit_bytes", "1B", "0B", "1000000000000B",
		  "1000000000001B" },
		{ "uplink", "duplicate", "0%", "-1%", "100%", "100.1%" },
		{ "downlink", "corrupt", "0%", "-1%", "100%", "100.1%" },
		{ "condition", "seed", "-999999999999999999", NULL,
		  "999999999999999999", NULL },
		{ "safety", "on_start", "0", "-1", "100", "101" },
		{ "safety", "on_exit", "0", "-1", "100", "101" },
		{ "record", "late_p99", "0ms", "-1ms", "10s", "10.1s" },
		{ "record", "late_max", "0ms", "-1ms", "10s", "10.1s" },
		{ "record", "late_invalid", "0ms", "-1ms", "10s", "10.1s" },
		{ "record", "drops", "0%", "-1%", "100%", "100.1%" },
		{ "record", "drops_invalid", "0%", "-1%", "100%", "100.1%" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *section = rows[i].section, *key = rows[i].key;

		cr_assert(takes(section, key, rows[i].least), "%s", key);
		cr_assert(takes(section, key, rows[i].most), "%s", key);
		if (rows[i].below)
			cr_assert_not(takes(section, key, rows[i].below),
				      "%s = %s", key, rows[i].below);
		if (rows[i].above)
			cr_assert_not(takes(section, key, rows[i].above),
				      "%s = %s", key, rows[i].above);
	}
}

Test(tables, a_section_is_found_by_its_whole_name)
{
	cr_assert_eq(arm_section("arm"), &arm_sections[0]);
	cr_assert_eq(arm_section("dashboard"),
		     &arm_sections[n_arm_sections - 1]);
	cr_assert_null(arm_section("dash"));
	cr_assert_null(arm_section(""));
}
