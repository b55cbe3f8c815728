/**
 * What an agent is told of a question it asked: that nobody is here, or that a person's answer follows (U22); and of a
 * call that its gate refused: that it may, or is to go on without (U21).
 */
import type { Permits } from "../run/attempt.ts";
import { escapeInline, quoted } from "./quoted.ts";

const MAX_CHARS = 1800;

const NOBODY = "Nobody is here to answer: take the most reasonable option, say which, and go on.";

export function ownQuestion(asked: string, isAnswered: boolean): string {
  const told = `You asked:\n${quoted(asked, MAX_CHARS)}`;
  return isAnswered ? told : `${told}\n\n${NOBODY}`;
}

export function permitsTold({ allowed = [], without = [] }: Permits): string {
  const names = [...allowed, ...without].map(escapeInline).join(", ");
  return allowed.length > 0
    ? `A person allowed what was refused before: ${names}. Do it now, exactly so.`
    : `A person decided that you go on without ${names}. Do not try it again; find another way.`;
}
