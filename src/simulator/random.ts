/**
 * Reproducible randomness: a stream of numbers for a key, the same on every machine. Every (task, attempt, move) has
 * its own stream, so two policies that make the same move at the same point meet the same luck, whatever they did
 * before.
 */

export type Stream = () => number;

/** Numbers in [0, 1) that depend on the keys alone. */
export function streamOf(...keys: readonly number[]): Stream {
  let state = 0x9e3779b9;
  for (const key of keys) state = mixed(state ^ mixed(key ^ (key / 2 ** 32)));
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mixed(state) / 2 ** 32;
  };
}

function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** With mean 0 and deviation 1; always takes two numbers of the stream. */
export function normal(next: Stream): number {
  const radius = Math.sqrt(-2 * Math.log(1 - next()));
  return radius * Math.cos(2 * Math.PI * next());
}

/** With median 1. */
export const logNormal = (next: Stream, sigma: number): number => Math.exp(sigma * normal(next));

/** Gamma with scale 1 (Marsaglia and Tsang). */
function gamma(next: Stream, shape: number): number {
  if (shape < 1) return gamma(next, shape + 1) * (1 - next()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(next);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - next()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

export function beta(next: Stream, a: number, b: number): number {
  const first = gamma(next, a);
  return first / (first + gamma(next, b));
}

/** Shares that sum to 1, around those given: the larger the weight, the nearer. */
export function dirichlet<K extends string>(
  next: Stream,
  shares: Readonly<Record<K, number>>,
  weight: number,
): Record<K, number> {
  const drawn = Object.entries<number>(shares).map(
    ([name, share]) => [name, share > 0 ? gamma(next, weight * share) : 0] as const,
  );
  const sum = drawn.reduce((total, [, amount]) => total + amount, 0);
  return Object.fromEntries(drawn.map(([name, amount]) => [name, amount / sum])) as Record<
    K,
    number
  >;
}

/** The name that a number in [0, 1) falls on, given the share of each. */
export function pick<K extends string>(
  shares: Readonly<Partial<Record<K, number>>>,
  at: number,
): K {
  const entries = Object.entries<number | undefined>(shares) as [K, number | undefined][];
  const sum = entries.reduce((total, [, share = 0]) => total + share, 0);
  let left = at * sum;
  for (const [name, share = 0] of entries) {
    left -= share;
    if (left < 0) return name;
  }
  return entries.findLast(([, share = 0]) => share > 0)?.[0] ?? entries[0]![0];
}
