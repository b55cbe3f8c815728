/**
 * The Unstuck commands that a page tells people to type: lines of its shell blocks, and those quoted in its sentences.
 */

export interface PageCommand {
  readonly line: string;
  /** From a shell block: it has to work as it is. A quoted one may lack its arguments. */
  readonly isWhole: boolean;
}

export function commandsOf(page: string): readonly PageCommand[] {
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
  const typed = blocks
    .flatMap((text) => text.replaceAll("\\\n", " ").split("\n"))
    .map((line) => line.replace(/\s#\s.*$/, "").trim())
    .filter((line) => /(?:^|\s)unstuck(?:\s|$)/.test(line));
  const prose = page.replace(/^```[^]*?^```$/gm, "");
  const quoted = [...prose.matchAll(/`(unstuck [^`\n]+)`/g)].map(([, line = ""]) => line);
  return [
    ...[...new Set(typed)].map((line) => ({ line, isWhole: true })),
    ...[...new Set(quoted)].map((line) => ({ line, isWhole: false })),
  ];
}
