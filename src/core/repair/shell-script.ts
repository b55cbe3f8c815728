/**
 * Shell scripts of repair steps: our own words around foreign values (C6). Invariants: a value always stands in
 * POSIX single quotes, so a shell reads it as one word and obeys nothing in it; total for every string (NUL, which
 * no argument can hold, is left out; lone surrogates become U+FFFD).
 */

function shellQuote(value: string): string {
  return `'${value.replaceAll("\0", "").toWellFormed().replaceAll("'", "'\\''")}'`;
}

/** A path that cannot be taken for an option, also by programs that do not know `--`. */
export function operand(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}

/**
 * Tagged template: literal parts are ours, every inserted value is quoted; a list becomes quoted
 * words.
 */
export function sh(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string {
  let script = parts[0] ?? "";
  values.forEach((value, index) => {
    script += typeof value === "object" ? value.map(shellQuote).join(" ") : shellQuote(`${value}`);
    script += parts[index + 1] ?? "";
  });
  return script;
}
