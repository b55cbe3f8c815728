/**
 * Long patterns as lists: one alternative a line. Imports nothing.
 * Invariant: made from constants only, never from foreign text.
 */
export const anyOf = (flags: string, ...alternatives: readonly RegExp[]): RegExp =>
  new RegExp(alternatives.map(({ source }) => source).join("|"), flags);
