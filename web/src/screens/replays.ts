/** What is replayed: one module, so that one file holds all of it. */

export { replay } from "./replay";
export { replayList } from "./replay_list";
