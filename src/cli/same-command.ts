/** Command lines to copy: the user's own command with additional flags. */

/** Quotes a word only if a shell needs it, with the quotes people use: "make the tests pass". */
export function shellWord(word: string): string {
  if (/^[\w./@%+=:,-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}

export const sameCommandWith = (flags: readonly string[]): string =>
  ["unstuck", ...process.argv.slice(2), ...flags].map(shellWord).join(" ");
