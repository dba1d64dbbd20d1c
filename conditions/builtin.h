/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * builtin.h - the list of built-in conditions
 *
 * Floor: ground.
 */
#ifndef CONDITIONS_BUILTIN_H
#define CONDITIONS_BUILTIN_H

#include "conditions/condition.h"

/* In the order in which they are listed; NULL behind the last. */
extern const struct condition *const builtin_conditions[];

#endif /* CONDITIONS_BUILTIN_H */
