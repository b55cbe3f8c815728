/** Leaves out the fields that are undefined: a field without a value is absent from what is stored and shown. */
export const defined = <T extends object>(
  fields: T,
): { -readonly [field in keyof T]?: Exclude<T[field], undefined> } =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<T> as never;
