/**
 * A map that keeps only recently used keys, to bound the detector's memory. It has two generations: used keys move to
 * the young one; when that is full it becomes the old one, and the previous old one is dropped. Invariants: the last
 * `limit` keys used are present; it never holds more than twice as many; reading and writing a key is O(1).
 */
export class RecentMap<Value> {
  private young = new Map<number, Value>();
  private old = new Map<number, Value>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get(key: number): Value | undefined {
    const value = this.young.get(key);
    if (value !== undefined || this.old.size === 0) return value;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: number, value: Value): void {
    this.young.set(key, value);
    if (this.young.size < this.limit) return;
    this.old = this.young;
    this.young = new Map();
  }

  delete(key: number): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  clear(): void {
    if (this.young.size > 0) this.young = new Map();
    if (this.old.size > 0) this.old = new Map();
  }
}
