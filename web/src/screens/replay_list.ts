/** Records that can be replayed, and a way to bring one's own. */

import { getRecords, sendRecord } from "../api";
import { button, fill, h, link } from "../dom";
import { Notice } from "../parts/notice";
import type { GameOffer, RecordLine } from "../protocol";
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
  getRecords().then(
    ({ records }) => fill(list, records.length > 0 ? table(records, games) : nothing()),
    (error: Error) => fill(list, h("p", { class: "quiet" }, error.message)),
  );
  const file = h("input", { type: "file", accept: ".json,application/json", id: "record-file", class: "unseen", tabindex: -1 });
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
        h("span", { class: "quiet" }, "A JSON file, as written by “Save JSON” or ", h("code", {}, "sizeup watch --save"), "."),
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
    ", and it will be listed here until Sizeup stops.",
  );
}

function table(records: readonly RecordLine[], games: readonly GameOffer[]): HTMLElement {
  const title = (name: string): string => games.find((game) => name === game.name || name.startsWith(`${game.name} `))?.title ?? name;
  const head = ["Game", "Players", "Moves", "Result", "Source"].map((name) => h("th", { scope: "col" }, name));
  const rows = records.map((record) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, link(address("replay", record.id), {}, title(record.game))),
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
