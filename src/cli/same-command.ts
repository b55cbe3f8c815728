/** Command lines for a person to copy: what they gave, with more flags. */

/** Quoted only where a shell would not take it as it is, and as people quote: "make the tests pass". */
export function shellWord(word: string): string {
  if (/^[\w./@%+=:,-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}

export const sameCommandWith = (flags: readonly string[]): string =>
  ["unstuck", ...process.argv.slice(2), ...flags].map(shellWord).join(" ");
