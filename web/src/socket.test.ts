import { describe, expect, it } from "vitest";
import { read } from "./socket";

const free = { ground: "free", piece: null, label: "free" };
const coin = { ground: "free", piece: "coin", label: "coin" };

describe("read", () => {
  it("puts the tiles back that came once", () => {
    const text = JSON.stringify({ type: "moved", state: { ply: 1, rows: [[0, 1], [1, 1]] }, tiles: [free, coin] });
    expect(read(text)).toEqual({ type: "moved", state: { ply: 1, rows: [[free, coin], [coin, coin]] } });
  });

  it("does so in every state of a game", () => {
    const text = JSON.stringify({ type: "game", states: [{ rows: [[0]] }, { rows: [[1]] }], tiles: [free, coin] });
    expect(read(text)).toEqual({ type: "game", states: [{ rows: [[free]] }, { rows: [[coin]] }] });
  });

  it("leaves other messages as they are", () => {
    expect(read('{"type":"thinking","game_id":"g","seat":1}')).toEqual({ type: "thinking", game_id: "g", seat: 1 });
  });
});
