function e(e, t = {}, ...n) {
	let a = document.createElement(e);
	return r(a, t), a.append(...i(n)), a;
}
function t(e, t = {}, ...n) {
	let a = document.createElementNS("http://www.w3.org/2000/svg", e);
	return r(a, t), a.append(...i(n)), a;
}
function n(e, ...t) {
	e.replaceChildren(...i(t));
}
function r(e, t) {
	for (let [n, r] of Object.entries(t)) typeof r == "function" ? e.addEventListener(n.slice(2), r) : r != null && r !== !1 && e.setAttribute(n, r === !0 ? "" : String(r));
}
function i(e) {
	return e.filter((e) => e instanceof Node || !!e);
}
function a(t, n, ...r) {
	return e("a", {
		href: t,
		...n
	}, ...r);
}
function o(t, n, r = {}) {
	return e("button", {
		type: "button",
		onclick: n,
		...r
	}, t);
}
//#endregion
//#region src/announce.ts
var s = e("div", {
	class: "unseen",
	"aria-live": "polite",
	role: "status"
}), c = [], l = 0;
function u(e) {
	c.push(e), window.clearTimeout(l), l = window.setTimeout(() => {
		s.textContent = c.join(" "), c = [];
	}, 120);
}
//#endregion
//#region src/board/drawing.ts
var d = {
	"#F4F4F0": "pale",
	"#EFE6D2": "sand",
	"#A9C4B4": "sage",
	"#D5D5D5": "grey",
	"#4A4A4A": "dark"
};
function f(e, { fill: t, ink: n }, r = !1) {
	let i = r ? d[t.toUpperCase()] : void 0;
	return e.style.setProperty("--fill", i ? `var(--${i})` : t || "transparent"), e.style.setProperty("--sign", i ? `var(--${i}-ink, ${n})` : t === "" ? "var(--ink)" : n), e;
}
function ee(e, n, [r, i], a) {
	let o = n[e.ground] ?? ne, s = se[o.shape] ?? (o.fill === "" ? () => [] : () => [a ? p("ground") : re()]), c = e.note?.trim();
	return f(t("g", {}, ...s(o, r, i), e.text ? ie(e.text, e.piece !== null) : null, c ? t("text", {
		class: "tile-note",
		x: -46,
		y: -31.5
	}, c) : null), o, !0);
}
function te(e = ne) {
	return (de[e.shape] ?? y)(e, 0, 0);
}
var ne = {
	name: "",
	shape: "",
	fill: "#D5D5D5",
	ink: "#000000",
	sign: "?"
}, re = () => t("rect", {
	class: "ground slab",
	x: -48,
	y: -48,
	width: 96,
	height: 96,
	rx: 12
}), p = (e) => t("rect", {
	class: e,
	x: -50.5,
	y: -50.5,
	width: 101,
	height: 101
});
function ie(e, n) {
	let r = Math.max(12, Math.min(30, 155 / e.length));
	return t("text", {
		class: "tile-text",
		"font-size": n ? Math.min(20, r) : r,
		y: n ? 40 : 0
	}, e);
}
var ae = "M2-44C8-24 32-14 32 14A32 32 0 0 1-32 14C-32-4-22-12-18-26C-13-18-11-16-6-14C-9-28-6-36 2-44Z", oe = "M2-10C4 2 18 8 18 20A17 17 0 0 1-16 20C-16 10-2 6 2-10Z", se = {
	bricks: () => [re(), t("path", {
		class: "bricks",
		d: "M-46-16H46M-46 16H46M-14-46V-16M24-46V-16M-30-16V16M8-16V16M-14 16V46M24 16V46"
	})],
	flame: (e, t, n) => [
		p("embers"),
		m("side", -24, -4, .66, t + 2 * n),
		m("side", 24, -4, .66, t + 2 * n + 3),
		m("", 0, 8, .94, 2 * t + n)
	],
	hole: () => [
		p("ground"),
		t("circle", {
			class: "hole",
			r: 40
		}),
		t("circle", {
			class: "hole-rim",
			r: 40
		})
	]
};
function m(e, n, r, i, a) {
	let o = [
		t("path", {
			class: "flame-base",
			d: ae
		}),
		t("path", {
			d: ae,
			fill: "url(#glow)"
		}),
		t("path", {
			d: oe,
			fill: "url(#core)"
		})
	];
	return t("g", { transform: `translate(${n} ${r}) scale(${i})` }, t("g", { class: `flame lean${a % 5} ${e}` }, ...o));
}
var h = (e, n) => t("ellipse", {
	class: "shadow",
	cy: n,
	rx: e,
	ry: e * .32
}), g = (e, n) => [
	t("circle", {
		class: "rim",
		cy: n,
		r: e
	}),
	t("circle", {
		class: "face",
		r: e
	}),
	t("circle", {
		r: e,
		fill: "url(#lit)"
	}),
	t("circle", {
		class: "groove",
		r: .73 * e
	})
], _ = ({ sign: e }, n, r = 0) => e ? t("text", {
	class: "sign-letter",
	"font-size": n,
	y: r
}, e) : null, v = (...e) => e.filter((e) => e !== null), y = (e) => v(h(34, 22), ...g(38, 4), _(e, 34)), ce = () => [
	h(34, 22),
	...g(38, 4),
	t("path", {
		class: "crown",
		d: "M-22 15V-11L-11 1L0-17L11 1L22-11V15Z"
	}),
	t("path", {
		class: "crown-band",
		d: "M-22 20H22"
	})
], le = (e) => v(h(32, 38), ...["coat", "glow"].flatMap((e) => [t("path", {
	d: "M-31 39C-31 8-20-4 0-4S31 8 31 39C31 43-31 43-31 39Z",
	...ue[e]
}), t("circle", {
	cy: -20,
	r: 22,
	...ue[e]
})]), ...[-7.5, 7.5].flatMap((e) => [t("ellipse", {
	class: "eye",
	cx: e,
	cy: -21,
	rx: 4.6,
	ry: 6.2
}), t("circle", {
	class: "pupil",
	cx: e + 1.2,
	cy: -20,
	r: 2.5
})]), _(e, 25, 21)), ue = {
	coat: { class: "coat" },
	glow: { fill: "url(#glow)" }
}, de = {
	disc: y,
	king: ce,
	stone: y,
	avatar: le,
	coin: (e) => {
		let n = t("g", { class: "coin" }, ...v(...g(26, 3), _(e, 24)));
		return n.style.setProperty("--metal", e.fill), [h(24, 22), n];
	},
	sprout: () => [
		h(20, 34),
		t("path", {
			class: "stem",
			d: "M0 36C0 14 2 2 0-10"
		}),
		t("path", {
			class: "leaf",
			d: "M0 8C-8-16-30-18-36-14C-34 4-18 14 0 8Z"
		}),
		t("path", {
			class: "leaf",
			d: "M0-4C4-28 24-36 36-32C36-14 20-2 0-4Z"
		})
	],
	seed: () => [h(22, 22), ...[
		[-15, 8],
		[14, 12],
		[0, -10]
	].map(([e, n]) => t("ellipse", {
		class: "grain",
		rx: 8,
		ry: 11,
		transform: `translate(${e} ${n}) rotate(24)`
	}))]
};
function fe() {
	let e = (...e) => e.map(([e, n, r]) => t("stop", {
		offset: e,
		"stop-color": n,
		"stop-opacity": r
	})), n = {
		cx: .38,
		cy: .3,
		r: .85
	};
	return t("svg", {
		class: "paints",
		width: 0,
		height: 0,
		"aria-hidden": "true",
		focusable: "false"
	}, t("defs", {}, t("radialGradient", {
		id: "lit",
		...n
	}, ...e([
		0,
		"#fff",
		.42
	], [
		.5,
		"#fff",
		.06
	], [
		.65,
		"#000",
		0
	], [
		1,
		"#3a1c00",
		.3
	])), t("radialGradient", {
		id: "core",
		...n
	}, ...e([
		0,
		"#fffbe0",
		1
	], [
		.6,
		"#ffe680",
		1
	], [
		1,
		"#ffc93c",
		1
	])), t("linearGradient", {
		id: "glow",
		x1: 0,
		y1: 0,
		x2: 0,
		y2: 1
	}, ...e([
		0,
		"#fff",
		.28
	], [
		.4,
		"#fff",
		0
	], [
		1,
		"#300",
		.22
	]))));
}
//#endregion
//#region src/icons.ts
var pe = {
	first: "M4 3v10M13 3L6 8l7 5Z",
	back: "M12 3L5 8l7 5Z",
	on: "M4 3l7 5l-7 5Z",
	last: "M12 3v10M3 3l7 5l-7 5Z",
	sun: "M8 5a3 3 0 1 1 0 6a3 3 0 1 1 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
	moon: "M12.5 10.2A5.6 5.6 0 0 1 5.8 3.5A5.6 5.6 0 1 0 12.5 10.2Z",
	up: "M8 13V3M4 7l4-4l4 4",
	right: "M3 8h10M9 4l4 4l-4 4",
	down: "M8 3v10M4 9l4 4l4-4",
	left: "M13 8H3M7 4L3 8l4 4",
	stay: "M8 6.5a1.5 1.5 0 1 1 0 3a1.5 1.5 0 1 1 0-3Z"
};
function me(e) {
	return t("svg", {
		class: "icon",
		viewBox: "0 0 16 16",
		"aria-hidden": "true",
		focusable: "false"
	}, t("path", { d: pe[e] }));
}
//#endregion
//#region src/theme.ts
var he = "sizeup-theme";
function ge() {
	let e = document.documentElement.dataset.theme;
	return e === "dark" || e === "light" ? e : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
function _e() {
	let e = () => ge() === "dark" ? "Light" : "Dark", t = o("", () => {
		let e = ge() === "dark" ? "light" : "dark";
		document.documentElement.dataset.theme = e;
		try {
			localStorage.setItem(he, e);
		} catch {}
		r();
	}, { class: "theme" }), r = () => {
		n(t, me(e() === "Dark" ? "moon" : "sun")), t.setAttribute("aria-label", `${e()} theme`), t.title = `${e()} theme`;
	};
	return matchMedia("(prefers-color-scheme: dark)").addEventListener("change", r), r(), t;
}
//#endregion
//#region src/frame.ts
var b = e("main", {
	id: "main",
	tabindex: -1
});
function ve(t) {
	let r = e("a", {
		class: "skip",
		href: "#main",
		onclick: (e) => {
			e.preventDefault(), b.focus();
		}
	}, "Skip to content"), i = t.length === 0, a = e("header", { class: "top" }, e(i ? "span" : "a", {
		class: "logo",
		href: i ? null : "/"
	}, e("span", {
		class: "logo-bars",
		"aria-hidden": "true"
	}, e("i"), e("i"), e("i")), "Sizeup"), i ? null : e("nav", { "aria-label": "Screens" }, ...t), _e());
	n(document.getElementById("page") ?? document.body, r, a, b, s, fe());
}
//#endregion
//#region src/words.ts
var ye = [
	0,
	1,
	2,
	3
].map((e) => new Intl.NumberFormat("en", {
	maximumFractionDigits: e,
	useGrouping: !1,
	roundingMode: "halfEven"
}));
function x(e, t = 2) {
	if (e === null || Number.isNaN(e)) return "–";
	let n = ye[t]?.format(e) ?? "";
	return n === "-0" ? "0" : n.replace("-", "−");
}
function S(e) {
	let t = x(e);
	return `${t} ${/^−?1$/.test(t) ? "point" : "points"}`;
}
function C(e) {
	return e >= .995 && e < 1 ? ">99 %" : e > 0 && e < .005 ? "<1 %" : `${x(100 * e, 0)} %`;
}
function be(e, t, n = `${t}s`) {
	return `${e.toLocaleString("en")} ${e === 1 ? t : n}`;
}
function xe(e) {
	return `${be(e ?? 0, "move")} ahead`;
}
function Se(e) {
	return e.length < 2 ? e.join("") : `${e.slice(0, -1).join(", ")} and ${e.at(-1)}`;
}
function w(e) {
	return e.charAt(0).toLowerCase() + e.slice(1);
}
function T(e) {
	return e.charAt(0).toUpperCase() + e.slice(1);
}
function Ce(e) {
	return e && `${T(e)}${/[.!?]$/.test(e) ? "" : "."}`;
}
function we({ reason: e }) {
	return Ce(e.replace(/\bplies\b/g, "moves"));
}
function Te(e) {
	return Ce(e.split(". ")[0] ?? "");
}
function Ee({ action: e, phrase: t }) {
	return t === `play ${e}` ? e : t;
}
function E(e, t) {
	return Ee(e?.legal.find((e) => e.action === t) ?? {
		action: t,
		phrase: `play ${t}`
	});
}
function D(e, t) {
	return e.find((e) => e.seat === t)?.called ?? `player ${t + 1}`;
}
function De(e, { ply: t, actor: n, score: r }) {
	let i = e?.turns ?? null;
	return [i === null ? "" : `Turn ${Math.min(i, n === null ? t : t + 1)} of ${i}`, r.length === 1 && `Score ${x(r[0] ?? 0)}`].filter(Boolean).join(" · ");
}
function O(e) {
	let t = e.probabilities.reduce((e, t, n, r) => t > (r[e] ?? 0) ? n : e, 0);
	return [e.types[t] ?? 0, e.probabilities[t] ?? 0];
}
function k(e) {
	return Math.max(0, 1 - e.probabilities.reduce((e, t) => e + t, 0));
}
function Oe(e) {
	if (e.stopped !== null) {
		let t = e.scores.length === 1 ? ` with ${S(e.total)}` : "";
		return `Stopped after ${be(e.stopped, "move")}${t}`;
	}
	let t = e.margin === null ? "" : ` by ${S(e.margin)}`;
	switch (e.outcome) {
		case "won": return `Your team won${t}`;
		case "lost": return `Your team lost${t}`;
		case "drawn": return "A draw";
		case "done": return e.scores.length > 1 ? `${T(e.winner ?? "nobody")} won${t}` : `Team score: ${S(e.total)}`;
	}
}
//#endregion
//#region src/api.ts
var ke = class extends Error {
	status;
	constructor(e, t) {
		super(t), this.status = e;
	}
}, Ae = "Sizeup is not responding. Is `sizeup serve` still running?";
async function je(e, t = {}) {
	let n;
	try {
		n = await fetch(e, {
			credentials: "same-origin",
			...t
		});
	} catch {
		throw new ke(0, Ae);
	}
	let r = await n.json().catch(() => null);
	if (!n.ok) throw new ke(n.status, Me(r, n.status));
	return r;
}
function Me(e, t) {
	return typeof e == "object" && e && "error" in e ? T(String(e.error)) : t === 401 ? "This page is not signed in. Open the address that `sizeup serve` printed." : `Sizeup answered with an error (${t}).`;
}
function Ne(e, t) {
	return je(e, {
		method: "POST",
		headers: {
			"Content-Type": "application/json",
			"X-Sizeup": "1"
		},
		body: t
	});
}
var A = (...e) => `/api/${e.map((e) => encodeURIComponent(String(e))).join("/")}`;
function Pe(e, t, n) {
	let r = n === null ? "" : `?as_type=${n}`;
	return je(A("records", e, "tables", t) + r);
}
var Fe = (e, t, n) => Ne(A("records", e, "what-if"), JSON.stringify({
	ply: t,
	action: n
})), Ie = (e) => Ne(A("records", e, "sizes"), "{}"), j = (e, t, n) => A("records", e, "export", t) + (n === void 0 ? "" : `?ply=${n}`);
//#endregion
//#region src/chart/scale.ts
function M([e, t], [n, r]) {
	return t === e ? () => (n + r) / 2 : (i) => n + (i - e) / (t - e) * (r - n);
}
function Le(e, t, n) {
	if (!(t > e)) return [e];
	let r = (t - e) / Math.max(1, n), i = 10 ** Math.floor(Math.log10(r)), a = ([
		1,
		2,
		5,
		10
	].find((e) => e * i >= r) ?? 10) * i, o = Math.ceil(e / a - 1e-9), s = Math.floor(t / a + 1e-9);
	return Array.from({ length: s - o + 1 }, (e, t) => Number(((o + t) * a).toPrecision(12)));
}
function Re(e, t, n) {
	return Le(e, t, n).filter(Number.isInteger);
}
function ze(e, t, [n, r]) {
	let i = e.map((e, t) => t).sort((t, n) => (e[t] ?? 0) - (e[n] ?? 0)), a = (e) => {
		let i = (e.members.length - 1) * t, a = e.wanted / e.members.length - i / 2;
		return Math.max(n, Math.min(r - i, a));
	}, o = [];
	for (let n of i) {
		let r = {
			members: [n],
			wanted: e[n] ?? 0
		};
		for (let e = o.at(-1); e && !(a(e) + e.members.length * t <= a(r)); e = o.at(-1)) o.pop(), r = {
			members: [...e.members, ...r.members],
			wanted: e.wanted + r.wanted
		};
		o.push(r);
	}
	let s = Array(e.length).fill(0);
	for (let e of o) e.members.forEach((n, r) => s[n] = a(e) + r * t);
	return s;
}
//#endregion
//#region src/chart/curve.ts
var N = 380, Be = 168, P = 34, F = 350, Ve = 10, I = 140, He = 13, L = 8, Ue = class {
	element = t("svg", {
		class: "curve",
		viewBox: `0 0 ${N} ${Be}`,
		role: "img"
	});
	constructor(e) {
		e && (this.element.classList.add("jumps"), this.element.addEventListener("click", (t) => e(this.plyAt(t))));
	}
	plies = L;
	show(e, r, i) {
		this.plies = Math.max(L, r);
		let a = M([0, this.plies], [P, F]), o = M([0, 1], [I, Ve]), s = e[Math.min(i, e.length - 1)];
		this.element.setAttribute("aria-label", this.words(s, i)), n(this.element, ...[
			0,
			.5,
			1
		].map((e) => t("path", {
			class: "grid",
			d: `M${P} ${o(e)}H${F}`
		})), ...[
			0,
			.5,
			1
		].map((e) => t("text", {
			class: "tick end",
			x: 28,
			y: o(e) + 4
		}, C(e))), ...Re(0, this.plies, 5).filter((e) => a(e) < 324).map((e) => t("text", {
			class: "tick middle",
			x: a(e),
			y: 158
		}, String(e))), t("text", {
			class: "tick end",
			x: N,
			y: 158
		}, "moves"), t("path", {
			class: "cursor",
			d: `M${a(Math.min(i, this.plies))} 6V${I}`
		}), ...We(e, a, o, i), ...s ? Ge(e, a, o) : []);
	}
	words(e, t) {
		if (!e) return "No beliefs yet";
		let n = e.types.map((t, n) => `depth ${t} ${C(e.probabilities[n] ?? 0)}`), r = k(e);
		return r >= .005 && n.push(`none of these ${C(r)}`), `Belief over the moves; after move ${t}: ${n.join(", ")}; most likely ${r > .5 ? "none of these" : `depth ${O(e)[0]}`}`;
	}
	plyAt(e) {
		let t = this.element.getBoundingClientRect(), n = (e.clientX - t.left) / t.width * N, r = Math.round(M([P, F], [0, this.plies])(n));
		return Math.min(this.plies, Math.max(0, r));
	}
};
function We(e, n, r, i) {
	return (e[0]?.types ?? []).flatMap((a, o) => {
		let s = e.map((e, t) => `${n(t).toFixed(1)} ${r(e.probabilities[o] ?? 0).toFixed(1)}`), c = Math.min(i, e.length - 1);
		return [t("path", {
			class: `line kind${o % 6}`,
			d: `M${s.join("L")}`
		}), t("circle", {
			class: `dot kind${o % 6}`,
			cx: n(c),
			cy: r(e[c]?.probabilities[o] ?? 0),
			r: 3.6
		})];
	});
}
function Ge(e, n, r) {
	let i = e[e.length - 1];
	if (!i) return [];
	let a = ze(i.probabilities.map(r), He, [Ve, I]);
	return i.types.map((r, i) => t("text", {
		class: `label kind${i % 6}`,
		x: n(e.length - 1) + 8,
		y: (a[i] ?? 0) + 4
	}, String(r)));
}
//#endregion
//#region src/game.ts
function R(e) {
	return e.find((e) => e.kind === "you") ?? null;
}
function Ke(e, t, n, r) {
	let i = (e) => e.find((e) => e.believer === n && e.about === r), a = i(e) ?? t.map((e) => i(e.beliefs)).find((e) => e);
	if (a === void 0) return [];
	let o = [a];
	for (let e of t) o.push(i(e.beliefs) ?? o[o.length - 1] ?? a);
	return o;
}
function qe(e, t) {
	let n = /* @__PURE__ */ new Map();
	for (let { believer: r, about: i } of [...e, ...t.flatMap((e) => e.beliefs)]) r !== i && n.set(`${r}:${i}`, {
		believer: r,
		about: i
	});
	return [...n.values()].sort((e, t) => e.believer - t.believer || e.about - t.about);
}
//#endregion
//#region src/beliefs.ts
var z = .005, B = class {
	element = e("ul", { class: "bars" });
	rows = [];
	drawn = "";
	show(e) {
		this.drawn !== e.types.join() && this.lay(e.types), [...e.probabilities, k(e)].forEach((t, n) => {
			let r = this.rows[n];
			r && (r.fill.style.width = Xe(t), r.value.textContent = C(t), r.line.hidden = n === e.types.length && t < z);
		});
	}
	lay(t) {
		this.drawn = t.join();
		let r = [...t.map(String), "none"];
		this.rows = r.map((n, r) => ({
			line: e("li"),
			fill: e("div", { class: `bar-fill ${r < t.length ? `kind${r % 6}` : "none"}` }),
			value: e("span", { class: "bar-value" })
		})), this.rows.forEach((i, a) => {
			let o = e("span", { class: "bar-name" }, a < t.length && e("span", { class: "unseen" }, "depth "), r[a] ?? "");
			n(i.line, o, e("div", { class: "bar-track" }, i.fill), i.value);
		}), n(this.element, ...this.rows.map(({ line: e }) => e));
	}
}, Je = class {
	element = e("div", {
		class: "brief",
		"aria-hidden": "true"
	});
	title = e("p", {});
	odds = e("div", { class: "brief-odds" });
	constructor() {
		this.element.append(this.title, this.odds);
	}
	show(e, t) {
		this.title.textContent = e;
		let r = k(t);
		n(this.odds, ...t.types.map((e, n) => Ye(String(e), t.probabilities[n] ?? 0, `kind${n % 6}`)), ...r >= z ? [Ye("none", r, "none")] : []);
	}
};
function Ye(t, n, r) {
	let i = e("i", { class: r });
	return i.style.width = Xe(n), e("span", {}, e("b", {}, t), ` ${C(n)}`, i);
}
var Xe = (e = 0) => `${100 * e}%`, Ze = class {
	pair;
	element;
	short = new Je();
	brief = this.short.element;
	bars = new B();
	curve;
	constructor(t, n) {
		this.pair = t, this.curve = new Ue(n);
		let r = [e("h2", {}, t.title), e("p", { class: "quiet" }, t.note)];
		this.element = e("section", { class: "belief" }, ...r, this.bars.element, this.curve.element);
	}
	show(e, t, n) {
		let r = e[Math.min(n, e.length - 1)];
		r && (this.bars.show(r), this.short.show(`${this.pair.title}: moves ahead`, r), this.curve.show(e, t, n));
	}
}, Qe = class {
	jump;
	element = e("div", { class: "panels" });
	briefs = e("div");
	panels = [];
	constructor(e) {
		this.jump = e;
	}
	lay(t) {
		this.panels = t.map((e) => new Ze(e, this.jump));
		let r = e("section", { class: "belief" }, e("h2", {}, "Beliefs"), e("p", { class: "quiet" }, "No player in this game keeps beliefs about another."));
		n(this.element, ...t.length > 0 ? this.panels.map(({ element: e }) => e) : [r]), n(this.briefs, ...this.panels.map(({ brief: e }) => e));
	}
	show(e, t, n = t.length) {
		for (let r of this.panels) r.show(Ke(e, t, r.pair.believer, r.pair.about), t.length, n);
	}
}, V = (e) => `${e[0]},${e[1]}`, H = (e, t) => e[0] === t[0] && e[1] === t[1];
function U(e, { rows: t, columns: n, flipped: r }) {
	return r ? [t - 1 - e[0], n - 1 - e[1]] : e;
}
function W(e) {
	return Array.from({ length: e.rows }, (t, n) => Array.from({ length: e.columns }, (t, r) => U([n, r], e)));
}
function $e(e, t, n) {
	let [r, i] = U(e, n), a = n.rows - 1, o = n.columns - 1, s = {
		ArrowUp: [Math.max(0, r - 1), i],
		ArrowDown: [Math.min(a, r + 1), i],
		ArrowLeft: [r, Math.max(0, i - 1)],
		ArrowRight: [r, Math.min(o, i + 1)],
		Home: [r, 0],
		End: [r, o],
		PageUp: [0, i],
		PageDown: [a, i]
	}[t];
	return s === void 0 ? null : U(s, n);
}
function et(e, t, n) {
	let r = Math.floor(t * n.rows), i = Math.floor(e * n.columns);
	return r >= 0 && r < n.rows && i >= 0 && i < n.columns ? U([r, i], n) : null;
}
function tt(e) {
	let [t, n] = [e[0]?.[0]?.ground, e[0]?.[1]?.ground];
	return t !== n && e.every((e, r) => e.length > 1 && e.every(({ ground: e }, i) => e === ((r + i) % 2 ? n : t)));
}
function nt(e) {
	return e.every((e) => e.length === 2 && !!e[0]?.text && e.every(({ piece: e }) => e === null));
}
function rt(e) {
	return nt(e) ? "2" : String(Math.max(...e.map((e) => e.length)) / e.length);
}
//#endregion
//#region src/board/cells.ts
var it = 6, at = class {
	hand;
	element = e("div", {
		class: "cells",
		role: "grid"
	});
	byKey = /* @__PURE__ */ new Map();
	geometry = null;
	current = [0, 0];
	press = null;
	swallowClick = !1;
	constructor(e, t, n) {
		this.hand = t, this.element.setAttribute("aria-label", e), this.element.addEventListener("keydown", (e) => this.keyed(e)), n && this.element.addEventListener("mousedown", (e) => e.preventDefault()), this.element.addEventListener("click", (e) => this.clicked(e)), this.element.addEventListener("pointerdown", (e) => this.pressed(e)), this.element.addEventListener("pointermove", (e) => this.moved(e)), this.element.addEventListener("pointerup", (e) => this.released(e)), this.element.addEventListener("pointercancel", () => this.giveUp());
	}
	show(e, t, n) {
		ct(this.geometry, t) || this.lay(t);
		for (let r of W(t)) for (let i of r) {
			let r = this.byKey.get(V(i)), a = e.rows[i[0]]?.[i[1]];
			r && a && ot(r, U(i, t), a.label, n(i));
		}
	}
	rove(e) {
		let t = this.element.contains(document.activeElement);
		this.byKey.get(V(this.current))?.setAttribute("tabindex", "-1"), this.current = e;
		let n = this.byKey.get(V(e));
		n?.setAttribute("tabindex", "0"), t && n?.focus();
	}
	take(e) {
		this.byKey.get(V(this.current))?.focus(), this.keyed(e);
	}
	lay(t) {
		this.geometry = t, this.byKey.clear();
		let r = W(t).map((t) => e("div", {
			role: "row",
			class: "cell-row"
		}, ...t.map((t) => {
			let n = e("div", {
				role: "gridcell",
				class: "cell",
				tabindex: -1,
				"data-cell": V(t)
			});
			return this.byKey.set(V(t), n), n;
		})));
		n(this.element, ...r), this.rove(W(t)[0]?.[0] ?? [0, 0]);
	}
	keyed(e) {
		if (!this.geometry || e.altKey || e.ctrlKey || e.metaKey) return;
		let t = $e(this.current, e.key, this.geometry);
		if (t) this.rove(t);
		else if (e.key === "Enter" || e.key === " ") this.hand.picked(this.current);
		else if (e.key === "Escape") this.hand.cancelled();
		else return;
		e.preventDefault(), e.stopPropagation();
	}
	clicked(e) {
		let t = st(e.target);
		t && !this.swallowClick && (this.rove(t), this.hand.picked(t)), this.swallowClick = !1;
	}
	pressed(e) {
		this.swallowClick = !1;
		let t = st(e.target);
		t && e.button === 0 && this.hand.movable(t) && (this.press = {
			cell: t,
			x: e.clientX,
			y: e.clientY,
			moving: !1
		});
	}
	moved(e) {
		this.press && (Math.hypot(e.clientX - this.press.x, e.clientY - this.press.y) > it && !this.press.moving && (this.press.moving = !0, this.element.setPointerCapture(e.pointerId), this.hand.dragStarted(this.press.cell)), this.press.moving && this.hand.dragged(this.press.cell, ...this.parts(e)));
	}
	released(e) {
		let t = this.press;
		if (this.press = null, !t?.moving || !this.geometry) return;
		this.swallowClick = !0;
		let n = et(...this.parts(e), this.geometry);
		this.hand.dropped(t.cell, n && H(n, t.cell) ? null : n);
	}
	giveUp() {
		this.press?.moving && this.hand.dropped(this.press.cell, null), this.press = null;
	}
	parts(e) {
		let t = this.element.getBoundingClientRect();
		return [(e.clientX - t.left) / t.width, (e.clientY - t.top) / t.height];
	}
};
function ot(e, [t, n], r, i) {
	let a = [r.trim(), `row ${t + 1}, column ${n + 1}`];
	i.picked ? a.push("picked") : i.target ? a.push("you can move here") : i.movable && a.push("can move"), e.setAttribute("aria-label", a.filter(Boolean).join(", ")), e.setAttribute("aria-selected", String(i.picked)), e.classList.toggle("movable", i.movable), e.classList.toggle("target", i.target);
}
function st(e) {
	let [t, n] = ((e instanceof Element ? e.closest("[data-cell]") : null)?.dataset.cell ?? "").split(",").map(Number);
	return t === void 0 || n === void 0 || Number.isNaN(n) ? null : [t, n];
}
function ct(e, t) {
	return e !== null && e.rows === t.rows && e.columns === t.columns && e.flipped === t.flipped;
}
//#endregion
//#region src/board/choice.ts
function G(e) {
	let t = {
		legal: e,
		picked: [],
		open: []
	}, [n, ...r] = K(t);
	return n !== void 0 && r.length === 0 ? pt(t, n) : t;
}
function K(e) {
	return Y(e.legal.flatMap((e) => e.squares.slice(0, 1)));
}
function lt(e) {
	return Y(e.open.flatMap(({ stops: e, reached: t }) => [...e.slice(t, t + 1), ...e.slice(-1)]));
}
function ut(e, t) {
	let n = e.open.filter(({ stops: e }) => J(e.at(-1), t)), r = mt(e.open, t), [i] = n.length > 0 ? n : r;
	return i !== void 0 && (n.length === 1 || n.length === 0 && r.length === 1) ? {
		choice: G(e.legal),
		action: i.legal.action
	} : r.length > 0 ? dt(e, t, r) : ft(e, t);
}
function q(e) {
	return G(e.legal);
}
function dt(e, t, n) {
	let [r] = n;
	return n.every(({ stops: e, reached: t }) => t >= e.length) && r !== void 0 ? {
		choice: q(e),
		action: r.legal.action
	} : {
		choice: {
			...e,
			picked: [...e.picked, t],
			open: n
		},
		action: null
	};
}
function ft(e, t) {
	if (!K(e).some((e) => H(e, t))) return {
		choice: q(e),
		action: null
	};
	let n = pt(e, t), [r] = n.open;
	return n.open.length === 1 && r?.legal.squares.length === 1 ? {
		choice: q(e),
		action: r.legal.action
	} : {
		choice: e.picked.length === 1 && J(e.picked[0], t) ? q(e) : n,
		action: null
	};
}
function pt(e, t) {
	let n = e.legal.filter((e) => J(e.squares[0], t)).map((e) => ({
		legal: e,
		stops: e.squares.length > 1 ? e.squares.slice(1) : e.squares,
		reached: 0
	}));
	return {
		...e,
		picked: [t],
		open: n
	};
}
function mt(e, t) {
	let n = e.filter(({ stops: e, reached: n }) => J(e[n], t));
	return n.length > 0 ? n.map((e) => ({
		...e,
		reached: e.reached + 1
	})) : e.flatMap((e) => {
		let n = e.stops.findIndex((n, r) => r >= e.reached && H(n, t)), r = n === e.stops.length - 1;
		return n < 0 ? [] : [{
			...e,
			reached: r ? e.reached : n + 1
		}];
	});
}
function J(e, t) {
	return e !== void 0 && H(e, t);
}
function Y(e) {
	return [...new Map(e.map((e) => [V(e), e])).values()];
}
//#endregion
//#region src/board/travel.ts
function ht(e, t) {
	return e === null ? null : t.ply === e.ply + 1 ? t.last : t.ply === e.ply - 1 && e.last ? [...e.last].reverse() : null;
}
function gt(e) {
	return 140 + 110 * Math.max(1, e.length - 1);
}
function X() {
	return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
//#endregion
//#region src/board/scene.ts
var _t = class {
	flipped;
	svg = t("svg", {
		class: "scene",
		"aria-hidden": "true",
		focusable: "false"
	});
	geometry = {
		rows: 1,
		columns: 1,
		flipped: !1
	};
	grounds = t("g");
	marks = t("g");
	standing = t("g");
	marked = t("g");
	arrows = t("g");
	floating = t("g");
	pieces = /* @__PURE__ */ new Map();
	arts = {};
	laid = "";
	carried = "";
	constructor(e) {
		this.flipped = e, this.svg.append(this.grounds, this.marks, this.standing, this.marked, this.arrows, this.floating);
	}
	show(e, t, n = null) {
		this.arts = t, this.layGrounds(e), n && this.travel(n), this.settle(e, n !== null && !X()), this.carried = "", this.point([]);
	}
	point(e) {
		n(this.arrows, ...e.map((t, n) => this.arrow(t, n - (e.length - 1) / 2)));
	}
	arrow({ way: e, kind: n, label: r }, i) {
		let a = e.map((e) => U(e, this.geometry)).map(([e, t]) => [(t + .5) * 100, (e + .5) * 100]), [o, s] = [a[0] ?? [0, 0], a.at(-1) ?? [0, 0]], [c, l] = [s[0] - o[0], s[1] - o[1]], u = Math.hypot(c, l), [d, f] = u > 0 ? [-l / u * 22 * i, c / u * 22 * i] : [24 * i, 0], ee = t("polyline", { points: a.map((e) => `${e[0] + d},${e[1] + f}`).join(" ") }), te = t("circle", {
			cx: s[0] + d,
			cy: s[1] + f,
			r: 15
		});
		return t("g", { class: `arrow kind${n}` }, u > 0 && ee, te, t("text", {
			x: s[0] + d,
			y: s[1] + f
		}, r));
	}
	pieceAt(e) {
		return this.pieces.get(V(e))?.group ?? null;
	}
	drag(e, t) {
		let n = this.pieceAt(e);
		n && (n.classList.toggle("dragged", t !== null), n.style.transform = t ? `translate(${t.x}px, ${t.y}px)` : this.spot(e), t && this.standing.append(n));
	}
	drop(e, t) {
		let n = this.pieceAt(e);
		n && (n.style.transform = this.spot(t)), this.carried = V(t);
	}
	mark(e) {
		n(this.marks, ...e.map(({ cell: e, kind: t }) => this.sign(e, t)));
	}
	float(e, n, r) {
		if (X()) return;
		let i = t("text", { class: `floating ${r}` }, n);
		i.style.transform = this.spot(e), this.floating.append(i);
		let a = {
			transform: `${this.spot(e)} translateY(-90px)`,
			opacity: 0
		};
		i.animate([
			{ opacity: 1 },
			{
				opacity: 1,
				offset: .5
			},
			a
		], {
			duration: 1300,
			easing: "ease-out"
		}).finished.catch(() => void 0).finally(() => i.remove());
	}
	layGrounds({ rows: e }) {
		let t = e.map((e) => e.map(({ ground: e, text: t, note: n, marked: r }) => [
			e,
			t,
			n,
			r
		]).join()).join(";");
		if (t === this.laid) return;
		this.laid = t;
		let r = Math.max(1, ...e.map((e) => e.length));
		this.geometry = {
			rows: e.length,
			columns: r,
			flipped: this.flipped
		}, this.svg.setAttribute("viewBox", `0 0 ${r * 100} ${e.length * 100}`);
		let i = tt(e), a = e.flatMap((e, t) => e.map((e, n) => {
			let [r, a] = U([t, n], this.geometry), o = ee(e, this.arts, [t, n], i);
			return o.setAttribute("transform", `translate(${(a + .5) * 100} ${(r + .5) * 100})`), o;
		}));
		n(this.grounds, ...a);
		let o = e.flatMap((e, t) => e.flatMap(({ marked: e }, n) => e ? [this.sign([t, n], "under-line"), this.sign([t, n], "line")] : []));
		n(this.marked, ...o);
	}
	travel(e) {
		let [t, n] = [e[0], e.at(-1)];
		if (t === void 0 || n === void 0 || V(t) === V(n)) return;
		let r = this.pieces.get(V(t));
		if (!r || (this.pieces.get(V(n))?.group.remove(), this.pieces.delete(V(t)), this.pieces.set(V(n), r), this.standing.append(r.group), r.group.style.transform = this.spot(n), X() || this.carried === V(n))) return;
		let i = e.map((e) => ({ transform: this.spot(e) }));
		r.group.animate(i, {
			duration: gt(e),
			easing: "cubic-bezier(.3,.1,.2,1)"
		});
	}
	settle({ rows: e }, t) {
		let n = /* @__PURE__ */ new Map();
		e.forEach((e, t) => e.forEach((e, r) => e.piece && n.set(V([t, r]), {
			id: e.piece,
			cell: [t, r]
		})));
		for (let [e, r] of this.pieces) {
			let i = n.get(e);
			i ? (vt(r, i.id, this.arts[i.id]), r.group.style.transform = this.spot(i.cell)) : this.pieces.delete(e), !i && t ? yt(r.group) : i || r.group.remove();
		}
		for (let [e, { id: r, cell: i }] of n) this.pieces.has(e) || this.stand(e, r, i, t);
	}
	stand(e, n, r, i) {
		let a = {
			id: "",
			group: t("g", { class: "piece" })
		}, { group: o } = a;
		vt(a, n, this.arts[n]), o.style.transform = this.spot(r), this.pieces.set(e, a), this.standing.append(o), i && o.animate([{ opacity: 0 }, { opacity: 1 }], 200);
	}
	sign(e, n) {
		let r = n.endsWith("line") ? 42 : 48.5, i = n === "target" ? t("circle", {
			class: "sign target",
			r: this.pieceAt(e) ? 42 : 16
		}) : t("rect", {
			class: `sign ${n}`,
			x: -r,
			y: -r,
			width: 2 * r,
			height: 2 * r,
			rx: 10
		});
		return i.style.transform = this.spot(e), n === "target" && this.pieceAt(e) && i.classList.add("ring"), i;
	}
	spot(e) {
		let [t, n] = U(e, this.geometry);
		return `translate(${(n + .5) * 100}px, ${(t + .5) * 100}px)`;
	}
};
function vt(e, t, r) {
	e.id !== t && (e.id = t, r && f(e.group, r), n(e.group, ...te(r)));
}
function yt(e) {
	let t = {
		opacity: 0,
		transform: `${e.style.transform} scale(0.4)`
	};
	e.animate([{}, t], {
		duration: 260,
		delay: 90,
		fill: "forwards"
	}).finished.catch(() => void 0).finally(() => e.remove());
}
//#endregion
//#region src/board/board.ts
var Z = (e, t) => e.some((e) => H(e, t)), bt = class {
	options;
	element;
	board = e("div", { class: "board" });
	names = e("div", { class: "column-names" });
	scene;
	cells;
	state = null;
	choice = G([]);
	constructor(t) {
		this.options = t, this.scene = new _t(t.flipped ?? !1), this.cells = t.play ? new at(t.label, this.hand(t.play), t.keyed ?? !1) : null, this.element = e("div", { class: "board-frame" }, this.board, this.names);
	}
	show(e, t, { choosing: n = !1, moving: r = !0 } = {}) {
		let i = r ? ht(this.state, e) : null;
		if (this.state = e, this.choice = G(n ? e.legal : []), this.board.dataset.ply = String(e.ply), this.board.classList.toggle("checkered", tt(e.rows)), this.nameColumns(e, n), this.drawTable(e, t)) return;
		this.scene.show(e, t, i), this.cells || this.board.setAttribute("aria-label", `${this.options.label}: ${St(e, t)}`), this.drawChoice();
		let [a] = K(this.choice);
		a && K(this.choice).length === 1 && this.cells?.rove(a);
	}
	drawTable({ rows: e }, t) {
		let r = nt(e);
		return this.board.classList.toggle("plain-fields", r), !r && !this.scene.svg.parentNode && n(this.board, this.scene.svg, this.cells?.element), r && n(this.board, xt(e, t)), this.cells || this.board.setAttribute("role", r ? "group" : "img"), r;
	}
	nameColumns({ columns: t, legal: r }, i) {
		let { flipped: a, play: s } = this.options, c = a ? [...t].reverse() : t;
		this.names.style.setProperty("--columns", String(t.length)), n(this.names, ...c.map((t) => i && s && r.some(({ action: e }) => e === t) ? o(t, () => s(t), { class: "move" }) : e("span", { class: "column-name" }, t)));
	}
	point(e) {
		this.scene.point(e);
	}
	floatReward(e, t) {
		let n = this.state?.last?.at(-1), r = e > 0 ? "+" : "";
		n && e !== 0 && this.scene.float(n, r + x(e), t ? "good" : "bad");
	}
	drawChoice() {
		let { state: e, choice: t } = this;
		if (!e) return;
		let n = lt(t), r = K(t);
		this.scene.mark([
			...(e.last ?? []).map((e) => ({
				cell: e,
				kind: "last"
			})),
			...r.map((e) => ({
				cell: e,
				kind: "halo"
			})),
			...r.map((t) => ({
				cell: t,
				kind: e.hint ? "movable must" : "movable"
			})),
			...t.picked.map((e) => ({
				cell: e,
				kind: "picked"
			})),
			...n.map((e) => ({
				cell: e,
				kind: "target"
			}))
		]), this.cells?.show(e, this.scene.geometry, (e) => ({
			picked: Z(t.picked, e),
			movable: Z(r, e),
			target: Z(n, e)
		}));
	}
	take(e) {
		this.cells?.take(e);
	}
	hand(e) {
		let t = (t) => {
			let { choice: n, action: r } = ut(this.choice, t);
			this.choice = n, this.drawChoice(), r !== null && e(r);
		};
		return {
			picked: t,
			cancelled: () => {
				this.choice = q(this.choice), this.drawChoice();
			},
			movable: (e) => Z(K(this.choice), e),
			dragStarted: (e) => {
				Z(this.choice.picked, e) || t(e);
			},
			dragged: (e, t, n) => {
				let { rows: r, columns: i } = this.scene.geometry;
				this.scene.drag(e, {
					x: t * i * 100,
					y: n * r * 100
				});
			},
			dropped: (e, n) => {
				this.scene.drag(e, null), n && Z(lt(this.choice), n) && (t(n), Z(this.choice.picked, n) || this.scene.drop(e, n));
			}
		};
	}
};
function xt(t, n) {
	return e("table", { class: "fields" }, e("tbody", {}, ...t.map(([t, r]) => {
		let i = e("td", {}, r?.text ?? ""), a = n[r?.ground ?? ""];
		return e("tr", {}, e("th", { scope: "row" }, t?.text ?? ""), a ? f(i, a, !0) : i);
	})));
}
function St({ ply: e, rows: t }, n) {
	let r = /* @__PURE__ */ new Map();
	for (let { piece: e } of t.flat()) e && r.set(e, (r.get(e) ?? 0) + 1);
	let i = [...r].map(([e, t]) => `${n[e]?.name ?? e}${t > 1 ? ` × ${t}` : ""}`);
	return [`after ${e} moves`, ...i].join(", ");
}
//#endregion
//#region src/parts/fields.ts
function Ct(t, n, r, i) {
	let a = e("select", i ? { onchange: i } : {});
	return a.append(...n.map(({ value: t, label: n }) => e("option", {
		value: t,
		selected: t === r
	}, n))), {
		element: Tt(t, a),
		value: () => a.value
	};
}
var wt = 0;
function Tt(t, n) {
	return n.id = `field-${wt += 1}`, e("div", { class: "field" }, e("label", { for: n.id }, t), n);
}
function Et(t) {
	let n = e("code", { tabindex: 0 }, ...t.split(" ").flatMap((t, n) => [n > 0 && " ", e("span", {}, t)])), r = o("Copy", () => {
		(navigator.clipboard ? navigator.clipboard.writeText(t) : Promise.reject(/* @__PURE__ */ Error("no clipboard"))).then(() => r.textContent = "Copied", () => getSelection()?.selectAllChildren(n));
	}, { class: "small" });
	return e("div", { class: "command" }, n, r);
}
var Dt = class {
	jump;
	element;
	list = e("ol", {
		class: "log",
		tabindex: 0,
		"aria-label": "Moves, newest first"
	});
	drawn = [];
	constructor(t) {
		this.jump = t, this.element = e("section", { class: "log-box" }, e("h2", {}, "Move by move"), this.list);
	}
	show(e, t = e.length) {
		e.length === this.drawn.length + 1 && e.at(-2) === this.drawn.at(-1) ? this.list.prepend(this.line(e[e.length - 1])) : e !== this.drawn && n(this.list, ...[...e].reverse().map((e) => this.line(e))), this.drawn = e, this.element.hidden = e.length === 0;
		for (let e of this.list.children) e.classList.toggle("current", e.getAttribute("data-ply") === String(t));
		this.jump && this.follow();
	}
	follow() {
		requestAnimationFrame(() => this.center());
	}
	center() {
		let e = this.list.querySelector(".current") ?? this.list.lastElementChild;
		e && (this.list.scrollTop = e.offsetTop - (this.list.clientHeight - e.offsetHeight) / 2);
	}
	line(t) {
		let n = [
			t.plain,
			t.bits >= .5 && " ",
			t.bits >= .5 && e("span", { class: "tag" }, "telling")
		], r = this.jump ? e("button", {
			type: "button",
			class: "plain",
			onclick: () => this.jump?.(t.ply)
		}, ...n) : e("span", {}, ...n);
		return e("li", {
			"data-ply": t.ply,
			class: t.bits >= .5 && "telling-move"
		}, e("span", { class: "log-ply" }, String(t.ply)), r);
	}
}, Ot = class {
	kinds;
	element = e("ol", {
		class: "players",
		"aria-label": "Players"
	});
	constructor(e) {
		this.kinds = e;
	}
	show(t, r, i, a, o) {
		let s = R(r) !== null, c = r.some((e) => e.team > 0);
		n(this.element, ...jt(r).map((n) => {
			let r = i.actor === n.seat, l = s ? this.about(n) : "", u = c ? t?.sides[n.team] : t?.seats[n.seat];
			return e("li", {
				class: `player${r ? " active" : ""}`,
				"aria-current": r && "true"
			}, u && kt(u, a), e("span", { class: "player-name" }, n.called), l !== "" && e("span", { class: "player-kind" }, l), r && o === n.seat && e("span", {
				class: "thinking",
				role: "img",
				"aria-label": "thinking"
			}, e("i"), e("i"), e("i")));
		}));
	}
	about(e) {
		if (e.kind === "you" || e.kind === "person") return "";
		let t = w(this.kinds.find((t) => t.kind === e.kind)?.title ?? e.kind);
		return e.depth === null ? t : `${t}, looks ${e.depth} ahead`;
	}
};
function kt(t, n) {
	let r = Object.values(n).find((e) => e.shape !== "" && (e.sign === t || e.name.startsWith(`${t} `)));
	return r ? f(e("span", {
		class: "side",
		role: "img",
		"aria-label": t
	}), r) : e("span", { class: "player-kind" }, t);
}
function At(t, r, i) {
	let a = De(r, i);
	n(t, i.standing && e("span", { class: a ? "quiet" : null }, T(i.standing)), a && e("span", {}, a));
}
function jt(e) {
	let t = ({ team: t, seat: n }) => e.filter((e) => e.team === t && e.seat < n).length;
	return [...e].sort((e, n) => t(e) - t(n) || e.team - n.team);
}
//#endregion
//#region src/parts/told.ts
var Mt = class {
	element;
	place = e("span", { class: "told-place" });
	line = e("p", { class: "told-line" });
	yours = e("p", { class: "told-yours quiet" });
	numbers = e("p", { class: "quiet" });
	deeper = e("details", { class: "told-numbers" }, e("summary", {}, "In numbers"), this.numbers);
	constructor(...t) {
		this.element = e("section", {
			class: "told panel",
			"aria-label": "The move that is shown"
		}, this.line, this.yours, this.deeper, ...t);
	}
	show(e, t, r = !1, i) {
		this.place.textContent = e ? `Move ${e.ply}` : "";
		let a = e ? r ? Te(e.plain) : e.plain : t;
		n(this.line, e && this.place, e && " ", a), this.numbers.textContent = e?.sentence ?? "", this.yours.textContent = i && i !== e && !r ? `Move ${i.ply}: ${i.plain}` : "", this.deeper.hidden = !e || r || e.sentence === e.plain;
	}
};
//#endregion
//#region src/router.ts
function Nt(e) {
	let [t = "", n = null, r = null, ...i] = e.split("/").filter((e) => e !== "").map(Pt);
	if (i.length > 0) return { screen: "lost" };
	switch (t) {
		case "": return { screen: "home" };
		case "tour": return n === null ? { screen: "tour" } : { screen: "lost" };
		case "play": return r === null ? {
			screen: "play",
			game: n
		} : { screen: "lost" };
		case "watch": return n === null ? { screen: "watch" } : { screen: "lost" };
		case "replay": return {
			screen: "replay",
			id: n,
			ply: r === null ? null : Ft(r)
		};
		case "results": return {
			screen: "results",
			name: n,
			cell: r
		};
		default: return { screen: "lost" };
	}
}
function Q(...e) {
	return `/${e.map((e) => encodeURIComponent(String(e))).join("/")}`;
}
function Pt(e) {
	try {
		return decodeURIComponent(e);
	} catch {
		return e;
	}
}
function Ft(e) {
	return /^\d{1,6}$/.test(e) ? Number(e) : null;
}
function It(e) {
	e !== location.pathname && history.pushState(null, "", e), Nt(location.pathname);
}
function Lt(e) {
	e !== location.pathname && history.replaceState(null, "", e);
}
//#endregion
//#region src/screens/end_card.ts
function Rt(e) {
	return (e?.exports ?? ["json"]).filter((e) => e !== "svg");
}
//#endregion
//#region src/screens/replay_scrubber.ts
var zt = 900;
function Bt(e, t, n) {
	return {
		ArrowLeft: Math.max(0, e - 1),
		ArrowRight: Math.min(n, e + 1),
		Home: 0,
		End: n
	}[t] ?? null;
}
var Vt = class {
	plies;
	moved;
	element;
	at = -1;
	timer = 0;
	slider;
	place = e("output", { class: "place" });
	runner = o("Play", () => this.toggle(), { class: "small" });
	onKey = (e) => this.keyed(e);
	constructor(t, n) {
		this.plies = t, this.moved = n, this.slider = e("input", {
			type: "range",
			min: 0,
			max: t,
			step: 1,
			"aria-label": "Move"
		}), this.slider.addEventListener("input", () => this.set(Number(this.slider.value)));
		let r = (e, n, r) => o(me(n), () => this.set(Bt(this.at, r, t) ?? this.at), {
			class: "small",
			"aria-label": e
		});
		this.element = e("div", { class: "scrubber" }, r("To the start", "first", "Home"), r("One move back", "back", "ArrowLeft"), this.runner, r("One move on", "on", "ArrowRight"), r("To the end", "last", "End"), this.slider, this.place), document.addEventListener("keydown", this.onKey);
	}
	set(e) {
		let t = Math.min(this.plies, Math.max(0, e));
		t !== this.at && (this.at = t, this.slider.value = String(t), this.place.textContent = `${t} of ${this.plies}`, this.moved(t));
	}
	close() {
		document.removeEventListener("keydown", this.onKey), window.clearInterval(this.timer);
	}
	keyed(e) {
		if (e.target instanceof Element && e.target.closest("input, select, textarea, [role=grid], .scroll, .log") || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
		let t = Bt(this.at, e.key, this.plies);
		t !== null && (e.preventDefault(), this.set(t));
	}
	toggle() {
		if (this.timer) return this.stop();
		this.at === this.plies && this.set(0), this.runner.textContent = "Pause", this.timer = window.setInterval(() => {
			this.set(this.at + 1), this.at === this.plies && this.stop();
		}, zt);
	}
	stop() {
		window.clearInterval(this.timer), this.timer = 0, this.runner.textContent = "Play";
	}
};
//#endregion
//#region src/screens/screen.ts
function Ht(t, n, r, { seat: i, told: a, below: o, beside: s }) {
	return e("div", { class: "table" }, e("header", { class: `table-head ${t}-head` }, ...n), r, e("div", { class: `columns ${t}` }, i, a, e("div", { class: "below" }, ...o), e("div", { class: "beside" }, ...s)));
}
function $(e) {
	return e instanceof Error ? e.message : String(e);
}
//#endregion
//#region src/screens/replay_sizes.ts
var Ut = class {
	record;
	jump;
	element;
	ask = o("Size up both players", () => void this.find(), { class: "secondary" });
	found = e("div", {}, e("p", { class: "quiet" }, "Searches what players of each depth would have played; this takes about a second for each move."));
	closed = !1;
	constructor(t, n) {
		this.record = t, this.jump = n, this.element = e("section", { class: "sizes" }, e("h2", {}, "How far did they look?"), e("p", { class: "actions" }, this.ask), this.found);
	}
	static areWanted(e) {
		return e.players.some(({ kind: e }) => e === "other");
	}
	close() {
		this.closed = !0;
	}
	async find() {
		if (this.ask.getAttribute("aria-disabled") !== "true") {
			this.ask.setAttribute("aria-disabled", "true"), n(this.found, e("p", { class: "quiet" }, "Searching…"));
			try {
				let { players: e } = await Ie(this.record.id);
				if (this.closed) return;
				n(this.found, ...e.map((e) => this.player(e))), u(e.map((e) => this.verdict(e)).join(" "));
			} catch (t) {
				n(this.found, e("p", { class: "warn" }, $(t)));
			}
			this.ask.removeAttribute("aria-disabled");
		}
	}
	verdict(e) {
		let t = D(this.record.players, e.seat), [n, r] = O(e);
		return e.none ? `${t} plays like none of these depths.` : e.depth === null ? `One cannot tell how far ${t} looks: perhaps ${Se(e.credible.length > 1 ? e.credible.map(String) : [String(n)])} moves ahead.` : `${t} looks ${xe(e.depth)} (${C(r)}).`;
	}
	player(t) {
		let n = new B();
		n.show(t);
		let { states: r } = this.record, i = t.telling.map(({ ply: t, action: n, reason: i }) => e("li", {}, o(`Move ${t}: ${E(r[t - 1], n)}`, () => this.jump(t), { class: "plain link" }), e("p", { class: "quiet" }, i)));
		return e("section", { class: "sized" }, e("p", { class: "verdict" }, this.verdict(t)), n.element, i.length > 0 && e("ol", { class: "telling" }, ...i));
	}
}, Wt = 180, Gt = class {
	record;
	found;
	element;
	body = e("div", { "aria-live": "polite" });
	asType;
	known = /* @__PURE__ */ new Map();
	timer = 0;
	wanted = "";
	ply = 1;
	constructor(t, n) {
		this.record = t, this.found = n;
		let r = t.types.map((e) => ({
			value: String(e),
			label: `a player of depth ${e}`
		}));
		this.asType = Ct("View as", [{
			value: "",
			label: "whoever sized it up"
		}, ...r], "", () => this.show(this.ply)), this.element = e("section", { class: "search" }, e("h2", {}, "What each depth would have played"), this.asType.element, this.body);
	}
	show(e) {
		this.ply = e, this.found(null, e);
		let t = this.asType.value(), n = `${e}/${t}`;
		if (this.wanted = n, window.clearTimeout(this.timer), e === 0) return this.say("No move yet: go on to the first one.");
		let r = this.known.get(n);
		if (r) return this.draw(r, e);
		this.body.classList.add("waiting"), this.body.childElementCount === 0 && this.say("Searching…"), this.timer = window.setTimeout(() => void this.ask(n, e, t === "" ? null : Number(t)), Wt);
	}
	close() {
		this.wanted = "", window.clearTimeout(this.timer);
	}
	async ask(e, t, n) {
		try {
			let r = await Pe(this.record.id, t, n);
			this.known.set(e, r), this.wanted === e && this.draw(r, t);
		} catch (t) {
			this.wanted === e && this.say($(t));
		}
	}
	say(t) {
		this.body.classList.remove("waiting"), n(this.body, e("p", { class: "quiet" }, t));
	}
	draw(t, r) {
		let { table: i, reduced: a } = t, o = this.record.states[r - 1]?.legal.length;
		if (!i) return this.say(o === 1 ? "It was the only legal move, so nobody searched." : "Nobody searched for this move.");
		this.body.classList.remove("waiting");
		let s = `In place of move ${r}. For each depth: in how many of ${i.searches} searches such a player comes to play the move, and how many points it expects from it. The deepest player’s favourite comes first. On the board is each depth’s own favourite.`;
		this.found(i, r), n(this.body, e("p", { class: "quiet" }, s), Jt(i, this.record.states[r - 1]), ...a ? this.believed(a) : []);
	}
	believed(t) {
		let n = t.filter((e) => e.believer !== e.about);
		return n.length === 0 ? [] : [e("h3", {}, `What a player of depth ${this.asType.value()} would believe`), ...n.map((t) => {
			let n = new B();
			return n.show(t), e("div", {}, e("p", { class: "quiet" }, `about ${w(D(this.record.players, t.about))}`), n.element);
		})];
	}
}, Kt = (e, t) => e.indexOf(t) % 6;
function qt({ actions: e }) {
	let t = ({ by_type: e }) => e.at(-1)?.played ?? 0;
	return [...e].sort((e, n) => t(n) - t(e));
}
function Jt(t, n) {
	let r = [e("th", { scope: "col" }, "Move"), ...t.types.map((n) => e("th", {
		scope: "col",
		class: "number"
	}, e("span", { class: `key kind${Kt(t.types, n)}` }, `depth ${n}`)))], i = qt(t).map(({ action: r, played: i, by_type: a }) => e("tr", { class: i && "played" }, e("th", { scope: "row" }, E(n, r), i && " ", i && e("span", { class: "tag" }, "played")), ...a.map((n) => e("td", { class: "number" }, ...n ? Yt(n, t.searches) : ["–"]))));
	return e("div", {
		class: "scroll",
		tabindex: 0,
		role: "region",
		"aria-label": "Search by depth"
	}, e("table", { class: "by-type" }, e("thead", {}, e("tr", {}, ...r)), e("tbody", {}, ...i)));
}
function Yt(t, n) {
	let r = e("span", { class: "share" });
	return r.style.width = `${100 * t.played / n}%`, [e("span", { class: "share-line" }, r, e("span", { class: "share-value" }, x(Math.round(t.played)))), e("span", { class: "fine" }, t.value === null ? "–" : `${x(t.value)} pt`)];
}
//#endregion
//#region src/saved.ts
var Xt = ({ mode: e, game: t }) => e === "watch" ? "sizeup-watch" : `sizeup-play-${t}`;
function Zt(e) {
	Qt(() => sessionStorage.setItem(Xt(e.setup), JSON.stringify(e)));
}
function Qt(e) {
	try {
		return e();
	} catch {
		return;
	}
}
//#endregion
//#region src/screens/replay_what_if.ts
var $t = class {
	record;
	element;
	moves = e("select", { "aria-label": "Another move" });
	words = e("p", { class: "quiet" });
	ask = o("Play on from here", () => void this.branch(this.moves.value), { class: "secondary" });
	again = o("Search again", () => void this.branch(null), { class: "small" });
	seats = e("select", { "aria-label": "Your seat" });
	yourself = o("Play on yourself", () => this.goOn(), { class: "secondary" });
	ply = 0;
	closed = !1;
	constructor(t) {
		this.record = t, this.element = e("section", { class: "what-if" }, e("h2", {}, "What if, from here?"), this.words, e("div", { class: "actions" }, this.moves, this.ask, this.again), e("div", { class: "actions" }, this.seats, this.yourself));
		let r = t.players.find(({ kind: e }) => e === "you"), i = r ? [r] : t.players.filter(({ kind: e }) => e !== "other");
		n(this.seats, ...i.map(({ seat: t, called: n }) => e("option", { value: t }, r ? "as yourself" : `in place of ${n}`)));
		let a = t.players.some(({ kind: e }) => e === "other");
		this.seats.hidden = this.yourself.hidden = a || i.length === 0;
	}
	show(t) {
		this.ply = t;
		let r = this.record.states[t], i = r?.legal ?? [], a = this.record.moves[t]?.action, o = i.length === 0 || a === void 0, s = this.record.players.find(({ seat: e }) => e === this.record.moves[t]?.seat)?.kind === "you", c = s ? "" : ", or let the mover search again with another seed";
		this.words.textContent = o ? "Go back to an earlier move to try another one." : `Next came: ${E(r, a)}. Pick another move, here or on the board${c}.`, this.again.hidden = s, n(this.moves, ...i.map((t) => e("option", { value: t.action }, Ee(t) + (t.action === a ? " (as played)" : ""))));
		let l = i.find(({ action: e }) => e !== a);
		l && (this.moves.value = l.action), this.moves.disabled = this.ask.disabled = this.again.disabled = o, this.yourself.disabled = this.seats.disabled = i.length === 0 && a === void 0 && this.record.result.stopped === null;
	}
	goOn() {
		let { game: e, id: t, moves: n } = this.record, r = Number(this.seats.value);
		Zt({
			setup: {
				mode: "continue",
				game: e,
				record: t,
				ply: this.ply,
				seat: r
			},
			moves: n.slice(0, this.ply).map(({ action: e }) => e)
		}), It(Q("play", e));
	}
	choose(e) {
		this.moves.disabled || (this.moves.value = e, this.ask.focus());
	}
	close() {
		this.closed = !0;
	}
	async branch(e) {
		this.ask.disabled = this.again.disabled = !0;
		let { ply: t } = this, n = Date.now(), r = () => {
			let e = Math.round((Date.now() - n) / 1e3);
			this.words.textContent = `The agents are playing on to the end. This may take half a minute… ${e} s`;
		};
		r();
		let i = window.setInterval(r, 1e3);
		try {
			let { id: n } = await Fe(this.record.id, t + 1, e);
			this.closed || It(Q("replay", n, t + 1));
		} catch (e) {
			this.ask.disabled = this.again.disabled = !1, this.words.textContent = $(e);
		} finally {
			window.clearInterval(i);
		}
	}
};
//#endregion
//#region src/screens/replay.ts
function en(e, t) {
	let n = new on(e, t, 0, !0);
	return {
		title: n.title,
		door: "replay",
		element: n.element,
		close: () => n.close()
	};
}
function tn(e) {
	let t = e.branch_of?.seats.find(({ was: e }) => e === "You");
	return R(e.players) ?? e.players.find(({ seat: e }) => e === t?.seat) ?? null;
}
function nn(e) {
	return e.branch_of ? "" : R(e.players) ? "A person played, so it cannot be played again from a seed." : e.reproducible ? `Seed ${e.seed}.` : `Seed ${e.seed}, according to the file.`;
}
function rn({ id: e, ply: t, result: n, seats: r }) {
	let i = r.map(({ was: e, is: t }) => ` ${t} plays in ${e === "You" ? "your" : `${e}’s`} place.`);
	return [
		`What if? From move ${t} on, agents played a new ending. In `,
		a(Q("replay", e, t), {}, "the original game"),
		`: ${w(Oe(n))}.`,
		...i
	];
}
var an = "The start of the game.", on = class {
	record;
	alone;
	element;
	board;
	told;
	score = e("output", { class: "score" });
	players;
	scrubber;
	table;
	whatIf;
	sizes;
	log;
	beliefs = new Qe((e) => this.scrubber.set(e));
	offer;
	svg;
	constructor(t, n, r, i = !1) {
		this.record = n, this.alone = i, this.offer = t.games.find(({ name: e }) => e === n.game);
		let a = this.offer !== void 0 && tn(n)?.team === this.offer.turned_for;
		this.whatIf = new $t(n);
		let o = {
			label: "The board; pick a move to ask what if",
			play: (e) => this.whatIf.choose(e)
		};
		this.board = new bt({
			flipped: a,
			...i ? { label: "The board" } : o
		}), this.players = new Ot(t.kinds), this.scrubber = new Vt(n.moves.length, (e) => this.show(e)), this.table = new Gt(n, (e, t) => this.draw(e, t)), this.sizes = new Ut(n, (e) => this.scrubber.set(e)), this.told = new Mt(), this.log = new Dt((e) => this.scrubber.set(e)), this.svg = e("a", {
			class: "secondary",
			download: !0
		}, "Board as SVG"), this.beliefs.lay(qe(n.first_beliefs, n.moves).map((e) => this.titled(e))), this.element = this.lay(), this.element.style.setProperty("--shape", rt(n.states[0]?.rows ?? [])), this.scrubber.set(Math.min(r, n.moves.length));
	}
	get title() {
		return this.offer?.title ?? this.record.game;
	}
	close() {
		this.scrubber.close(), this.table.close(), this.whatIf.close(), this.sizes.close();
	}
	lay() {
		let { record: t } = this, n = [
			e("h1", {}, this.title),
			e("p", { class: "quiet" }, `${Oe(t.result)}. ${t.result.stopped === null ? we(t.result) : ""} ${nn(t)}`),
			t.branch_of && e("p", { class: "quiet" }, ...rn(t.branch_of))
		], r = e("section", {
			class: "seat",
			"aria-label": "The game"
		}, e("div", { class: "turn-line" }, this.players.element, this.score), this.beliefs.briefs, e("div", { class: "board-box" }, this.board.element), this.scrubber.element), i = [...this.alone ? [] : [this.table.element], this.log.element].map((t) => e("div", { class: "panel" }, t)), a = Ut.areWanted(t) && this.sizes.element, o = this.alone ? [] : [
			a,
			this.whatIf.element,
			this.keep()
		];
		return Ht("replaying", n, null, {
			seat: r,
			told: this.told.element,
			below: o,
			beside: [this.beliefs.element, ...i]
		});
	}
	keep() {
		let { id: t, command: n } = this.record, r = Rt(this.offer).map((n) => e("a", {
			class: "secondary",
			href: j(t, n),
			download: !0
		}, n.toUpperCase())), i = e("a", {
			class: "secondary",
			href: j(t, "html"),
			download: !0
		}, "One page to share");
		return e("section", { class: "keep" }, e("h2", {}, "Save it"), e("p", { class: "actions" }, i, ...r, this.svg, e("a", {
			class: "secondary",
			href: j(t, "animation"),
			download: !0
		}, "Animated SVG")), n !== "" && Et(n));
	}
	show(e) {
		let { record: t } = this, n = t.states[e];
		if (!n) return;
		let r = t.moves[e - 1];
		this.alone || Lt(Q("replay", t.id, e)), this.board.show(n, t.art, { choosing: n.legal.length > 0 }), this.players.show(this.offer, t.players, n, t.art, null), this.told.show(r, an), At(this.score, this.offer, n), this.svg.href = j(t.id, "svg", e), this.whatIf.show(e), this.alone || this.table.show(e), this.log.show(t.moves, e), this.beliefs.show(t.first_beliefs, t.moves, e), u(r?.plain ?? an);
	}
	draw(e, t) {
		let n = this.record.states[t - 1]?.legal ?? [], r = (e?.types ?? []).flatMap((t, r) => {
			let i = (e) => e.by_type[r]?.played ?? 0, a = e?.actions.reduce((e, t) => i(t) > i(e) ? t : e), o = n.find(({ action: e }) => e === a?.action)?.squares ?? [];
			return o.length > 0 ? [{
				way: o,
				kind: Kt(e?.types ?? [], t),
				label: String(t)
			}] : [];
		});
		this.board.point(r);
	}
	shortSighted(e) {
		let t = this.record.players.find(({ seat: t }) => t === e)?.depth ?? null;
		return t !== null && this.record.types.some((e) => e > t) ? ` It looks ${t} ahead itself and considers nothing deeper.` : "";
	}
	titled(e) {
		let { players: t } = this.record, n = `${D(t, e.believer)} about ${w(D(t, e.about))}`;
		return {
			...e,
			title: n,
			note: `How many moves ahead.${this.shortSighted(e.believer)} Click the curve to go to a move.`
		};
	}
}, { about: sn, record: cn } = JSON.parse(document.getElementById("sizeup-game")?.textContent ?? "");
ve([]);
var ln = en(sn, cn);
n(b, ln.element), document.title = `${ln.title} – Sizeup`;
//#endregion
