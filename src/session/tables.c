/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * tables.c - the settings of each kind of section
 *
 * Floor: session.
 */
#include <string.h>

#include "session/arm.h"

#define ROWS(table) (table), sizeof(table) / sizeof((table)[0])

static const struct setting general_table[] = {
	{ .name = "name",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_general, name),
	  .preset = "",
	  .text = "Name of the arm, for records and reports" },
	{ .name = "description",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_general, description),
	  .preset = "",
	  .text = "What the arm does, in a sentence" },
	{ .name = "seed",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct arm_general, seed),
	  .hi = 9e18,
	  .preset = "1",
	  .text = "Seed of every random stream of the arm" },
	{ .name = "tick",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct arm_general, tick),
	  .hi = 1e10,
	  .preset = "0ms",
	  .text = "Packets leave at multiples of this since the trial's start, "
		  "as from an apparatus of a fixed rate; 0 is continuous" },
	{ .name = "unmatched",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct arm_general, unmatched),
	  .preset = "drop",
	  .choices = "drop|forward",
	  .text = "What happens to a packet that fits no channel" },
	{ .name = "trials",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct arm_general, trials),
	  .preset = "same",
	  .choices = "same|derived",
	  .text = "Whether every trial replays the same draws, or has a seed "
		  "derived from the arm's seed and the trial's id" },
	{ .name = "generator",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct arm_general, generator),
	  .preset = "xoshiro",
	  .choices = "xoshiro|dotnet",
	  .text = "Generator of conditions that name none: xoshiro256++, or "
		  "the seeded one of .NET, so that a Unity study's draws "
		  "replay" },
};

static const struct setting link_table[] = {
	{ .name = "mode",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct arm_link, mode),
	  .preset = "relay",
	  .choices = "relay|transparent",
	  .text = "How packets reach the proxy: addressed to it, or diverted "
		  "on a router" },
	{ .name = "robot",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_link, robot_text),
	  .preset = "",
	  .text = "Address of the robot, or internal for the vehicle model, or "
		  "saved for the address that was last given to run --robot" },
	{ .name = "headset",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_link, headset_text),
	  .preset = "learn",
	  .text = "Address of the headset, or learn (the latest sender of any "
		  "uplink stream), or a network to learn it from, such as "
		  "192.168.1.0/24" },
	{ .name = "listen",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_link, listen_text),
	  .preset = "",
	  .text = "Address at which the proxy listens; by default all, of the "
		  "robot's IP version" },
	{ .name = "headset_interface",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_link, headset_interface),
	  .preset = "",
	  .text = "Transparent mode: interface towards the headset; also a "
		  "list; by default the one that the route to it names" },
	{ .name = "robot_interface",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_link, robot_interface),
	  .preset = "",
	  .text = "Transparent mode: interface towards the robot; by default "
		  "the one that the route to it names" },
	{ .name = "topology",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct arm_link, topology),
	  .preset = "auto",
	  .choices = "auto|routed|bridged",
	  .text = "Transparent mode: whether headset and robot are in two "
		  "subnets, or on two ports of one bridge; auto finds out" },
	{ .name = "mark",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct arm_link, mark),
	  .hi = UINT32_MAX,
	  .preset = "0",
	  .text = "Transparent mode: firewall mark of diverted packets; 0 is "
		  "the first free one from 26220" },
	{ .name = "route_table",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct arm_link, route_table),
	  .hi = UINT32_MAX,
	  .preset = "0",
	  .text = "Transparent mode: routing table that leads them to the "
		  "proxy; 0 is the first free one from 26220" },
	{ .name = "rule_priority",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct arm_link, rule_priority),
	  .lo = 1,
	  .hi = 32765,
	  .preset = "177",
	  .text = "Transparent mode: priority of the routing rules that name "
		  "that table" },
};

static const struct setting channel_table[] = {
	{ .name = "port",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_channel, port_text),
	  .preset = "",
	  .text = "UDP port of the stream at its receiver; also a list or a "
		  "range: 5003, 50100-50199" },
	{ .name = "match",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_channel, match),
	  .preset = "",
	  .text = "pcap-filter(7) expression that a packet must fit too, to "
		  "share a port between streams" },
	{ .name = "reply",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_channel, reply_text),
	  .preset = "",
	  .text = "Instead of port: the stream of the other direction whose "
		  "packets this stream answers" },
	{ .name = "to",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_channel, to_text),
	  .preset = "",
	  .text = "Fixed destination, ADDRESS or ADDRESS:PORT; by default the "
		  "robot or the headset, and the same port" },
	{ .name = "chain",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_channel, chain_text),
	  .preset = "",
	  .text = "Conditions in order, by the names of their sections; none "
		  "is the undegraded baseline" },
	{ .name = "listen",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_channel, listen_text),
	  .preset = "",
	  .text = "Address at which the proxy listens for this stream; by "
		  "default that of [link]" },
	{ .name = "source_port",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct arm_channel, source_port),
	  .hi = 65535,
	  .preset = "0",
	  .text = "Port from which the proxy sends the stream on; 0 is any, "
		  "the same for the whole run" },
	{ .name = "expect",
	  .kind = SETTING_RATE,
	  .offset = offsetof(struct arm_channel, expect),
	  .hi = 1e12,
	  .preset = "0bit",
	  .text = "Rate that the stream will have: what the chain's delay "
		  "holds of it must fit the limits; 0 is not said" },
	{ .name = "limit_packets",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct arm_channel, plan.limit_packets),
	  .lo = 1,
	  .hi = 1e8,
	  .preset = "100000",
	  .text = "Most packets that wait at a time" },
	{ .name = "limit_bytes",
	  .kind = SETTING_SIZE,
	  .offset = offsetof(struct arm_channel, limit_bits),
	  .lo = 8,
	  .hi = 8e12,
	  .preset = "32MiB",
	  .text = "Most bytes of IP packets that wait at a time" },
	{ .name = "on_change",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct arm_channel, on_change),
	  .preset = "keep-order",
	  .choices = "keep-order|overtake",
	  .text = "Whether packets under changed settings may overtake those "
		  "that wait already" },
	{ .name = "on_exit",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct arm_channel, on_exit),
	  .preset = "default",
	  .choices = "default|drop|drain",
	  .text = "What a stop does to packets that wait: by default uplink "
		  "drops, downlink drains" },
	{ .name = "duplicate",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct arm_channel, duplicate),
	  .hi = 1.0,
	  .preset = "0%",
	  .text = "Share of packets delivered twice" },
	{ .name = "corrupt",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct arm_channel, corrupt),
	  .hi = 1.0,
	  .preset = "0%",
	  .text = "Share of packets delivered with one bit of the payload "
		  "changed, checksum mended" },
};

/* What every condition has besides its own settings; "type" is read apart. */
static const struct setting condition_table[] = {
	{ .name = "seed",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct arm_condition, seed),
	  .lo = -9e18,
	  .hi = 9e18,
	  .preset = "",
	  .text = "Seed of this condition's random stream; by default derived "
		  "from the arm's seed, the direction, the stream and the "
		  "place in the chain" },
	{ .name = "generator",
	  .kind = SETTING_CHOICE,
	  .offset = offsetof(struct arm_condition, generator),
	  .preset = "",
	  .choices = "xoshiro|dotnet",
	  .text = "Generator of the stream; by default that of [arm]" },
};

static const struct setting safety_table[] = {
	{ .name = "stream",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_safety, stream),
	  .preset = "command",
	  .text = "Uplink stream that carries the robot's commands" },
	{ .name = "stop",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_safety, stop),
	  .preset = "{\"vx\":0.0000,\"vy\":0.0000,\"wz\":0.0000}",
	  .text = "Payload that halts the robot; sent past the chain" },
	{ .name = "on_start",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct arm_safety, on_start),
	  .hi = 100,
	  .preset = "10",
	  .text = "Stops sent when a run begins" },
	{ .name = "on_exit",
	  .kind = SETTING_COUNT,
	  .offset = offsetof(struct arm_safety, on_exit),
	  .hi = 100,
	  .preset = "5",
	  .text = "Stops sent when a run ends, by whatever cause: a guard "
		  "process sends them if the proxy dies" },
	{ .name = "deadman",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_safety, deadman_text),
	  .preset = "off",
	  .text = "No command released for so long, such as 500ms: a stop is "
		  "sent, once; or off" },
};

static const struct setting record_table[] = {
	{ .name = "folder",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_record, folder),
	  .preset = "",
	  .text = "Folder that a run creates for its record; %Y %m %d %H %M %S "
		  "in its name are the time at the start in UTC, %% is a "
		  "percent sign" },
	{ .name = "pcap",
	  .kind = SETTING_SWITCH,
	  .offset = offsetof(struct arm_record, pcap),
	  .preset = "no",
	  .text = "Whether packets are captured too, before and behind the "
		  "proxy, in both directions" },
	{ .name = "late_p99",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct arm_record, late_p99),
	  .hi = 1e10,
	  .preset = "2ms",
	  .text = "A trial is doubtful if more than one packet in a hundred "
		  "of a channel leaves later than it was due by this" },
	{ .name = "late_max",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct arm_record, late_max),
	  .hi = 1e10,
	  .preset = "20ms",
	  .text = "A trial is doubtful if any packet leaves later than it was "
		  "due by this" },
	{ .name = "late_invalid",
	  .kind = SETTING_TIME,
	  .offset = offsetof(struct arm_record, late_invalid),
	  .hi = 1e10,
	  .preset = "10ms",
	  .text = "A trial is invalid if more than one packet in a hundred of "
		  "a channel leaves later than it was due by this" },
	{ .name = "drops",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct arm_record, drops),
	  .hi = 1.0,
	  .preset = "0%",
	  .text = "A trial is doubtful if the kernel, a limit or a failed "
		  "send took a larger share of its packets" },
	{ .name = "drops_invalid",
	  .kind = SETTING_SHARE,
	  .offset = offsetof(struct arm_record, drops_invalid),
	  .hi = 1.0,
	  .preset = "1%",
	  .text = "A trial is invalid if the kernel, a limit or a failed send "
		  "took a larger share of its packets" },
};

static const struct setting control_table[] = {
	{ .name = "socket",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_control, socket),
	  .preset = "",
	  .text = "Path of the socket that farlink ctl talks to, or off; by "
		  "default farlink.sock in the user's runtime folder" },
	{ .name = "group",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_control, group),
	  .preset = "",
	  .text = "Group whose members may connect too; the socket has the "
		  "mode 0660" },
};

static const struct setting dashboard_table[] = {
	{ .name = "listen",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_dashboard, listen),
	  .preset = "",
	  .text = "ADDRESS:PORT of the page to watch a run by, such as "
		  "127.0.0.1:8088; by default there is none" },
	{ .name = "token_file",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_dashboard, token_file),
	  .preset = "",
	  .text = "File with the word that who changes anything by the page "
		  "must know; by default it is drawn at the start and said" },
	{ .name = "hosts",
	  .kind = SETTING_TEXT,
	  .offset = offsetof(struct arm_dashboard, hosts),
	  .preset = "",
	  .text = "Host names by which the page is asked for, besides "
		  "localhost and addresses" },
};

const struct section arm_sections[] = {
	{ "arm", false, "the arm as a whole", ROWS(general_table),
	  sizeof(struct arm_general) },
	{ "link", false, "who stands where", ROWS(link_table),
	  sizeof(struct arm_link) },
	{ "uplink", true, "a stream from the operator to the robot",
	  ROWS(channel_table), sizeof(struct arm_channel) },
	{ "downlink", true, "a stream from the robot to the operator",
	  ROWS(channel_table), sizeof(struct arm_channel) },
	{ "condition", true, "a condition that chains can name",
	  ROWS(condition_table), sizeof(struct arm_condition) },
	{ "safety", false, "what keeps the robot from moving on",
	  ROWS(safety_table), sizeof(struct arm_safety) },
	{ "vehicle", false, "the vehicle model in the robot's place",
	  vehicle_settings, VEHICLE_ROWS, sizeof(struct vehicle_settings) },
	{ "record", false, "what a run writes down", ROWS(record_table),
	  sizeof(struct arm_record) },
	{ "control", false, "who may steer a run", ROWS(control_table),
	  sizeof(struct arm_control) },
	{ "dashboard", false, "the page to watch a run by",
	  ROWS(dashboard_table), sizeof(struct arm_dashboard) },
};
const size_t n_arm_sections = sizeof(arm_sections) / sizeof(arm_sections[0]);

const struct section *arm_section(const char *name)
{
	for (size_t i = 0; i < n_arm_sections; i++)
		if (!strcmp(arm_sections[i].name, name))
			return &arm_sections[i];
	return NULL;
}
