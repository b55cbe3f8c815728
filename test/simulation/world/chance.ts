/**
 * Seeded chance: the same seed and the same questions give the same answers, on every machine. Invariant: a fork
 * depends on its parent's seed and its name alone, so that drawing more in one place changes nothing in another.
 */
export interface Chance {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  happens(probability: number): boolean;
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T;
  /** Picks by weight; the weights need not add up to anything. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T;
  fork(name: string): Chance;
}

export function chanceOf(seed: number | string): Chance {
  const origin = mixed(String(seed));
  let state = origin;
  /** One step of splitmix32. */
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    happens: (probability) => next() < probability,
    pick<T>(items: readonly T[]): T {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error("broken invariant: nothing to pick from");
      return item;
    },
    weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
      const entries = Object.entries(weights) as [T, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) if ((left -= weight) < 0) return name;
      throw new Error("broken invariant: no weight is above zero");
    },
    fork: (name) => chanceOf(`${origin}/${name}`),
  };
}

/** FNV-1a, 32 bits. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
