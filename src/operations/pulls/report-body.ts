/** The report of a run as the text of a pull request: within GitHub's limit, with no code block left open. */

/** GitHub accepts 65,536. */
const MAX_CHARS = 60_000;

export function bodyOf(markdown: string, run: string): string {
  if (markdown.length <= MAX_CHARS) return markdown;
  const end = markdown.lastIndexOf("\n", MAX_CHARS);
  const kept = markdown.slice(0, end < 0 ? MAX_CHARS : end);
  return `${kept}\n${openFence(kept)}\n\n(The rest is left out: \`unstuck report ${run}\` has all of it.)\n`;
}

/** The code fence that is still open at the end, or an empty string. */
function openFence(text: string): string {
  let open = "";
  for (const line of text.split("\n")) {
    const ticks = /^`{3,}/.exec(line)?.[0] ?? "";
    if (open === "") open = ticks;
    else if (line.trimEnd() === ticks && ticks.length >= open.length) open = "";
  }
  return open;
}
