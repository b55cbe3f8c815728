/** Helpers for plain objects: optional fields, and values of unknown shape. */

/** Optional fields under `exactOptionalPropertyTypes`: a field without a value is absent. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function defined<T extends object>(fields: T): Defined<T> {
  const kept: { [K in keyof T]?: T[K] } = {};
  for (const name of Object.keys(fields) as (keyof T)[])
    if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as unknown as Defined<T>;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
