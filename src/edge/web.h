/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * web.h - the page's server: files, what the run does, orders
 *
 * Floor: edge.
 *
 * It runs on the desk's thread and asks the run by errands.  farlink(1), THE
 * PAGE, lists its paths and who may ask for them.
 */
#ifndef EDGE_WEB_H
#define EDGE_WEB_H

#include "edge/desk.h"
#include "edge/gauge.h"

struct event_base;
struct web;

/**
 * web_check() - Whether a page could be told to listen there
 * @listen:	ADDRESS:PORT; port 0: any that is free
 * @err:	Told if it is none
 *
 * Return: 0, or -1 with @err told.
 */
int web_check(const char *listen, struct err *err);

/**
 * web_open() - Listen
 * @base:	Event base of the desk
 * @desk:	Desk, for errands and orders
 * @gauge:	What is shown
 * @arm:	Arm whose [dashboard] is followed
 * @listen:	ADDRESS:PORT; port 0: any that is free
 * @say:	Told where the page is, with the token where it was drawn
 * @err:	Told what cannot be
 *
 * Return: the server, or NULL.
 */
struct web *web_open(struct event_base *base, struct desk *desk,
		     struct gauge *gauge, const struct arm *arm,
		     const char *listen, void (*say)(const char *format, ...),
		     struct err *err);

/**
 * web_tick() - Tell those who watch what is new; the gauge was fed
 * @web:	Server, or NULL
 */
void web_tick(struct web *web);

/**
 * web_close() - Tell those who watch that it is over, and close all
 * @web:	Server, or NULL
 */
void web_close(struct web *web);

#endif /* EDGE_WEB_H */
