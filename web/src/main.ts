/** The page: a header, one screen at a time, and the way between them. */

import "./styles/index.css";
import { liveRegion } from "./announce";
import { getAbout } from "./api";
import { paints } from "./board/drawing";
import { button, fill, h, link } from "./dom";
import type { About, RecordView } from "./protocol";
import { start, type Route } from "./router";
import { guest } from "./screens/guest";
import { home } from "./screens/home";
import { play } from "./screens/play";
import { playMenu } from "./screens/play_menu";
import { replay, replayAlone } from "./screens/replay";
import { replayList } from "./screens/replay_list";
import { results } from "./screens/results";
import { cell } from "./screens/results_cell";
import { experiment } from "./screens/results_experiment";
import type { Screen } from "./screens/screen";
import { study } from "./screens/study";
import { tour } from "./screens/tour";
import { watch } from "./screens/watch";
import { themeSwitch } from "./theme";

const DOORS = ["play", "watch", "replay", "results"] as const;

const main = h("main", { id: "main", tabindex: -1 });
const doors = DOORS.map((door) => link(`/${door}`, {}, door[0]?.toUpperCase() + door.slice(1)));
let screen: Screen | null = null;

function screenFor(about: About, route: Route): Screen {
  switch (route.screen) {
    case "home":
      return home(about);
    case "tour":
      return tour(about);
    case "play": {
      const game = about.games.find((one) => one.name === route.game);
      return game ? play(about, game) : playMenu(about);
    }
    case "watch":
      return watch(about);
    case "replay":
      return route.id === null ? replayList(about.games) : replay(about, route.id, route.ply);
    case "results":
      if (route.name === null) return results(about.store);
      return route.cell === null ? experiment(about.kinds, route.name) : cell(route.name, route.cell);
    case "lost":
      return { title: "Not found", door: "home", element: h("div", { class: "menu" }, h("h1", {}, "Page not found"), h("p", {}, link("/", {}, "Back to Home"))) };
  }
}

function show(about: About, route: Route): void {
  const first = screen === null;
  screen?.close?.();
  screen = screenFor(about, route);
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

function frame(): void {
  const reach = (event: MouseEvent): void => {
    event.preventDefault(); // a new address would draw the screen anew
    main.focus();
  };
  const skip = h("a", { class: "skip", href: "#main", onclick: reach }, "Skip to content");
  const single = document.getElementById("sizeup-game") !== null;
  const logo = h(single ? "span" : "a", { class: "logo", href: single ? null : "/" }, h("span", { class: "logo-bars", "aria-hidden": "true" }, h("i"), h("i"), h("i")), "Sizeup");
  const header = h("header", { class: "top" }, logo, single ? null : h("nav", { "aria-label": "Screens" }, ...doors), themeSwitch());
  fill(document.getElementById("page") ?? document.body, skip, header, main, liveRegion, paints());
}

/** A game that came in the same file as this page, and all that is known of how it looks. */
function alone(): boolean {
  const kept = document.getElementById("sizeup-game")?.textContent;
  if (!kept) return false;
  const { about, record } = JSON.parse(kept) as { about: Pick<About, "games" | "kinds">; record: RecordView };
  screen = replayAlone(about, record);
  fill(main, screen.element);
  document.title = `${screen.title} – Sizeup`;
  return true;
}

/** Whoever was invited sees one table, and no way to anything else. */
function invited(): boolean {
  if (location.pathname !== "/join") return false;
  document.querySelector("header.top nav")?.remove();
  document.querySelector(".logo")?.removeAttribute("href");
  screen = guest();
  fill(main, screen.element);
  document.title = screen.title;
  return true;
}

/** Participants of a study see their own steps, and no way to anything else. */
function inStudy(about: About): void {
  document.querySelector("header.top nav")?.remove();
  screen = study(about);
  fill(main, screen.element);
  document.title = screen.title;
}

async function open(): Promise<void> {
  if (alone() || invited()) return;
  try {
    const about = await getAbout();
    if (about.study) return void inStudy(about);
    start((route) => show(about, route));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const again = button("Try again", () => void open(), { class: "primary" });
    fill(main, h("div", { class: "menu" }, h("h1", {}, "Sizeup"), h("p", {}, words), h("p", {}, again)));
  }
}

frame();
void open();
