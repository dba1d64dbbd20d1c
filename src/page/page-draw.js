/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * page-draw.js - what the page of a run draws: charts, packets in flight, map
 *
 * All that is kept is bounded: bins are joined in pairs, paths thinned.
 */
"use strict";

const draw = (() => {
const BINS_MOST = 1200;
const POINTS_MOST = 1500;
const style = getComputedStyle(document.documentElement);
const colour = name => style.getPropertyValue("--" + name).trim();
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/* ---- times in words */

function span(ns) {
	if (ns === null || ns === undefined)
		return "–";
	const size = Math.abs(ns);
	const [unit, name] = size < 1e3 ? [1, "ns"] : size < 1e6 ? [1e3, "µs"] :
		size < 1e9 ? [1e6, "ms"] : [1e9, "s"];
	const value = ns / unit;
	const digits = unit === 1 || Math.abs(value) >= 100 ? 0 :
		Math.abs(value) >= 10 ? 1 : 2;
	return value.toFixed(digits) + " " + name;
}

function clock(ns, tenths) {
	const all = Math.max(0, ns) / 1e9;
	const h = Math.floor(all / 3600), m = Math.floor(all / 60) % 60;
	const s = all - 60 * Math.floor(all / 60);
	const cut = tenths ? (Math.floor(s * 10) / 10).toFixed(1) :
		String(Math.floor(s));
	return (h ? h + ":" + String(m).padStart(2, "0") : m) + ":" +
		cut.padStart(tenths ? 4 : 2, "0");
}

/* A canvas at the screen's own resolution; its size in CSS pixels. */
function surface(canvas, height) {
	const scale = window.devicePixelRatio || 1;
	const width = canvas.clientWidth;
	if (height)
		canvas.style.height = height + "px";
	else
		height = canvas.clientHeight;
	if (canvas.width !== Math.round(width * scale) ||
	    canvas.height !== Math.round(height * scale)) {
		canvas.width = Math.round(width * scale);
		canvas.height = Math.round(height * scale);
	}
	const to = canvas.getContext("2d");
	to.setTransform(scale, 0, 0, scale, 0, 0);
	to.clearRect(0, 0, width, height);
	to.font = "13px system-ui, 'DejaVu Sans', sans-serif";
	to.textBaseline = "middle";
	return [to, width, height];
}

/* ---- bins of a channel
 *
 * As /history.json has them, with the width of the bin and what the arm
 * intended then (mean, least, greatest) behind.
 */

const T = 0, IN = 1, RELEASED = 2, SUPPRESSED = 3, DROPPED = 4, LEAST = 6,
	MEAN = 7, MOST = 8, ERROR = 9, QUEUED = 10, WIDTH = 11, INTENT = 12;

function either(a, b, how) {
	return a === null ? b : b === null ? a : how(a, b);
}

function joined(a, b) {
	const both = a.slice();
	for (let i = IN; i < LEAST; i++)
		both[i] += b[i];
	both[LEAST] = either(a[LEAST], b[LEAST], Math.min);
	both[MOST] = either(a[MOST], b[MOST], Math.max);
	both[ERROR] = either(a[ERROR], b[ERROR], Math.max);
	both[MEAN] = either(a[MEAN], b[MEAN], (x, y) =>
		(x * a[RELEASED] + y * b[RELEASED]) / both[RELEASED]);
	both[QUEUED] = Math.max(a[QUEUED], b[QUEUED]);
	both[WIDTH] += b[WIDTH];
	return both;
}

function addBin(bins, bin) {
	bins.push(bin);
	if (bins.length <= BINS_MOST)
		return;
	/* the older half gets coarser, the newer stays as it is */
	const half = BINS_MOST / 2, old = bins.splice(0, half);
	for (let i = half - 2; i >= 0; i -= 2)
		bins.unshift(joined(old[i], old[i + 1]));
}

/* Packets and losses a second, of the bin and the three before it: slow streams
 * do not beat with the bins then.
 */
function rates(bins, n) {
	let all = 0, lost = 0, wide = 0;
	for (let i = Math.max(0, n - 3); i <= n; i++) {
		all += bins[i][IN];
		lost += bins[i][SUPPRESSED] + bins[i][DROPPED];
		wide += bins[i][WIDTH] / 1e9;
	}
	return [all / wide, lost / wide];
}

/* Whole seconds between two ticks, six or so in all. */
function evenly(seconds) {
	return [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600]
		.find(step => step * 7 >= seconds) || undefined;
}

/* ---- charts of a channel */

function line(label, more) {
	return Object.assign({ label, data: [], pointRadius: 0, borderWidth: 1.6,
		tension: 0, spanGaps: false, fill: false }, more);
}

function axes(unit, tickOf) {
	return {
		x: { type: "linear", ticks: { maxRotation: 0, maxTicksLimit: 8,
			includeBounds: false, callback: v => clock(v * 1e9) } },
		y: { beginAtZero: true, grace: "8%", title: { display: true, text: unit },
			ticks: { maxTicksLimit: 5, callback: tickOf } },
	};
}

function options(unit, tickOf) {
	return { animation: false, maintainAspectRatio: false, parsing: false,
		normalized: true, interaction: { mode: "index", intersect: false },
		plugins: { legend: { display: false }, tooltip: {
			filter: item => item.dataset.tip !== false,
			callbacks: {
				title: items => items.length ?
					clock(items[0].parsed.x * 1e9, true) : "",
				label: item => item.dataset.label + ": " +
					(item.dataset.show || String)(item.parsed.y),
			} } },
		scales: axes(unit, tickOf) };
}

class ChannelCharts {
	constructor(delay, rate) {
		const ms = v => span(v * 1e6);
		this.delay = new Chart(delay, { type: "line", data: { datasets: [
			line("least", { show: ms, borderWidth: 0 }),
			line("greatest", { show: ms, borderWidth: 0, fill: "-1" }),
			line("mean", { show: ms, borderWidth: 2.2 }),
			line("intended", { show: ms, borderDash: [7, 5],
				stepped: true }),
			line("intended least", { tip: false, borderDash: [2, 4],
				borderWidth: 1, stepped: true }),
			line("intended greatest", { tip: false, borderDash: [2, 4],
				borderWidth: 1, stepped: true }),
		] }, options: options("delay, ms", v => String(v)) });
		this.rate = new Chart(rate, { type: "line", data: { datasets: [
			line("packets/s", { show: v => v.toFixed(1) }),
			line("lost/s", { show: v => v.toFixed(1), fill: "origin",
				stepped: "middle" }),
		] }, options: options("packets/s", v => String(v)) });
	}

	dress(direction) {
		const own = colour(direction === "uplink" ? "up" : "down");
		const sets = this.delay.data.datasets;
		sets[1].backgroundColor = own + "38";
		sets[2].borderColor = own;
		for (const i of [3, 4, 5])
			sets[i].borderColor = colour("text");
		this.rate.data.datasets[0].borderColor = own;
		this.rate.data.datasets[1].borderColor = colour("bad");
		this.rate.data.datasets[1].backgroundColor = colour("bad") + "55";
		for (const chart of [this.delay, this.rate])
			for (const axis of Object.values(chart.options.scales)) {
				axis.grid = { color: colour("line") };
				axis.ticks.color = colour("quiet");
				if (axis.title)
					axis.title.color = colour("quiet");
			}
	}

	/* Show what lies in the latest @seconds; 0: all. */
	show(bins, now, seconds) {
		const end = now / 1e9, from = seconds ? Math.max(0, end - seconds) :
			bins.length ? bins[0][T] / 1e9 : 0;
		const delay = [[], [], [], [], [], []], rate = [[], []];
		for (let n = 0; n < bins.length; n++) {
			const bin = bins[n], x = (bin[T] + bin[WIDTH]) / 1e9;
			if (x < from)
				continue;
			const y = i => bin[i] === null || bin[i] === undefined ?
				null : bin[i] / 1e6;
			const order = [LEAST, MOST, MEAN, INTENT, INTENT + 1,
				INTENT + 2];
			order.forEach((i, set) => delay[set].push({ x, y: y(i) }));
			const [all, lost] = rates(bins, n);
			rate[0].push({ x, y: all });
			rate[1].push({ x, y: lost });
		}
		for (const [chart, data] of [[this.delay, delay],
			[this.rate, rate]]) {
			data.forEach((d, i) => { chart.data.datasets[i].data = d; });
			chart.options.scales.x.min = from;
			chart.options.scales.x.max = Math.max(end, from + 1);
			chart.options.scales.x.ticks.stepSize = evenly(end - from);
			chart.update("none");
		}
	}
}

/* ---- packets in flight */

const LANE = 32, EDGE = 92, TOP = 12;

class Flight {
	constructor(canvas) {
		this.canvas = canvas;
		this.channels = [];
		this.packets = new Map();
		this.now = 0;
		this.at = performance.now();
		this.over = false;
		/* 30 pictures a second are smooth, and leave a small machine to
		 * what else it does
		 */
		let latest = 0;
		const turn = at => {
			if (at - latest >= 30 && !(calm.matches && this.drawn)) {
				latest = at;
				this.paint();
			}
			requestAnimationFrame(turn);
		};
		requestAnimationFrame(turn);
	}

	/* What is known of the trial's time, between two messages. */
	time() {
		return this.over ? this.now :
			this.now + (performance.now() - this.at) * 1e6;
	}

	tell(message) {
		const before = this.packets;
		this.now = message.now_ns;
		this.at = performance.now();
		this.drawn = false;
		this.packets = new Map();
		for (const [channel, id, ingress, due, stage, stages] of
			message.packets) {
			const key = channel + "/" + id, old = before.get(key);
			this.packets.set(key, { channel, ingress, due, stage, stages,
				far: old ? old.far : 0 });
		}
		/* one that has just left arrives, rather than vanish on its way */
		for (const [key, old] of before)
			if (!this.packets.has(key) && old.due > this.now - 2e8 &&
			    old.due <= this.now)
				this.packets.set(key, old);
	}

	paint() {
		const lanes = this.channels;
		const [to, width, height] =
			surface(this.canvas, TOP * 2 + LANE * Math.max(1, lanes.length));
		const left = EDGE, right = width - EDGE, now = this.time();
		this.drawn = true;
		to.fillStyle = colour("text");
		to.textAlign = "left";
		to.fillText("operator", 6, height / 2);
		to.textAlign = "right";
		to.fillText("robot", width - 6, height / 2);
		lanes.forEach((lane, i) => {
			const y = TOP + LANE * (i + 0.5);
			const up = lane.direction === "uplink";
			to.strokeStyle = colour("line");
			to.lineWidth = 2;
			to.beginPath();
			to.moveTo(left, y);
			to.lineTo(right, y);
			to.stroke();
			to.fillStyle = colour(up ? "up" : "down");
			to.beginPath(); /* where it goes */
			const tip = up ? right : left, back = up ? -9 : 9;
			to.moveTo(tip, y);
			to.lineTo(tip + back, y - 5);
			to.lineTo(tip + back, y + 5);
			to.fill();
			to.textAlign = up ? "left" : "right";
			to.fillStyle = colour("quiet");
			to.font = "11px system-ui, 'DejaVu Sans', sans-serif";
			to.fillText(lane.stream, up ? left : right, y - 11);
			to.font = "13px system-ui, 'DejaVu Sans', sans-serif";
		});
		for (const [key, packet] of this.packets) {
			const lane = lanes[packet.channel];
			const all = packet.due - packet.ingress;
			let far = all > 0 ? (now - packet.ingress) / all : 1;
			/* behind the last stage it is gone; before, it goes on */
			if (far > 1.05 && packet.stage >= packet.stages) {
				this.packets.delete(key);
				continue;
			}
			far = Math.min(1, Math.max(packet.far, far, 0));
			packet.far = far;
			if (!lane)
				continue;
			const up = lane.direction === "uplink";
			const x = up ? left + far * (right - left) :
				right - far * (right - left);
			const y = TOP + LANE * (packet.channel + 0.5);
			to.fillStyle = colour(up ? "up" : "down");
			to.beginPath();
			to.arc(x, y, 4.5, 0, 2 * Math.PI);
			to.fill();
		}
	}
}

/* ---- map */

/* As track.c thins a way: by steps that grow. */
class Track {
	constructor() {
		this.clear();
	}

	clear() {
		this.points = [];
		this.step = 0.02;
		this.latest = null;
	}

	add(pose) {
		const last = this.points[this.points.length - 1];
		this.latest = pose;
		if (last && Math.hypot(pose[1] - last[1], pose[2] - last[2]) <
			this.step)
			return;
		this.points.push(pose);
		if (this.points.length > POINTS_MOST) {
			this.points = this.points.filter((_, i) => i % 2 === 0);
			this.step *= 2;
		}
	}
}

/* 1, 2 or 5 times a power of ten, near @wanted. */
function nice(wanted) {
	const power = 10 ** Math.floor(Math.log10(wanted));
	return power * [1, 2, 5, 10].find(n => n * power >= wanted * 0.99);
}

const LOOK = { truth: [[], 2.5], odom: [[8, 5], 2], view: [[2, 4], 2.5] };

class RobotMap {
	constructor(canvas) {
		this.canvas = canvas;
		this.tracks = { truth: new Track(), odom: new Track(),
			view: new Track() };
	}

	clear() {
		Object.values(this.tracks).forEach(track => track.clear());
	}

	get isEmpty() {
		return Object.values(this.tracks).every(track => !track.latest);
	}

	add(poses) {
		for (const [name, pose] of Object.entries(poses))
			if (this.tracks[name] && pose)
				this.tracks[name].add(pose);
	}

	/* Metres that must be seen, with what is around them. */
	bounds() {
		let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
		for (const track of Object.values(this.tracks))
			for (const [, x, y] of track.latest ?
				[...track.points, track.latest] : []) {
				x0 = Math.min(x0, x);
				x1 = Math.max(x1, x);
				y0 = Math.min(y0, y);
				y1 = Math.max(y1, y);
			}
		return [x0 - 0.3, x1 + 0.3, y0 - 0.3, y1 + 0.3];
	}

	grid(to, width, height, scale, at) {
		const step = nice(60 / scale);
		const [x0, y1] = at.back(0, 0), [x1, y0] = at.back(width, height);
		const digits = step < 1 ? Math.ceil(-Math.log10(step)) : 0;
		to.strokeStyle = colour("line");
		to.fillStyle = colour("quiet");
		to.lineWidth = 1;
		to.font = "11px system-ui, 'DejaVu Sans', sans-serif";
		for (let x = Math.ceil(x0 / step) * step; x <= x1; x += step) {
			const [px] = at(x, 0);
			to.beginPath();
			to.moveTo(px, 0);
			to.lineTo(px, height);
			to.stroke();
			to.textAlign = "center";
			if (px > 46 && px < width - 12)
				to.fillText((x + 0).toFixed(digits) + " m", px, height - 8);
		}
		for (let y = Math.ceil(y0 / step) * step; y <= y1; y += step) {
			const [, py] = at(0, y);
			to.beginPath();
			to.moveTo(0, py);
			to.lineTo(width, py);
			to.stroke();
			to.textAlign = "left";
			if (py > 8 && py < height - 20)
				to.fillText((y + 0).toFixed(digits) + " m", 4, py - 7);
		}
	}

	arrow(to, [px, py], yaw) {
		const turned = (x, y) => [px + x * Math.cos(yaw) - y * Math.sin(yaw),
			py - x * Math.sin(yaw) - y * Math.cos(yaw)];
		to.setLineDash([]);
		to.beginPath();
		to.moveTo(...turned(13, 0));
		to.lineTo(...turned(-8, 7));
		to.lineTo(...turned(-4, 0));
		to.lineTo(...turned(-8, -7));
		to.closePath();
		to.fill();
		to.stroke();
	}

	paint() {
		const [to, width, height] = surface(this.canvas);
		if (this.isEmpty || !width)
			return;
		const [x0, x1, y0, y1] = this.bounds();
		const scale = Math.min((width - 30) / (x1 - x0),
			(height - 40) / (y1 - y0), 250);
		const cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
		const at = (x, y) => [width / 2 + (x - cx) * scale,
			height / 2 - 6 - (y - cy) * scale];
		at.back = (px, py) => [cx + (px - width / 2) / scale,
			cy - (py - height / 2 + 6) / scale];
		this.grid(to, width, height, scale, at);
		for (const [name, [dash, wide]] of Object.entries(LOOK)) {
			const track = this.tracks[name];
			if (!track.latest)
				continue;
			to.strokeStyle = to.fillStyle = colour(name);
			to.lineWidth = wide;
			to.setLineDash(dash);
			to.beginPath();
			for (const [, x, y] of [...track.points, track.latest])
				to.lineTo(...at(x, y));
			to.stroke();
		}
		/* on top of the ways, the truth last */
		for (const name of ["odom", "view", "truth"]) {
			const { latest } = this.tracks[name];
			if (!latest)
				continue;
			to.fillStyle = colour(name);
			to.strokeStyle = colour("panel");
			to.lineWidth = 1.5;
			this.arrow(to, at(latest[1], latest[2]), latest[3]);
		}
	}
}

return { span, clock, addBin, ChannelCharts, Flight, RobotMap };
})();
