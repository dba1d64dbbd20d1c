/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * http.c - whatever a request says, only who knows the token and comes from
 *	our own page gives orders
 *
 * Floor: tests.
 *
 * The first byte chooses the path, the second where the server listens; then
 * comes a line for each header, "NAME: VALUE".
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "edge/web_guard.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TOKEN "0123456789abcdef"

static void hold(bool what)
{
	if (!what)
		abort();
}

/* The value of a header, or NULL; the lines were ended by zero bytes. */
static const char *header(const char *lines, const char *end, const char *name)
{
	size_t n = strlen(name);

	for (const char *line = lines; line < end; line += strlen(line) + 1)
		if (!strncasecmp(line, name, n) && line[n] == ':')
			return line + n + 1 + strspn(line + n + 1, " ");
	return NULL;
}

/* What must be so whatever the code thinks. */
static void check(const struct web_guard *guard,
		  const struct web_request *request, int status,
		  const char *why)
{
	hold(status == 200 || status == 401 || status == 403 || status == 415);
	hold((status == 200) == !*why);
	if (status != 200)
		return;
	hold(request->host && *request->host);
	if (request->path == WEB_FILE)
		return;
	hold(!request->site || strcasecmp(request->site, "cross-site"));
	hold(!request->origin ||
	     strlen(request->origin) >= strlen(request->host) + 7);
	if (request->path != WEB_ORDER && web_guard_is_loopback(&guard->listen))
		return;
	hold((request->token && !strcmp(request->token, TOKEN)) ||
	     (request->authorization &&
	      strstr(request->authorization, TOKEN)) ||
	     (request->path == WEB_STREAM && request->query &&
	      !strcmp(request->query, TOKEN)));
	hold(request->path != WEB_ORDER || request->type);
}

static void try_request(char *text, size_t size)
{
	static const char *const listens[] = { "127.0.0.1:8088", "[::1]:8088",
					       "0.0.0.0:8088" };
	struct web_guard guard = { .hosts = "lab.example proxy" };
	struct web_request request;
	const char *why = NULL, *end = text + size;
	int status;

	hold(web_guard_token(&guard, TOKEN, sizeof(TOKEN) - 1));
	hold(address_parse(listens[(unsigned char)text[1] % 3], &guard.listen));
	request = (struct web_request){
		.path = (enum web_path)((unsigned char)text[0] % 4),
		.host = header(text + 2, end, "Host"),
		.origin = header(text + 2, end, "Origin"),
		.site = header(text + 2, end, "Sec-Fetch-Site"),
		.type = header(text + 2, end, "Content-Type"),
		.authorization = header(text + 2, end, "Authorization"),
		.token = header(text + 2, end, "X-Farlink-Token"),
		.query = header(text + 2, end, "token"),
	};
	status = web_guard_judge(&guard, &request, &why);
	hold(why);
	check(&guard, &request, status, why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct web_guard guard = { .hosts = "" };
	char *text;

	if (size < 2)
		return 0;
	if (web_guard_token(&guard, (const char *)data, size))
		hold(strlen(guard.token) >= TOKEN_MIN &&
		     strlen(guard.token) <= TOKEN_MAX);
	text = malloc(size + 1);
	hold(text);
	memcpy(text, data, size);
	text[size] = '\0';
	for (size_t i = 2; i < size; i++)
		if (text[i] == '\n' || text[i] == '\r')
			text[i] = '\0';
	try_request(text, size);
	free(text);
	return 0;
}
