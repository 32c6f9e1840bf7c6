/** The page of one game that came in the same file, with all that is known of how it looks: it needs no server. */

import { fill } from "./dom";
import { frame, main } from "./frame";
import type { About, RecordView } from "./protocol";
import { replayAlone } from "./screens/replay";

const { about, record } = JSON.parse(document.getElementById("sizeup-game")?.textContent ?? "") as { about: Pick<About, "games" | "kinds">; record: RecordView };
frame([]);
const screen = replayAlone(about, record);
fill(main, screen.element);
document.title = `${screen.title} – Sizeup`;
