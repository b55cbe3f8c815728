/**
 * A map that keeps only what was used last: what bounds the detector's memory. Two generations: what is used moves
 * to the young one; when that is full, it becomes the old one and what was old is dropped. Invariants: the last
 * `limit` keys that were used are there; never more than twice as many; reading or writing a key costs O(1).
 */
export interface Recent<Value> {
  get(key: number): Value | undefined;
  set(key: number, value: Value): void;
  delete(key: number): void;
  clear(): void;
}

export function createRecent<Value>(limit: number): Recent<Value> {
  let young = new Map<number, Value>();
  let old = new Map<number, Value>();
  const set = (key: number, value: Value): void => {
    young.set(key, value);
    if (young.size < limit) return;
    old = young;
    young = new Map();
  };
  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined || old.size === 0) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    clear() {
      if (young.size > 0) young = new Map();
      if (old.size > 0) old = new Map();
    },
  };
}
