/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * order_test.c - lines of the control protocol
 *
 * Floor: tests.
 */
#include "session/order.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct order order;
static char line[ORDER_LINE], why[256];

static int parse(const char *text)
{
	snprintf(line, sizeof(line), "%s", text);
	*why = '\0';
	return order_parse(&order, line, why, sizeof(why));
}

/* Fails the test unless it is refused for a reason with these words in it. */
static void refused(const char *text, const char *words)
{
	cr_assert_eq(parse(text), -1, "'%s' is taken", text);
	cr_assert(strstr(why, words), "'%s': %s", text, why);
}

Test(order, every_order_is_understood)
{
	static const struct {
		const char *text;
		enum order_kind kind;
		size_t n;
	} all[] = {
		{ "status", ORDER_STATUS, 0 },
		{ "  status\t", ORDER_STATUS, 0 },
		{ "trial start", ORDER_TRIAL_START, 0 },
		{ "trial start P07-1", ORDER_TRIAL_START, 1 },
		{ "trial stop", ORDER_TRIAL_STOP, 0 },
		{ "mark x", ORDER_MARK, 1 },
		{ "arm /a/b.ini", ORDER_ARM, 1 },
		{ "set a.b 1ms", ORDER_SET, 2 },
		{ "set a.b 1ms \"c d.e\" \"1 2\"", ORDER_SET, 4 },
		{ "pending", ORDER_PENDING, 0 },
		{ "pending command", ORDER_PENDING, 1 },
		{ "robot 10.0.0.1", ORDER_ROBOT, 1 },
		{ "stop", ORDER_STOP, 0 },
		{ "help", ORDER_HELP, 0 },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		cr_assert_eq(parse(all[i].text), 0, "%s: %s", all[i].text, why);
		cr_assert_eq(order.kind, all[i].kind, "%s", all[i].text);
		cr_assert_eq(order.n, all[i].n, "%s", all[i].text);
	}
}

Test(order, a_quoted_word_is_one_word)
{
	cr_assert_eq(parse("arm \"/a b/\\\"c\\\\\\n\\t.ini\""), 0);
	cr_assert_str_eq(order.word[0], "/a b/\"c\\\n\t.ini");
	cr_assert_eq(parse("arm \"\""), 0);
	cr_assert_str_eq(order.word[0], "");
}

Test(order, a_mark_is_the_rest_of_the_line_as_it_is)
{
	cr_assert_eq(parse(" mark  he said \"stop\",  twice "), 0);
	cr_assert_str_eq(order.word[0], "he said \"stop\",  twice ");
	cr_assert_eq(parse("mark \"a  \\\"b\\\"\""), 0);
	cr_assert_str_eq(order.word[0], "a  \"b\"");
	refused("mark", "mark TEXT");
	refused("mark   ", "mark TEXT");
	refused("mark \"a\" b", "mark TEXT");
	refused("marks x", "no order");
}

Test(order, what_is_wrong_is_said)
{
	refused("", "an empty line");
	refused("  \t ", "an empty line");
	refused("dance", "there is no order 'dance'; help lists them");
	refused("trial", "there is no order 'trial'; help lists them");
	refused("trial begin now", "no order 'trial begin'; help lists them");
	refused("arm \"a", "does not end");
	refused("arm \"a\\", "backslash");
	refused("arm \"a\\q\"", "backslash");
	refused("arm \"a\"b", "blank");
}

Test(order, words_too_few_or_too_many_are_told_how_it_is_written)
{
	static const char set[] =
		"set SECTION.KEY VALUE [SECTION.KEY VALUE]...";
	const struct {
		const char *text, *usage;
	} cases[] = {
		{ "status now", "status" },
		{ "trial start a b", "trial start [ID]" },
		{ "trial stop now", "trial stop" },
		{ "mark", "mark TEXT" },
		{ "mark \"a\" b", "mark TEXT" },
		{ "arm", "arm FILE" },
		{ "arm a.ini b.ini", "arm FILE" },
		{ "set", set },
		{ "set a.b", set },
		{ "set a.b 1 c.d", set },
		{ "pending a b", "pending [STREAM]" },
		{ "robot", "robot ADDRESS" },
		{ "robot 10.0.0.1 10.0.0.2", "robot ADDRESS" },
		{ "stop now", "stop" },
		{ "help me", "help" },
	};
	char said[80];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(said, sizeof(said), "it is written: %s",
			 cases[i].usage);
		cr_assert_eq(parse(cases[i].text), -1, "%s", cases[i].text);
		cr_assert_str_eq(why, said);
	}
}

Test(order, a_line_has_a_bounded_number_of_words)
{
	char text[4 * ORDER_WORDS + 8] = "set";

	for (int i = 1; i < ORDER_WORDS; i++)
		strcat(text, " a");
	refused(text, "SECTION.KEY VALUE"); /* an odd number */
	strcat(text, " a");
	refused(text, "too many");
}

Test(order, what_is_printed_is_read_again)
{
	const char *const words[] = { "set",	 "a.b",	 "",	  " ", "c\\",
				      "\"quo\"", "\n\t", "plain", "ä" };
	const size_t n = sizeof(words) / sizeof(words[0]);
	size_t len = order_print(words, n, line, sizeof(line));

	cr_assert_eq(len, strlen(line));
	cr_assert_eq(order_parse(&order, line, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(order.n, n - 1);
	for (size_t i = 1; i < n; i++)
		cr_assert_str_eq(order.word[i - 1], words[i]);
}

Test(order, no_room_is_told)
{
	const char *const words[] = { "mark", "0123456789" };

	cr_assert_eq(order_print(words, 2, line, 20), 0);
	cr_assert_gt(order_print(words, 2, line, 40), 0);
}

Test(order, a_line_that_just_fits_is_printed)
{
	const char *const words[] = { "arm", "\"\\\"" };
	char room[13];

	/* each byte of the second word takes two, between marks */
	memset(room, '#', sizeof(room));
	cr_assert_eq(order_print(words, 2, room, 12), 0);
	cr_assert_eq(order_print(words, 2, room, 13), 12);
	cr_assert_str_eq(room, "arm \"\\\"\\\\\\\"\"");
	/* no word and no room: nothing is touched */
	*room = '#';
	cr_assert_eq(order_print(words, 0, room, 0), 0);
	cr_assert_eq(*room, '#');
}

Test(order, ids_of_trials)
{
	char text[102];

	memset(text, 'x', sizeof(text));
	text[101] = '\0';
	cr_assert_not(order_is_name(text));
	text[100] = '\0';
	cr_assert(order_is_name(text));
	cr_assert(order_is_name("P07-1-jitter"));
	cr_assert_not(order_is_name(""));
	cr_assert_not(order_is_name("a b"));
	cr_assert_not(order_is_name("a\n"));
	cr_assert_not(order_is_name("a\x7f"));
	cr_assert(order_is_name("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
	cr_assert_not(order_is_name("\xff\xfe"));
	cr_assert_not(order_is_name("\xe2\x82"));
	cr_assert_not(order_is_name("\xc0\x80"));
	cr_assert_not(order_is_name("\xed\xa0\x80"));
	cr_assert_not(order_is_name("\xf4\x90\x80\x80"));
}

Test(order, usage_names_every_order)
{
	size_t n = 0;

	while (order_usage(n))
		n++;
	cr_assert_eq(n, ORDER_HELP + 1);
}

Test(order, names_are_letters_in_utf_8)
{
	/* U+D7FF and U+E000 are letters, what lies between is none */
	cr_assert(order_is_name("\xed\x9f\xbf\xee\x80\x80"));
	cr_assert_not(order_is_name("\xed\xa0\x80"));
	cr_assert_not(order_is_name("\xed\xbf\xbf"));
	/* U+10FFFF is the last; the shortest way is the only one */
	cr_assert(order_is_name("\xf4\x8f\xbf\xbf\xc2\x80\xe0\xa0\x80"
				"\xf0\x90\x80\x80"));
	cr_assert_not(order_is_name("\xf4\x90\x80\x80"));
	cr_assert_not(order_is_name("\x80"));
	cr_assert_not(order_is_name("\xbf\xbf"));
	cr_assert_not(order_is_name("\xf8\x90\x80\x80"));
	cr_assert_not(order_is_name("\xc1\xbf"));
	cr_assert_not(order_is_name("\xe0\x9f\xbf"));
	cr_assert_not(order_is_name("\xf0\x8f\xbf\xbf"));
	cr_assert_not(order_is_name("\xc3("));
	cr_assert_not(order_is_name("\xc3"));
	cr_assert_not(order_is_name(""));
	cr_assert_not(order_is_name("a b"));
	cr_assert_not(order_is_name("a\x7f"));
	cr_assert(order_is_name("!~"));
}
