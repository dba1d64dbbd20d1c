/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * robot_file.h - the robot's address, kept from one run to the next
 *
 * Floor: edge.
 *
 * $XDG_STATE_HOME/farlink/robot, or ~/.local/state/farlink/robot.
 */
#ifndef EDGE_ROBOT_FILE_H
#define EDGE_ROBOT_FILE_H

#include <stdbool.h>

#include "core/address.h"
#include "core/err.h"

/* Room for what stands in the file; more of it is no address. */
#define ROBOT_TEXT 256

/**
 * robot_address() - Check an address, spaces around it aside
 * @text:	As given
 * @address:	Filled with the address alone; ADDRESS_TEXT bytes
 *
 * Return: false if it is no address of a host, or has a port.
 */
bool robot_address(const char *text, char *address);

/**
 * robot_load() - Read the file
 * @path:	Filled with its name; PATH_MAX bytes
 * @text:	Filled with what stands in it, unchecked; ROBOT_TEXT bytes
 *
 * Return: false if there is none, or nothing in it.
 */
bool robot_load(char *path, char *text);

/**
 * robot_save() - Write the file, in the place of an earlier one
 * @address:	Address
 * @err:	Told why it cannot be
 *
 * Return: 0, or -1 with @err told.
 */
int robot_save(const char *address, struct err *err);

#endif /* EDGE_ROBOT_FILE_H */
