/** Joins patterns as alternatives, so that a long pattern can be written one alternative per line. */
export const anyOf = (flags: string, ...alternatives: readonly RegExp[]): RegExp =>
  new RegExp(alternatives.map(({ source }) => source).join("|"), flags);
