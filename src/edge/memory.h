/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * memory.h - libraries have memory, or there is no program
 *
 * Floor: edge.
 */
#ifndef EDGE_MEMORY_H
#define EDGE_MEMORY_H

/**
 * memory_begin() - Have libraries abort where they get no memory
 *
 * As we do ourselves where a little is refused.  Otherwise an answer or a
 * summary would lack a part without a word, and libevent goes on with pointers
 * to nothing.  Before anything else of these libraries is called.
 */
void memory_begin(void);

#endif /* EDGE_MEMORY_H */
