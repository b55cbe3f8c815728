/**
 * What questions to a person and their answers mean, for `explanation`. Invariants as there: bounded, tamed,
 * recorded facts only.
 */
import { count } from "../amounts.ts";
import { tameLine } from "../foreign-text.ts";
import type { DecisionOf } from "../run/decision.ts";
import { only } from "./explained.ts";
import type { Seen, Told } from "./explained.ts";
import { failureWords } from "./recovery-explanation.ts";
import { answerWords, listWords } from "./recovery-words.ts";

export function asked({ checkpoint }: DecisionOf<"checkpoint-opened">): Told {
  const { context, options, recommendation } = checkpoint;
  return {
    decision: `ask a person (${tameLine(checkpoint.id, 80)})`,
    seen: [
      tameLine(context.error, 300),
      `${count(context.attempts, "attempt")} made`,
      ...(context.blocksCount === 0
        ? []
        : [`blocks ${context.blocksCount}: ${listWords(context.blocks)}`]),
    ].filter((line) => line !== ""),
    considered: options.map(({ answer, label }) => ({
      rung: answer,
      recovery: label,
      verdict: answer === recommendation ? "recommended" : "offered",
    })),
    why: tameLine(checkpoint.question, 300),
  };
}

export function questioned(
  event: DecisionOf<
    "checkpoint-joined" | "checkpoint-followed" | "checkpoint-taken" | "checkpoint-closed"
  >,
  { failure }: Seen,
): Told {
  const question = tameLine(event.checkpoint, 80);
  switch (event.kind) {
    case "checkpoint-joined":
      return {
        decision: `wait for the answer to ${question}`,
        seen: [...failureWords(failure), `${question} is open`],
        considered: [
          { rung: "join", recovery: `wait for ${question}`, verdict: "chosen" },
          { rung: "ask", recovery: "a question of its own", verdict: "not for the same cause" },
        ],
        why: `${tameLine(event.of, 80)} met the same cause and asked already: one question, one answer`,
      };
    case "checkpoint-followed":
      return {
        decision: `the answer counts for it too: ${answerWords(event.answer)}`,
        seen: [question],
        considered: only("joined", "the same answer"),
        why: "it had joined that question",
      };
    case "checkpoint-taken":
      return {
        decision: `left to ${tameLine(event.by, 60)}, who handles it by hand`,
        seen: [question],
        considered: only("answer", "handled by hand"),
        why: "the question stays open until they say that it is done",
      };
    case "checkpoint-closed":
      return {
        decision: `the question was answered: ${answerWords(event.answer)}`,
        seen: [`${question}, by ${tameLine(event.by, 60)}`],
        considered: only("answer", "as answered"),
        why: "the first answer stands",
      };
  }
}
