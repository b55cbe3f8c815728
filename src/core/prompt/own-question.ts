/** What an agent is told of a question it asked: that nobody is here, or that a person's answer follows (U22). */
import { quoted } from "./quoted.ts";

const MAX_CHARS = 1800;

const NOBODY = "Nobody is here to answer: take the most reasonable option, say which, and go on.";

export function ownQuestion(asked: string, isAnswered: boolean): string {
  const told = `You asked:\n${quoted(asked, MAX_CHARS)}`;
  return isAnswered ? told : `${told}\n\n${NOBODY}`;
}
