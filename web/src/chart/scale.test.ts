import { describe, expect, it } from "vitest";
import { shortened } from "./forest";
import { extent, linear, spread, ticks, wholeTicks } from "./scale";

describe("linear", () => {
  it("maps ends to ends, also backwards", () => {
    const scale = linear([0, 10], [100, 0]);
    expect([scale(0), scale(5), scale(10)]).toEqual([100, 50, 0]);
  });

  it("puts a domain without width in the middle", () => {
    expect(linear([3, 3], [0, 10])(3)).toBe(5);
  });
});

describe("ticks", () => {
  it("are round", () => {
    expect(ticks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticks(-20, 1490, 5)).toEqual([0, 500, 1000]);
    expect(ticks(-0.3, 0.3, 6)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]);
  });

  it("are one for a range without width", () => {
    expect(ticks(2, 2, 5)).toEqual([2]);
  });

  it("are whole where moves are counted", () => {
    expect(wholeTicks(0, 3, 10)).toEqual([0, 1, 2, 3]);
    expect(wholeTicks(0, 20, 5)).toEqual([0, 5, 10, 15, 20]);
  });
});

describe("extent", () => {
  it("leaves air around what is known", () => {
    expect(extent([0, null, 100, Number.NaN], 0.1)).toEqual([-10, 110]);
  });

  it("has a width even for one value, and for none", () => {
    expect(extent([5])).toEqual([4, 6]);
    expect(extent([null])).toEqual([0, 1]);
  });
});

describe("spread", () => {
  it("leaves labels alone that are apart", () => {
    expect(spread([10, 50, 90], 10, [0, 100])).toEqual([10, 50, 90]);
  });

  it("moves apart those that are not, in their order and inside the range", () => {
    expect(spread([98, 99, 50, 97], 10, [0, 100])).toEqual([90, 100, 50, 80]);
    expect(spread([1, 2, 3], 10, [0, 100])).toEqual([0, 10, 20]);
  });

  it("gathers those that are alike around their place", () => {
    expect(spread([50, 50, 50], 10, [0, 100])).toEqual([40, 50, 60]);
    expect(spread([50, 50, 62], 10, [0, 100])).toEqual([44, 54, 64]);
  });
});

describe("labels of a plot", () => {
  it("are cut where there is no room", () => {
    expect(shortened("oblivious expert", 16)).toBe("oblivious expert");
    expect(shortened("oblivious expert", 10)).toBe("oblivious…");
  });
});
