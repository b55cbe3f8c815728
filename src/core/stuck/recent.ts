/**
 * A map that keeps only what was used last: what bounds the detector's memory. Imports nothing.
 * Invariant: never holds more than its limit; reading or writing a key costs O(1).
 */
export interface Recent<Value> {
  get(key: number): Value | undefined;
  set(key: number, value: Value): void;
  delete(key: number): void;
  clear(): void;
}

export function createRecent<Value>(limit: number): Recent<Value> {
  const values = new Map<number, Value>();
  return {
    get(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set(key, value) {
      values.delete(key);
      values.set(key, value);
      if (values.size > limit) {
        const oldest = values.keys().next();
        if (oldest.done !== true) values.delete(oldest.value);
      }
    },
    delete: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}
