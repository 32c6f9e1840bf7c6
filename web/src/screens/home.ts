/** The first thing a visitor sees: the idea, the same team twice, and the doors. */

import { h, link, type Child } from "../dom";
import { Strips } from "../parts/strips";
import type { About } from "../protocol";
import { address } from "../router";
import { toured } from "../saved";
import { ahead } from "../words";
import type { Screen } from "./screen";

export function home(about: About): Screen {
  const { game, title } = about.showcase;
  const strips = new Strips(about);
  const seen = toured();
  return {
    title: "Sizeup",
    door: "home",
    close: () => strips.stop(),
    element: h(
      "div",
      { class: "home" },
      h(
        "section",
        { class: "hero" },
        h("h1", {}, "A partner that sizes you up"),
        h(
          "p",
          { class: "lead" },
          "Sizeup’s agents work out how far ahead their teammates look, from nothing but their moves, and plan for the team they really have. Play one, and watch what it comes to believe about you.",
        ),
        h(
          "p",
          { class: "actions" },
          !seen && link("/tour", { class: "primary" }, "Show me, in two minutes"),
          link(address("play", game), { class: seen ? "primary" : "secondary" }, `Play ${title}`),
          link("/play", { class: "secondary" }, "Other games"),
          seen && link("/tour", { class: "secondary" }, "Guided game again"),
        ),
      ),
      h(
        "section",
        { "aria-label": `The same team twice at ${title}` },
        strips.element,
        h("p", { class: "caption" }, caption(about), strips.pause),
      ),
      h(
        "section",
        { class: "doors", "aria-label": "Where to go" },
        door("/play", "Play", "Team up with an agent, and be sized up."),
        door("/watch", "Watch", "Choose agents and how deep they look, and see what they come to believe."),
        door("/replay", "Replay", "Step through any recorded game and see what every player believed."),
        door("/results", "Results", "Experiments: published numbers next to ours, with intervals."),
      ),
    ),
  };
}

/** Who plays, and by which rules. */
function caption({ games, showcase }: About): string {
  const [expert, novice] = showcase.aware.players;
  const rules = games.find(({ name }) => name === showcase.game)?.rules ?? "";
  return `${showcase.title}, played by an expert that looks ${ahead(expert?.depth)} and a novice that looks ${novice?.depth}. ${rules} `;
}

function door(path: string, title: string, words: string): Child {
  return link(path, { class: "door" }, h("h2", {}, title), h("p", {}, words), h("span", { class: "arrow", "aria-hidden": "true" }, "→"));
}
