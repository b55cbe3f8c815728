/**
 * A 64-bit text hash for signatures and loop keys: fast, pure, stable across versions and machines. Not for
 * secrets or content addressing: an attacker can make collisions.
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
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return hex(high) + hex(low);
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, "0");
