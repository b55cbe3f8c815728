/** Long patterns as lists: one alternative a line. Invariant: made from constants only, never from foreign text. */
export const anyOf = (flags: string, ...alternatives: readonly RegExp[]): RegExp =>
  new RegExp(alternatives.map(({ source }) => source).join("|"), flags);

/** A long pattern, and words (in lower case) of which every text that fits it has one: they are looked for first. */
export interface WordedPattern {
  readonly words: readonly string[];
  readonly pattern: RegExp;
}

/** `lower`: the same text in lower case. */
export function foundIn(
  { words, pattern }: WordedPattern,
  text: string,
  lower: string,
): RegExpExecArray | null {
  for (const word of words) if (lower.includes(word)) return pattern.exec(text);
  return null;
}
