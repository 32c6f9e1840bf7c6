import { describe, expect, it } from "vitest";
import { address, parse } from "./router";

describe("parse", () => {
  it.each([
    ["/", { screen: "home" }],
    ["/tour", { screen: "tour" }],
    ["/play", { screen: "play", game: null }],
    ["/play/wall-of-fire", { screen: "play", game: "wall-of-fire" }],
    ["/watch", { screen: "watch" }],
    ["/replay", { screen: "replay", id: null, ply: null }],
    ["/replay/abc", { screen: "replay", id: "abc", ply: null }],
    ["/replay/abc/7", { screen: "replay", id: "abc", ply: 7 }],
    ["/results/wall-of-fire", { screen: "results", name: "wall-of-fire", cell: null }],
    ["/results/a%20b/c%2Fd", { screen: "results", name: "a b", cell: "c/d" }],
  ])("reads %s", (path, route) => expect(parse(path)).toEqual(route));

  it.each(["/else", "/tour/x", "/watch/x", "/play/a/b", "/replay/a/1/2"])("does not know %s", (path) => {
    expect(parse(path)).toEqual({ screen: "lost" });
  });

  it("takes no ply but a whole number", () => {
    expect(parse("/replay/abc/-1")).toEqual({ screen: "replay", id: "abc", ply: null });
    expect(parse("/replay/abc/1e9")).toEqual({ screen: "replay", id: "abc", ply: null });
  });

  it("survives a broken escape", () => {
    expect(parse("/replay/%E0%A4%A")).toEqual({ screen: "replay", id: "%E0%A4%A", ply: null });
  });
});

describe("address", () => {
  it("is read back as what it was made of", () => {
    expect(parse(address("results", "a b", "ca:8/obl:2"))).toEqual({ screen: "results", name: "a b", cell: "ca:8/obl:2" });
  });
});
