/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * web_serve.h - what the page's server answers
 *
 * Floor: edge.
 */
#ifndef EDGE_WEB_SERVE_H
#define EDGE_WEB_SERVE_H

struct evhttp_request;

/**
 * web_serve() - Answer a request
 * @request:	Request
 * @context:	The server
 */
void web_serve(struct evhttp_request *request, void *context);

#endif /* EDGE_WEB_SERVE_H */
