/** Numbers to places: scales, ticks, and labels that keep out of each other's way. */

export type Scale = (value: number) => number;

/** A straight scale; a domain without width maps to the middle. */
export function linear([low, high]: readonly [number, number], [from, to]: readonly [number, number]): Scale {
  if (high === low) return () => (from + to) / 2;
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

/** About `count` round numbers from `low` to `high`: steps of 1, 2 or 5 times a power of ten. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // Counted and not added up, so that 0.3 is 0.3; rounded, as 3 * 0.1 is not.
  return Array.from({ length: last - first + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

/** Ticks for counts: whole numbers only. */
export function wholeTicks(low: number, high: number, count: number): number[] {
  return ticks(low, high, count).filter(Number.isInteger);
}

/** The range of some numbers with a little air; `null` and what is not finite does not count. */
export function extent(values: readonly (number | null)[], air = 0.06): [number, number] {
  const known = values.filter((value): value is number => value !== null && Number.isFinite(value));
  if (known.length === 0) return [0, 1];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const margin = high > low ? air * (high - low) : Math.max(1, Math.abs(low) * air);
  return [low - margin, high + margin];
}

/** Labels that touch, as one block around the middle of where they want to be. */
interface Block {
  members: number[];
  wanted: number;
}

/** Move labels apart until each has `gap`, near their places and inside the range, order kept. */
export function spread(places: readonly number[], gap: number, [low, high]: readonly [number, number]): number[] {
  const order = places.map((_, index) => index).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const start = (block: Block): number => {
    const length = (block.members.length - 1) * gap;
    const first = block.wanted / block.members.length - length / 2;
    return Math.max(low, Math.min(high - length, first));
  };
  const blocks: Block[] = [];
  for (const index of order) {
    let block: Block = { members: [index], wanted: places[index] ?? 0 };
    for (let before = blocks.at(-1); before; before = blocks.at(-1)) {
      if (start(before) + before.members.length * gap <= start(block)) break;
      blocks.pop();
      block = { members: [...before.members, ...block.members], wanted: before.wanted + block.wanted };
    }
    blocks.push(block);
  }
  const result = new Array<number>(places.length).fill(0);
  for (const block of blocks) block.members.forEach((index, n) => (result[index] = start(block) + n * gap));
  return result;
}
