/** The command line that was given, with more flags: for a person to copy. */

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

export const sameCommandWith = (flags: readonly string[]): string =>
  ["unstuck", ...process.argv.slice(2), ...flags].map(quoted).join(" ");
