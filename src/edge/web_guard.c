/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * web_guard.c - whether a request of the page's server is to be served
 *
 * Floor: edge.
 *
 * How it works
 *
 * A name in "Host" that is not known is refused on every path: a name can be
 * made to lead here by whoever owns it, and a browser then takes his pages and
 * ours for the same site.  An address cannot.
 *
 * An order needs the token in a header, which no form can set and for which a
 * script of another site would have to be allowed by us first; a browser that
 * says where a request comes from is believed when it says elsewhere.
 */
#include "edge/web_guard.h"

#include <ctype.h>
#include <nettle/memops.h>
#include <string.h>
#include <strings.h>

#define SEPARATORS ", \t"

bool web_guard_is_loopback(const union address *address)
{
	if (address->any.sa_family == AF_INET)
		return ntohl(address->v4.sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
}

/* Length of the host in "HOST" or "HOST:PORT"; 0 if it is neither. */
static size_t host_length(const char *text)
{
	size_t n, port;

	if (text[0] == '[') {
		n = strcspn(text, "]");
		if (text[n] != ']')
			return 0;
		n++;
	} else {
		n = strcspn(text, ":");
	}
	if (!text[n])
		return n;
	port = text[n] == ':' ? strspn(text + n + 1, "0123456789") : 0;
	return port && port <= 5 && !text[n + 1 + port] ? n : 0;
}

static bool is_address(const char *host, size_t n)
{
	char text[ADDRESS_TEXT];
	union address address;

	if (n >= sizeof(text))
		return false;
	memcpy(text, host, n);
	text[n] = '\0';
	return address_parse(text, &address) && !address_port(&address);
}

static bool is_listed(const char *hosts, const char *host, size_t n)
{
	while (hosts && *hosts) {
		size_t one = strcspn(hosts, SEPARATORS);

		if (one == n && !strncasecmp(hosts, host, n))
			return true;
		hosts += one;
		hosts += strspn(hosts, SEPARATORS);
	}
	return false;
}

static bool is_known_host(const struct web_guard *guard, const char *host)
{
	size_t n = host_length(host);

	if (!n)
		return false;
	return (n == 9 && !strncasecmp(host, "localhost", n)) ||
	       is_address(host, n) || is_listed(guard->hosts, host, n);
}

/* "http://HOST", or https where somebody stands in between who does that. */
static bool is_same_origin(const char *origin, const char *host)
{
	if (!strncasecmp(origin, "http://", 7))
		return !strcasecmp(origin + 7, host);
	return !strncasecmp(origin, "https://", 8) &&
	       !strcasecmp(origin + 8, host);
}

static bool knows(const struct web_guard *guard, const char *said)
{
	size_t n = strlen(guard->token);

	return said && n && strlen(said) == n &&
	       memeql_sec(said, guard->token, n);
}

static bool has_token(const struct web_guard *guard,
		      const struct web_request *request)
{
	const char *bearer = request->authorization;

	if (bearer && !strncasecmp(bearer, "Bearer ", 7))
		bearer += 7;
	else
		bearer = NULL;
	return knows(guard, bearer) || knows(guard, request->token) ||
	       (request->path == WEB_STREAM && knows(guard, request->query));
}

static bool is_plain(const char *type)
{
	size_t n = type ? strcspn(type, "; \t") : 0;

	return (n == 10 && !strncasecmp(type, "text/plain", n)) ||
	       (n == 16 && !strncasecmp(type, "application/json", n));
}

static int refuse(int status, const char *reason, const char **why)
{
	*why = reason;
	return status;
}

/* Does the browser say that another site asks? */
static bool is_cross_site(const struct web_request *request)
{
	/* a link from elsewhere may lead to the page */
	if (request->path == WEB_FILE)
		return false;
	if (request->origin && !is_same_origin(request->origin, request->host))
		return true;
	if (!request->site || !strcasecmp(request->site, "same-origin"))
		return false;
	/* typed in, or a bookmark; an order never is */
	return request->path == WEB_ORDER || strcasecmp(request->site, "none");
}

int web_guard_judge(const struct web_guard *guard,
		    const struct web_request *request, const char **why)
{
	*why = "";
	if (!request->host || !is_known_host(guard, request->host))
		return refuse(403,
			      "this host name is not known here: ask for the "
			      "address, or name it in [dashboard] hosts",
			      why);
	if (is_cross_site(request))
		return refuse(403, "a page of another site may not ask", why);
	if (request->path == WEB_ORDER && !is_plain(request->type))
		return refuse(415, "an order is text/plain or application/json",
			      why);
	if (request->path == WEB_FILE)
		return 200;
	if (request->path != WEB_ORDER && web_guard_is_loopback(&guard->listen))
		return 200;
	if (has_token(guard, request))
		return 200;
	return refuse(401, "the token is needed: Authorization: Bearer TOKEN",
		      why);
}

bool web_guard_token(struct web_guard *guard, const char *text, size_t size)
{
	size_t n = 0;

	while (n < size && n < TOKEN_MAX &&
	       (isalnum((unsigned char)text[n]) ||
		(text[n] && strchr("-._~", text[n]))))
		n++;
	if (n < TOKEN_MIN || (n < size && text[n] != '\n' && text[n] != '\r'))
		return false;
	memcpy(guard->token, text, n);
	guard->token[n] = '\0';
	return true;
}
