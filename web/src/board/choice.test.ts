import { describe, expect, it } from "vitest";
import type { Square, Legal } from "../protocol";
import { cancel, pick, startChoice, starts, targets } from "./choice";

const move = (action: string, ...squares: Square[]): Legal => ({ action, phrase: `play ${action}`, squares });

/** Pick one cell after the other; the action of the last pick. */
function picks(legal: Legal[], ...cells: Square[]): (string | null)[] {
  let choice = startChoice(legal);
  return cells.map((cell) => {
    const picked = pick(choice, cell);
    choice = picked.choice;
    return picked.action;
  });
}

describe("one piece that can move", () => {
  const steps = [move("N", [1, 1], [0, 1]), move("E", [1, 1], [1, 2]), move(".", [1, 1])];

  it("is picked from the start, so that one click moves it", () => {
    expect(startChoice(steps).picked).toEqual([[1, 1]]);
    expect(picks(steps, [1, 2])).toEqual(["E"]);
  });

  it("stays where it is when it is clicked and may stay", () => {
    expect(targets(startChoice(steps))).toEqual([[0, 1], [1, 2], [1, 1]]);
    expect(picks(steps, [1, 1])).toEqual(["."]);
  });

  it("is not moved by a click elsewhere", () => {
    expect(picks(steps, [4, 4], [0, 1])).toEqual([null, "N"]);
  });
});

describe("several pieces", () => {
  const men = [move("9-13", [2, 1], [3, 0]), move("9-14", [2, 1], [3, 2]), move("10-14", [2, 3], [3, 2])];

  it("are offered, and none is picked", () => {
    expect(startChoice(men).picked).toEqual([]);
    expect(starts(startChoice(men))).toEqual([[2, 1], [2, 3]]);
    expect(targets(startChoice(men))).toEqual([]);
  });

  it("move by a click on the piece and one on the square", () => {
    expect(picks(men, [2, 1], [3, 2])).toEqual([null, "9-14"]);
    expect(picks(men, [2, 3], [3, 2])).toEqual([null, "10-14"]);
  });

  it("let one change one's mind", () => {
    expect(picks(men, [2, 1], [2, 3], [3, 2])).toEqual([null, null, "10-14"]);
  });

  it("are put down by a second click, by a click elsewhere and by cancelling", () => {
    const held = pick(startChoice(men), [2, 1]).choice;
    expect(held.picked).toEqual([[2, 1]]);
    expect(pick(held, [2, 1]).choice.picked).toEqual([]);
    expect(pick(held, [7, 7]).choice.picked).toEqual([]);
    expect(cancel(held).picked).toEqual([]);
  });
});

describe("jumps", () => {
  const fork = [move("1x10x17", [0, 1], [2, 3], [4, 1]), move("1x10x19", [0, 1], [2, 3], [4, 5])];
  const twoWays = [move("left", [0, 3], [2, 1], [4, 3]), move("right", [0, 3], [2, 5], [4, 3])];
  const circle = [
    move("one", [4, 3], [2, 1], [0, 3], [2, 5], [4, 3]),
    move("other", [4, 3], [2, 5], [0, 3], [2, 1], [4, 3]),
  ];

  it("are played by a click on where they end", () => {
    expect(picks(fork, [4, 5])).toEqual(["1x10x19"]);
  });

  it("may be played stop by stop", () => {
    expect(picks(fork, [2, 3], [4, 1])).toEqual([null, "1x10x17"]);
  });

  it("are played by their first stop if that says enough", () => {
    expect(picks([...fork, move("1x8", [0, 1], [2, -1])], [2, -1])).toEqual(["1x8"]);
  });

  it("ask for the way if two end in the same place", () => {
    expect(picks(twoWays, [4, 3], [2, 5])).toEqual([null, "right"]);
    expect(picks(twoWays, [2, 1])).toEqual(["left"]);
  });

  it("know in which direction a circle is jumped", () => {
    expect(picks(circle, [2, 5])).toEqual(["other"]);
    expect(picks(circle, [2, 1])).toEqual(["one"]);
  });
});

describe("places without a way", () => {
  it("are played by one click, as stones are dropped", () => {
    const drops = [move("a", [5, 0]), move("b", [5, 1])];
    expect(picks(drops, [5, 1])).toEqual(["b"]);
  });

  it("are nothing when nothing is legal", () => {
    expect(picks([], [0, 0])).toEqual([null]);
  });
});
