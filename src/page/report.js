/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * report.js - draws a report from its data
 *
 * Whatever comes from the data gets onto the page as text, never as HTML.
 */
"use strict";

(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const root = document.getElementById("report");
const darkness = matchMedia("(prefers-color-scheme: dark)");
const charts = []; // { canvas, make(theme), chart }
let printing = false;

// ---- small things

function el(name, attributes, ...inside) {
	const node = document.createElement(name);

	for (const [key, value] of Object.entries(attributes || {}))
		node.setAttribute(key, value);
	node.append(...inside.flat(Infinity).filter((x) => x !== null &&
					     x !== undefined));
	return node;
}

const none = "–";
const isNumber = (x) => typeof x === "number" && isFinite(x);

function fixed(x, places) {
	return x.toFixed(places).replace("-", "−");
}

function ms(ns) {
	if (!isNumber(ns))
		return none;
	const x = ns / 1e6, size = Math.abs(x);

	return fixed(x, size < 1 ? 3 : size < 100 ? 2 : 1) + " ms";
}

function seconds(ns) {
	return isNumber(ns) ? fixed(ns / 1e9, ns < 1e11 ? 2 : 1) + " s" : none;
}

function count(n) {
	return isNumber(n) ? String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f")
			   : none;
}

function share(x) {
	if (!isNumber(x))
		return none;
	return fixed(100 * x, x && Math.abs(x) < 0.1 ? 2 : 1) + " %";
}

const bound = (ns) => ns >= 1e9 ? ns / 1e9 + " s" : ns / 1e6 + " ms";
const nameOf = (channel) => channel.stream
	? channel.direction + " " + channel.stream
	: channel.direction + ", of no channel";

function delayOf(spread) {
	return spread ? `${ms(spread.mean_ns)} ± ${ms(spread.sd_ns)}` : none;
}

function table(head, rows, caption) {
	const cell = (name, value) => {
		const numeric = typeof value === "object" && value !== null &&
			"number" in value;
		const text = numeric ? value.number : value;

		return el(name, numeric ? { class: "number" } :
			  name === "td" ? { class: "words" } : {}, text);
	};

	return el("div", { class: "wide" }, el("table", {},
		caption ? el("caption", {}, caption) : null,
		el("thead", {}, el("tr", {}, head.map((h) => cell("th", h)))),
		el("tbody", {}, rows.map((row) => row.length === 1
			? el("tr", { class: "group" },
			     el("th", { colspan: head.length }, row[0]))
			: el("tr", {}, row.map((value, i) =>
				cell(i ? "td" : "th", value)))))));
}

const n = (text) => ({ number: text });

function badge(trial) {
	const verdict = trial.verdict || "no verdict";
	const kind = { valid: "good", doubtful: "warn" }[verdict] || "bad";

	return el("span", { class: "badge " + kind }, verdict);
}

function facts(pairs) {
	return el("dl", {}, pairs.filter(([, value]) => value !== undefined &&
					 value !== null && value !== "")
		.map(([key, value]) => [el("dt", {}, key),
					el("dd", {}, value)]));
}

// ---- charts

function theme() {
	const dark = darkness.matches && !printing;

	return {
		text: dark ? "#9ca7b3" : "#4a535e",
		grid: dark ? "#2b3139" : "#e4e8ec",
		asked: dark ? "#ffa057" : "#d55e00",
		realised: dark ? "#56b4e9" : "#0072b2",
		band: dark ? "rgba(86,180,233,.28)" : "rgba(0,114,178,.22)",
		lost: dark ? "#e39cc4" : "#b0578a",
		series: dark
			? ["#56b4e9", "#ffa057", "#2fd3a5", "#e39cc4", "#f0e442",
			   "#c9d1d9"]
			: ["#0072b2", "#d55e00", "#009e73", "#b0578a", "#a07800",
			   "#333"],
	};
}

const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3], [14, 4], [4, 8]];

function axis(t, title, more) {
	return Object.assign({
		title: { display: true, text: title, color: t.text },
		ticks: { color: t.text, maxRotation: 0,
			 format: { useGrouping: false,
				   maximumFractionDigits: 6 } },
		grid: { color: t.grid, borderColor: t.grid },
	}, more);
}

function figure(caption, label, make, kind) {
	const canvas = el("canvas", { role: "img", "aria-label": label });

	charts.push({ canvas, make });
	return el("figure", {}, el("div", { class: "chart " + (kind || "") },
				   canvas), el("figcaption", {}, caption));
}

function base(t, scales) {
	return {
		animation: false, responsive: true, maintainAspectRatio: false,
		interaction: { mode: "nearest", axis: "x", intersect: false },
		elements: { point: { radius: 0, hitRadius: 6 },
			    line: { borderWidth: 2 } },
		plugins: { legend: { labels: { color: t.text, boxWidth: 22,
					       boxHeight: 2 } } },
		scales,
	};
}

function histogram(channel) {
	const h = channel.charts.histogram;
	const total = channel.realised.n;
	const centre = (i) => (h.from_ns + (i + 0.5) * h.width_ns) / 1e6;
	const points = (list) => list.map((c, i) => ({ x: centre(i),
						       y: 100 * c / total }));
	const half = h.width_ns / 2e6, last = h.realised.length - 1;

	return figure(
		`Delay of ${count(total)} released packets; bins of ` +
		`${ms(h.width_ns)}. The last bin has all beyond it, too.`,
		"histogram of the delay of " + nameOf(channel),
		(t) => ({
			type: "bar",
			data: { datasets: [
				{ type: "line", label: "asked for by the arm",
				  data: points(h.asked), stepped: "middle",
				  borderColor: t.asked, borderDash: [6, 3],
				  backgroundColor: t.asked,
				  pointRadius: last ? 0 : 4 },
				{ label: "realised", data: points(h.realised),
				  backgroundColor: t.realised, barPercentage: 1,
				  categoryPercentage: 0.92,
				  maxBarThickness: 60 },
			] },
			options: base(t, {
				x: axis(t, "delay, ms", {
					type: "linear", offset: false,
					min: centre(0) - half,
					max: centre(last) + half }),
				y: axis(t, "packets, %", { beginAtZero: true }),
			}),
		}));
}

// Marks and changes: a line each, at its time.
function lines(events, t) {
	return {
		id: "marks",
		afterDatasetsDraw(chart) {
			const { ctx, chartArea: area, scales: { x } } = chart;

			ctx.save();
			ctx.strokeStyle = ctx.fillStyle = t.text;
			ctx.font = "11px sans-serif";
			ctx.setLineDash([3, 3]);
			events.forEach((event, i) => {
				const at = x.getPixelForValue(event.time_ns /
							      1e9);
				const text = event.event === "mark"
					? event.detail : event.event;

				if (at < area.left || at > area.right)
					return;
				ctx.beginPath();
				ctx.moveTo(at, area.top);
				ctx.lineTo(at, area.bottom);
				ctx.stroke();
				ctx.fillText(text.slice(0, 24), at + 3,
					     area.top + 11 + 12 * (i % 3));
			});
			ctx.restore();
		},
	};
}

function course(channel, events) {
	const c = channel.charts.course;
	const width = c.width_ns / 1e9;
	const points = (list, scale) => list.map((v, i) => ({
		x: i * width, y: v === null ? null : v / scale }));
	const losing = c.lost.some((v) => v > 0);

	return figure(
		`By time of arrival, in stretches of ${bound(c.width_ns)}: ` +
		"least, mean and greatest delay of the packets of each.",
		"delay over time of " + nameOf(channel),
		(t) => ({
			type: "line",
			plugins: [lines(events, t)],
			data: { datasets: [
				{ label: "asked, mean", data: points(c.asked, 1e6),
				  borderColor: t.asked, borderDash: [6, 3] },
				{ label: "realised, mean",
				  data: points(c.mean, 1e6),
				  borderColor: t.realised },
				{ label: "least", data: points(c.min, 1e6),
				  borderWidth: 0, borderColor: t.band,
				  backgroundColor: t.band },
				{ label: "least to greatest",
				  data: points(c.max, 1e6), fill: "-1",
				  borderWidth: 0, borderColor: t.band,
				  backgroundColor: t.band },
			].concat(losing ? [
				{ type: "bar", label: "lost", yAxisID: "lost",
				  data: c.lost.map((v, i) => ({
					x: i * width,
					y: c.in[i] ? 100 * v / c.in[i] : 0 })),
				  backgroundColor: t.lost, barThickness: 2 },
			] : []) },
			options: (() => {
				const scales = {
					x: axis(t, "trial time, s",
						{ type: "linear" }),
					y: axis(t, "delay, ms",
						{ beginAtZero: true,
						  grace: "8%" }),
				};
				if (losing)
					scales.lost = axis(t, "lost, %", {
						position: "right", min: 0,
						max: 300,
						grid: { display: false } });
				if (losing) // at the foot of the chart
					Object.assign(scales.lost.ticks, {
						stepSize: 50, callback: (v) =>
							v > 100 ? "" : v });
				const all = base(t, scales);

				all.plugins.legend.labels.filter =
					(item) => item.text !== "least";
				return all;
			})(),
		}));
}

function distributions(name, series) {
	return figure(
		`${name}: share of released packets whose realised delay is ` +
		"not above; quantiles 5 ‰ apart.",
		"cumulative distributions of the delay of " + name,
		(t) => ({
			type: "line",
			data: { datasets: series.map(({ label, channel }, i) => ({
				label,
				data: channel.charts.quantiles.map((q, p, all) => ({
					x: q / 1e6,
					y: 100 * p / (all.length - 1) })),
				borderColor: t.series[i % 6],
				backgroundColor: t.series[i % 6],
				borderDash: dashes[i % 6],
			})) },
			options: base(t, {
				x: axis(t, "realised delay, ms",
					{ type: "linear", grace: "3%" }),
				y: axis(t, "packets, %", { min: 0, max: 100 }),
			}),
		}));
}

function paths(vehicle) {
	const ways = vehicle.charts;
	const pairs = (list) => {
		const out = [];

		for (let i = 0; i + 1 < list.length; i += 2)
			out.push({ x: list[i], y: list[i + 1] });
		return out;
	};
	const all = [ways.truth, ways.odometry, ways.view].flatMap(pairs);
	const span = (key) => {
		let least = Infinity, most = -Infinity;

		for (const p of all) {
			least = Math.min(least, p[key]);
			most = Math.max(most, p[key]);
		}
		return [least, most];
	};
	const [x0, x1] = span("x"), [y0, y1] = span("y");
	const half = Math.max(x1 - x0, y1 - y0, 0.2) * 0.55;
	const middle = (a, b) => (a + b) / 2;
	const round = (v) => Math.round(v * 100) / 100;

	return figure(
		"The three ways from above, in the frame of the world; every " +
		"so many-th step is drawn, so that there are at most 1200 " +
		"points of each.",
		"ways of the vehicle",
		(t) => ({
			type: "line",
			data: { datasets: [
				["truth", ways.truth, 0],
				["odometry", ways.odometry, 1],
				["operator’s view", ways.view, 2],
			].map(([label, list, i]) => ({
				label, data: pairs(list),
				borderColor: t.series[i], borderDash: dashes[i],
				backgroundColor: t.series[i],
				borderWidth: i === 2 ? 4 : 2, // it lies below
			})) },
			options: Object.assign(base(t, {
				x: axis(t, "x, m", {
					type: "linear",
					min: round(middle(x0, x1) - half),
					max: round(middle(x0, x1) + half) }),
				y: axis(t, "y, m", {
					min: round(middle(y0, y1) - half),
					max: round(middle(y0, y1) + half) }),
			}), { parsing: false, normalized: true }),
		}), "square");
}

function drawAll() {
	const t = theme();

	for (const entry of charts) {
		if (entry.chart)
			entry.chart.destroy();
		entry.chart = new Chart(entry.canvas, entry.make(t));
	}
}

// ---- sections

const comparable = (record) => record.trials.filter((t) => !t.between);

function labelOf(record, trial) {
	const many = comparable(record).length > 1;

	return many || data.records.length === 1
		? `${record.record} · trial ${trial.trial}` : record.record;
}

function columns() {
	return data.records.flatMap((record) => comparable(record).map(
		(trial) => ({ record, trial, label: labelOf(record, trial) })));
}

function verified(record) {
	const v = record.verification;

	return !v.done ? "not tried" : v.same ? "yes" : "NO";
}

// One trial: a column for each channel.
function glance({ record, trial }, figures) {
	return el("section", {}, el("h2", {}, "At a glance"),
		el("p", {}, badge(trial), ` ${trial.arm || record.arm.name}, ` +
			`${seconds(trial.duration_ns ?? trial.last_ns)}; ` +
			`verifies: ${verified(record)}`),
		table(["", ...trial.channels.map((c) => n(nameOf(c)))],
			figures.map(([what, tell]) => [what,
				...trial.channels.map((c) => n(tell(c)))])));
}

function overview() {
	const all = columns();
	const names = [];
	const rows = [
		["arm", ...all.map((c) => n(c.trial.arm ||
						  c.record.arm.name))],
		["verdict", ...all.map((c) => n(badge(c.trial)))],
		["verifies", ...all.map((c) => n(verified(c.record)))],
		["started, UTC", ...all.map((c) => n(c.record.command ===
			"simulate" ? "simulated"
			: String(c.record.start.utc).slice(0, 19)
				.replace("T", " ")))],
		["duration", ...all.map((c) => n(seconds(
			c.trial.duration_ns ?? c.trial.last_ns)))],
	];
	const figures = [
		["packets in", (c) => count(c.in)],
		["intended delay", (c) => delayOf(c.intended)],
		["realised delay", (c) => delayOf(c.realised)],
		["p50", (c) => ms(c.realised?.p50_ns)],
		["p99", (c) => ms(c.realised?.p99_ns)],
		["lost", (c) => share(c.loss)],
		["longest burst", (c) => count(c.longest_burst)],
		["reordered", (c) => share(c.reordered_share)],
		["longest gap", (c) => ms(c.longest_gap_ns)],
		["false stops at 500 ms", (c) => count(c.timeouts.find(
			(x) => x.timeout_ns === 5e8)?.false_stops)],
		["mean age of what is known", (c) => ms(c.age?.mean_ns)],
		["release error p99", (c) => ms(c.release_error?.p99_ns)],
	];
	const distributed = [];

	for (const { trial } of all)
		for (const channel of trial.channels)
			if (!names.includes(nameOf(channel)))
				names.push(nameOf(channel));
	for (const name of names) {
		const of = all.map((c) => c.trial.channels.find(
			(channel) => nameOf(channel) === name));
		const series = all.map((c, i) => ({ label: c.label,
						    channel: of[i] }))
			.filter((s) => s.channel?.realised);

		rows.push([name]);
		for (const [what, tell] of figures)
			rows.push([what, ...of.map((channel) => n(channel
				? tell(channel) : none))]);
		if (series.length > 1)
			distributed.push(distributions(name, series));
	}
	if (!all.length)
		return el("p", {}, "There is no trial in it.");
	if (all.length === 1)
		return glance(all[0], figures);
	return el("section", {},
		el("h2", {}, "Side by side"),
		table(["", ...all.map((c) => n(c.label))], rows),
		distributed.length ? el("h3", {}, "Cumulative distributions")
				   : null,
		el("div", { class: "charts" }, distributed));
}

function channelCard(channel, record, events) {
	const intended = channel.intended;
	const rows = [];
	const spread = (name, s) => s && rows.push([name,
		...["mean", "sd", "min", "p50", "p90", "p95", "p99", "max"].map(
			(key) => n(s[key + "_ns"] === undefined ? ""
				: ms(s[key + "_ns"])))]);
	const by = intended && [intended.delay_by, intended.range_by]
		.filter((x, i, all) => all.indexOf(x) === i).join(" and ");
	const taken = Object.entries(channel.taken_by).map(
		([name, times]) => `${count(times)} by ${name}`).join(", ");

	if (!channel.in)
		return el("div", { class: "card" }, el("h4", {},
			nameOf(channel)), el("p", {}, "No packet came."));
	if (intended)
		spread("intended by the arm", intended);
	spread("asked: due − ingress", channel.asked);
	spread("realised: released − ingress", channel.realised);
	spread("release error: released − due", channel.release_error);
	return el("div", { class: "card" },
		el("h4", {}, nameOf(channel)),
		channel.magnitude ? el("p", {}, `Intended: ` +
			`${channel.magnitude}; ${channel.temporal_behaviour}` +
			(channel.further_impairment === "none" ? "" :
			 `; ${channel.further_impairment}`) + ".") : null,
		table(["delay", ...["mean", "sd", "least", "p50", "p90", "p95",
			"p99", "greatest"].map(n)], rows,
			intended ? `intended: by ${by}, for ` +
				`${fixed(intended.rate_hz, 1)} packets a second`
				: null),
		record.live ? null : el("p", { class: "dim" },
			"Release error: not measured, in virtual time."),
		facts([
			["packets", `${count(channel.in)} in, ` +
				`${count(channel.released)} released, ` +
				`${count(channel.lost)} lost ` +
				`(${share(channel.loss)}` +
				(intended ? `; intended ` +
					share(intended.loss) : "") +
				`), ${count(channel.waiting_at_end)} waiting ` +
				"as the trial ended"],
			["taken", taken],
			["bursts of loss", channel.bursts
				? `${count(channel.bursts)}, mean ` +
				  `${fixed(channel.mean_burst, 2)} packets, ` +
				  `longest ${count(channel.longest_burst)}`
				: "none"],
			["reordered", `${count(channel.reordered)} ` +
				`(${share(channel.reordered_share)})`],
			["besides", [
				channel.duplicates ? `${count(
					channel.duplicates)} duplicates` : null,
				channel.injected ? `${count(channel.injected)}` +
					" stops of farlink's own" : null,
			].filter((x) => x).join(", ")],
			["longest gap", `${ms(channel.longest_gap_ns)} between ` +
				`releases; ${ms(channel.longest_gap_sent_ns)} ` +
				"between arrivals"],
			["age of what is known", channel.age
				? `mean ${ms(channel.age.mean_ns)}, least ` +
				  `${ms(channel.age.min_ns)}, greatest ` +
				  `${ms(channel.age.max_ns)}` : null],
		]),
		channel.realised ? el("div", { class: "charts" },
			histogram(channel), course(channel, events)) : null,
		el("details", {}, el("summary", {}, "Time-outs and stale data"),
			el("div", { class: "charts" },
				timeouts(channel), channel.age
					? ages(channel.age) : null)));
}

function timeouts(channel) {
	return table(["time-out", n("gaps sent"), n("gaps released"),
		      n("false stops"), n("robot halted"), "such as"],
		channel.timeouts.map((row) => [bound(row.timeout_ns),
			n(count(row.gaps_sent)), n(count(row.gaps)),
			n(count(row.false_stops)), n(seconds(row.halted_ns)),
			data.timeouts.find((x) => x.timeout_ns ===
				row.timeout_ns)?.robots ?? ""]),
		"Gaps longer than a robot's time-out: of the sender, after " +
		"release, and those in which the sender never paused so long");
}

function ages(age) {
	return table(["older than", n("share of time")],
		age.over.map((row) => [bound(row.age_ns),
				       n(share(row.share_over))]),
		`Age of the newest that is known, over ${seconds(
			age.watched_ns)}`);
}

function trialSection(record, trial) {
	const events = record.events.filter((e) => e.trial === trial.trial &&
		["mark", "set", "arm", "reload"].includes(e.event));
	const vehicle = trial.vehicle;

	return el("section", {},
		el("h3", {}, `Trial ${trial.trial} `, badge(trial)),
		trial.ended ? null : el("p", { class: "banner bad" },
			"The run died within it: there is no summary, and " +
			"what was not written yet is missing."),
		trial.reasons?.length ? el("ul", {}, trial.reasons.map(
			(r) => el("li", {}, r))) : null,
		facts([
			["duration", seconds(trial.duration_ns ??
					     trial.last_ns)],
			["arm", trial.arm],
			["SHA-256 of its text", trial.arm_sha256 ===
				record.arm.sha256 ? null
				: el("code", {}, trial.arm_sha256 || none)],
			["its changes", trial.arm_sets?.length
				? el("code", {}, trial.arm_sets.join("  "))
				: null],
			["seed", trial.seed === undefined ? null :
				String(trial.seed)],
			["changes within it", trial.changes
				? `${trial.changes}: “intended” is of the arm ` +
				  "at its start" : null],
			["lost rows", trial.rows_lost ? count(trial.rows_lost)
						      : null],
			["kernel drops", trial.kernel_drops
				? count(trial.kernel_drops) : null],
		]),
		trial.channels.map((c) => channelCard(c, record, events)),
		vehicle ? el("div", { class: "card" },
			el("h4", {}, "The vehicle and the operator’s view"),
			el("div", { class: "charts" }, paths(vehicle),
				el("div", {}, facts([
					["travelled", fixed(vehicle.travelled_m,
							    2) + " m"],
					["age of the pose seen",
					 vehicle.view_age ? `mean ${ms(
						vehicle.view_age.mean_ns)}, ` +
						`greatest ${ms(vehicle.view_age
							.max_ns)}` : none]]),
				vehicle.view_age ? ages(vehicle.view_age)
						 : null))) : null);
}

function eventsOf(record) {
	if (!record.events.length)
		return null;
	return el("details", record.events.length > 40 ? {} : { open: "" },
		el("summary", {}, `Events (${count(record.events.length)}` +
			(record.more_events ? `, and ${count(
				record.more_events)} more` : "") + ")"),
		table([n("time"), "trial", "event", "detail"],
			record.events.map((e) => [n(fixed(e.time_ns / 1e9, 3) +
				" s"), e.trial, e.event, e.detail])));
}

function recordSection(record) {
	const v = record.verification, arm = record.arm;
	const between = record.trials.filter((t) => t.between);
	const told = record.host || {};

	return el("section", {},
		el("h2", {}, record.record),
		el("p", {}, el("strong", {}, arm.name || ""), arm.description
			? ": " + arm.description : ""),
		record.ended ? null : el("p", { class: "banner bad" },
			"The run did not come to its end: there is no ",
			"summary.json. What was recorded until then is below."),
		record.faults.map((f) => el("p", { class: "banner bad" }, f)),
		!v.done ? el("p", { class: "banner warn" },
				"Whether the record verifies was not tried.")
		: v.same ? el("p", { class: "banner good" },
			`The record verifies: ${count(v.packets)} packets of ` +
			`${count(v.trials)} ${v.trials === 1 ? "trial"
				: "trials"} have the fate, reason and ` +
			"due time that their arm gives them.")
		: el("p", { class: "banner bad" },
			"The record does not verify: ", v.says.join("; ")),
		facts([
			["started", record.command === "simulate"
				? "simulated, in virtual time"
				: String(record.start.utc)],
			["host", [told.name, told.system, told.release,
				  told.machine].filter((x) => x).join(" ")],
			["farlink", `${record.farlink}, ${record.command}`],
			["seed", String(record.seed)],
			["arm file", arm.file],
			["SHA-256 of its text", el("code", {},
				arm.sha256 || none)],
			["changes", arm.sets?.length
				? el("code", {}, arm.sets.join("  ")) : null],
			...Object.entries(record.vehicle || {}),
		]),
		el("h3", {}, "The arm in words"),
		table(["stream", "magnitude of the delay", "behaviour in time",
		       "further impairment"],
			record.channels.map((c) => [nameOf(c), c.magnitude,
				c.temporal_behaviour, c.further_impairment])),
		comparable(record).map((t) => trialSection(record, t)),
		el("h3", {}, "Marks, trials and changes"),
		eventsOf(record),
		between.length ? el("details", {}, el("summary", {},
			`Between trials (${between.length})`),
			between.map((t) => trialSection(record, t))) : null);
}

function definitions() {
	return el("section", {}, el("h2", {}, "What the figures are"), facts([
		["intended", "what the arm makes one expect, by formula or by a " +
			"rehearsal with evenly spaced packets at the rate and " +
			"mean size that came"],
		["asked", "due − ingress: the delay that the arm gave to each " +
			"packet that was released"],
		["realised", "released − ingress of the same packets; what the " +
			"network adds before and behind is not in it"],
		["release error", "released − due"],
		["quantiles", "of all packets, by nearest rank: p99 is the least " +
			"delay that at least 99 % do not exceed"],
		["± and sd", "standard deviation of all packets, divided by their " +
			"count"],
		["lost", "suppressed by a condition or dropped; not what waited " +
			"as the trial ended"],
		["burst", "packets lost in a row, in the order of arrival"],
		["reordered", "released after a packet that had arrived later"],
		["false stop", "a gap between releases that is longer than the " +
			"time-out, while the sender never paused so long; " +
			"“halted” is how much longer, together"],
		["age of what is known", "how long ago the newest packet that was " +
			"released had arrived, at each moment from the first to " +
			"the last release; of the operator’s view, how long ago " +
			"the pose shown was sampled"],
	]), el("p", { class: "dim" }, `Made by farlink ${data.farlink}. All ` +
		"numbers are in the JSON and CSV files beside this page. Charts " +
		"by Chart.js (MIT licence), included."));
}

document.title = "farlink report: " +
	data.records.map((r) => r.record).join(", ");
root.append(el("h1", {}, "farlink report"), el("p", { class: "dim" },
	data.records.map((r) => r.record).join(" · ")), overview(),
	...data.records.map(recordSection), definitions());
drawAll();
darkness.addEventListener("change", drawAll);
document.querySelectorAll("details").forEach((d) =>
	d.addEventListener("toggle", () => charts.forEach((c) =>
		d.contains(c.canvas) && c.chart.resize())));
addEventListener("beforeprint", () => {
	printing = true;
	document.querySelectorAll("details").forEach((d) => { d.open = true; });
	drawAll();
});
addEventListener("afterprint", () => { printing = false; drawAll(); });
})();
