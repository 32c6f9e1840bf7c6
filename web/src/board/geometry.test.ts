import { describe, expect, it } from "vitest";
import { cellAfterKey, cellAt, cellsInOrder, isCheckered, isTable, shapeOf, turned, type Geometry } from "./geometry";

const straight: Geometry = { rows: 3, columns: 5, flipped: false };
const flipped: Geometry = { ...straight, flipped: true };

describe("turned", () => {
  it("leaves a straight board alone and turns a flipped one by half a turn", () => {
    expect(turned([0, 1], straight)).toEqual([0, 1]);
    expect(turned([0, 1], flipped)).toEqual([2, 3]);
  });

  it("is its own inverse", () => {
    for (const cell of cellsInOrder(flipped).flat()) expect(turned(turned(cell, flipped), flipped)).toEqual(cell);
  });
});

describe("cellsInOrder", () => {
  it("names every cell once, the one at the top left of the screen first", () => {
    const cells = cellsInOrder(flipped);
    expect(cells[0]?.[0]).toEqual([2, 4]);
    expect(new Set(cells.flat().map(String)).size).toBe(15);
  });
});

describe("cellAfterKey", () => {
  it("goes where the arrow points on the screen, also on a flipped board", () => {
    expect(cellAfterKey([1, 1], "ArrowUp", straight)).toEqual([0, 1]);
    expect(cellAfterKey([1, 1], "ArrowUp", flipped)).toEqual([2, 1]);
    expect(cellAfterKey([1, 1], "ArrowRight", flipped)).toEqual([1, 0]);
  });

  it("stays on the board", () => {
    expect(cellAfterKey([0, 0], "ArrowUp", straight)).toEqual([0, 0]);
    expect(cellAfterKey([0, 0], "ArrowLeft", straight)).toEqual([0, 0]);
    expect(cellAfterKey([2, 4], "ArrowDown", straight)).toEqual([2, 4]);
    expect(cellAfterKey([2, 4], "ArrowRight", straight)).toEqual([2, 4]);
  });

  it("knows the ends of rows and columns", () => {
    expect(cellAfterKey([1, 2], "Home", straight)).toEqual([1, 0]);
    expect(cellAfterKey([1, 2], "End", straight)).toEqual([1, 4]);
    expect(cellAfterKey([1, 2], "PageUp", straight)).toEqual([0, 2]);
    expect(cellAfterKey([1, 2], "PageDown", straight)).toEqual([2, 2]);
  });

  it("leaves other keys to others", () => {
    expect(cellAfterKey([1, 1], "a", straight)).toBeNull();
    expect(cellAfterKey([1, 1], "Tab", straight)).toBeNull();
  });
});

describe("cellAt", () => {
  it("finds the cell under a point", () => {
    expect(cellAt(0.01, 0.01, straight)).toEqual([0, 0]);
    expect(cellAt(0.99, 0.5, straight)).toEqual([1, 4]);
    expect(cellAt(0.99, 0.5, flipped)).toEqual([1, 0]);
  });

  it("finds none beside the board", () => {
    expect(cellAt(-0.01, 0.5, straight)).toBeNull();
    expect(cellAt(0.5, 1, straight)).toBeNull();
  });
});

describe("what kind of board it is", () => {
  const board = (...rows: string[]) => rows.map((row) => [...row].map((ground) => ({ ground, piece: null, label: "" })));
  const field = (name: string) => [{ ground: "", piece: null, label: name, text: name }, { ground: "cell", piece: null, label: "" }];

  it("is seen from how grounds alternate", () => {
    expect(isCheckered(board("abab", "baba"))).toBe(true);
    expect(isCheckered(board("abab", "abab"))).toBe(false);
    expect(isCheckered(board("aaaa", "aaaa"))).toBe(false);
  });

  it("is a table if every row is a name and a value", () => {
    expect(isTable([field("turn"), field("coins")])).toBe(true);
    expect(isTable(board("ab", "ba"))).toBe(false);
  });

  it("has a shape, also where rows differ in length", () => {
    expect(shapeOf(board("aaaa", "aa"))).toBe("2");
  });
});
