/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * stage.h - look into the settings of a stage by their names
 *
 * Floor: session.
 *
 * Settings belong to their condition; whoever foretells or describes reads them
 * through the condition's table, so that no struct is known twice.
 */
#ifndef SESSION_STAGE_H
#define SESSION_STAGE_H

#include "core/channel.h"

/**
 * stage_is() - Whether a stage is of a condition
 * @stage:	Stage
 * @name:	Name of the condition
 *
 * Return: true if it is.
 */
bool stage_is(const struct stage_plan *stage, const char *name);

/**
 * stage_whole() - A time, rate, size (bits), count, switch or choice
 * @stage:	Stage
 * @key:	Name of the setting
 *
 * Return: its value, or 0 where the condition has no such setting.
 */
int64_t stage_whole(const struct stage_plan *stage, const char *key);

/**
 * stage_part() - A share or another number with a fraction
 * @stage:	Stage
 * @key:	Name of the setting
 *
 * Return: its value, or 0 where the condition has no such setting.
 */
double stage_part(const struct stage_plan *stage, const char *key);

/**
 * stage_distribution() - The shape of a draw
 * @stage:	Stage
 *
 * Return: the setting "distribution"; uniform where there is none.
 */
struct distribution stage_distribution(const struct stage_plan *stage);

/**
 * stage_text() - A setting as an arm would have it
 * @stage:	Stage
 * @key:	Name of the setting
 * @text:	Filled; empty where the condition has no such setting
 * @size:	Of @text
 *
 * Return: @text.
 */
const char *stage_text(const struct stage_plan *stage, const char *key,
		       char *text, size_t size);

#endif /* SESSION_STAGE_H */
