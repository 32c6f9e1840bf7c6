/** Your games in this browser, other records that can be replayed, and a way to bring one's own. */

import { getRecords, sendRecord } from "../api";
import { button, fill, h, link } from "../dom";
import { bringBack, deleteGame, deleteGames, keptGames, type KeptGame } from "../memory";
import { Notice } from "../parts/notice";
import type { GameOffer, RecordLine } from "../protocol";
import { readAs, profile } from "../profile";
import { lowered } from "../words";
import { address, go } from "../router";
import { troubleOf, type Screen } from "./screen";

const SOURCES: Record<string, string> = {
  played: "you played it",
  watched: "you watched it",
  uploaded: "you opened it",
  branch: "what if",
  store: "from the store",
};

/** Longer files are refused by the server anyway. */
const MOST_BYTES = 2 * 2 ** 20;

export function replayList(games: readonly GameOffer[]): Screen {
  const notice = new Notice();
  const list = h("div", { "aria-live": "polite" }, h("p", { class: "quiet" }, "Loading…"));
  const show = async (): Promise<void> => {
    try {
      const [{ records }, kept] = await Promise.all([getRecords(), keptGames()]);
      const others = records.filter(({ id }) => !kept.some((one) => one.id === id));
      const mine = kept.length > 0 ? yours(kept, games, notice, () => void show()) : null;
      fill(list, mine, others.length > 0 && h("h2", {}, "At this server, until it stops"), others.length > 0 && table(others, games), !mine && others.length === 0 && nothing());
    } catch (error) {
      fill(list, h("p", { class: "quiet" }, troubleOf(error)));
    }
  };
  void show();
  const file = h("input", { type: "file", accept: ".json,application/json,.pdn", id: "record-file", class: "unseen", tabindex: -1 });
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    if (chosen) void bring(chosen, notice);
  });
  return {
    title: "Replay",
    door: "replay",
    element: h(
      "div",
      { class: "menu" },
      h("h1", {}, "Replay"),
      h("p", { class: "lead" }, "Step through any recorded game: what every player believed, and what each depth would have played."),
      notice.element,
      h(
        "p",
        { class: "actions" },
        button("Open a record from a file", () => file.click(), { class: "primary" }),
        h("label", { class: "unseen", for: "record-file" }, "Record file"),
        file,
        h("span", { class: "quiet" }, "A JSON file, as written by “Save JSON” or ", h("code", {}, "sizeup watch --save"), ", or a game in PDN, whose players are then sized up."),
      ),
      list,
    ),
  };
}

async function bring(file: File, notice: Notice): Promise<void> {
  notice.clear();
  if (file.size > MOST_BYTES) return notice.say(`${file.name} is too large: a record has at most 2 MB.`);
  try {
    const { id } = await sendRecord(await file.text());
    go(address("replay", id));
  } catch (error) {
    notice.say(`${file.name}: ${lowered(troubleOf(error))}`);
  }
}

/** A name that stays on one line. */
const unbroken = (name: string): string => name.replaceAll(" ", "\u00a0");

function nothing(): HTMLElement {
  return h(
    "p",
    { class: "quiet" },
    "Nothing yet. Finish a game in ",
    link("/play", {}, "Play"),
    " or ",
    link("/watch", {}, "Watch"),
    ", and it will be listed here. Games that you play are kept in this browser until you delete them.",
  );
}

/** What a game is called by whoever reads. */
const titled = (games: readonly GameOffer[], name: string): string =>
  games.find((game) => name === game.name || name.startsWith(`${game.name} `))?.title ?? name;

/** Games that this browser keeps: what they were, how you were read in them, and how to get rid of them. */
function yours(kept: readonly KeptGame[], games: readonly GameOffer[], notice: Notice, changed: () => void): HTMLElement {
  const look = async (id: string): Promise<void> => {
    try {
      const now = await bringBack(id);
      if (now !== null) go(address("replay", now));
    } catch (error) {
      notice.say(troubleOf(error));
    }
  };
  const remove = (what: Promise<void>): void => void what.then(changed, (error: unknown) => notice.say(troubleOf(error)));
  const head = ["Game", "When", "Moves", "Result", "You were read as", ""].map((name) => h(name ? "th" : "td", name ? { scope: "col" } : {}, name));
  const rows = kept.map((one) => {
    const title = titled(games, one.game);
    const date = new Date(one.date).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, button(title, () => void look(one.id), { class: "plain link" })),
      h("td", {}, unbroken(date)),
      h("td", { class: "number" }, String(one.plies)),
      h("td", {}, one.result),
      h("td", {}, readAs(one.card)),
      h("td", {}, button("Delete", () => remove(deleteGame(one.id)), { class: "small", "aria-label": `Delete ${title}, ${date}` })),
    );
  });
  return h(
    "section",
    { class: "your-games" },
    h("h2", {}, "Your games, in this browser"),
    h("p", { class: "quiet" }, "They stay here until you delete them, whatever becomes of the server."),
    ...profile(kept).map((line) => h("p", {}, `${titled(games, line.game)}: ${line.words}`)),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Your games" },
      h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
    ),
    h("p", { class: "actions" }, button("Delete all", () => remove(deleteGames()), { class: "small" })),
  );
}

function table(records: readonly RecordLine[], games: readonly GameOffer[]): HTMLElement {
  const head = ["Game", "Players", "Moves", "Result", "Source"].map((name) => h("th", { scope: "col" }, name));
  const rows = records.map((record) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, link(address("replay", record.id), {}, titled(games, record.game))),
      h("td", {}, record.players.map(unbroken).join(", ")),
      h("td", { class: "number" }, String(record.plies)),
      h("td", {}, record.result),
      h("td", { class: "quiet" }, SOURCES[record.source] ?? record.source),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Records" },
    h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
  );
}
