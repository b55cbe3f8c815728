/** Command lines for a person to copy: what they gave, with more flags. */

/** Quoted only where a shell would not take it as it is. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

export const sameCommandWith = (flags: readonly string[]): string =>
  ["unstuck", ...process.argv.slice(2), ...flags].map(shellWord).join(" ");
