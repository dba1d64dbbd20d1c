/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * web_guard.h - whether a request of the page's server is to be served
 *
 * Floor: edge.
 *
 * It looks at texts alone, so that it can be tried without sockets.  What it
 * keeps out: a site that gives itself this machine's address (the host), a page
 * of another site that acts through the browser (origin, content type), and
 * whoever does not know the token.
 */
#ifndef EDGE_WEB_GUARD_H
#define EDGE_WEB_GUARD_H

#include "core/address.h"

/* Shortest and longest token. */
#define TOKEN_MIN 16
#define TOKEN_MAX 128

/**
 * struct web_guard - What requests are held against
 * @listen:	Where the server listens
 * @hosts:	Host names by which it may be asked besides, with commas or
 *		blanks between
 * @token:	What who changes something must know
 */
struct web_guard {
	union address listen;
	const char *hosts;
	char token[TOKEN_MAX + 1];
};

/* What a path gives. */
enum web_path {
	WEB_FILE,   /* a file of the page: the same for everybody */
	WEB_DATA,   /* what the run does */
	WEB_STREAM, /* the same, for EventSource, which cannot set headers */
	WEB_ORDER,  /* changes something */
};

/* A request; a header that is not there is NULL. */
struct web_request {
	enum web_path path;
	const char *host, *origin, *site;  /* Sec-Fetch-Site */
	const char *type;		   /* Content-Type */
	const char *authorization, *token; /* X-Farlink-Token */
	const char *query;		   /* the token in the address */
};

/**
 * web_guard_judge() - Is a request to be served?
 * @guard:	Guard
 * @request:	Request
 * @why:	Set to the reason where it is not
 *
 * Return: 200, or the status to answer with.
 */
int web_guard_judge(const struct web_guard *guard,
		    const struct web_request *request, const char **why);

/**
 * web_guard_is_loopback() - Whether only this machine reaches an address
 * @address:	Address
 *
 * Return: true if it does.
 */
bool web_guard_is_loopback(const union address *address);

/**
 * web_guard_token() - Take a token out of the text of a file
 * @guard:	Guard whose token is set
 * @text:	Text: its first line is the token; @size bytes
 *
 * Return: false if it is none: TOKEN_MIN to TOKEN_MAX letters, digits and
 * "-._~", so that it can stand in an address.
 */
bool web_guard_token(struct web_guard *guard, const char *text, size_t size);

#endif /* EDGE_WEB_GUARD_H */
