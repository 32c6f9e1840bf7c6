/** The page: a header, one screen at a time, and the way between them. What a first game needs is here; other screens come when they are asked for. */

import "./styles/index.css";
import { getAbout } from "./api";
import { fill, h, link, button } from "./dom";
import { frame, main } from "./frame";
import type { About, Known } from "./protocol";
import { start, type Route } from "./router";
import { play } from "./screens/play";
import { troubleOf, type Screen } from "./screens/screen";
import { early } from "./socket";

const DOORS = ["play", "watch", "replay", "results"] as const;

const doors = DOORS.map((door) => link(`/${door}`, {}, door[0]?.toUpperCase() + door.slice(1)));
/** What came with the page of a game: all that it takes to play it. */
const here = JSON.parse(document.getElementById("sizeup-here")?.textContent ?? "null") as Known | null;
let about: Promise<About> | null = null;
let screen: Screen | null = null;
let asked = 0;

/** What the server offers, asked for once. */
function offered(): Promise<About> {
  about ??= getAbout().catch((error: unknown) => {
    about = null;
    throw error;
  });
  return about;
}

/** How to make the screen of an address, once everything that it takes is here. */
async function makerOf(route: Route): Promise<() => Screen> {
  switch (route.screen) {
    case "home": {
      const [{ home }, about] = await Promise.all([import("./screens/home"), offered()]);
      return () => home(about);
    }
    case "tour": {
      const [{ tour }, about] = await Promise.all([import("./screens/tour"), offered()]);
      return () => tour(about);
    }
    case "play": {
      const of = ({ games }: Known) => games.find(({ name }) => name === route.game);
      const known = here && of(here) ? here : await offered();
      const game = of(known);
      if (game) return () => play(known, game, early());
      const [{ playMenu }, about] = await Promise.all([import("./screens/play_menu"), offered()]);
      return () => playMenu(about);
    }
    case "watch": {
      const [{ watch }, about] = await Promise.all([import("./screens/watch"), offered()]);
      return () => watch(about);
    }
    case "replay": {
      const [{ replay, replayList }, about] = await Promise.all([import("./screens/replays"), offered()]);
      return () => (route.id === null ? replayList(about.games) : replay(about, route.id, route.ply));
    }
    case "results": {
      const [{ results, experiment, cell }, { store, kinds }] = await Promise.all([import("./screens/all_results"), offered()]);
      const { name, cell: at } = route;
      return () => (name === null ? results(store) : at === null ? experiment(kinds, name) : cell(name, at));
    }
    case "lost":
      return () => ({ title: "Not found", door: "home", element: h("div", { class: "menu" }, h("h1", {}, "Page not found"), h("p", {}, link("/", {}, "Back to Home"))) });
  }
}

async function show(route: Route): Promise<void> {
  const mine = (asked += 1);
  const make = await makerOf(route).catch((error: unknown) => () => trouble(error, () => void show(route)));
  if (mine !== asked) return; // somebody has gone elsewhere since
  const first = screen === null;
  screen?.close?.();
  screen = make();
  fill(main, screen.element);
  document.title = screen.title === "Sizeup" ? "Sizeup" : `${screen.title} – Sizeup`;
  doors.forEach((door, n) => {
    if (DOORS[n] === screen?.door) door.setAttribute("aria-current", "page");
    else door.removeAttribute("aria-current");
  });
  if (first) return;
  // Whoever reads by keyboard or ear starts at the new screen, not where the old one was.
  window.scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

/** What is shown in place of a screen that could not be had. */
function trouble(error: unknown, again: () => void): Screen {
  const retry = button("Try again", again, { class: "primary" });
  return { title: "Sizeup", door: "home", element: h("div", { class: "menu" }, h("h1", {}, "Sizeup"), h("p", {}, troubleOf(error)), h("p", {}, retry)) };
}

/** Guests see one table and participants of a study their own steps: there is no way to anything else. */
function only(made: Screen): void {
  document.querySelector("header.top nav")?.remove();
  screen = made;
  fill(main, screen.element);
  document.title = screen.title;
}

async function open(): Promise<void> {
  try {
    if (location.pathname === "/join") {
      document.querySelector(".logo")?.removeAttribute("href");
      return only((await import("./screens/guest")).guest());
    }
    const told = here === null ? await offered() : null;
    if (told?.study) return only((await import("./screens/study")).study(told));
    start((route) => void show(route));
  } catch (error) {
    fill(main, trouble(error, () => void open()).element);
  }
}

frame(doors);
void open();
