/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * page.js - the page of a run: what the run tells, and what it is told
 *
 * When it connects, and each time it connects anew, it reads the past from
 * /history.json and follows /events from there on.  What the run says is only
 * ever set as text.
 */
"use strict";

(() => {
const $ = id => document.getElementById(id);
const { span, clock } = draw;
const EVENTS_MOST = 200;
const TOKEN = "farlink-token";

const flight = new draw.Flight($("flight-canvas"));
const map = new draw.RobotMap($("map-canvas"));
let cards = []; /* one a channel */
let state = null;
let stateAt = 0;
let trial = null; /* whose bins are shown */
let run = null; /* when it began: tells one run from the next */
let shown = 60; /* seconds */
let source = null;
let over = false;
let seen = -1; /* number of the latest event */

/* ---- the token */

let token = "";
function learnToken() {
	const found = /(?:^#|&)token=([\w.~-]+)/.exec(location.hash);
	try {
		if (found) {
			sessionStorage.setItem(TOKEN, found[1]);
			history.replaceState(null, "", location.pathname);
		}
		token = sessionStorage.getItem(TOKEN) || "";
	} catch (_) { /* no storage: it lasts as long as the page does */
		token = found ? found[1] : token;
	}
	showLock();
}

function showLock() {
	$("unlock").hidden = Boolean(token);
	$("orders").disabled = !token || over;
}

function forgetToken() {
	token = "";
	try {
		sessionStorage.removeItem(TOKEN);
	} catch (_) { /* there is none */ }
	showLock();
}

function ask(path, more = {}) {
	const headers = Object.assign({}, more.headers);
	if (token)
		headers["X-Farlink-Token"] = token;
	return fetch(path, Object.assign({ cache: "no-store" }, more,
		{ headers }));
}

/* ---- how the page stands to the run */

function setLink(text, kind) {
	$("link").textContent = text;
	$("link").className = "chip " + kind;
	document.body.classList.toggle("off", kind === "bad");
}

function setNotice(text) {
	$("notice").textContent = text;
	$("notice").hidden = !text;
}

/* ---- cards */

function setValue(card, name, text, raw) {
	const place = card.root.querySelector(`[data-value="${name}"]`);
	if (place.textContent !== text)
		place.textContent = text;
	place.dataset.raw = raw === undefined || raw === null ? "" : String(raw);
}

function makeCard(channel) {
	const root = $("card").content.firstElementChild.cloneNode(true);
	const name = channel.stream || "of no channel";
	root.classList.add(channel.direction || "other");
	root.dataset.channel = `${channel.direction} ${channel.stream}`.trim();
	root.querySelector("h3").textContent = name;
	root.querySelector(".direction").textContent =
		channel.direction === "uplink" ? "uplink →" :
		channel.direction === "downlink" ? "← downlink" : "";
	root.setAttribute("aria-label", `${channel.direction} ${name}`);
	$("cards").append(root);
	const charts = new draw.ChannelCharts(root.querySelector("canvas.delay"),
		root.querySelector("canvas.rate"));
	charts.dress(channel.direction);
	root.hidden = !channel.direction;
	return { root, charts, bins: [], direction: channel.direction,
		stream: channel.stream };
}

function makeCards(channels) {
	const same = cards.length === channels.length &&
		cards.every((card, i) => card.stream === channels[i].stream &&
			card.direction === channels[i].direction);
	if (same)
		return;
	for (const card of cards) {
		card.charts.delay.destroy();
		card.charts.rate.destroy();
	}
	$("cards").replaceChildren();
	cards = channels.map(makeCard);
	flight.channels = channels.filter(channel => channel.direction);
}

function intentOf(i) {
	const { intended } = (state && state.channels[i]) || {};
	return intended ? [intended.mean_ns, intended.min_ns, intended.max_ns] :
		[null, null, null];
}

function share(part, all) {
	return all ? (100 * part / all).toFixed(part ? 2 : 0) + " %" : "–";
}

function intention(intended) {
	if (!intended)
		return "–";
	const { min_ns: least, mean_ns: mean, max_ns: most } = intended;
	if (most !== null && most - least < 1e3)
		return span(mean);
	return `${span(mean)}`;
}

function showCard(card, channel) {
	const { delay, error, intended } = channel;
	const settled = channel.released + channel.suppressed + channel.dropped;
	const lost = channel.suppressed + channel.dropped;
	const recent = card.bins.slice(-4);
	const wide = recent.reduce((sum, bin) => sum + bin[11], 0) / 1e9;
	const rate = wide ? recent.reduce((sum, bin) => sum + bin[1], 0) / wide : 0;
	const set = (name, text, raw) => setValue(card, name, text, raw);
	const some = what => what.n ? what : { p50_ns: null, p99_ns: null };
	set("delay-p50", span(some(delay).p50_ns), delay.p50_ns);
	set("delay-p99", span(some(delay).p99_ns), delay.p99_ns);
	set("intended", intention(intended), intended && intended.mean_ns);
	set("lost", share(lost, settled), lost);
	set("rate", rate.toFixed(rate < 10 ? 1 : 0) + " /s", rate);
	set("queued", String(channel.queued), channel.queued);
	set("error-p99", span(some(error).p99_ns), error.p99_ns);
	set("released", String(channel.released), channel.released);
	if (!card.direction)
		card.root.hidden = !channel.in;
	card.root.querySelector("canvas.delay").setAttribute("aria-label",
		`Added delay of ${card.stream}: half are at most ` +
		`${span(delay.p50_ns)}, intended ${intention(intended)}`);
	card.root.querySelector("canvas.rate").setAttribute("aria-label",
		`${rate.toFixed(1)} packets a second, ${share(lost, settled)} lost`);
}

function paintCharts() {
	const now = trialTime();
	if (document.hidden)
		return;
	for (const card of cards)
		if (!card.root.hidden)
			card.charts.show(card.bins, now, shown);
}

/* ---- head */

function trialTime() {
	if (!state)
		return 0;
	return over ? state.trial.time_ns :
		state.trial.time_ns + (performance.now() - stateAt) * 1e6;
}

function kindOf(verdict) {
	return { valid: "good", doubtful: "warn" }[verdict] || "bad";
}

function showVerdict({ verdict, reasons }) {
	const box = $("reasons"), list = box.querySelector("ul");
	$("verdict").textContent = verdict;
	$("verdict").className = "chip " + kindOf(verdict);
	box.hidden = !reasons.length;
	box.className = kindOf(verdict);
	box.querySelector("summary").textContent = `So far ${verdict}: ` +
		(reasons.length === 1 ? reasons[0] : `${reasons.length} reasons`);
	while (list.childElementCount > reasons.length)
		list.lastElementChild.remove();
	reasons.forEach((reason, i) => {
		const row = list.children[i] ||
			list.appendChild(document.createElement("li"));
		row.textContent = reason;
	});
}

function warnings() {
	const all = [];
	if (state.state === "stopping")
		all.push("The run is stopping.");
	if (state.feed_lost)
		all.push(`${state.feed_lost} items came too fast to be shown: what ` +
			"is counted here falls short, the record does not.");
	return all.join(" ");
}

function showState(next) {
	const changed = state === null ||
		state.trial.number !== next.trial.number ||
		state.started_utc_ns !== next.started_utc_ns;
	state = next;
	stateAt = performance.now();
	if (changed && trial !== null && trial !== next.trial.id)
		clearTrial(next.trial.id);
	makeCards(next.channels);
	document.title = `${next.arm.name} – farlink`;
	$("arm-name").textContent = next.arm.name;
	$("arm-text").textContent = next.arm.description || next.arm.file;
	$("trial").textContent = next.trial.between ? "between two" :
		next.trial.id;
	$("record").textContent = next.record || "none is kept";
	showVerdict(next.judgement);
	setNotice(warnings());
	next.channels.forEach((channel, i) => showCard(cards[i], channel));
	const waiting = next.channels.reduce((n, c) => n + c.queued, 0);
	$("flight-count").textContent = `${waiting} ` +
		(waiting === 1 ? "packet waits" : "packets wait");
	$("foot").textContent = `farlink ${next.farlink} · seed ` +
		`${next.trial.seed} · robot ${next.robot || "–"} · headset ` +
		(next.headset || "not known yet");
	paintCharts();
}

function clearTrial(id) {
	trial = id;
	for (const card of cards)
		card.bins = [];
	flight.packets.clear();
	map.clear();
	showMap();
}

/* ---- events */

const LOUD = /warning|refused|lost|overflow|clock-step|deadman/;

function addEvent(event) {
	if (event.n <= seen)
		return;
	seen = event.n;
	const row = document.createElement("li");
	const time = document.createElement("time");
	const text = document.createElement("span");
	const word = document.createElement("b");
	time.textContent = clock(event.time_ns, true);
	time.title = `trial ${event.trial}`;
	word.textContent = event.event;
	text.append(word, event.detail ? ` ${event.detail}` : "");
	if (event.event === "mark")
		row.className = "mark";
	else if (LOUD.test(event.event))
		row.className = "warning";
	row.append(time, text);
	$("events").prepend(row);
	while ($("events").childElementCount > EVENTS_MOST)
		$("events").lastElementChild.remove();
}

/* ---- map */

function showMap() {
	$("map").hidden = map.isEmpty;
	if (map.isEmpty || document.hidden)
		return;
	map.paint();
	const { truth, view } = map.tracks;
	$("map-apart").textContent = truth.latest && view.latest ?
		"seen " + Math.hypot(truth.latest[1] - view.latest[1],
			truth.latest[2] - view.latest[2]).toFixed(2) +
		" m beside the truth" : "";
}

/* ---- what the run tells */

function takeHistory(past) {
	trial = past.trial;
	makeCards(past.channels);
	past.channels.forEach((channel, i) => {
		cards[i].bins = channel.bins.map(bin =>
			[...bin, past.bin_ns, ...intentOf(i)]);
	});
	map.clear();
	for (const [name, points] of Object.entries(past.path))
		for (const pose of points)
			map.add({ [name]: pose });
	past.events.forEach(addEvent);
	showMap();
	paintCharts();
}

function takeBin({ trial: id, bins }) {
	if (id !== trial)
		clearTrial(id);
	bins.forEach((bin, i) => {
		const card = cards[i], last = card && card.bins[card.bins.length - 1];
		if (card && (!last || bin[0] >= last[0] + last[11]))
			draw.addBin(card.bins, [...bin, 5e8, ...intentOf(i)]);
	});
}

const takes = {
	state: showState,
	bin: takeBin,
	event: addEvent,
	pending: message => flight.tell(message),
	path: poses => {
		map.add(poses);
		showMap();
	},
	end: () => {
		over = true;
		flight.over = true;
		source.close();
		source = null;
		setLink("ended", "warn");
		setNotice("The run has ended. What is shown is how it stood last.");
		showLock();
		setTimeout(awaitNext, 2000);
	},
};

/* After the end: is there another run at the same place? */
async function awaitNext() {
	try {
		const answer = await ask("state.json");
		if (answer.ok) {
			location.reload();
			return;
		}
	} catch (_) { /* not yet */ }
	setTimeout(awaitNext, 3000);
}

/* Messages that come before the past is known wait here; else null. */
let early = null;

async function begin() {
	try {
		const answer = await ask("state.json");
		if (answer.status === 401) {
			forgetToken();
			setLink("locked", "warn");
			setNotice("The token is needed to see this run.");
			return;
		}
		if (!answer.ok)
			throw new Error(`status ${answer.status}`);
		const first = await answer.json();
		if (run !== null && run !== first.started_utc_ns) {
			location.reload();
			return;
		}
		run = first.started_utc_ns;
		showState(first);
	} catch (_) {
		lose();
		return;
	}
	follow();
}

async function catchUp() {
	try {
		const answer = await ask("history.json");
		takeHistory(await answer.json());
	} catch (_) {
		lose();
		return;
	}
	const waited = early;
	early = null;
	for (const [name, data] of waited || [])
		takes[name](data);
	setLink("live", "good");
}

function lose() {
	if (over)
		return;
	if (source)
		source.close();
	source = null;
	setLink("disconnected", "bad");
	setNotice("There is no connection to the run; trying again. Packets do " +
		"not depend on this page.");
	setTimeout(begin, 1000);
}

function follow() {
	source = new EventSource("events?pending=1" +
		(token ? "&token=" + encodeURIComponent(token) : ""));
	early = [];
	source.onopen = catchUp;
	source.onerror = lose;
	for (const name of Object.keys(takes))
		source.addEventListener(name, event => {
			const data = JSON.parse(event.data);
			if (early)
				early.push([name, data]);
			else
				takes[name](data);
		});
}

/* ---- what the run is told */

/* A word of the control protocol. */
function word(text) {
	if (text && !/[\s"\\]/.test(text))
		return text;
	return '"' + text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")
		.replace(/\t/g, "\\t") + '"';
}

async function order(line) {
	const reply = $("reply");
	reply.className = "quiet";
	reply.textContent = "…";
	try {
		const answer = await ask("order", { method: "POST", body: line,
			headers: { "Content-Type": "text/plain" } });
		const told = await answer.json();
		if (answer.status === 401)
			forgetToken();
		reply.className = told.ok ? "good" : "bad";
		reply.textContent = told.ok ? told.said || "done" :
			told.error.join(" · ");
		return told.ok;
	} catch (_) {
		reply.className = "bad";
		reply.textContent = "There is no answer.";
		return false;
	}
}

function setUpOrders() {
	for (const form of document.querySelectorAll("form[data-order]"))
		form.addEventListener("submit", async event => {
			event.preventDefault();
			const words = [...form.querySelectorAll("input")]
				.map(input => input.value.trim());
			const line = [form.dataset.order,
				...words.filter(text => text).map(word)].join(" ");
			if (await order(line))
				form.reset();
		});
	for (const button of document.querySelectorAll("[data-say]"))
		button.addEventListener("click", () => order(button.dataset.say));
	$("stop").addEventListener("click", () => $("sure").showModal());
	$("sure").addEventListener("close", () => {
		if ($("sure").returnValue === "yes")
			order("stop");
		$("sure").returnValue = "";
	});
	$("unlock").addEventListener("submit", event => {
		event.preventDefault();
		const said = $("token").value.trim();
		if (!said)
			return;
		$("token").value = "";
		token = said;
		try {
			sessionStorage.setItem(TOKEN, said);
		} catch (_) { /* it lasts as long as the page does */ }
		showLock();
		if (!source)
			begin();
	});
}

/* ---- dark and light, and how much is shown */

function setTheme(name) {
	document.documentElement.dataset.theme = name;
	for (const card of cards)
		card.charts.dress(card.direction);
	paintCharts();
	showMap();
}

function setUpTheme() {
	const dark = matchMedia("(prefers-color-scheme: dark)");
	let chosen = null;
	try {
		chosen = localStorage.getItem("farlink-theme");
	} catch (_) { /* as the system has it */ }
	setTheme(chosen || (dark.matches ? "dark" : "light"));
	dark.addEventListener("change", () => {
		if (!chosen)
			setTheme(dark.matches ? "dark" : "light");
	});
	$("theme").addEventListener("click", () => {
		chosen = document.documentElement.dataset.theme === "dark" ?
			"light" : "dark";
		try {
			localStorage.setItem("farlink-theme", chosen);
		} catch (_) { /* for this once */ }
		setTheme(chosen);
	});
}

function setUpWindow() {
	const buttons = document.querySelectorAll("[data-window]");
	for (const button of buttons)
		button.addEventListener("click", () => {
			shown = Number(button.dataset.window);
			for (const other of buttons)
				other.setAttribute("aria-pressed",
					String(other === button));
			paintCharts();
		});
	$("only-marks").addEventListener("change", event =>
		$("events").classList.toggle("only", event.target.checked));
	window.addEventListener("resize", showMap);
	document.addEventListener("visibilitychange", () => {
		paintCharts();
		showMap();
	});
	setInterval(() => {
		if (state)
			$("clock").textContent = clock(trialTime());
	}, 200);
}

learnToken();
setUpTheme();
setUpOrders();
setUpWindow();
begin();
})();
