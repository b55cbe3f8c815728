/**
 * Text hashes for signatures and for comparing calls and results: fast, pure, and stable across versions and machines.
 * Not for secrets or content addressing, because an attacker can construct collisions.
 */

/** Sixteen hex digits; the same text always gives the same digits. */
export function hashText(text: string): string {
  let high = 0x9e3779b9 ^ text.length;
  let low = 0x85ebca6b ^ text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  return finished(high, low).map(hex).join("");
}

/** Of a longer text, only the two ends are hashed. */
export const MAX_UNITS = 65_536;

/** A whole number below 2^53. Of very long texts, only both ends count. */
export function hashNumber(text: string): number {
  const { length } = text;
  if (length <= MAX_UNITS) return hashRanges(text, [0, length]);
  return hashRanges(text, [0, MAX_UNITS / 2, length - MAX_UNITS / 2, length]);
}

/** The same for parts of a text, given as start, end, start, end ... */
export function hashRanges(text: string, ranges: readonly number[]): number {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let at = 0; at < ranges.length; at += 2) {
    const start = ranges[at]!;
    const length = ranges[at + 1]! - start;
    high = Math.imul(high ^ length, 0x9e3779b1);
    low = Math.imul(low ^ high, 0x5f356495);
    const pairsEnd = start + length - (length & 1);
    for (let index = start; index < pairsEnd; index += 2) {
      high = Math.imul(high ^ text.charCodeAt(index), 0x9e3779b1);
      low = Math.imul(low ^ text.charCodeAt(index + 1), 0x5f356495);
    }
    if ((length & 1) === 1) high = Math.imul(high ^ text.charCodeAt(pairsEnd), 0x9e3779b1);
  }
  return numberOf(...finished(high, low));
}

/** One hash for two, order-sensitive. */
export function hashPair(first: number, second: number): number {
  const high = Math.imul(fold(first) ^ 0x2c1b3c6d, 0x9e3779b1) ^ fold(second);
  return numberOf(...finished(high, Math.imul(high ^ fold(second), 0x5f356495) ^ fold(first)));
}

function finished(first: number, second: number): readonly [number, number] {
  const high =
    Math.imul(first ^ (first >>> 16), 0x85ebca6b) ^ Math.imul(second ^ (second >>> 13), 0xc2b2ae35);
  const low =
    Math.imul(second ^ (second >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return [high, low];
}

const numberOf = (high: number, low: number): number => (high >>> 0) * 2 ** 21 + (low >>> 11);

const fold = (hash: number): number => (hash | 0) ^ ((hash / 2 ** 32) | 0);

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, "0");
