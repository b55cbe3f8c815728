/** A long pattern as a list: one alternative a line. */
export const anyOf = (flags: string, ...alternatives: readonly RegExp[]): RegExp =>
  new RegExp(alternatives.map(({ source }) => source).join("|"), flags);
