/** Your games, kept in this browser until you delete them: nobody else has them, and no server needs to. */

import { exportAddress, getRecord, sendRecord, type Refused } from "./api";
import type { Game } from "./game";
import type { Card } from "./protocol";
import { outcomeWords } from "./words";

export interface KeptGame {
  /** What the server called its record when it was last there. */
  id: string;
  /** When it ended, in milliseconds. */
  date: number;
  game: string;
  players: string[];
  plies: number;
  result: string;
  /** How you were read, if somebody did. */
  card: Pick<Card, "depth" | "none" | "credible" | "types"> | null;
  /** The whole record. */
  text: string;
}

const STORE = "games";
const MOST = 200;

function database(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("sizeup", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("no storage"));
  });
}

async function inStore<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opened = await database();
  try {
    return await new Promise((resolve, reject) => {
      const asked = ask(opened.transaction(STORE, mode).objectStore(STORE));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error ?? new Error("no storage"));
    });
  } finally {
    opened.close();
  }
}

/** All of them, the newest first; none where a browser keeps nothing. */
export async function keptGames(): Promise<KeptGame[]> {
  const found = await inStore("readonly", (store) => store.getAll() as IDBRequest<KeptGame[]>).catch(() => []);
  return found.sort((a, b) => b.date - a.date);
}

export async function deleteGame(id: string): Promise<void> {
  await inStore("readwrite", (store) => store.delete(id));
}

export async function deleteGames(): Promise<void> {
  await inStore("readwrite", (store) => store.clear());
}

/** Keep a game of yours that has ended; the oldest makes room. */
export async function keepGame(game: Game): Promise<void> {
  const { end } = game;
  if (!end) return;
  const answer = await fetch(exportAddress(end.record, "json"), { credentials: "same-origin" });
  if (!answer.ok) return;
  const { record: id, card } = end;
  const kept: KeptGame = {
    id,
    date: Date.now(),
    game: game.setup.game,
    players: game.players.map(({ called }) => called),
    plies: game.moves.length,
    result: outcomeWords(end.result),
    card: card && { depth: card.depth, none: card.none, credible: card.credible, types: card.types },
    text: await answer.text(),
  };
  // A server that was told of the game again calls it by another name: it is still the same one.
  const same = (await keptGames()).find(({ text }) => text === kept.text);
  await inStore("readwrite", (store) => store.put(same ? { ...kept, date: same.date } : kept));
  if (same && same.id !== id) await deleteGame(same.id);
  for (const { id: old } of (await keptGames()).slice(MOST)) await deleteGame(old);
}

/** The name of a kept game's record at the server, which is told of it again if it has forgotten; null if nobody keeps it. */
export async function bringBack(id: string): Promise<string | null> {
  const known = await getRecord(id).then(
    () => true,
    (error: Refused) => error.status !== 404,
  );
  if (known) return id;
  const kept = (await keptGames()).find((one) => one.id === id);
  if (!kept) return null;
  const { id: now } = await sendRecord(kept.text);
  await inStore("readwrite", (store) => store.put({ ...kept, id: now }));
  await deleteGame(id);
  return now;
}
