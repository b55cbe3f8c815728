/**
 * Which attempt added each line of a prompt: the first one from which on the line was always present. A person's answer
 * is kept apart from other text added with it. Pure.
 */
import { PERSON_ANSWERED } from "../../src/core/prompt/person-answered.ts";

export interface KeptPrompt {
  readonly attempt: number;
  readonly recovery?: string;
  readonly text?: string;
}

export interface PromptBlock {
  readonly text: string;
  /** The attempt that added it, and the recovery; absent for what the first attempt was told too. */
  readonly since?: Pick<KeptPrompt, "attempt" | "recovery">;
  /** A person's words. */
  readonly isAnswer: boolean;
}

export function promptBlocks(prompts: readonly KeptPrompt[]): readonly PromptBlock[] {
  const last = prompts.at(-1);
  if (last?.text === undefined) return [];
  const lines = prompts.map(
    ({ text = "" }) => new Set(text.split("\n").map((line) => line.trim())),
  );
  const blocks: { text: string[]; since: KeptPrompt | undefined; isAnswer: boolean }[] = [];
  const all = last.text.split("\n");
  // The prompt contains it once, near its end; an error text that quotes it comes earlier.
  const answerFrom = all.lastIndexOf(PERSON_ANSWERED);
  for (const [index, line] of all.entries()) {
    const since = saysNothing(line) ? blocks.at(-1)?.since : broughtBy(prompts, lines, line.trim());
    const block = blocks.at(-1);
    const isAnswer = since !== undefined && answerFrom >= 0 && index >= answerFrom;
    if (block !== undefined && block.since === since && block.isAnswer === isAnswer)
      block.text.push(line);
    else blocks.push({ text: [line], since, isAnswer });
  }
  return blocks.map(({ text, since, isAnswer }) => ({
    ...{ text: text.join("\n"), isAnswer },
    ...(since === undefined ? {} : { since }),
  }));
}

/** Empty lines and fences of quoted text belong to what precedes them. */
const saysNothing = (line: string): boolean => /^\s*(`{3,}\w*)?\s*$/.test(line);

function broughtBy(
  prompts: readonly KeptPrompt[],
  lines: readonly ReadonlySet<string>[],
  line: string,
): KeptPrompt | undefined {
  let at = prompts.length - 1;
  while (at > 0 && lines[at - 1]?.has(line) === true) at -= 1;
  return at === 0 ? undefined : prompts[at];
}
