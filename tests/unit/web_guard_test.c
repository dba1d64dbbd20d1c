/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * web_guard_test.c - who may ask the page's server for what
 *
 * Floor: tests.
 */
#include "edge/web_guard.h"

#include <criterion/criterion.h>

#define TOKEN "0123456789abcdef0123456789abcdef"

static struct web_guard guard_at(const char *listen)
{
	struct web_guard guard = { .hosts = "lab.example, Proxy" };

	cr_assert(address_parse(listen, &guard.listen));
	cr_assert(web_guard_token(&guard, TOKEN "\n", sizeof(TOKEN)));
	return guard;
}

static int judge(const char *listen, struct web_request request)
{
	const struct web_guard guard = guard_at(listen);
	const char *why = NULL;
	int status = web_guard_judge(&guard, &request, &why);

	cr_assert_not_null(why);
	cr_assert_eq(status != 200, *why != '\0', "a reason if it is refused");
	return status;
}

static int file_for(const char *host)
{
	return judge("127.0.0.1:8088",
		     (struct web_request){ .path = WEB_FILE, .host = host });
}

static struct web_request order(void)
{
	return (struct web_request){ .path = WEB_ORDER,
				     .host = "127.0.0.1:8088",
				     .origin = "http://127.0.0.1:8088",
				     .site = "same-origin",
				     .type = "text/plain;charset=UTF-8",
				     .token = TOKEN };
}

Test(web_guard, addresses_and_known_names_are_hosts)
{
	static const char *const good[] = {
		"127.0.0.1:8088", "127.0.0.1",	 "localhost:9000",
		"LocalHost",	  "[::1]:8088",	 "[fd00::1]",
		"192.168.1.5:80", "lab.example", "LAB.example:8088",
		"proxy:1",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		cr_expect_eq(file_for(good[i]), 200, "%s", good[i]);
}

Test(web_guard, other_names_are_refused_on_every_path)
{
	static const char *const bad[] = {
		"",
		"evil.example",
		"evil.example:8088",
		"127.0.0.1.evil.example",
		"localhost.evil.example",
		"lab.example.evil",
		"lab",
		"127.0.0.1:",
		"127.0.0.1:8088:1",
		"127.0.0.1:80880000",
		"127.0.0.1:80a",
		"[::1",
		"[::1]x",
		"::1",
		"0x7f.1",
		"2130706433",
		"127.0.0.1/",
		"user@127.0.0.1",
		", ",
		"lab.example,",
		"lab.example, Proxy",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct web_request asked = order();

		cr_expect_eq(file_for(bad[i]), 403, "%s", bad[i]);
		asked.host = bad[i];
		asked.origin = NULL;
		cr_expect_eq(judge("127.0.0.1:8088", asked), 403, "%s", bad[i]);
	}
	cr_expect_eq(file_for(NULL), 403);
}

Test(web_guard, an_order_of_the_page_is_served)
{
	struct web_request asked = order();

	cr_expect_eq(judge("127.0.0.1:8088", asked), 200);
	/* a program says no origin */
	asked.origin = asked.site = NULL;
	cr_expect_eq(judge("127.0.0.1:8088", asked), 200);
	asked.token = NULL;
	asked.authorization = "Bearer " TOKEN;
	cr_expect_eq(judge("127.0.0.1:8088", asked), 200);
	asked.type = "application/json";
	cr_expect_eq(judge("127.0.0.1:8088", asked), 200);
}

Test(web_guard, an_order_needs_the_token_in_a_header)
{
	static const char *const wrong[] = {
		"",
		"0",
		"0123456789abcdef0123456789abcdeg",
		"0123456789abcdef0123456789abcde",
		"0123456789abcdef0123456789abcdef0",
		"0123456789ABCDEF0123456789ABCDEF",
	};
	struct web_request asked = order();

	asked.token = NULL;
	cr_expect_eq(judge("127.0.0.1:8088", asked), 401);
	asked.query = TOKEN;
	cr_expect_eq(judge("127.0.0.1:8088", asked), 401, "not in the address");
	asked.authorization = TOKEN;
	cr_expect_eq(judge("127.0.0.1:8088", asked), 401, "not without Bearer");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		asked.token = wrong[i];
		cr_expect_eq(judge("127.0.0.1:8088", asked), 401, "%s",
			     wrong[i]);
	}
}

Test(web_guard, another_site_cannot_act_even_with_the_token)
{
	static const char *const origins[] = {
		"http://evil.example",
		"null",
		"",
		"http://127.0.0.1:8089",
		"http://127.0.0.1",
		"ftp://127.0.0.1:8088",
		"http://127.0.0.1:8088.evil.example",
		"http://127.0.0.1:8088/",
	};
	static const char *const sites[] = { "cross-site", "same-site", "none",
					     "" };

	for (size_t i = 0; i < sizeof(origins) / sizeof(origins[0]); i++) {
		struct web_request asked = order();

		asked.origin = origins[i];
		cr_expect_eq(judge("127.0.0.1:8088", asked), 403, "%s",
			     origins[i]);
	}
	for (size_t i = 0; i < sizeof(sites) / sizeof(sites[0]); i++) {
		struct web_request asked = order();

		asked.site = sites[i];
		cr_expect_eq(judge("127.0.0.1:8088", asked), 403, "%s",
			     sites[i]);
	}
}

Test(web_guard, a_forms_content_type_is_no_order)
{
	static const char *const types[] = {
		"application/x-www-form-urlencoded",
		"multipart/form-data",
		"",
		"text/plainx",
		"text/html",
	};
	struct web_request asked = order();

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		asked.type = types[i];
		cr_expect_eq(judge("127.0.0.1:8088", asked), 415, "%s",
			     types[i]);
	}
	asked.type = NULL;
	cr_expect_eq(judge("127.0.0.1:8088", asked), 415);
}

Test(web_guard, what_the_run_does_is_open_to_this_machine_alone)
{
	struct web_request asked = { .path = WEB_DATA, .host = "127.0.0.1" };

	cr_expect_eq(judge("127.0.0.1:8088", asked), 200);
	cr_expect_eq(judge("[::1]:8088", asked), 200);
	cr_expect_eq(judge("0.0.0.0:8088", asked), 401);
	cr_expect_eq(judge("[::]:8088", asked), 401);
	cr_expect_eq(judge("192.168.1.2:8088", asked), 401);
	asked.query = TOKEN;
	cr_expect_eq(judge("0.0.0.0:8088", asked), 401, "not in the address");
	asked.authorization = "bearer " TOKEN;
	cr_expect_eq(judge("0.0.0.0:8088", asked), 200);
}

Test(web_guard, a_stream_may_have_the_token_in_the_address)
{
	struct web_request asked = { .path = WEB_STREAM,
				     .host = "10.0.0.1:8088" };

	cr_expect_eq(judge("0.0.0.0:8088", asked), 401);
	asked.query = TOKEN;
	cr_expect_eq(judge("0.0.0.0:8088", asked), 200);
	asked.query = TOKEN "0";
	cr_expect_eq(judge("0.0.0.0:8088", asked), 401);
}

Test(web_guard, another_site_cannot_read_but_link)
{
	struct web_request asked = { .path = WEB_DATA,
				     .host = "127.0.0.1:8088",
				     .site = "cross-site" };

	cr_expect_eq(judge("127.0.0.1:8088", asked), 403);
	asked.site = "none";
	cr_expect_eq(judge("127.0.0.1:8088", asked), 200);
	asked.origin = "http://evil.example";
	cr_expect_eq(judge("127.0.0.1:8088", asked), 403);
	asked.path = WEB_FILE;
	asked.site = "cross-site";
	cr_expect_eq(judge("127.0.0.1:8088", asked), 200);
}

Test(web_guard, without_a_token_nobody_knows_it)
{
	const struct web_guard guard = { .listen.v4.sin_family = AF_INET };
	struct web_request asked = order();
	const char *why;

	asked.token = "";
	cr_expect_eq(web_guard_judge(&guard, &asked, &why), 401);
}

Test(web_guard, a_token_is_long_and_fits_an_address)
{
	static const char *const bad[] = {
		"",
		"short",
		"0123456789abcde",
		"0123456789abcdef 7",
		"0123456789abcdef/",
		"0123456789abcdef\x01",
	};
	struct web_guard guard;
	char text[TOKEN_MAX + 2];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(web_guard_token(&guard, bad[i], strlen(bad[i])),
			      "%s", bad[i]);
	cr_expect_not(web_guard_token(&guard, "0123456789abcdef\0x", 18));
	cr_expect(web_guard_token(&guard, "0123456789abcd-~\r\nx", 19));
	cr_expect_str_eq(guard.token, "0123456789abcd-~");
	memset(text, 'a', sizeof(text));
	cr_expect(web_guard_token(&guard, text, TOKEN_MAX));
	cr_expect_eq(strlen(guard.token), TOKEN_MAX);
	cr_expect_not(web_guard_token(&guard, text, TOKEN_MAX + 1));
}
