/** Random numbers from a seed. */
export interface Random {
  /** From 0 to 1. */
  next(): number;
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item | undefined;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: (items) => items[below(items.length)] };
}
