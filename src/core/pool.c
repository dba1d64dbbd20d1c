/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pool.c - packets cut to size, out of memory reserved at start
 *
 * Floor: core.
 *
 * How it works
 *
 * The arena is divided into pages.  A page in use serves one class of sizes;
 * a page whose last packet came back can serve any class again.  Classes are 16
 * bytes apart up to 2 KiB, and an eighth apart above, so that little is lost to
 * rounding.  Taking and giving back are a few instructions each and never reach
 * the allocator.
 *
 * Holds: a page is in the list of its class if and only if it has room, and in
 * the list of free pages if and only if nothing in it is in use.
 */
#include "core/packet.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES (512u * 1024u)
#define FINE_STEP  16u
#define FINE_MAX   2048u
#define FINE	   (FINE_MAX / FINE_STEP)
/* Eight steps in each of the octaves from 2 KiB to 128 KiB. */
#define CLASSES	    (FINE + 1u + 6u * 8u)
#define HEADER	    ((uint32_t)offsetof(struct packet, ip))
#define PACKET_MOST (PAYLOAD_MAX + UDP_HEADER_BYTES + IPV6_HEADER_BYTES + 20u)

struct page {
	struct page *next, *before;
	struct packet *given_back;
	uint32_t size, used, cut, room;
};

struct pool {
	uint8_t *arena;
	struct page *pages, *free;
	struct page *partial[CLASSES];
	uint64_t used;
};

/* Class of a size in bytes, and with it the size that the class gives. */
static unsigned class_of(uint32_t bytes, uint32_t *size)
{
	unsigned octave = 0;
	uint32_t step, over;

	if (bytes <= FINE_MAX) {
		unsigned class = (bytes + FINE_STEP - 1) / FINE_STEP;

		*size = class * FINE_STEP;
		return class;
	}
	while (bytes > FINE_MAX << (octave + 1))
		octave++;
	step = (FINE_MAX << octave) / 8;
	over = (bytes - (FINE_MAX << octave) + step - 1) / step;
	*size = (FINE_MAX << octave) + over * step;
	return FINE + octave * 8 + over;
}

struct pool *pool_new(uint64_t bytes, uint64_t packets)
{
	/* Rounding to a class and the ends of pages take at most three
	 * sixteenths (most with nine packets of 52 KiB to a page); each class
	 * may hold one page half empty.
	 */
	uint64_t all =
		bytes + bytes / 8 + bytes / 16 + packets * (HEADER + FINE_STEP);
	uint64_t n = all / PAGE_BYTES + 1 + CLASSES;
	struct pool *pool = calloc(1, sizeof(*pool));

	if (!pool || n > SIZE_MAX / PAGE_BYTES)
		goto fail;
	pool->arena = malloc((size_t)n * PAGE_BYTES);
	pool->pages = calloc((size_t)n, sizeof(*pool->pages));
	if (!pool->arena || !pool->pages)
		goto fail;
	for (uint64_t i = n; i-- > 0;) {
		pool->pages[i].next = pool->free;
		pool->free = &pool->pages[i];
	}
	return pool;
fail:
	pool_free(pool);
	return NULL;
}

static void link_page(struct pool *pool, unsigned class, struct page *page)
{
	page->before = NULL;
	page->next = pool->partial[class];
	if (page->next)
		page->next->before = page;
	pool->partial[class] = page;
}

static void unlink_page(struct pool *pool, unsigned class, struct page *page)
{
	if (page->before)
		page->before->next = page->next;
	else
		pool->partial[class] = page->next;
	if (page->next)
		page->next->before = page->before;
}

struct packet *pool_get(struct pool *pool, uint32_t len)
{
	struct packet *packet;
	struct page *page;
	unsigned class;
	uint32_t size;

	assert(len <= PACKET_MOST);
	class = class_of(HEADER + len, &size);
	page = pool->partial[class];
	if (!page) {
		page = pool->free;
		if (!page)
			return NULL;
		pool->free = page->next;
		page->size = size;
		page->room = PAGE_BYTES / size;
		page->used = page->cut = 0;
		page->given_back = NULL;
		link_page(pool, class, page);
	}
	packet = page->given_back;
	if (packet)
		page->given_back = packet->next;
	else
		packet = (void *)(pool->arena +
				  (size_t)(page - pool->pages) * PAGE_BYTES +
				  (size_t)page->cut++ * size);
	if (++page->used == page->room)
		unlink_page(pool, class, page);
	pool->used++;
	memset(packet, 0, HEADER);
	packet->len = len;
	return packet;
}

void pool_put(struct pool *pool, struct packet *packet)
{
	struct page *page;
	unsigned class;
	uint32_t size;

	if (!packet)
		return;
	page = &pool->pages[(size_t)((uint8_t *)packet - pool->arena) /
			    PAGE_BYTES];
	class = class_of(page->size, &size);
	if (page->used == page->room)
		link_page(pool, class, page);
	packet->next = page->given_back;
	page->given_back = packet;
	pool->used--;
	if (--page->used == 0) {
		unlink_page(pool, class, page);
		page->next = pool->free;
		pool->free = page;
	}
}

uint64_t pool_used(const struct pool *pool)
{
	return pool->used;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	free(pool->arena);
	free(pool->pages);
	free(pool);
}
