/**
 * An agent that talks: the same script, but at every attempt other words, another approach and a `<progress>` tag of
 * its own. What a run does must not depend on them.
 */
import type { Script, ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";

const SUBJECTS = "parser cache router loader header module buffer schema ledger kernel".split(" ");
const VERBS = "shapes guards feeds splits orders mirrors trims wraps binds sorts".split(" ");
const PLACES = "upstream downstream inside outside nearby beyond beneath above between".split(" ");

const pick = (words: readonly string[], at: number): string => words[at % words.length] ?? "";

/** No two numbers below 90 share as much as a pair of words that says something. */
export function words(number: number): string {
  const subject = `${pick(SUBJECTS, number)}${number}`;
  const place = pick(PLACES, number);
  return [
    `<approach>let the ${subject} look ${place}</approach>`,
    `${subject} ${pick(VERBS, number * 3)} ${place}; ${place} ${subject} matters, ${subject}!`,
    `<progress>understood how ${subject} works ${place}</progress>`,
  ].join("\n");
}

const ATTEMPTS = 60;

/** What it does stays; whatever it printed, it says more, and never the same twice. */
export function rephrased(script: Script): Script {
  return Object.fromEntries(
    Object.entries(script).map(([subtask, attempts]) => [
      subtask,
      Array.from({ length: ATTEMPTS }, (_, index): ScriptedAttempt => {
        const attempt = attempts[Math.min(index, attempts.length - 1)] ?? {};
        return { ...attempt, print: words(index) };
      }),
    ]),
  );
}
