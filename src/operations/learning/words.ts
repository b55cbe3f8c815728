/** What was learned, in words: failures, moves and what agents must never do. */
import { cleanLine } from "../../core/foreign-text.ts";
import { KIND_WORDS } from "../../core/kind-words.ts";
import type { FailureKind } from "../../core/kinds.ts";
import type { Lesson } from "../../core/memory/lesson.ts";
import { neverWords } from "../../core/learning/preferences.ts";
import { remedyText } from "../../core/memory/recall.ts";
import { RECOVERY_WORDS, type RecoveryName } from "../../core/recovery.ts";

export { neverWords };

const isKind = (name: string): name is FailureKind => Object.hasOwn(KIND_WORDS, name);
const isRecovery = (name: string): name is RecoveryName => Object.hasOwn(RECOVERY_WORDS, name);

/** A kind that only a newer version knows keeps its name. */
export const symptomWords = (symptom: string): string =>
  isKind(symptom) ? KIND_WORDS[symptom].name : spaced(symptom);

export function moveWords(move: string, tierStep: number): string {
  const [name = "", strategy] = move.split("/");
  const does = isRecovery(name) ? RECOVERY_WORDS[name].does : spaced(name);
  if (strategy !== undefined) return `repair: ${spaced(strategy)}`;
  if (name === "think") return "let the model think longer";
  return tierStep > 0 && name !== "escalate" ? `${does} (stronger model)` : does;
}

export const lessonWords = ({
  recovery,
  byPerson,
}: {
  readonly recovery?: string;
  readonly byPerson?: true;
}): string => {
  if (recovery !== undefined && !isRecovery(recovery)) return spaced(recovery);
  const known: Pick<Lesson, "recovery" | "byPerson"> = {
    ...(recovery === undefined ? {} : { recovery }),
    ...(byPerson === undefined ? {} : { byPerson }),
  };
  return remedyText(known);
};

const spaced = (name: string): string => cleanLine(name, 60).replaceAll("_", " ");
